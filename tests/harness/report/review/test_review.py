"""The review for editors: followers of readings, refused expressions, broken requirements; hostile text stays text."""

from __future__ import annotations

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
    explained,
    failing,
    record,
    requirement,
    result,
    ruled,
    with_metadata,
)
from markdown_it import MarkdownIt
from renderers import review

from harness.model import Cause, Choice, SdkState, Verdict, replace

render = review.render

GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table")


def test_a_decision_shows_all_that_an_editor_needs() -> None:
    """A decision has its question, its readings followers, reason, wording, a departing answer, a case."""
    made = ruled(disputed("alto", "a"), failing(CASES[0], "bass", "la", ruling="RUL-1"))
    text = render(made, lambda at: f"there/{at}")
    for part in (
        "#### RUL-1 Which note comes first",
        "Is the lowest of `notes` first",
        "| **a, adopted**: The lowest. | [1](there/cases/choir/verse.yaml:7) | · |",
        "| b: The highest. | · | · |",
        "The report does not claim which reading another answer to a plain case follows.",
        "| none of the readings | · | [1](there/cases/choir/verse.yaml:7) |",
        "**Why a** (normative sentence): The text says so.",
        "> Suggested wording: The lowest note comes first.",
        "> Suggested change: Notes come in any order.",
        '`$.tune` wanted `"fa"` got `"la"`',
        "[choir/verse/low](there/cases/choir/verse.yaml:7)",
    ):
        assert part in text


def test_followers_in_plain_cases_count() -> None:
    """A variant in a plain case counts for its reading, whether or not a ruling cites the case, and is no evidence."""
    followed = result("choir/psalm/low", "bass", Verdict.VARIANT, reading="b")
    text = render(ruled(failing(CASES[0], "bass", cited_by_rulings=("RUL-1",)), followed))
    assert "| **a, adopted**: The lowest. | · |" in text
    assert "| b: The highest. | 1 |" in text
    assert "| another answer to a plain case | 1 |" in text
    assert "\n\nEvidence: choir/verse/low\n" in text


def test_failures_by_a_reading_are_labelled() -> None:
    """A failure that a reading explains counts for this reading, beside the variants."""
    failed = explained(failing("choir/psalm/low", "bass"), Choice((("RUL-1", "b"),)))
    made = ruled(disputed("bass", "b"), failed, disputed("alto", "b"), explained(failed, name="tenor"))
    text = render(made)
    assert "| b: The highest. | 2, 1 of them failing | 1 | 1 failing |" in text


def test_a_deviation_is_beside_the_readings() -> None:
    """Failures that a deviation explains have a row with the deviation, in disputed and in plain cases."""
    flat = Choice(deviations=("flat",))
    failed = explained(failing(CASES[0], "bass", ruling="RUL-1"), flat)
    plain = explained(failing(CASES[1], "bass", cited_by_rulings=("RUL-1",)), flat)
    text = render(ruled(failed, plain))
    assert "| explained by another cause | 2: `flat` |" in text
    assert "| hidden by another difference |" not in text
    assert "| another answer to a plain case |" not in text
    assert '`$.tune` wanted `"fa"` got `"so"` (as predicted by flat)' in text


def test_a_reading_of_another_decision_is_a_cause() -> None:
    """A failing plain case that the reading of another ruling explains is no answer without an explanation."""
    other = explained(failing(CASES[1], "bass", cited_by_rulings=("RUL-1",)), Choice((("RUL-2", "b"),)))
    text = render(ruled(other))
    assert "| explained by another cause | 1: `RUL-2=b` |" in text
    assert "| another answer to a plain case |" not in text


def test_sdks_stand_side_by_side() -> None:
    """Each cause is a row with the number of failures and the place for each SDK: shared causes first, the unexplained
    failures last."""
    flat, sharp, refuted = Choice(deviations=("flat",)), Choice(deviations=("sharp",)), Choice((("RUL-1", "b"),))
    made = ruled(
        *(explained(failing(case, "alto"), flat) for case in CASES[:2]),
        failing(CASES[2], "alto"),
        explained(failing(CASES[0], "bass"), sharp),
        explained(failing(CASES[1], "bass"), sharp),
        explained(failing(CASES[2], "bass"), refuted),
        explained(failing("choir/verse/last", "alto"), refuted),
        entries=[
            replace(entry("alto"), causes=(Cause("flat", "It sings `flat`.", "sing.c:7"),)),
            replace(entry("bass"), causes=(Cause("sharp", "It sings sharp."),)),
        ],
    )
    text = render(with_metadata(made, rulings={"RUL-1": replace(made.metadata.rulings["RUL-1"], text="decides")}))
    assert "- alto: 1 deviation and 1 refuted reading explain 3 failures; 1 unexplained failure.\n" in text
    _, _, after = text.partition("| cause | reason | `alto` | `bass` |\n")
    assert after.splitlines()[1:5] == [
        "| RUL-1=b, refuted by the text | Which note comes first | 1 | 1 |",
        "| `flat` | It sings `flat`. | 2 at `sing.c:7` | · |",
        "| `sharp` | It sings sharp. | · | 2 |",
        "| **unexplained** | No deviation and no reading explains these failures. | 1 | · |",
    ]


def test_combined_readings_have_a_row() -> None:
    """Failures that only open readings together explain have a row of their own, and are no unexplained failures."""
    text = render(ruled(explained(failing(CASES[0], "bass"), Choice((("RUL-1", "b"),)))))
    assert "| **combined readings** | Only open readings together explain these failures. " in text
    assert "unexplained" not in text


def test_implementations_that_follow_the_text_have_no_causes() -> None:
    """Without a failure or a variant there is nothing to compare."""
    assert "side by side" not in render(record(result(CASES[0], "alto")))


def test_evidence_begins_with_what_tells_readings_apart() -> None:
    """Disputed cases stand first, then plain ones that somebody fails, each in the order of the ruling's evidence."""
    right = result(CASES[0], "alto", cited_by_rulings=("RUL-1",))
    wrong = [failing(case, "alto", cited_by_rulings=("RUL-1",)) for case in ("choir/verse/wrong", CASES[2])]
    text = render(ruled(right, *wrong, disputed("alto", "a", CASES[1])))
    assert "Evidence: choir/verse/high, choir/verse/both, choir/verse/wrong and 1 more case" in text


def test_a_low_decision_that_nobody_departs_from_is_one_line() -> None:
    """A decision of low severity that all follow is one line with its wording."""
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
    """A decision with a case that an SDK answers otherwise has a table with the reason."""
    own = (disputed("reference", "a"), disputed("reference", "a", CASES[1]))
    text = render(ruled(*own, disputed("bass", "a"), *other, severity="low"))
    assert "Every SDK in this run follows" not in text
    assert f"| {row} | · | 1 |" in text


def test_a_case_without_an_answer_is_not_agreed_on() -> None:
    """Cases that an incomplete run did not reach, and cases of the reference alone, are not agreed on."""
    reference = (disputed("reference", "a"), disputed("reference", "a", CASES[1]))
    for results in (reference, (*reference, disputed("bass", "a"))):
        assert "| reading |" in render(ruled(*results, severity="low"))


def test_the_rest_of_the_evidence_can_be_listed() -> None:
    """Where more cases show a decision than are named, the command that lists them stands there."""
    text = render(ruled(*(disputed("alto", "b", f"choir/verse/{number}") for number in range(5))))
    assert "choir/verse/2 and 2 more cases of `parity cases --select ruling:RUL-1`" in text


def test_one_sdk_is_no_evidence_against_the_text() -> None:
    """The failures of a single SDK are no evidence against the text; the reference is no SDK."""
    text = render(record(failing(CASES[0], "bass"), result(CASES[0], "reference")))
    assert "## Requirements that bass breaks" in text
    assert "Only one SDK was tested on them, so its failures are no evidence against the text." in text
    assert "The text may be wrong." not in text


def test_the_reference_is_no_vote() -> None:
    """The note on the reference's column is there only if the reference ran."""
    note = "its column counts cases and is no vote"
    assert note in render(ruled(disputed("reference", "a"), disputed("bass", "b")))
    assert note not in render(ruled(disputed("bass", "b")))


def test_where_no_case_tells_readings_apart_none_is_claimed() -> None:
    """An answer that departs from plain evidence follows an unknown reading, and not none of them."""
    plain = render(ruled(failing(CASES[0], "bass", cited_by_rulings=("RUL-1",))))
    assert "| another answer to a plain case | 1 |" in plain
    assert "| none of the readings |" not in plain


def test_the_list_of_implementations_is_closed() -> None:
    """The report names all implementations with answers, and that there is no other."""
    assert "\n\nIn this run: `alto`; no other.\n\n" in render(record(result(CASES[0], "alto")))
    assert "\n\nIn this run: `alto`, `bass`; no other.\n\n" in render(everything())
    silent = made_values.mute()
    assert "\n\nNo implementation started.\n\n" in render(record(entries=[silent]))


def test_an_implementation_without_answers_has_no_column() -> None:
    """The report names implementations without a column, if there are any."""
    note = "Without a column below, because their answers are unknown"
    assert f"{note}: `mute`, `bird`." in render(everything())
    assert note not in render(record(result(CASES[0], "alto")))


def test_refused_expressions_are_listed_once() -> None:
    """A refused expression is listed by the engine's message, with its sources."""
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


def test_an_implementation_that_did_not_start_is_named() -> None:
    """Those that did not start and those that were not tested are at the top, with the first and last line of the reason."""
    reason = "notes.c:1: see https://example.org\n\tserver response: No such version.\n"
    silent = replace(made_values.mute("`make` failed.", reason), name="flute")
    text = render(record(result(CASES[0], "alto"), entries=[entry("alto"), silent]))
    assert "`flute` **did not start**: `` `make` failed. `` … `server response: No such version.`" in text
    assert "example.org" not in text
    text = render(everything())
    assert "`mute` **did not start**: `` `make` failed. ``" in text
    assert "bird is not tested: wings is not on PATH." in text
    assert "line one" not in text


def test_what_cannot_be_observed_is_listed_with_its_reason() -> None:
    """Requirements that cannot be observed close the report."""
    made = record(result(CASES[0], "alto"))
    silent = requirement("SONG-03", "A singer breathes.", unobservable="It is not heard.")
    made = with_metadata(made, requirements={"SONG-03": silent})
    assert render(made).rstrip().endswith("- **SONG-03** A singer breathes. It is not heard.")


def test_an_incomplete_run_is_named() -> None:
    """The first part of the report names a record without a footer."""
    text = render(record(result(CASES[0], "alto"), complete=False))
    assert "The record is incomplete (no footer)" in text.partition("## ")[0]


def test_a_working_copy_has_its_revision() -> None:
    """The line of an implementation names the tag and the commit of its working copy, or says that it has none."""
    inside, outside = SdkState("f" * 64, "c" * 40, tag="v1.2"), SdkState("f" * 64)
    entries = [replace(entry("alto"), sdk=inside), replace(entry("bass"), sdk=outside)]
    text = render(record(result(CASES[0], "alto"), result(CASES[0], "bass"), entries=entries))
    assert "judged as a working copy at `v1.2`, revision `cccccccccccc`" in text
    assert "judged as a working copy outside a repository, so without a revision: files `ffffffffffff`" in text


def test_hostile_text_is_text_in_markdown() -> None:
    """No text of an implementation becomes markup, a link or an image."""
    hostile = ruled(failing(CASES[0], "bass", HOSTILE, ruling="RUL-1"), crash(CASES[1], "bass", reason=HOSTILE))
    for made in (hostile, everything()):
        tokens = [child for token in GITHUB.parse(render(made)) for child in (token.children or [token])]
        assert {token.type for token in tokens} & {"html_block", "html_inline", "image", "link_open"} == set()


def test_hostile_text_is_text_in_html() -> None:
    """No text of an implementation becomes a tag, and the page may load and run nothing."""
    page = render(everything(), html=True)
    assert "<script" not in page
    assert "<img" not in page
    assert "default-src 'none'" in page


def test_numbers_lead_to_a_case() -> None:
    """In both renderings a number in a table is a link to the first case that it counts."""
    made = ruled(disputed("bass", "b"), failing(CASES[1], "bass"))
    text, page = (render(made, lambda at: f"there/{at}", html=html) for html in (False, True))
    assert text.count("| [1](there/cases/choir/verse.yaml:7)") == 3
    assert page.count('<a href="there/cases/choir/verse.yaml:7">1</a>') == 3


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


def test_entries_without_a_reason_are_listed() -> None:
    """An implementation that did not start in time is listed."""
    silent = made_values.mute()
    made = record(result(CASES[0], "alto"), entries=[entry("alto"), silent])
    assert "`mute` **did not start**: `the run did not wait for it`" in render(made)
