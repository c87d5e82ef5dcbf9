"""The share of cases that an implementation answered, its conformance profiles, and what reports make of both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import made_values
import pytest
from made_records import crash, failing, record, result
from renderers import junit, markdown

from harness.compare.run_diff import compare
from harness.errors import UsageError
from harness.model import ConformanceProfile, RunOptions, RunRecord, Verdict
from harness.report.badge import badge
from harness.report.conformance import ProfileState, limited
from harness.report.console import render as console
from harness.report.html import render as html
from harness.report.summary import MissingCode, summarise

SING = ConformanceProfile("choir", "singing", "Songs are sung.", {"song.sing": 100})
ALL = ConformanceProfile("choir", "all", "All operations of choir.", {"song.sing": 100, "song.end": 20})


def sung(passed: int, failed: int = 0, refused: int = 0, ended: int = 0) -> RunRecord:
    """A record of `bass` in a corpus with 120 cases: passed, failed and refused songs, and passed endings."""
    made = record(
        *(result(f"choir/verse/p{at}", "bass") for at in range(passed)),
        *(failing(f"choir/verse/f{at}", "bass") for at in range(failed)),
        *(result(f"choir/verse/u{at}", "bass", Verdict.UNSUPPORTED, reason="no") for at in range(refused)),
        *(result(f"choir/coda/e{at}", "bass", operation="song.end") for at in range(ended)),
        entries=[made_values.started("bass", operations=frozenset(("song.sing", "song.end")))],
    )
    return replace(made, metadata=replace(made.metadata, profiles=(SING, ALL), floors={"song.sing": 0.21}))


@pytest.mark.parametrize(
    ("made", "message", "color"),
    [
        (sung(1), "bass incomplete: 1 of 120", "lightgrey"),
        (sung(100, ended=20), "bass 100% of 120 cases do not fail", "brightgreen"),
        (sung(100, ended=14), "bass 100% of 114 cases do not fail", "brightgreen"),
        (sung(100, ended=13), "bass incomplete: 113 of 120", "lightgrey"),
        (sung(99, 1, ended=20), "bass 99.1% of 120 cases do not fail", "yellow"),
        (sung(1, 1), "bass incomplete: 2 of 120, 1 failing", "red"),
        (sung(1, refused=200), "incomplete, 1 of 201 answered", "critical"),
        (limited(sung(100), ["singing"]), "bass 100% of 100 cases do not fail", "brightgreen"),
        (limited(sung(90), ["singing"]), "bass incomplete: 90 of 100", "lightgrey"),
    ],
    ids=["one", "whole", "95%", "less", "a failure", "few and a failure", "refused", "profile", "part of a profile"],
)
def test_badges(made: RunRecord, message: str, color: str) -> None:
    """A badge is bright green only without a failure and with 95% of the cases answered."""
    value = badge(summarise(made))
    assert (value["message"], value["color"]) == (message, color)


def states(made: RunRecord) -> dict[str, ProfileState]:
    return {profile.name: part.state for profile, part in summarise(made).conformance["bass"].profiles}


def test_profiles_pass_fail_or_stay_open() -> None:
    """A failure fails a profile; without one, the profile needs 95% of its cases in the corpus."""
    assert states(sung(100)) == {"singing": "passed", "all": "not completed"}
    assert states(sung(100, ended=20)) == {"singing": "passed", "all": "passed"}
    assert states(sung(5, 1)) == {"singing": "failed", "all": "failed"}
    assert states(limited(sung(100, ended=20), ["singing"])) == {"singing": "passed"}


def test_a_crash_is_no_answer() -> None:
    """A case that crashes an adapter fails, and counts as not answered."""
    made = record(result("choir/verse/a", "bass"), crash("choir/verse/b", "bass"))
    share = summarise(made).conformance["bass"].share
    assert (share.answered, share.cases, share.failing) == (1, 2, 1)


def test_a_profile_must_exist() -> None:
    """A report about an unknown profile is refused with the known names."""
    with pytest.raises(UsageError, match="Use one of: singing, all"):
        limited(sung(1), ["dancing"])


def missing(made: RunRecord) -> tuple[list[MissingCode], int]:
    summary = summarise(made)
    return [one.code for one in summary.missing], summary.exit_status


def test_few_answers_fail_a_run() -> None:
    """An implementation must answer 1% of the cases of its own operations, or the stated share."""
    assert missing(sung(1, refused=99)) == ([], 0)
    assert missing(sung(1, refused=100)) == ([MissingCode.FEW_ANSWERED], 1)
    strict = sung(49, refused=51)
    options = RunOptions(min_answered=50.0)
    assert missing(replace(strict, metadata=replace(strict.metadata, options=options)))[1] == 1
    assert missing(strict)[1] == 0


def test_no_operations() -> None:
    """An implementation without operations gives the status of an adapter that cannot start."""
    made = record(
        result("choir/verse/a", "bass", Verdict.UNSUPPORTED, reason="no"),
        entries=[made_values.started("bass", operations=frozenset())],
    )
    assert missing(made) == ([MissingCode.NO_OPERATIONS], 3)


def test_every_report_has_the_share() -> None:
    """Console, Markdown, HTML and JUnit show the answered share, the profiles, and the floors of operations."""
    summary: Any = summarise(sung(3, 1))
    lines = (
        "bass answered 4 of 120 cases of choir (3.3%)",
        "profiles of bass: singing failed (1 of 100), all failed (1 of 120)",
        "cases of bass that do not fail: song.sing 75% (a constant answer passes 21%)",
    )
    suites = ElementTree.fromstring(junit.render(sung(3, 1)))
    output = next(str(one.findtext("system-out")) for one in suites if one.get("name") == "parity.run")
    for text in (console(summary, color=False, width=100), markdown.render(sung(3, 1)), html(summary), output):
        assert [line for line in lines if line not in text] == []


def test_profiles_before_and_after() -> None:
    """Markdown with an older record has both states of each profile, and ends with the mark of the comment."""
    before, after = sung(98, 2, ended=20), sung(100, ended=20)
    text = markdown.render(after, compare(before, after))
    assert "| `bass` | `choir/singing` | failed (2 of 100) | passed |\n" in text
    assert "| `bass` | `choir/all` | failed (2 of 120) | passed |\n" in text
    assert text.endswith("\n<!-- parity report -->\n")
