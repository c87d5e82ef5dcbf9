"""Behaviour that another document of the project describes is shown at the failures, in every report."""

from __future__ import annotations

import json

import pytest
from made_records import HOSTILE, RULING, failing, record, result, with_metadata
from renderers import console, html, json_summary, markdown, review

from harness.model import Documented, RecordedResult, RunRecord, Verdict, replace
from harness.report.documented import documented_places, notes

SPEC = Documented("the repository's spec/SONGS", "up to four verses")
OTHER = Documented("the repository's spec/TUNES", "a hum")
SENTENCE = "the repository's spec/SONGS describes up to four verses"
ANOTHER = "the repository's spec/TUNES describes a hum"
HEADING = "## Another document says otherwise"


def made(*results: RecordedResult, documented: Documented = SPEC) -> RunRecord:
    """A record whose only ruling has the note."""
    return with_metadata(record(*results), rulings={"RUL-1": replace(RULING, documented=documented)})


def known(documented: Documented) -> RecordedResult:
    return failing("choir/verse/b", "bass", expectation=("known", "It hums.", documented))


@pytest.mark.parametrize(
    ("one", "found"),
    [
        (failing("choir/verse/a", "bass", ruling="RUL-1"), [SENTENCE]),
        (failing("choir/verse/a", "bass", cited_by_rulings=("RUL-1",)), [SENTENCE]),
        (failing("choir/verse/a", "bass", ruling="RUL-1", expectation=("known", "r", SPEC)), [SENTENCE]),
        (failing("choir/verse/a", "bass", ruling="RUL-1", expectation=("known", "r", OTHER)), [ANOTHER, SENTENCE]),
        (failing("choir/verse/a", "bass"), []),
        (result("choir/verse/a", "bass", Verdict.VARIANT, reading="b", ruling="RUL-1"), []),
        (result("choir/verse/a", "bass", ruling="RUL-1"), []),
    ],
    ids=["disputed", "evidence", "both alike", "both", "neither", "variant", "pass"],
)
def test_the_notes_of_a_result(one: RecordedResult, found: list[str]) -> None:
    """A failing result has the notes of its rulings and of its known divergence, each once; others have none."""
    assert notes(one, made(one)) == found


def test_a_note_that_is_a_sentence_has_one_full_stop() -> None:
    """A report ends the note itself."""
    shown = made(failing("choir/verse/a", "bass", ruling="RUL-1"), documented=replace(SPEC, says="up to four verses."))
    assert f"{SENTENCE} (RUL-1)" in review.render(shown)
    assert ".." not in review.render(shown).replace("...", "")


def test_every_report_shows_the_note() -> None:
    """Console, Markdown, HTML, JSON and review show the note beside the failure."""
    shown = made(failing("choir/verse/a", "bass", ruling="RUL-1"), known(OTHER))
    for text in (console.render(shown, color=False), markdown.render(shown), review.render(shown)):
        assert SENTENCE in text
        assert ANOTHER in text
    page = html.render(shown).replace("&#39;", "'")
    first, second = page.partition("<h2>Rulings</h2>")[0].split('<details class="case"')[1:]
    assert [SENTENCE in first, ANOTHER in first, SENTENCE in second, ANOTHER in second] == [True, False, False, True]
    assert SENTENCE in page.partition("<h2>Rulings</h2>")[2]
    values = json.loads(json_summary.render(shown))["failing"]
    assert [one["documented"] for one in values] == [[{"where": one.where, "says": one.says}] for one in (SPEC, OTHER)]


def test_a_group_of_the_console_counts_its_notes() -> None:
    """A group shows each note with the number of its cases."""
    some = [failing(f"choir/verse/{name}", "bass", ruling="RUL-1" if name < "d" else "") for name in "abcde"]
    text = " ".join(console.render(made(*some), color=False).split())
    assert f" 3 cases: {SENTENCE} " in text


def test_the_section_of_the_review() -> None:
    """The review lists each place with its ruling or known divergence, and the failures of each SDK."""
    shown = made(
        failing("choir/verse/a", "bass", ruling="RUL-1"),
        failing("choir/verse/c", "bass", ruling="RUL-1"),
        result("choir/verse/a", "alto", ruling="RUL-1"),
        known(OTHER),
    )
    text = review.render(shown)
    section = text[text.index(HEADING) :]
    assert f"- {SENTENCE} (RUL-1): `bass` 2 fail.\n" in section
    assert f"- {ANOTHER} (It hums.): `bass` 1 fail.\n" in section
    assert HEADING not in review.render(record(failing("choir/verse/a", "bass")))
    assert [(len(one.results), one.rulings) for one in documented_places(shown)] == [(2, ("RUL-1",)), (1, ())]


def test_hostile_notes_stay_text() -> None:
    """A note from a file is text in every report."""
    shown = made(failing("choir/verse/a", "bass", ruling="RUL-1"), documented=Documented(HOSTILE, HOSTILE))
    assert "<script>window" not in html.render(shown)
    assert "<script>window" not in review.render(shown, html=True)
    assert "\x1b" not in console.render(shown, color=False)
