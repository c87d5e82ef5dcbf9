"""How many leaves of an expected answer an implementation does not report."""

from __future__ import annotations

from typing import Any

import pytest

from harness.compare.unobservable import drop_paths, has_visible_value, unobserved_leaves
from harness.model import Answered, JsonObject, Raised, response_leaves

SONG: JsonObject = {
    "title": "Fa",
    "notes": [{"id": "a", "long": True}, {"id": "b", "long": None}],
    "rests": [],
    "by": {},
}


def test_leaves() -> None:
    """A scalar is a leaf, and so is an empty list, an empty object and an expected error."""
    assert response_leaves(Answered(SONG)) == 7
    assert response_leaves(Answered({})) == 1
    assert response_leaves(Raised("hoarse")) == 1


@pytest.mark.parametrize(
    ("pointers", "hidden"),
    [
        ([], 0),
        (["/title"], 1),
        (["/notes"], 4),
        (["/notes/*/id"], 2),
        (["/notes/0"], 2),
        (["/notes/*", "/notes/1/id"], 4),
        (["/rests/*"], 1),
        (["/rests"], 1),
        (["/by"], 1),
        (["/by/*"], 0),
        (["/encore", "/title/length", "/notes/2"], 0),
        (["/*"], 7),
    ],
)
def test_unobserved_leaves(pointers: list[str], hidden: int) -> None:
    """Leaves at or below a path count once; a path that leads nowhere hides none. A list of hidden elements is hidden."""
    assert unobserved_leaves(Answered(SONG), pointers) == hidden


@pytest.mark.parametrize("value", [{"a": [{"b": 1}]}, {"a~b": {"c/d": 1}}, {"a": []}, {"a": {"b": {}}}])
@pytest.mark.parametrize("pointers", [["/a"], ["/a/*"], ["/a/*/b"], ["/a~0b/c~1d"], ["/a/b"], ["/*/*"]])
def test_nothing_is_observed_where_nothing_is_compared(value: Any, pointers: list[str]) -> None:
    """An answer of which nothing is left to compare has no observed leaf, and an untouched one has all."""
    left = drop_paths(value, pointers)
    observed = response_leaves(Answered(value)) - unobserved_leaves(Answered(value), pointers)
    if left == value:
        assert observed == response_leaves(Answered(value))
    elif not has_visible_value(left):
        assert observed == 0


def test_an_expected_error_is_observed() -> None:
    """An error has no members that a path can hide."""
    assert unobserved_leaves(Raised("hoarse"), ["/type"]) == 0
