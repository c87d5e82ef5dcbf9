"""The share of cases that an implementation answered, its conformance profiles, and what reports make of both."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import made_values
import pytest
from made_records import crash, failing, record, result
from made_site import site
from renderers import json_summary, junit, markdown, review

from harness.compare.run_diff import compare
from harness.errors import UsageError
from harness.model import ConformanceProfile, RunOptions, RunRecord, Verdict, replace
from harness.report.ci.badge import badge
from harness.report.conformance import ProfileState, limited
from harness.report.run_summary import MissingCode, summarise
from harness.report.site.single_page import render as html
from harness.report.terminal.console import render as console

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
    """Console, Markdown and JUnit show the answered share, the profiles, and the floors of operations; so does HTML."""
    summary: Any = summarise(sung(3, 1))
    lines = (
        "bass answered 4 of 120 cases of choir (3.3%)",
        "profiles of bass: singing failed (1 of 100 fails), all failed (1 of 120 fails)",
        "pass or variant of bass: song.sing 75% (a constant answer passes 21%)",
    )
    suites = ElementTree.fromstring(junit.render(sung(3, 1)))
    output = next(str(one.findtext("system-out")) for one in suites if one.get("name") == "parity.run")
    for text in (console(summary, color=False, width=100), markdown.render(sung(3, 1)), output):
        assert [line for line in lines if line not in text] == []
    page = html(summary)
    for part in ("4 of 120 cases", "choir/singing</b>", "1 of 100 fail, 4% answered", ">75%</td>", ">21%</td>"):
        assert part in page


def test_profiles_before_and_after() -> None:
    """Markdown with an older record has both states of each profile, and ends with the mark of the comment."""
    before, after = sung(98, 2, ended=20), sung(100, ended=20)
    text = markdown.render(after, compare(before, after))
    assert "| `bass` | `choir/singing` | failed (2 of 100 fail) | passed |\n" in text
    assert "| `bass` | `choir/all` | failed (2 of 120 fail) | passed |\n" in text
    assert text.endswith("\n<!-- parity report -->\n")


def hiding(unobserved: int, failed: int = 0) -> RunRecord:
    """A record of `bass`, which answers 100 songs and 20 endings with ten leaves each, and hides so many of every tenth
    song."""
    made = sung(100, ended=20)
    wanted = made_values.response({"answer": {"notes": [*range(10)]}})
    hidden = {f"choir/verse/p{at}": unobserved for at in range(0, 100, 10)}
    results = [replace(one, expected=wanted, unobserved=hidden.get(one.case, 0)) for one in made.results]
    results += [failing(f"choir/verse/f{at}", "bass", unobserved=1) for at in range(failed)]
    return replace(made, metadata=replace(made.metadata, cases=120 + failed), results=tuple(results))


def test_a_profile_needs_the_observed_share() -> None:
    """Without a failure a profile needs 95% of the expected leaves of its operations; a failure fails it anyway."""
    assert states(hiding(5)) == {"singing": "passed", "all": "passed"}
    assert states(hiding(6)) == {"singing": "not completed", "all": "passed"}
    assert states(hiding(6, failed=1)) == {"singing": "failed", "all": "failed"}


def test_leaves_of_cases_without_a_comparison_do_not_count() -> None:
    """The observed share is of cases with a pass, a variant or a fail."""
    made = hiding(0)
    refused = result("choir/verse/u", "bass", Verdict.UNSUPPORTED, reason="no", unobserved=1)
    crashed = crash("choir/verse/x", "bass", unobserved=1)
    (one, *_) = summarise(replace(made, results=(*made.results, refused, crashed))).operations["bass"]
    assert (one.operation, one.observed.is_whole) == ("song.sing", True)


def test_every_report_has_the_observed_share() -> None:
    """Every report has the share beside the rate, for an operation of which not all is observed and for no other one."""
    made = hiding(8)
    text, page = console(summarise(made), color=False, width=100), html(summarise(made))
    lines = (
        "profiles of bass: singing not completed (observed 92%), all not completed (observed 93.3%)",
        "pass or variant of bass: song.sing 100% (a constant answer passes 21%, observed 92%)",
    )
    assert [line for line in lines if line not in text.splitlines()] == []
    assert [line for line in lines if line not in markdown.render(made)] == []
    value: Any = json.loads(json_summary.render(made))["implementations"]["bass"]["conformance"]
    assert value["operations"]["song.sing"] == {"pass": 100, "floor": 0.21, "observed": 920, "leaves": 1000}
    assert value["operations"]["song.end"] == {"pass": 20}
    assert [(one["state"], one["observed"]) for one in value["profiles"]] == [
        ("not completed", 920),
        ("not completed", 1120),
    ]
    suites = ElementTree.fromstring(junit.render(made))
    properties = {str(one.get("name")): [*one.iterfind("properties/property")] for one in suites}
    assert [one.attrib for one in properties["bass.choir.verse"]] == [{"name": "song.sing", "value": "observed 92%"}]
    assert properties["bass.choir.coda"] == []
    assert "| 93.3% |" in review.render(made)
    assert '<h1 class="good">No failures, bass observed 93.3%</h1>' in page
    pages = site(made)
    assert "observed 93.3%" in pages["index.html"]
    for own in (pages["implementations/bass/1.0.html"], page):
        assert '<small class="quiet">observed 92%</small>' in own
        assert "0 of 100 fail, 100% answered, observed 92%" in own


def test_a_badge_has_the_observed_share() -> None:
    """The share stands behind the rate; below 95% the badge is not bright green."""
    for made, message, color in (
        (hiding(5), "bass 100% of 120 cases do not fail, observed 95.8%", "brightgreen"),
        (hiding(6), "bass 100% of 120 cases do not fail, observed 95%", "brightgreen"),
        (hiding(8), "bass 100% of 120 cases do not fail, observed 93.3%", "lightgrey"),
        (hiding(8, failed=1), "bass 99.1% of 121 cases do not fail, observed 93.2%", "yellow"),
    ):
        value = badge(summarise(made))
        assert (value["message"], value["color"]) == (message, color)


def disputed(endings: int, of_them: int) -> RunRecord:
    """A record of `bass` in which a ruling is about so many of the twenty endings, of which the run has so many."""
    made = sung(100, ended=endings)
    results = [
        replace(one, ruling="RUL-1")
        if one.operation == "song.end" and int(one.case.rpartition("e")[2]) < of_them
        else one
        for one in made.results
    ]
    ending = ConformanceProfile("choir", "ending", "Songs end.", {"song.end": 20})
    metadata = replace(made.metadata, profiles=(SING, ending, ALL))
    return replace(made, results=tuple(results), metadata=metadata)


DISPUTED = "all its cases are disputed"


def test_an_operation_whose_every_case_is_disputed() -> None:
    """Every report says so beside the operation and beside a profile of such operations."""
    made = disputed(20, 20)
    assert summarise(made).disputed == {"song.end"}
    for shown in (console(summarise(made), color=False, width=100), markdown.render(made)):
        assert f"singing passed, ending passed ({DISPUTED}), all passed" in shown
        assert f"pass or variant of bass: song.end 100% ({DISPUTED})" in shown
    value: Any = json.loads(json_summary.render(made))["implementations"]["bass"]["conformance"]
    assert value["operations"]["song.end"] == {"pass": 20, "allDisputed": True}
    assert [one["name"] for one in value["profiles"] if "allDisputed" in one] == ["ending"]
    pages = site(made)
    for page in (pages["implementations/bass/1.0.html"], html(summarise(made))):
        assert f'<small class="quiet">{DISPUTED}</small>' in page
    assert "All its cases are disputed" in pages["operations/song.end.html"]


@pytest.mark.parametrize("made", [disputed(20, 19), disputed(19, 19)], ids=["a plain case", "a part of the cases"])
def test_a_part_of_an_operation_says_nothing(made: RunRecord) -> None:
    """One plain case, or cases that the run did not select, and nothing is said."""
    assert summarise(made).disputed == frozenset()
    assert "disputed" not in console(summarise(made), color=False, width=100)
