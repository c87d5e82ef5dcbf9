"""The review for editors: what to decide first, the outline of the text, refused expressions; hostile text stays text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import browser
import made_values
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

from harness.model import Cause, Choice, RunRecord, SdkState, Topic, Verdict, replace

render = review.render

GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table")


def _doubted(**more: Any) -> RunRecord:
    """Two SDKs follow another reading in one case and share a deviation; a third one alone fails another requirement."""
    flat = Choice(deviations=("flat",))
    made = ruled(
        *(disputed(name, "b") for name in ("alto", "bass")),
        disputed("tenor", "a"),
        *(explained(failing(CASES[1], name, requirements=("SONG-02",)), flat) for name in ("alto", "bass")),
        explained(failing("choir/psalm/low", "tenor", requirements=("SONG-02",)), Choice(deviations=("sharp",))),
        entries=[replace(entry(name), causes=(_FLAT, _SHARP)) for name in ("alto", "bass", "tenor")],
        **more,
    )
    ruling = replace(made.metadata.rulings["RUL-1"], text="leaves-room", better="A song starts high.")
    return with_metadata(made, rulings={"RUL-1": ruling})


_FLAT = Cause("flat", f"It sings `flat`; it is {'very ' * 20}low.", "sing.c:7", requirements=("SONG-02",))
_SHARP = Cause("sharp", "It sings sharp.", requirements=("SONG-02",))


def test_the_first_page_tells_what_to_decide() -> None:
    """The SDKs have a row each; the sentences stand by what speaks against them, with who does what and what it gains; a
    deviation of one SDK is its own fault."""
    text, _, _ = render(_doubted(), lambda at: f"there/{at}").partition("## How to read")
    here = "there/cases/choir/verse.yaml:7"
    for part in (
        "3 SDKs, 3 cases. All pass 0 of 2 that at least two answer.",
        "| `alto` | `the alto singer 1.0 (Solfège)` | 2 | 0 | 1 | 1 (50%) | 100% |",
        f"**Singing** (SONG-01): A song is sung to its end. | RUL-1=b (`alto` [1]({here}), `bass` [1]({here})): "
        f"The highest. As the text: `tenor` [1]({here}). | `RUL-1=b` gains 2, at stake `tenor` [1]({here}) | 0 | 2 |",
        f"**Singing** (SONG-02): A song has a tune. | `flat` (`alto` [1]({here}), `bass` [1]({here})): It sings "
        "`flat`. Not shown by `tenor`. | 1 deviation gains 2 | 2 | 0 |",
        "- **Singing** (SONG-02): A song has a tune. `sharp` `tenor` [1](there/cases/choir/psalm.yaml:7).",
    ):
        assert part in text


def test_a_case_without_a_reply_is_not_answered() -> None:
    """A crash fails and is no answer, as on the screen of the run."""
    text = render(record(crash(CASES[0], "alto"), result(CASES[1], "alto"), entries=[entry("alto")]))
    assert "| `alto` | `the alto singer 1.0 (Solfège)` | 1 | 1 | 0 | 1 (50%) | 100% |" in text


def test_the_outline_has_the_rulings_at_their_sentences() -> None:
    """A sentence stands with its sums, the wording beside the followers of the adopted reading, the other readings, a better
    text, and the deviations; the words of the text take the place of the statement."""
    _, _, outline = render(_doubted(), lambda _: "", lambda requirement: f"say {requirement.id}").partition(
        "## Outline"
    )
    assert outline.strip().splitlines()[2:] == [
        "#### SONG-01",
        "",
        "> “say SONG-01”",
        "",
        "2 variants; `RUL-1=b` gains 2, at stake `tenor` 1.",
        "",
        "- **RUL-1 Which note comes first**",
        "  - **a** (`tenor` 1): The lowest note comes first.",
        "  - RUL-1=b (`alto` 1, `bass` 1): The highest.",
        "  - better: A song starts high.",
        "",
        "#### SONG-02",
        "",
        "> “say SONG-02”",
        "",
        "3 fail; 1 deviation gains 2.",
        "",
        "- `flat` (`alto` 1, `bass` 1): It sings `flat`.",
        "- Broken by `sharp` `tenor` 1.",
    ]


def test_rulings_of_one_topic_stand_together() -> None:
    """Rulings with a topic are one sentence, with its title, all their requirements and its definitions."""
    made = _doubted()
    first = replace(made.metadata.rulings["RUL-1"], topic=Topic("notes", "Notes", "A note is a sound."))
    second = replace(first, id="RUL-2", requirements=("SONG-02",))
    text = render(with_metadata(made, rulings={"RUL-1": first, "RUL-2": second}))
    assert (
        "| 2. **Singing** (SONG-01, SONG-02): Notes: A song is sung to its end. | RUL-1=b (`alto` 1, `bass` 1): "
        in text
    )
    assert "#### Notes\n\nAbout SONG-01, SONG-02. A note is a sound.\n\n2 variants;" in text
    assert "\n\nNo SDK follows another reading: **RUL-2** Which note comes first.\n" in text


def test_rare_readings_and_other_failures_are_short() -> None:
    """A reading of few answers stands without its statement, and failures by none of the readings with their causes."""
    many = [disputed("alto", "b", f"choir/verse/{number}") for number in range(5)]
    rare = result("choir/verse/9", "bass", Verdict.VARIANT, reading="c", ruling="RUL-1")
    flat = explained(failing(CASES[1], "bass", ruling="RUL-1"), Choice(deviations=("flat",)))
    made = ruled(*many, rare, flat, failing(CASES[2], "alto", cited_by_rulings=("RUL-1",)))
    ruling = made.metadata.rulings["RUL-1"]
    made = with_metadata(made, rulings={"RUL-1": replace(ruling, readings={**ruling.readings, "c": "Any."})})
    text = render(made)
    assert "  - RUL-1=b (`alto` 5): The highest.\n  - rarely RUL-1=c (`bass` 1).\n" in text
    assert "  - otherwise (all 2): `unexplained`, `flat`.\n" in text


def test_failures_without_a_cause_charge_a_sentence() -> None:
    """A failure that nothing explains stands at the requirement that it charges."""
    text = render(record(failing(CASES[0], "bass"), result(CASES[0], "reference")))
    assert "A song is sung to its end. without a cause `bass` 1." in text
    assert "## Decide these first\n\nNo answer of an SDK speaks against the text." in text


def test_older_versions_show_the_change() -> None:
    """The newest version of an SDK counts; the failures that came and went since the one before stand in its row."""
    made = record(
        failing(CASES[0], "bass"),
        failing(CASES[1], "bass"),
        result(CASES[2], "bass"),
        failing(CASES[0], "bass@0.9"),
        result(CASES[1], "bass@0.9"),
        failing(CASES[2], "bass@0.9"),
        entries=[entry("bass"), entry("bass@0.9")],
    )
    text = render(made)
    assert "| 2 (66.6%) | 100% | +0 (1 new, 1 fixed) since 0.9 |" in text
    assert "`bass@0.9`" not in text


def test_refused_expressions_are_listed_once() -> None:
    """A refused expression is listed by the engine's message and its source, with the rulings about it."""
    refused = {"path": "$.tune", "side": "wanted", "engine": "organ", "match": "a NOT", "message": "no such pipe"}
    made = record(
        result(CASES[0], "alto", engine=(refused,), cited_by_rulings=("RUL-1",)),
        result(CASES[0], "bass", engine=(refused,)),
        failing(CASES[1], "bass", engine=({**refused, "side": "got", "match": "b NOT NOT"},)),
    )
    text = render(made)
    assert "- `no such pipe`: 1 of the text, such as `a NOT` (RUL-1).\n" in text
    assert "- `no such pipe`: 1 of `bass`, such as `b NOT NOT`.\n" in text


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


def test_what_cannot_be_observed_is_listed() -> None:
    """Requirements that no case can show are named."""
    made = record(result(CASES[0], "alto"))
    silent = requirement("SONG-03", "A singer breathes.", unobservable="It is not heard.")
    text = render(with_metadata(made, requirements={"SONG-03": silent}))
    assert "1 of 1 requirement: SONG-03. `parity coverage` prints the reasons." in text


def test_an_incomplete_run_is_named() -> None:
    """The first part of the report names a record without a footer."""
    text = render(record(result(CASES[0], "alto"), complete=False))
    assert "The record is incomplete (no footer)" in text.partition("## ")[0]


def test_a_working_copy_has_its_revision() -> None:
    """The line of an implementation names the tag and the commit of its working copy, or says that it has none."""
    inside, outside = SdkState("f" * 64, "c" * 40, tag="v1.2"), SdkState("f" * 64)
    entries = [replace(entry("alto"), sdk=inside), replace(entry("bass"), sdk=outside)]
    text = render(record(result(CASES[0], "alto"), result(CASES[0], "bass"), entries=entries))
    assert "a working copy at `v1.2`, revision `cccccccccccc`" in text
    assert "a working copy outside a repository: files `ffffffffffff`" in text


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
    """In both renderings a number of answers is a link to the first case that it counts."""
    made = ruled(disputed("bass", "b"), failing(CASES[1], "bass"))
    text, page = (render(made, lambda at: f"there/{at}", html=html) for html in (False, True))
    assert "RUL-1=b (`bass` [1](there/cases/choir/verse.yaml:7))" in text
    assert '<a href="there/cases/choir/verse.yaml:7">1</a>' in page


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
