"""The text of a specification: passages by their anchors, and what a change of the text leaves of them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from made_text import KETTLE, REQUIREMENTS, kettle_text

from harness.corpus.anchors import Form
from harness.corpus.specification_text import SpecificationText
from harness.corpus.text_changes import TextChanges, changes_of, is_normative
from harness.errors import UsageError
from harness.model import replace

HEATER = "The heater MUST stop at 100 degrees."
SPOUT = "The spout is closed while the water boils, and it opens when the water is ready."


def words_of(text: SpecificationText, id_: str) -> tuple[str, ...]:
    quotation = text.quotation(REQUIREMENTS[id_])
    assert quotation and not quotation.gone
    return tuple(passage.words for passage in quotation.passages)


def changes(text: SpecificationText) -> TextChanges:
    return changes_of(text, REQUIREMENTS.values(), (), ())


def test_the_words_behind_a_requirement(tmp_path: Path) -> None:
    """A sentence, a table row and lines of code come with their place, their form and the headings above them."""
    text = kettle_text(tmp_path)
    found = [text.quotation(REQUIREMENTS[id_]) for id_ in ("HEAT-02", "LAMP-02", "STEP-02")]
    passages = [passage for quotation in found if quotation for passage in quotation.passages]
    assert [(passage.words, passage.form) for passage in passages] == [
        (HEATER, Form.PROSE),
        ("green The water is ready.", Form.ROW),
        ("limit = 100\n  step = limit / 4", Form.CODE),
    ]
    assert [passage.place for passage in passages] == ["kettle.md:9", "kettle.md:15", "kettle.md:18"]
    assert passages[0].section == ("Heating",)


def test_a_passage_that_stands_twice_is_the_one_of_the_section(tmp_path: Path) -> None:
    """Of two equal passages, a requirement quotes the one below its own heading."""
    twice = KETTLE.replace("## Pouring\n", f"## Pouring\n\n{HEATER}\n").replace("## Heating\n", "## Warming\n")
    text = kettle_text(tmp_path, twice.replace("## Pouring", "## Heating"))
    quotation = text.quotation(REQUIREMENTS["HEAT-02"])
    assert quotation and quotation.passages[0].section == ("Heating",)


@pytest.mark.parametrize(
    "other",
    [
        KETTLE.replace(HEATER, "The **heater** MUST\nstop at `100` degrees."),
        KETTLE.replace("```\n", "").replace("limit =", "    limit =").replace("step =", "    step ="),
        KETTLE.replace("| ", "").replace(" |", ""),
        KETTLE.replace("- ", "•  ").replace("\n", "\r\n"),
        KETTLE.replace("A dry kettle", "A [dry kettle](https://dry.example/kettle)").replace("## ", "### "),
    ],
    ids=["wrapped-and-marked", "no-fences", "no-bars", "bullets", "link"],
)
def test_another_layout_keeps_every_anchor(tmp_path: Path, other: str) -> None:
    """Line breaks, Markdown marks, table bars, fences and links are no change."""
    found = changes(kettle_text(tmp_path, other))
    assert other != KETTLE
    assert (found.lost, found.moved) == ((), ())


def test_a_plain_text_has_the_headings_that_requirements_name(tmp_path: Path) -> None:
    """In a text without Markdown, a line with the title of a section is a heading."""
    plain = KETTLE.replace("# ", "").replace("#", "").replace("```\n", "").replace("| ", "").replace(" |", "")
    assert changes(kettle_text(tmp_path, plain)) == changes(kettle_text(tmp_path))


class Edited(NamedTuple):
    """A change of the text: what is replaced by what, and the requirements that lose a passage, each with the words of the
    nearest new one. `moved` are requirements that stand elsewhere, `new` the passages without a requirement; `at_the_end` is
    written behind the text."""

    old: str
    new_text: str
    lost: dict[str, str | None]
    moved: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    at_the_end: str = ""


_REWORDED = "The heater MUST stop when the water has 100 degrees."
_ADDED = "A kettle SHOULD be cleaned once a month."
_SPLIT = ("The spout is closed while the water boils.", "It opens when the water is ready.")
_ROW = "green The water is hot."
_LINES = "limit = 100\n  step = limit / 5"
_MERGED = "A dry kettle is refused, and a full kettle boils in four minutes."
EDITS = {
    "reworded": Edited(HEATER, _REWORDED, {"HEAT-02": _REWORDED}, new=(_REWORDED,)),
    "deleted": Edited("Pouring is silent.", "", {"POUR-02": None}),
    "added": Edited(HEATER, f"{HEATER} {_ADDED}", {}, new=(_ADDED,)),
    "moved": Edited(HEATER, "", {}, moved=("HEAT-02",), at_the_end=HEATER),
    "re-wrapped": Edited(SPOUT, SPOUT.replace(", ", ",\n"), {}),
    "table-row": Edited("water is ready. |", "water is hot. |", {"LAMP-02": _ROW}, new=(_ROW,)),
    "code-line": Edited("limit / 4", "limit / 5", {"STEP-01": "step = limit / 5", "STEP-02": _LINES}, new=(_LINES,)),
    "section-renamed": Edited("## Pouring", "## Serving", {}, moved=("POUR-01", "POUR-02", "POUR-03")),
    "split": Edited(SPOUT, " ".join(_SPLIT), {"POUR-01": " ".join(_SPLIT)}, new=_SPLIT),
    "merged": Edited(
        "A dry kettle is refused.\n- A full kettle boils in four minutes.",
        _MERGED,
        {"HEAT-03": _MERGED, "HEAT-04": _MERGED},
        new=(_MERGED,),
    ),
}


@pytest.mark.parametrize("edited", EDITS.values(), ids=EDITS)
def test_an_edit_of_the_text(tmp_path: Path, edited: Edited) -> None:
    """Each kind of edit names the requirements that lose a passage, the nearest new one, and what has no requirement."""
    text = KETTLE.replace(edited.old, edited.new_text) + edited.at_the_end
    found = changes(kettle_text(tmp_path, text))
    lost = {id_: lost.nearest and lost.nearest.words for lost in found.lost for id_ in lost.requirements}
    assert text != KETTLE
    assert lost == edited.lost
    assert tuple(id_ for moved in found.moved for id_ in moved.requirements) == edited.moved
    assert {*edited.moved} <= {*found.requirements}
    assert tuple(passage.words for passage in found.uncovered) == edited.new


def test_a_passage_of_obligation(tmp_path: Path) -> None:
    """A new sentence with MUST, SHOULD or MAY is told apart from others."""
    found = changes(kettle_text(tmp_path, f"{KETTLE}\nThe cord MAY be cut off. It is red.\n"))
    assert [is_normative(passage) for passage in found.uncovered] == [True, False]


def test_requirements_in_another_order_than_the_text(tmp_path: Path) -> None:
    """A requirement behind one of its section whose passage comes later is named."""
    text = kettle_text(tmp_path)
    listed = [REQUIREMENTS[id_] for id_ in ("POUR-02", "HEAT-02", "HEAT-01", "POUR-03")]
    assert changes_of(text, listed, (), ()).unordered == ("HEAT-01",)
    assert changes(text).unordered == ()


def test_a_document_of_another_name_is_found_by_its_content(tmp_path: Path) -> None:
    """A file that has the anchors is the document, whatever it is called; a folder without one is refused."""
    (tmp_path / "notes.md").write_text("# Notes\n\nNothing about kettles.\n")
    with pytest.raises(UsageError, match="kettle"):
        kettle_text(tmp_path, None)
    (tmp_path / "page_7.txt").write_text(KETTLE)
    assert words_of(kettle_text(tmp_path, None), "HEAT-02") == (HEATER,)


def test_an_anchor_of_a_foreign_record_is_only_missing(tmp_path: Path) -> None:
    """An anchor of no known form finds nothing and breaks nothing."""
    quotation = kettle_text(tmp_path).quotation(replace(REQUIREMENTS["HEAT-01"], anchors=("x",)))
    assert quotation and quotation.gone == ("x",)
