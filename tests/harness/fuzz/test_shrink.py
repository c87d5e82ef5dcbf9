"""Shrinking keeps the condition, drops everything else, and stays within its calls."""

from __future__ import annotations

from typing import Any

import pytest

from harness.fuzz.shrink import shrink

LARGE: dict[str, Any] = {
    "query": "foo AND (bar É) more words here",
    "nested": {"a": None, "b": [1, 2.5, True], "c": {"d": ["x", ["y"]]}},
    "lists": [{"k": 3, "id": "abc"}, {"k": 77, "id": "def", "z": 0.25}],
}


def test_everything_that_the_condition_does_not_need_is_dropped() -> None:
    """Members, elements, and characters go; numbers become small."""

    def wanted(request: dict[str, Any]) -> bool:
        return "É" in request.get("query", "") and any(one.get("k", 0) > 5 for one in request.get("lists", []))

    assert shrink(LARGE, wanted, 1000).request == {"query": "É", "lists": [{"k": 6}]}


def test_the_result_does_not_depend_on_the_run() -> None:
    """Two runs give one result."""

    def wanted(request: dict[str, Any]) -> bool:
        return len(request.get("query", "")) > 3 or len(request.get("lists", [])) > 1

    assert shrink(LARGE, wanted, 500) == shrink(LARGE, wanted, 500)


def test_the_calls_are_limited() -> None:
    """The condition is called at most so often, and the best request so far is the result."""
    seen: list[dict[str, Any]] = []

    def wanted(request: dict[str, Any]) -> bool:
        seen.append(request)
        return "query" in request

    assert "query" in shrink(LARGE, wanted, 5).request
    assert len(seen) <= 5


@pytest.mark.parametrize("value", [None, True, 0, -1.5, "", "\u0000\U0001f600", [], {}, [[{}]], 2**70, 1e300])
def test_any_request_can_be_shrunk(value: Any) -> None:
    """The choices of a request give the request itself, whatever JSON it holds."""
    request = {"value": value, "text": "keep"}
    assert shrink(request, lambda found: found == request, 200).request == request


def test_a_condition_that_does_not_hold_gives_the_request_back() -> None:
    """Nothing simpler is made up."""
    assert shrink(LARGE, lambda _: False, 100).request == LARGE


def test_a_large_request_loses_its_parts_in_few_calls() -> None:
    """Half of a list goes at once, before the shrinker of Hypothesis begins."""
    large: dict[str, Any] = {
        "items": [{"id": str(number), "text": "word " * 20, "tags": ["a"]} for number in range(200)]
    }
    calls = 0

    def wanted(request: dict[str, Any]) -> bool:
        nonlocal calls
        calls += 1
        return any(one.get("id") == "77" for one in request.get("items", []))

    assert shrink(large, wanted, 150).request == {"items": [{"id": "77"}]}
    assert calls <= 150


def test_a_request_that_is_too_large_for_hypothesis_loses_its_parts() -> None:
    """Hypothesis takes examples of at most 8 KiB; the others keep their long text."""
    large: dict[str, Any] = {"text": "a" * 20_000, "other": 5}
    assert shrink(large, lambda request: len(str(request.get("text", ""))) > 15_000, 50).request == {
        "text": "a" * 20_000
    }
