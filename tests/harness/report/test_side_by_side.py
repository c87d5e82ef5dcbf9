"""Values as lines: a short one on one line, the marks where they belong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.compare.edits import Marks
from harness.model import Json
from harness.report.side_by_side import value_lines

_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text('aé"\\\n🙂', max_size=9)
)
_VALUES = st.recursive(
    _LEAVES,
    lambda below: st.one_of(
        st.lists(below, max_size=6), st.dictionaries(st.text('a."', max_size=4), below, max_size=4)
    ),
    max_leaves=14,
)


@pytest.mark.slow
@settings(deadline=None)
@given(_VALUES)
def test_a_value_is_on_one_line_if_its_json_is_short(value: Any) -> None:
    """48 characters fit on a line, whatever the value is made of."""
    text = json.dumps(value, ensure_ascii=False)
    on_one_line = not isinstance(value, dict | list) or not value or len(text) <= 48
    lines = value_lines(value)
    assert (len(lines) == 1) is on_one_line
    if on_one_line and text.isprintable() and len(text) < 240:
        assert lines[0].text == text


def test_a_short_value_with_a_mark_inside_has_lines_of_its_own() -> None:
    """A marked place is always visible: every value around it is opened, and no other one."""
    value: Json = {"a": {"b": [1, 2]}, "c": {"d": [3]}}
    lines = value_lines(value, Marks(frozenset({"$.a.b[1]"})))
    assert [(line.text.strip(), line.marked) for line in lines] == [
        ("{", False),
        ('"a": {', False),
        ('"b": [', False),
        ("1,", False),
        ("2", True),
        ("]", False),
        ("},", False),
        ('"c": {"d": [3]}', False),
        ("}", False),
    ]
