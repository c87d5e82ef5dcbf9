"""Paths and JSON Pointers: what they write, what they read, and what they lead to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.base.json_path import (
    Step,
    follow,
    is_below,
    leaves,
    overlaps,
    path_steps,
    path_text,
    places,
    pointer_path,
    pointer_steps,
    pointer_text,
    put,
    without_indices,
)


@given(st.lists(st.one_of(st.text(), st.integers(min_value=0))))
def test_a_path_is_read_as_it_was_written(steps: list[Step]) -> None:
    """Every name and every index comes back, whatever characters a name has."""
    assert path_steps(path_text(steps)) == steps
    assert path_text(steps).isascii()


@given(st.lists(st.text()))
def test_a_pointer_is_read_as_it_was_written(steps: list[str]) -> None:
    """Every name comes back, also with slashes, tildes and nothing in it."""
    assert pointer_steps(pointer_text(steps)) == steps


def test_an_element_without_a_place_is_a_step() -> None:
    """`[*]` is read as the step that overlaps every other; other text is no path."""
    assert path_steps("$.a[*]") == ["a", "*"]
    assert path_steps("no path") == []
    assert without_indices("$.a[2].b[13]") == "$.a[*].b[*]"


@pytest.mark.parametrize(
    ("steps", "others", "expected"),
    [(["a"], ["a", "b"], True), (["a", "2"], ["a", 2, "b"], True), (["a", "*"], ["a", 2], True), (["b"], ["a"], False)],
)
def test_places_overlap(steps: list[str], others: list[Step], expected: bool) -> None:
    """A place overlaps with those that hold it and those in it; `*` and the digits of an index are steps to an element."""
    assert overlaps(steps, others) is overlaps(others, steps) is expected


def test_a_pointer_has_a_path() -> None:
    """Numbers are indices. A path lies below another one at a step, never within a name."""
    assert pointer_path("/a~1b/0/c") == '$["a/b"][0].c'
    assert is_below("$.a[0]", "$.a") and is_below("$.a", "$.a")
    assert not is_below("$.ab", "$.a")


def test_steps_lead_to_a_value() -> None:
    """A step that does not exist leads nowhere; null is a value."""
    value = {"a": [{"b": None}]}
    assert follow(value, ["a", "0", "b"], "absent") is None
    assert follow(value, ("a", 0)) == {"b": None}
    nowhere: list[list[Step]] = [["a", 1], ["a", "x"], ["a", "²"], ["b"]]
    assert [follow(value, steps, "absent") for steps in nowhere] == ["absent"] * 4


def test_leaves_have_their_paths() -> None:
    """An empty list or object is a leaf."""
    assert list(leaves({"a": [1, {}], "b c": []})) == [("$.a[0]", 1), ("$.a[1]", {}), ('$["b c"]', [])]


def test_a_value_is_put_at_its_steps() -> None:
    """The rest stays, and so does all of it if a step does not exist; the value itself is not changed."""
    value = {"a": [1, {"b": 2}], "c": 3}
    assert put(value, ["a", 1, "b"], 4) == put(value, ["a", "1", "b"], 4) == {"a": [1, {"b": 4}], "c": 3}
    assert put(value, ["a", 7], 4) == put(value, ["c", "d"], 4) == value == {"a": [1, {"b": 2}], "c": 3}


def test_elements_share_a_place() -> None:
    """Every part has its place, from the outside in; an index is `[*]`."""
    assert list(places({"a": [1, 2]})) == [("$", {"a": [1, 2]}), ("$.a", [1, 2]), ("$.a[*]", 1), ("$.a[*]", 2)]
