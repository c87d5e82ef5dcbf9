"""Judging and explaining one answer take work in proportion to its size, counted in calls of functions."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile
from typing import Any

import pytest

from harness.compare.alignment import edits
from harness.compare.edits import ByPosition, Changed
from harness.compare.json_diff import MAX_DIFFERENCES, differences
from harness.compare.verdict import judge
from harness.model import Answered, Case, CaseBody, Failed, Json, Operation, Result, Rules
from harness.report.document_terminal import Medium
from harness.report.pages.explanation import Explanation, render

pytestmark = pytest.mark.slow

ALIGNED = 150
"""Elements up to which these tests let a list be aligned; fewer than in use, where they would count for seconds."""


def case_with(expected: Json) -> Case:
    return Case(
        name="toy/words/many",
        at="cases/toy/words.yaml:3",
        operation="words.list",
        requirements=("WORD-01",),
        origin="spec-text",
        revision="1",
        body=CaseBody(recorded_request={"text": "a"}, expected=Answered({"results": expected})),
    )


def operation_with(*, unordered: bool = False) -> Operation:
    rules = Rules(properties={"results": Rules(unordered=unordered)})
    places = {"WORD-01": ("/results", "/results/*/id")}
    return Operation("words.list", "toy", rules, (), ("unclassified",), places)


def judged(wanted: Json, got: Json, operation: Operation) -> Result:
    case = case_with(wanted)
    return Result(case, "toy", judge(case, operation, Answered({"results": got})))


def explained(result: Result, operation: Operation) -> str:
    page = Explanation(case=result.case, operation=operation, requirements=(), ruling=None, results=[result])
    return render(page, Medium())


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, in Python and in C."""
    profile = Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


def objects(size: int) -> list[Any]:
    return [{"id": f"c{index}", "score": index, "tags": ["a", str(index)]} for index in range(size)]


def changed(size: int) -> list[Any]:
    return [{**element, "score": element["score"] + index % 2} for index, element in enumerate(objects(size))]


SHAPES: dict[str, tuple[Callable[[int], tuple[Json, Json]], Operation]] = {
    "objects": (lambda size: (objects(size), changed(size)), operation_with()),
    "one too many": (lambda size: (objects(size), [{"id": "new"}, *changed(size)]), operation_with()),
    "numbers": (lambda size: (list(range(size)), [number + number % 2 for number in range(size)]), operation_with()),
    "without a name": (
        lambda size: ([[number] for number in range(size)], [[number + 0.5] for number in range(size + 1)]),
        operation_with(),
    ),
    "unordered": (
        lambda size: (
            objects(size),
            [{**element, "score": element["score"] + 1} for element in reversed(objects(size))],
        ),
        operation_with(unordered=True),
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_elements_need_about_twice_the_work(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging and explaining are linear for a failing answer of any shape that is too long to be aligned."""
    monkeypatch.setattr("harness.compare.alignment.MAX_ELEMENTS", ALIGNED)
    values, operation = SHAPES[shape]

    def work(size: int) -> int:
        wanted, got = values(size)
        return calls_of(lambda: explained(judged(wanted, got, operation), operation))

    work(10)  # imports
    assert work(4 * ALIGNED) < 2.5 * work(2 * ALIGNED)


def test_judging_stops_at_the_differences_that_count() -> None:
    """Ten times the differing elements beyond the limit need no more work than their comparison."""
    small, large = MAX_DIFFERENCES + 10, 3 * MAX_DIFFERENCES
    work = [
        calls_of(lambda size=size: judged([0] * size, [1] * size, operation_with()))  # type: ignore[misc]
        for size in (small, large)
    ]
    assert work[1] < 1.5 * work[0]


def test_more_differences_than_are_searched_are_compared_by_position() -> None:
    """The differences that the signature covers stay as they are; a note names each list."""
    size = MAX_DIFFERENCES + 1
    wanted: Json = {"a": [0] * size, "b": [1]}
    got: Json = {"a": [1] * size, "b": [2]}
    found = list(differences(wanted, got))[:MAX_DIFFERENCES]
    note, *rest = edits(found, wanted, got)
    assert note == ByPosition("$.a", size)
    assert rest == [Changed(f"$.a[{index}]", 0, 1) for index in range(MAX_DIFFERENCES)]


def test_differences_beyond_the_listed_ones_are_counted() -> None:
    """An explanation lists 50 differences; the number of the others is exact up to the limit of a signature."""
    some = judged([0] * 300, [1] * 300, operation_with())
    assert isinstance(some.outcome, Failed)
    assert "… and 250 more differences" in explained(some, operation_with())
    many = judged([0] * 30_000, [1] * 30_000, operation_with())
    assert "… and at least 9,951 more differences" in explained(many, operation_with())
