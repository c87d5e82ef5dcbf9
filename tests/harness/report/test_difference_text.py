"""The text of an edit: one line for a list edit, one or four for a changed value."""

from __future__ import annotations

import json

import pytest

from harness.compare.edits import ByPosition, Changed, Edit, Missing, Move, Reordered, Unexpected
from harness.model import ABSENT, Json
from harness.report.difference_text import character_difference, describe_edit, quoted


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (Unexpected("$.r", 2, {"id": "c9"}), '$.r: unexpected element 2 (c9): {"id": "c9"}'),
        (Missing("$.r", 0, "fa"), '$.r: missing element 0: "fa"'),
        (Missing("$.r", None, 1), "$.r: missing element: 1"),
        (Reordered("$", ("c1", "c2"), ("c2", "c1"), (Move("c1", 0, 1),)), "$: order: c1, c2 → c2, c1"),
        (Reordered("$", tuple(range(9)), (8, *range(8)), (Move(8, 8, 0),)), "$: order: 8 from 8 to 0"),
        (ByPosition("$.r", 20_001), "$.r: compared by position (20,001 elements)"),
        (Changed("$.a", 1, ABSENT), "$.a   wanted 1   got (absent)"),
        (Changed("$[1].a", 1, 2, "$[0].a"), "$[1].a ($[0].a in the answer)   wanted 1   got 2"),
    ],
)
def test_an_edit_is_one_line(edit: Edit, line: str) -> None:
    """Each kind of edit has its form."""
    assert list(describe_edit(edit)) == [line]


def test_a_long_element_is_cut() -> None:
    """The line of a list edit keeps to the width, and holds nothing that steers a terminal."""
    (line,) = describe_edit(Unexpected("$", 0, "\x1b\u202e" + "x" * 500), 80)
    assert len(line) == 80
    assert line.isprintable()


def test_a_long_value_is_cut_around_its_first_difference() -> None:
    """A changed value that does not fit has lines of its own."""
    lines = list(describe_edit(Changed("$.a", "x" * 200 + "y", "x" * 200 + "é"), 80))
    assert [line.split()[0] for line in lines] == ["$.a", "wanted", "got", "first"]
    assert lines[1].endswith('xy"')
    assert lines[3] == "  first differs at character 201: U+00E9 instead of U+0079"


@pytest.mark.parametrize("value", ["a\xa0b", "\u202e", "\U000e0001", "\x00\n", ["é", "\u200b"]])
def test_a_value_is_json_to_paste(value: Json) -> None:
    """What cannot be printed stands as an escape of JSON."""
    assert json.loads(quoted(value)) == value
    assert quoted(value).isprintable()


def test_only_texts_that_look_alike_get_code_points() -> None:
    """The characters are named only beyond ASCII."""
    assert character_difference("fa", "fo") == character_difference(1, 2) == ""
    assert character_difference("\N{OHM SIGN}", "\N{GREEK CAPITAL LETTER OMEGA}") == (
        "first differs at character 1: U+03A9 instead of U+2126"
    )
    assert character_difference("é", "") == "first differs at character 1: the end instead of U+00E9"


def test_an_absent_value_has_its_own_text() -> None:
    """`null` is a value, and an absent one is not."""
    assert (quoted(None), quoted(ABSENT)) == ("null", "(absent)")
