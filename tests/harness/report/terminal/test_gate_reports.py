"""The record of a gate in reports: known and new results apart."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import made_values
import pytest
from made_records import HOSTILE, crash, failing, record, result
from renderers import html, junit, markdown

from harness.gate.listing import NewReason
from harness.gate.summary import GateState
from harness.model import ErrorKind, GateFile, RecordedResult, RunRecord, Verdict, replace
from harness.report.ci.badge import badge
from harness.report.ci.json_summary import as_value
from harness.report.run_summary import Doubt, summarise

SINGER = Path(__file__).parents[2] / "cli" / "adapters" / "singer.py"
KNOWN, NEW = ("known", "It sings flat."), ("new", NewReason.NOT_LISTED.value)
STALE = ("stale", "the case passes now; delete known.yaml:5: It sang flat.")


def unsupported(case: str, expectation: tuple[str, str]) -> RecordedResult:
    return result(case, "bass", Verdict.UNSUPPORTED, reason="it has no organ", expectation=expectation)


def green() -> RunRecord:
    """Two failures and a gap, all of them known."""
    return record(
        result("choir/verse/a", "bass"),
        failing("choir/verse/b", "bass", expectation=KNOWN),
        crash("choir/verse/c", "bass", expectation=KNOWN),
        unsupported("choir/verse/d", ("known", "It has no organ.")),
    )


def red() -> RunRecord:
    """Of everything that fails a gate one, beside a known failure."""
    return record(
        failing("choir/verse/a", "bass", expectation=KNOWN),
        failing("choir/verse/b", "bass", "la", expectation=NEW),
        result("choir/verse/c", "bass", expectation=STALE),
        failing("choir/verse/d", "bass", expectation=("expired", "It sings flat till May.")),
        unsupported("choir/verse/e", ("new", NewReason.UNSUPPORTED_NOT_LISTED.value)),
        failing("choir/verse/f", "bass", expectation=("known", "TODO")),
    )


GREEN = "gate: green, 2 known divergences, 1 known unsupported case"
RED = "gate: red (2 new, 1 expired, 1 stale case, 1 unwritten reason), 2 known divergences"


@pytest.mark.parametrize(("made", "sentence"), [(green(), GREEN), (red(), RED)], ids=["green", "red"])
def test_the_first_line(made: RunRecord, sentence: str) -> None:
    """Markdown and the page begin with the gate's verdict and how much is known."""
    assert markdown.render(made).startswith(f"## {sentence}\n")
    colour = "good" if sentence == GREEN else "bad"
    assert f'<h1 class="{colour}">G{sentence[1:]}</h1>' in html.render(made)


def test_the_summary_for_programs() -> None:
    """The member gate has the verdict and the counts; each failing case says how it stands. The status is the gate's."""
    assert [as_value(summarise(made))["exitStatus"] for made in (green(), red())] == [0, 1]
    assert as_value(summarise(green()))["gate"] == {
        "verdict": "green",
        "known": 2,
        "knownUnsupported": 1,
        "withoutReason": 0,
        "newInCorpus": [],
        "unmatched": [],
        "newUnobservable": [],
        "staleUnobservable": [],
        "staleCases": {},
        "new": 0,
        "expired": 0,
        "stale": 0,
        "reading": 0,
    }
    value: Any = as_value(summarise(red()))
    assert value["gate"] == {
        "verdict": "red",
        "known": 2,
        "knownUnsupported": 0,
        "withoutReason": 1,
        "newInCorpus": [],
        "unmatched": [],
        "newUnobservable": [],
        "staleUnobservable": [],
        "staleCases": {"choir/verse/c": STALE[1]},
        "new": 2,
        "expired": 1,
        "stale": 1,
        "reading": 0,
    }
    assert [one["expectation"]["status"] for one in value["failing"]] == ["known", "new", "expired", "known"]


@pytest.mark.parametrize(
    ("made", "message", "color"),
    [
        (green(), "gate green, 2 known divergences, incomplete: 2 of 4", "lightgrey"),
        (red(), "gate red, 2 new, 1 expired, 1 stale case, 1 unwritten reason", "red"),
        (record(*green().results, complete=False), "incomplete", "critical"),
    ],
    ids=["green", "red", "cut short"],
)
def test_the_badge(made: RunRecord, message: str, color: str) -> None:
    """It is green only if the gate is, and says so."""
    assert badge(summarise(made)) == {"schemaVersion": 1, "label": "parity", "message": message, "color": color}


def test_markdown_tells_first_what_is_new() -> None:
    """All that fails the gate is listed with its signature; what is known is folded behind it."""
    text = markdown.render(red())
    listed, _, folded = text.partition("<details>")
    assert (
        '- `choir/verse/b` `$.tune` wanted `"fa"` got `"la"` (not a known divergence), signature `0123456789ab`'
        in listed
    )
    assert f"- `choir/verse/c` **pass** (`{STALE[1]}`)" in listed
    assert "- `choir/verse/e` **unsupported** (not listed as unsupported)" in listed
    assert "**Without a reason: 1 case**\n\n- `choir/verse/f`" in listed
    assert "choir/verse/a" not in listed
    assert "<summary>2 known divergences in 1 group</summary>" in folded
    assert "choir/verse/a" in folded


def test_junit_fails_for_what_fails_the_gate() -> None:
    """What is known is skipped with its reason; new, stale, expired and unwritten ones fail, whatever their verdict."""
    assert "<failure" not in junit.render(green())
    assert "<error" not in junit.render(green())
    cases = {
        case.get("name"): [(child.tag, child.get("type"), child.get("message")) for child in case]
        for case in ElementTree.fromstring(junit.render(red()).encode()).iter("testcase")
    }
    assert cases["a"] == [("skipped", "fail", "known: It sings flat.")]
    assert cases["b"] == [("failure", "fail", 'new: $.tune wanted "fa" got "la"')]
    assert cases["c"] == [("failure", "gate/stale", f"stale: {STALE[1]}")]
    assert cases["d"] == [("failure", "fail", "expired: It sings flat till May.")]
    assert cases["e"] == [("failure", "gate/new", "new: not listed as unsupported")]
    assert cases["f"] == [("failure", "fail", "known: TODO")]


def test_the_page_marks_results() -> None:
    """Each result carries its status beside its verdict; what fails the gate stands first, even a case that passes."""
    cases = html.render(red()).split('<details class="case"')[1:]
    found = [re.findall(r"/</span><b>(.)</b>.*?<small>(.*?)</small>", one) for one in cases]
    assert dict(one[0] for one in found) == {
        "a": "known",
        "b": "new",
        "c": "stale",
        "d": "expired",
        "e": "new",
        "f": "without a reason",
    }
    assert found[-1] == [("a", "known")]


def test_a_run_is_no_gate() -> None:
    """The reports of a run's record have nothing of a gate."""
    made = record(failing("choir/verse/a", "bass"), unsupported("choir/verse/b", KNOWN))
    made = record(*(one if one.expectation is None else result(one.case, "bass") for one in made.results))
    assert "gate" not in as_value(summarise(made))
    assert "gate" not in markdown.render(made)
    assert "</summary>" not in html.render(made).partition("<h2>Implementations")[0]


def test_new_failures_come_first_on_the_page() -> None:
    """Cases and groups with a new failure stand before those with known ones; a group has the number of its new failures."""
    known = [
        failing(f"choir/{word}/{n}", "bass", operation=f"song.{word}", expectation=KNOWN)
        for word in "ab"
        for n in "123"
    ]
    new = [failing(f"choir/{word}/9", "bass", operation=f"song.{word}", expectation=NEW) for word in "by"]
    page = html.render(record(*known, *new))
    assert re.findall(r'<div class="body" id="choir/(./.)">', page)[:3] == ["b/9", "y/9", "a/1"]
    table = page.partition('aria-label="Failure groups"')[2].partition("</table>")[0]
    assert re.findall(r'data-name="cases">(.*?)</td>', table) == ["4, 1 new", "1, 1 new", "3"]
    assert "2 new</summary>" in page
    assert "6 known</summary>" in page


def test_what_the_gate_did_not_judge_is_new() -> None:
    """A failure of which a gate's record says nothing makes the gate red."""
    made = record(failing("choir/verse/a", "bass", expectation=KNOWN), failing("choir/verse/b", "bass"))
    assert markdown.render(made).startswith("## gate: red (1 new), 1 known divergence\n")


@pytest.mark.parametrize(
    ("made", "state", "doubts"),
    [
        (green(), GateState.GREEN, ()),
        (red(), GateState.RED, ()),
        (record(*green().results, complete=False), GateState.UNTRUSTED, (Doubt.MISSING_VERDICTS,)),
        (record(*red().results, complete=False), GateState.RED, (Doubt.MISSING_VERDICTS,)),
        (
            record(*green().results, result("choir/verse/z", "bass", Verdict.ERROR, kind=ErrorKind.START)),
            GateState.UNTRUSTED,
            (Doubt.NOT_STARTED,),
        ),
    ],
    ids=["green", "red", "incomplete", "incomplete and red", "restart failed"],
)
def test_the_state_of_a_gate(made: RunRecord, state: GateState, doubts: tuple[Doubt, ...]) -> None:
    """Only a trusted gate without findings is green; a failed restart makes a run untrusted."""
    summary = summarise(made)
    assert summary.gate is not None
    assert (summary.gate.state, summary.doubts) == (state, doubts)


def test_a_gate_that_cannot_be_trusted_is_red() -> None:
    """Known failures in an incomplete run make no gate green."""
    made = record(failing("choir/verse/a", "bass", expectation=KNOWN), complete=False)
    assert "gate: red (verdicts are missing), 1 known divergence" in markdown.render(made)


def test_an_adapter_that_did_not_start_has_nothing_new() -> None:
    """Cases that nobody could be asked are no list of new failures; the gate is red all the same."""
    kind, mute = ErrorKind.START, made_values.mute("no")
    text = markdown.render(
        record(result("choir/verse/a", "mute", Verdict.ERROR, kind=kind, expectation=NEW), entries=[mute])
    )
    assert text.startswith("## gate: red (1 adapter did not start (mute)), 0 known divergences\n")
    assert "choir/verse/a" not in text


def test_hostile_reasons_stay_text() -> None:
    """A reason of a record that somebody changed is neither markup nor green."""
    made = record(failing("choir/verse/a", "bass", expectation=("new", HOSTILE)))
    text = markdown.render(made)
    assert text.startswith("## gate: red (1 new), 0 known divergences\n")
    assert "<img" not in html.render(made)
    ElementTree.fromstring(junit.render(made).encode())


def test_a_gate_is_a_gate_by_its_header() -> None:
    """A gate in which every case passes is a gate. One that is red for its file alone is red in every report."""

    def gated(unmatched: tuple[str, ...]) -> RunRecord:
        made = record(result("choir/verse/a", "bass"))
        return replace(made, metadata=replace(made.metadata, gate=GateFile(unmatched=unmatched, without_reason=0)))

    assert markdown.render(gated(())).startswith("## gate: green, 0 known divergences\n")
    made = gated(("choir/verse/<gone>",))
    assert markdown.render(made).startswith("## gate: red (1 unmatched), 0 known divergences\n")
    assert "**Unmatched: 1 line**\n\n- `choir/verse/<gone>`" in markdown.render(made)
    value: Any = as_value(summarise(made))["gate"]
    assert value["unmatched"] == ["choir/verse/<gone>"]
    assert badge(summarise(made))["color"] == "red"
    assert 'type="gate/unmatched"' in junit.render(made)
    assert "choir/verse/&lt;gone&gt;" in html.render(made)


def test_markdown_has_the_places_and_reasons_of_the_terminal(
    run_parity: Any, echo_corpus: Path, tmp_path: Path
) -> None:
    """A line of the file that does not hold has its place, and another failure than the listed one the listed reason."""
    file, gate = tmp_path / "known.yaml", tmp_path / "gate.jsonl"
    entries = """\
divergences:
- reason: It swallows the end of a word.
  cases: {echo/said/word: "111111111111", echo/said/gone: "111111111111"}
"""
    file.write_text(entries, "utf-8")
    command = f"singer={shlex.join([sys.executable, '-S', str(SINGER), 'mumbling'])}"
    done = run_parity("gate", "--adapter", command, "--corpus", echo_corpus, "--record", gate, "--known", file)
    assert f"{file}:3  echo/said/gone: no such case" in done.stdout
    text = run_parity("report", gate, "--markdown", "-").stdout
    assert f"- `{file}:3` `echo/said/gone`\n" in text
    assert f"- `{file}:3` `echo/said/word` `$.text` wanted" in text
    assert "(known divergence with another signature)" in text
    assert "; the file lists: `It swallows the end of a word.`" in text
