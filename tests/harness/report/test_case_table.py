"""Tables of what varies among cases."""

from __future__ import annotations

from harness.model import Answered, Case, JsonObject
from harness.report.case_table import render


def _case(name: str, request: JsonObject, answer: JsonObject) -> Case:
    return Case(
        name=f"toy/days/{name}",
        suite="toy/days",
        at="cases/toy/days.yaml:1",
        system="toy",
        operation="toy.day",
        request=request,
        recorded_request=request,
        expected=Answered(answer),
        requirements=(),
        origin="spec-text",
        revision="1.0",
    )


def test_two_members_that_vary_make_a_grid() -> None:
    """One member of the request goes down, the other across, and each cell is the shortest member of the answer."""
    days = {("a", 1): "a1", ("a", 2): "a2", ("b", 1): "b1", ("b", 2): "b2"}
    cases = [
        _case(f"{start}-{back}", {"start": start, "back": back}, {"day": day, "said": f"it is {day}"})
        for (start, back), day in days.items()
    ]
    assert render(cases).splitlines() == [
        "toy/days: answer.day, by request.back (down) and request.start (across)",
        "   a   b",
        "1  a1  b1",
        "2  a2  b2",
    ]


def test_else_each_case_has_a_row_with_what_varies() -> None:
    """A member that is the same in all cases is left out."""
    cases = [_case("one", {"text": "x", "mode": "m"}, {"n": 1}), _case("two", {"text": "y", "mode": "m"}, {"n": 2})]
    assert render(cases).splitlines() == [
        "toy/days",
        "case  request.text  answer.n",
        "one   x             1",
        "two   y             2",
    ]
