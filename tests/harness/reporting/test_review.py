"""The review for editors: who follows which reading, what is refused and broken; hostile text stays text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import browser
import pytest
from made_records import HOSTILE, crash, entry, everything, failing, record, result
from markdown_it import MarkdownIt

from harness.model import Difference, RunRecord, Verdict
from harness.reporting.breaches import breaches
from harness.reporting.positions import rulings
from harness.reporting.review import render

GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table")
CASES = ("choir/verse/low", "choir/verse/high", "choir/verse/both")


def ruled(*results: Any, severity: str = "high", **more: Any) -> RunRecord:
    """A record whose one ruling is complete, with three cases as its evidence."""
    made = record(*results, **more)
    header: Any = made.header
    header["rulings"]["RUL-1"] |= {
        "severity": severity,
        "basis": "normative-sentence",
        "question": "Is the lowest of `notes` first, or the highest?",
        "requirements": ["SONG-01"],
        "evidence": list(CASES),
        "wording": "The lowest note comes first.",
    }
    return made


def disputed(name: str, reading: str, case: str = CASES[0]) -> Any:
    """An answer by one of the ruling's readings, of which `a` is adopted."""
    verdict = Verdict.PASS if reading == "a" else Verdict.VARIANT
    return result(case, name, verdict, reading=reading, ruling="RUL-1")


def readings(of: RunRecord) -> dict[str, tuple[dict[str, int], list[int]]]:
    """By implementation its cases by reading; then those by none, hidden ones, plain ones that fail, those not asked."""
    (one,) = rulings(of)
    return {
        name: (
            {reading: len(results) for reading, results in at.readings.items()},
            [len(results) for results in (at.none, at.hidden, at.plain, at.not_asked)],
        )
        for name, at in one.positions.items()
    }


def test_a_disputed_case_tells_which_reading_is_followed() -> None:
    """A pass is the adopted reading, a variant the one that it names, a failure none of them."""
    made = ruled(
        disputed("alto", "a"), disputed("bass", "b"), failing(CASES[0], "tenor", ruling="RUL-1"), disputed("alto", "b")
    )
    assert readings(made) == {
        "alto": ({"a": 1, "b": 1}, [0, 0, 0, 0]),
        "bass": ({"b": 1}, [0, 0, 0, 0]),
        "tenor": ({}, [1, 0, 0, 0]),
    }


def test_plain_evidence_alone_is_the_adopted_reading() -> None:
    """Where a ruling has plain cases only, answering one as expected follows the adopted reading."""
    made = ruled(result(CASES[0], "alto", discussed=("RUL-1",)), failing(CASES[0], "bass", discussed=("RUL-1",)))
    assert readings(made) == {"alto": ({"a": 1}, [0, 0, 0, 0]), "bass": ({}, [0, 0, 1, 0])}


def test_plain_evidence_beside_disputed_cases_claims_no_reading() -> None:
    """Beside disputed cases a plain case that is answered as expected says nothing about readings."""
    made = ruled(disputed("alto", "b"), result(CASES[1], "alto", discussed=("RUL-1",)))
    assert readings(made) == {"alto": ({"b": 1}, [0, 0, 0, 0])}


def test_an_undisputed_difference_hides_the_reading() -> None:
    """A disputed answer that parts where undisputed ones part says nothing of readings; of others' breaches it tells."""
    made = ruled(
        failing(CASES[0], "alto", ruling="RUL-1"),
        failing(CASES[1], "alto"),
        failing(CASES[0], "bass", ruling="RUL-1"),
        result(CASES[1], "bass"),
    )
    assert readings(made) == {"alto": ({}, [0, 1, 0, 0]), "bass": ({}, [1, 0, 0, 0])}
    assert "| hidden by another difference | 1 | · |" in render(made)


@pytest.mark.parametrize("beside", [(), (disputed("alto", "a", CASES[2]),)], ids=["alone", "beside-disputed"])
def test_plain_evidence_hides_nothing(beside: tuple[Any, ...]) -> None:
    """A plain case that fails is counted as that, wherever else the same difference shows and whatever lies beside it."""
    made = ruled(failing(CASES[0], "alto", discussed=("RUL-1",)), failing(CASES[1], "alto"), *beside)
    assert readings(made) == {"alto": ({"a": 1} if beside else {}, [0, 0, 1, 0])}
    assert "| another answer to a plain case | 1 |" in render(made)


def test_what_was_not_asked_is_no_position() -> None:
    """An unsupported case is counted as not asked, and departs from nothing."""
    made = ruled(result(CASES[0], "alto", Verdict.UNSUPPORTED, ruling="RUL-1", reason="no voice"))
    assert readings(made) == {"alto": ({}, [0, 0, 0, 1])}
    assert not rulings(made)[0].parted
    assert "| not asked | 1 |" in render(made)


def test_decisions_on_which_implementations_part_come_first_within_a_severity() -> None:
    """Severity orders the decisions, then whether somebody departs."""
    made = ruled(disputed("alto", "a"))
    header: Any = made.header
    one = header["rulings"]["RUL-1"]
    header["rulings"] = {
        "RUL-LOW": {**one, "severity": "low"},
        "RUL-AGREED": one,
        "RUL-1": one,
    }
    header["rulings"]["RUL-PARTED"] = one
    results = (*made.results, result(CASES[0], "alto", Verdict.VARIANT, reading="b", ruling="RUL-PARTED"))
    parted = RunRecord(
        header=header,
        implementations=("alto",),
        skipped=(),
        results=results,
        incidents=(),
        complete=True,
    )
    assert [found.id for found in rulings(parted)] == ["RUL-PARTED", "RUL-AGREED", "RUL-1", "RUL-LOW"]


def test_a_decision_shows_all_that_an_editor_needs() -> None:
    """Question, readings with who follows them, the reason, the wording, an answer outside of them, a linked case."""
    made = ruled(disputed("alto", "a"), failing(CASES[0], "bass", "la", ruling="RUL-1"))
    text = render(made, lambda at: f"there/{at}")
    for said in (
        "#### RUL-1 Which note comes first",
        "Is the lowest of `notes` first",
        "| **a, adopted**: The lowest. | [1](there/cases/choir/verse.yaml:7) | · |",
        "| b: The highest. | · | · |",
        "| none of the readings | · | [1](there/cases/choir/verse.yaml:7) |",
        "**Why a** (normative sentence): The text says so.",
        "> Suggested wording: The lowest note comes first.",
        '`$.tune` wanted `"fa"` got `"la"`',
        "[choir/verse/low](there/cases/choir/verse.yaml:7)",
    ):
        assert said in text


def test_a_low_decision_that_nobody_departs_from_is_one_line() -> None:
    """What all follow and hurts little is named with its wording, without a table."""
    text = render(ruled(disputed("alto", "a"), severity="low"))
    assert "- **RUL-1 Which note comes first**: The lowest. Suggested wording: The lowest note comes first." in text
    assert "| reading |" not in text


@pytest.mark.parametrize(
    ("other", "row"),
    [
        ((failing(CASES[1], "bass", ruling="RUL-1"),), "none of the readings"),
        ((failing(CASES[1], "bass", ruling="RUL-1"), failing(CASES[2], "bass")), "hidden by another difference"),
        ((failing(CASES[1], "bass", discussed=("RUL-1",)),), "another answer to a plain case"),
        ((result(CASES[1], "bass", Verdict.UNSUPPORTED, ruling="RUL-1"),), "not asked"),
    ],
    ids=["none", "hidden", "plain", "unsupported"],
)
def test_agreed_is_what_all_answer_by_the_adopted_reading(other: tuple[Any, ...], row: str) -> None:
    """One case that an SDK does not answer as adopted keeps a decision from being one line; the table says why."""
    own = (disputed("reference", "a"), disputed("reference", "a", CASES[1]))
    text = render(ruled(*own, disputed("bass", "a"), *other, severity="low"))
    assert "Every SDK asked follows" not in text
    assert f"| {row} | · | 1 |" in text


def test_a_case_without_an_answer_is_not_agreed_on() -> None:
    """What a run that broke off did not reach, and what the reference alone was asked, nobody agreed on."""
    reference = (disputed("reference", "a"), disputed("reference", "a", CASES[1]))
    for results in (reference, (*reference, disputed("bass", "a"))):
        assert "| reading |" in render(ruled(*results, severity="low"))


def test_the_rest_of_the_evidence_can_be_listed() -> None:
    """Where more cases show a decision than are named, the command that lists them stands there."""
    text = render(ruled(*(disputed("alto", "b", f"choir/verse/{number}") for number in range(5))))
    assert "choir/verse/2 and 2 more cases of `parity cases --select ruling:RUL-1`" in text


def test_what_one_difference_breaks_is_one_row() -> None:
    """Cases that part in the same place are one breach, under the requirement that most of them and few others cite."""
    many = [
        failing(f"choir/verse/{number}", "bass", requirements=("SONG-02", f"SONG-1{number}")) for number in range(5)
    ]
    elsewhere = [result(f"choir/verse/more-{number}", "bass", requirements=(f"SONG-1{number}",)) for number in range(5)]
    (found,) = breaches(record(*many, *elsewhere), ["bass"])
    assert (found.requirement, found.place, len(found.of("bass"))) == ("SONG-02", "$.tune", 5)


def test_a_breach_is_where_the_first_stage_parts() -> None:
    """A row is grouped and shown by the first difference in the first stage that parted, as kinds of failure are."""
    one, other = Difference("$.calls[1]", 1, 2), Difference("$.tune", "fa", "so")
    made = record(
        failing(CASES[1], "bass", difference=(one, other), stage="/tune"),
        failing(CASES[0], "bass", difference=(other, one), stage="/tune"),
    )
    assert [found.place for found in breaches(made, ["bass"])] == ["$.tune"]
    assert 'choir/verse/high: `$.tune` wanted `"fa"` got `"so"` and 1 more difference' in render(made)


def test_a_breach_shows_a_case_of_its_requirement() -> None:
    """The example cites the requirement at the head of its row, although another case comes first."""
    first = failing(CASES[0], "bass", requirements=("SONG-01",))
    many = [failing(f"choir/verse/x{number}", "bass", requirements=("SONG-02",)) for number in range(4)]
    sung = [result(f"choir/verse/y{number}", "bass") for number in range(9)]
    text = render(record(first, *many, *sung))
    assert "| **SONG-02** (SHOULD) A song has a tune. In 4 of 5 cases;" in text
    assert "| choir/verse/x0: `$.tune`" in text


def test_a_breach_names_the_decisions_about_its_requirement() -> None:
    """A requirement that a decision is about leads to it, although the failing cases are no evidence of it."""
    made = ruled(failing(CASES[0], "bass"), disputed("bass", "a", CASES[1]))
    text = render(made)
    assert "**SONG-01** (MUST) A song is sung to its end. See RUL-1. |" in text
    assert "is disputed" not in text
    page = render(made, html=True)
    assert 'See <a href="#RUL-1">RUL-1</a>.' in page
    assert page.count('id="RUL-1"') == 1


def test_disputed_cases_break_nothing() -> None:
    """Failures in cases of a ruling are under its decision and nowhere else."""
    made = record(failing(CASES[0], "bass", ruling="RUL-1"), failing(CASES[1], "bass", discussed=("RUL-1",)))
    assert breaches(made, ["bass"]) == []


def test_splitting_and_breaking_are_told_apart() -> None:
    """What some answer is a split; what all that were asked fail is broken by all; the unsupported are not asked."""
    made = record(
        failing(CASES[0], "alto"),
        result(CASES[0], "bass"),
        failing(CASES[1], "alto", "x"),
        failing(CASES[1], "bass", "y"),
        failing(CASES[2], "alto"),
        result(CASES[2], "bass", Verdict.UNSUPPORTED),
    )
    found = {(one.by_all, one.results[0].case): len(one.results) for one in breaches(made, ["alto", "bass"])}
    assert found == {(False, CASES[0]): 1, (True, CASES[1]): 3}
    text = render(made)
    assert "## Requirements on which implementations split" in text
    assert "## Requirements that every SDK asked breaks" in text
    assert "Perhaps the text is wrong." in text


def test_one_sdk_is_no_evidence_against_the_text() -> None:
    """With a single SDK its failures are its own and say nothing of the text; the reference is no SDK."""
    text = render(record(failing(CASES[0], "bass"), result(CASES[0], "reference")))
    assert "## Requirements that bass breaks" in text
    assert "Only one SDK could be asked, so they say nothing for or against the text." in text
    assert "Perhaps the text is wrong." not in text


def test_the_reference_is_no_vote() -> None:
    """Where the reference was asked, its column is said to count cases; where it was not, nothing is said of it."""
    said = "its column counts the cases and is no vote"
    assert said in render(ruled(disputed("reference", "a"), disputed("bass", "b")))
    assert said not in render(ruled(disputed("bass", "b")))


def test_where_no_case_tells_readings_apart_none_is_claimed() -> None:
    """An answer that departs from plain evidence follows a reading that is not known, and not none of them."""
    plain = render(ruled(failing(CASES[0], "bass", discussed=("RUL-1",))))
    assert "| another answer to a plain case | 1 |" in plain
    assert "| none of the readings |" not in plain


def test_a_breach_names_what_its_cases_cite() -> None:
    """Where not every case cites the requirement that is named, what most of the others cite is named as well."""
    alike = [failing(f"choir/verse/{number}", "bass", requirements=("SONG-02",)) for number in range(3)]
    others = [failing(f"choir/verse/x{number}", "bass", requirements=("SONG-01",)) for number in range(2)]
    sung = [result(f"choir/verse/y{number}", "bass") for number in range(9)]
    text = render(record(*alike, *others, *sung))
    assert (
        "| **SONG-02** (SHOULD) A song has a tune. In 3 of 5 cases; "
        "**SONG-01** (MUST) A song is sung to its end. In 2 others. |" in text
    )
    assert "| **SONG-02** (SHOULD) A song has a tune. |" in render(record(*alike))


def test_who_was_asked_is_all_who_were() -> None:
    """However the run was made, the report closes the list of those whose answers it knows."""
    assert "\n\nAsked: `alto`; no other.\n\n" in render(record(result(CASES[0], "alto")))
    assert "\n\nAsked: `alto`, `bass`; no other.\n\n" in render(everything())
    silent = {"name": "mute", "adapter": "mute", "started": False}
    assert "\n\nNobody could be asked.\n\n" in render(record(entries=[silent]))


def test_who_was_not_asked_has_no_column() -> None:
    """Of those that could not be asked it is said that they have no column, where there are any."""
    said = "Without a column below, since nothing is known of their answers"
    assert f"{said}: `mute`, `bird`." in render(everything())
    assert said not in render(record(result(CASES[0], "alto")))


def test_refused_expressions_are_told_once() -> None:
    """An expression that the engine refuses is listed by what the engine says, with who asks for it."""
    refused = {"path": "$.tune", "side": "wanted", "engine": "organ", "match": "a NOT", "message": "no such pipe"}
    made = record(
        result(CASES[0], "alto", engine=(refused,)),
        result(CASES[0], "bass", engine=(refused,)),
        failing(CASES[1], "bass", engine=({**refused, "side": "got", "match": "b NOT NOT"},)),
    )
    assert (
        "| `no such pipe` | bass, the text | `a NOT` in choir/verse/low; `b NOT NOT` in choir/verse/high | · | 2 |"
        in render(made)
    )


def test_a_refusal_names_the_decisions_about_it() -> None:
    """An expression of a case that a ruling is about leads to the ruling."""
    refused = {"path": "$.tune", "side": "wanted", "engine": "organ", "match": "a NOT", "message": "no such pipe"}
    made = record(
        result(CASES[0], "alto", engine=(refused,), discussed=("RUL-1",)),
        result(CASES[1], "alto", engine=(refused,), ruling="RUL-1"),
    )
    assert "| `no such pipe` | the text | `a NOT` in choir/verse/high | RUL-1 | 1 |" in render(made)


def test_whoever_could_not_be_asked_is_named() -> None:
    """Who did not start and who was left out stand at the top, with the first and the last line of the reason."""
    reason = "flute: `make` failed.\nnotes.c:1: see https://example.org\n\tserver response: No such version.\n"
    silent = {"name": "flute", "adapter": "flute", "started": False, "reason": reason}
    text = render(record(result(CASES[0], "alto"), entries=[entry("alto"), silent]))
    assert "`flute` **could not be asked**: ``flute: `make` failed.`` … `server response: No such version.`" in text
    assert "example.org" not in text
    text = render(everything())
    assert "`mute` **could not be asked**: ``mute: `make` failed.``" in text
    assert "`bird` **was left out**: ```wings is not on PATH." in text
    assert "line one" not in text


def test_what_cannot_be_observed_is_listed_with_its_reason() -> None:
    """A requirement that the header says cannot be observed closes the report."""
    made = record(result(CASES[0], "alto"))
    header: Any = made.header
    header["requirements"]["SONG-03"] = {
        "level": "MUST",
        "section": "Singing",
        "statement": "A singer breathes.",
        "unobservable": "It is not heard.",
    }
    assert render(made).rstrip().endswith("- **SONG-03** A singer breathes. It is not heard.")


def test_a_run_without_its_end_says_so() -> None:
    """A record without a footer is told before anything else."""
    assert "did not come to its end" in render(record(result(CASES[0], "alto"), complete=False)).partition("## ")[0]


def test_hostile_text_is_text_in_markdown() -> None:
    """Nothing of what an implementation gave is markup, a link or an image."""
    hostile = ruled(failing(CASES[0], "bass", HOSTILE, ruling="RUL-1"), crash(CASES[1], "bass", reason=HOSTILE))
    for made in (hostile, everything()):
        tokens = [child for token in GITHUB.parse(render(made)) for child in (token.children or [token])]
        assert {token.type for token in tokens} & {"html_block", "html_inline", "image", "link_open"} == set()


def test_hostile_text_is_text_in_html() -> None:
    """Nothing of what an implementation gave is a tag, and the page may load and run nothing."""
    page = render(everything(), html=True)
    assert "<script" not in page
    assert "<img" not in page
    assert "default-src 'none'" in page


def test_numbers_lead_to_a_case() -> None:
    """In both renderings a number in a table is a link to the first case that it counts."""
    made = ruled(disputed("bass", "b"), failing(CASES[1], "bass"))
    text, page = (render(made, lambda at: f"there/{at}", html=html) for html in (False, True))
    assert text.count("| [1](there/cases/choir/verse.yaml:7) |") == 2
    assert page.count('<td class="number"><a href="there/cases/choir/verse.yaml:7">1</a></td>') == 2


def test_a_narrow_window_shows_the_whole_page(chromium: browser.Browser, tmp_path: Path) -> None:
    """At 500 pixels nothing runs off the page: a wide table scrolls in its own box, and a long name is broken."""
    long = "a-case-that-is-named-at-length-" * 4
    voices = [failing(f"choir/verse/{long}", f"voice-{number}", ruling="RUL-1") for number in range(9)]
    others = [failing(f"choir/verse/x{long}", f"voice-{number}") for number in range(9)]
    file = tmp_path / "review.html"
    file.write_text(render(ruled(*voices, *others), lambda at: at, html=True), "utf-8")
    chromium.show(width=500)
    chromium.open(file.as_uri())
    assert chromium.run("document.documentElement.scrollWidth") == 500
    assert chromium.run("[...document.querySelectorAll('.table')].every(one => one.scrollWidth > one.clientWidth)")


def test_entries_without_a_reason_are_told_too() -> None:
    """An implementation that had not had the time to start is not passed over."""
    silent = {"name": "mute", "adapter": "mute", "started": False}
    made = record(result(CASES[0], "alto"), entries=[entry("alto"), silent])
    assert "`mute` **could not be asked**: `it was not waited for`" in render(made)
