"""Tables of what varies among cases."""

from __future__ import annotations

from harness.model import Answered, Case, CaseBody, JsonObject
from harness.report.document_terminal import Medium
from harness.report.pages.case_table import render, unknown_columns


def _case(name: str, request: JsonObject, answer: JsonObject) -> Case:
    return Case(
        name=f"toy/days/{name}",
        at="cases/toy/days.yaml:1",
        operation="toy.day",
        requirements=(),
        origin="spec-text",
        revision="1.0",
        body=CaseBody(recorded_request=request, expected=Answered(answer)),
    )


def test_two_members_that_vary_make_a_grid() -> None:
    """One member of the request goes down, the other across, and each cell is the shortest member of the answer."""
    days = {("a", 1): "a1", ("a", 2): "a2", ("b", 1): "b1", ("b", 2): "b2"}
    cases = [
        _case(f"{start}-{back}", {"start": start, "back": back}, {"day": day, "said": f"it is {day}"})
        for (start, back), day in days.items()
    ]
    assert render(cases, Medium(100)).splitlines() == [
        "toy/days: answer.day, by request.back (down) and request.start (across)",
        "   a   b",
        "1  a1  b1",
        "2  a2  b2",
    ]


def test_else_each_case_has_a_row_with_what_varies() -> None:
    """A member that is the same in all cases is left out."""
    cases = [_case("one", {"text": "x", "mode": "m"}, {"n": 1}), _case("two", {"text": "y", "mode": "m"}, {"n": 2})]
    assert render(cases, Medium(100)).splitlines() == [
        "toy/days",
        "case  request.text  answer.n",
        "one   x             1",
        "two   y             2",
    ]


def _wide_cases(members: int) -> list[Case]:
    """Two cases with so many members, each of 300 characters."""
    return [_case(name, {f"m{n}": name * 300 for n in range(members)}, {"text": name * 300}) for name in "ab"]


def test_no_line_is_wider_than_the_terminal() -> None:
    """Long values are cut. A suite with too many members has whole requests and answers, and its members below."""
    lines = render(_wide_cases(30), Medium(80)).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split() == ["case", "request", "answer"]
    assert lines[2].split()[:2] == ["a", '{"m0":']
    assert lines[-1].startswith("members that vary (--columns): request.m0, request.m1, ")
    few = render(_wide_cases(1), Medium(80)).splitlines()
    assert few[1].split() == ["case", "request.m0", "answer.text"]
    assert few[2].count("…") == 2


def test_chosen_columns_that_do_not_fit() -> None:
    """Of chosen columns those fit that have room; the others are named. A heading takes the lines that it needs."""
    lines = render(_wide_cases(30), Medium(40), ["case", "request.*"]).splitlines()
    assert lines[1:3] == ["      request.m", "case  0          request.m1  request.m2"]
    assert lines[-1].startswith("27 more columns (--columns): request")


def test_chosen_columns() -> None:
    """`columns` are names, names above members, and globs, in the order of the table; also members that do not vary."""
    cases = [_case("one", {"text": "x", "mode": {"m": 1, "n": 2}}, {"n": 1})]
    assert render(cases, Medium(100), ["answer.*", "case", "request.mode", "origin"]).splitlines() == [
        "toy/days",
        "answer.n  case  request.mode.m  request.mode.n  origin",
        "1         one   1               2               spec-text",
    ]
    assert unknown_columns(cases, ["case", "request", "request.mode", "answer.x", "nope"]) == ["answer.x", "nope"]


def test_a_line_break_stays_in_its_cell() -> None:
    """A value with a line feed is one cell on one line."""
    cases = [_case("one", {"text": "x\ny"}, {"n": 1}), _case("two", {"text": "z"}, {"n": 2})]
    assert r"x\ny" in render(cases, Medium(100))
