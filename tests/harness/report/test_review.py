"""The review for editors: who follows which reading, what is refused and broken; hostile text stays text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import browser
import made_values
import pytest
from made_records import (
    CASES,
    HOSTILE,
    crash,
    disputed,
    entry,
    everything,
    failing,
    record,
    requirement,
    result,
    ruled,
    with_metadata,
)
from markdown_it import MarkdownIt
from renderers import review

from harness.model import Verdict

render = review.render

GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table")


def test_a_decision_shows_all_that_an_editor_needs() -> None:
    """Question, readings with who follows them, the reason, the wording, an answer outside of them, a linked case."""
    made = ruled(disputed("alto", "a"), failing(CASES[0], "bass", "la", ruling="RUL-1"))
    text = render(made, lambda at: f"there/{at}")
    for said in (
        "#### RUL-1 Which note comes first",
        "Is the lowest of `notes` first",
        "| **a, adopted**: The lowest. | [1](there/cases/choir/verse.yaml:7) | · |",
        "| b: The highest. | · | · |",
        "plain cases are never counted for a reading that is not adopted",
        "| none of the readings | · | [1](there/cases/choir/verse.yaml:7) |",
        "**Why a** (normative sentence): The text says so.",
        "> Suggested wording: The lowest note comes first.",
        '`$.tune` wanted `"fa"` got `"la"`',
        "[choir/verse/low](there/cases/choir/verse.yaml:7)",
    ):
        assert said in text


def test_readings_of_plain_cases_are_not_counted() -> None:
    """Where a ruling has plain cases only, nobody's answers are counted for the readings that are not adopted."""
    text = render(ruled(failing(CASES[0], "bass", cited_by_rulings=("RUL-1",))))
    assert "| **a, adopted**: The lowest. | · |" in text
    assert "| b: The highest. | not counted |" in text


def test_evidence_begins_with_what_tells_readings_apart() -> None:
    """Disputed cases stand first, then plain ones that somebody fails, each in the order of the ruling's evidence."""
    right = result(CASES[0], "alto", cited_by_rulings=("RUL-1",))
    wrong = [failing(case, "alto", cited_by_rulings=("RUL-1",)) for case in ("choir/verse/wrong", CASES[2])]
    text = render(ruled(right, *wrong, disputed("alto", "a", CASES[1])))
    assert "Evidence: choir/verse/high, choir/verse/both, choir/verse/wrong and 1 more case" in text


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
        ((failing(CASES[1], "bass", cited_by_rulings=("RUL-1",)),), "another answer to a plain case"),
        ((result(CASES[1], "bass", Verdict.UNSUPPORTED, ruling="RUL-1"),), "unsupported"),
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
    plain = render(ruled(failing(CASES[0], "bass", cited_by_rulings=("RUL-1",))))
    assert "| another answer to a plain case | 1 |" in plain
    assert "| none of the readings |" not in plain


def test_who_was_asked_is_all_who_were() -> None:
    """However the run was made, the report closes the list of those whose answers it knows."""
    assert "\n\nAsked: `alto`; no other.\n\n" in render(record(result(CASES[0], "alto")))
    assert "\n\nAsked: `alto`, `bass`; no other.\n\n" in render(everything())
    silent = made_values.mute()
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
        result(CASES[0], "alto", engine=(refused,), cited_by_rulings=("RUL-1",)),
        result(CASES[1], "alto", engine=(refused,), ruling="RUL-1"),
    )
    assert "| `no such pipe` | the text | `a NOT` in choir/verse/high | RUL-1 | 1 |" in render(made)


def test_whoever_could_not_be_asked_is_named() -> None:
    """Who did not start and who was left out stand at the top, with the first and the last line of the reason."""
    reason = "notes.c:1: see https://example.org\n\tserver response: No such version.\n"
    silent = replace(made_values.mute("`make` failed.", reason), name="flute")
    text = render(record(result(CASES[0], "alto"), entries=[entry("alto"), silent]))
    assert "`flute` **could not be asked**: `` `make` failed. `` … `server response: No such version.`" in text
    assert "example.org" not in text
    text = render(everything())
    assert "`mute` **could not be asked**: `` `make` failed. ``" in text
    assert "`bird` **was left out**: ```wings is not on PATH." in text
    assert "line one" not in text


def test_what_cannot_be_observed_is_listed_with_its_reason() -> None:
    """A requirement that the header says cannot be observed closes the report."""
    made = record(result(CASES[0], "alto"))
    silent = requirement("SONG-03", "A singer breathes.", unobservable="It is not heard.")
    made = with_metadata(made, requirements={"SONG-03": silent})
    assert render(made).rstrip().endswith("- **SONG-03** A singer breathes. It is not heard.")


def test_a_run_without_its_end_says_so() -> None:
    """A record without a footer is told before anything else."""
    text = render(record(result(CASES[0], "alto"), complete=False))
    assert "The record is incomplete (no footer)" in text.partition("## ")[0]


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
    silent = made_values.mute()
    made = record(result(CASES[0], "alto"), entries=[entry("alto"), silent])
    assert "`mute` **could not be asked**: `it was not waited for`" in render(made)
