"""The single edit between a failing request and a passing one."""

from __future__ import annotations

from typing import Any

import pytest

from harness.fuzz.edit import Edit, edit_between, filled_lists


@pytest.mark.parametrize(
    ("request_", "passing", "edit", "text"),
    [
        ({"q": "0\u00df"}, {"q": "\u00df"}, Edit("$.q", '"0"'), '$.q: without "0"'),
        ({"q": "a"}, {"q": "ab"}, Edit("$.q", "", '"b"'), '$.q: with "b"'),
        ({"k": 5, "q": ""}, {"k": 6, "q": ""}, Edit("$.k", "5", "6"), "$.k: 6 in place of 5"),
        ({"k": 5, "q": ""}, {"q": ""}, Edit("$.k", "5"), "$.k: without 5"),
        ({"l": [1, 2, 3]}, {"l": [1, 3]}, Edit("$.l[*]", "2"), "$.l[*]: without 2"),
        ({"l": [{"a": "xy"}]}, {"l": [{"a": "y"}]}, Edit("$.l[*].a", '"x"'), '$.l[*].a: without "x"'),
        ({"k": 5, "q": "a"}, {"k": 6, "q": "b"}, Edit(), ""),
    ],
)
def test_one_edit_leads_to_the_passing_request(request_: Any, passing: Any, edit: Edit, text: str) -> None:
    """More than one different place gives the empty edit."""
    found = edit_between(request_, passing)
    assert found == edit
    assert not text or str(found) == text


def test_an_edit_applies_where_its_part_exists() -> None:
    """The part of a text, by category outside ASCII, or any value at the place."""
    assert Edit("$.q", '"0"').applies_to({"q": "a0"})
    assert not Edit("$.q", '"0"').applies_to({"q": "a"})
    assert not Edit("$.q", '"0"').applies_to({"r": "0"})
    assert Edit("$.q", '"\\u2460"').applies_to({"q": "\u2461"})
    assert not Edit("$.q", '"\\u2460"').applies_to({"q": "\u00df"})
    assert Edit("$.l[*].k", "5").applies_to({"l": [{}, {"k": 7}]})
    assert not Edit("$.l[*].k", "5").applies_to({"l": []})
    assert Edit().applies_to({})


def test_the_filled_lists_on_the_way_to_a_place() -> None:
    """A request after which they are empty shows no cause."""
    answer: Any = {"results": [{"score": 1, "notes": []}], "trace": {"attempts": [1]}}
    assert filled_lists(answer, ["$.results[0].score", "$.results[0].notes[2]"]) == {"$.results"}
    assert filled_lists(answer, ["$.trace.attempts[*]", "$.text"]) == {"$.trace.attempts"}
    assert filled_lists({"results": []}, ["$.results[0].score"]) == set()
