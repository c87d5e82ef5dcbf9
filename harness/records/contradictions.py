"""A result that its own line refutes: another program changed it. Pure.

A line lacks the rules of its operation (tolerances, lists without an order, places that are not compared) and the free
places of a disputed case. So a pass is refuted only if its whole answer is observed, and no value in it is an expected one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..compare.canonical import equality_text
from ..model import Answered, Json, Raised, Response, ResultLine, Verdict


def check_result(line: ResultLine, leaves: int) -> None:
    """Raises `ValueError` for the first contradiction. `leaves` are those of the expected response."""
    if not 0 <= line.unobserved <= leaves:
        raise ValueError(f"unobserved: {line.unobserved} is not a number of leaves from 0 to {leaves}")
    response, expected = line.response, line.expected
    if response is None:
        return
    match line.verdict:
        case Verdict.FAIL if not line.differences:
            raise ValueError("difference: the verdict is fail, and it has none")
        case Verdict.PASS if response != expected and _is_other(line, expected, response):
            raise ValueError("answer: the verdict is pass, and none of its values is an expected one")
        case Verdict.FAIL | Verdict.VARIANT if _is_same(expected, response):
            raise ValueError(f"answer: the verdict is {line.verdict}, and it is the expected answer")


def _is_same(expected: Response, response: Response) -> bool:
    """Whether no rule makes the two differ."""
    if isinstance(expected, Answered) and isinstance(response, Answered):
        # The texts tell 1 from true, which Python does not.
        return expected.value == response.value and equality_text(expected.value) == equality_text(response.value)
    return isinstance(expected, Raised) and isinstance(response, Raised) and expected.type == response.type


def _is_other(line: ResultLine, expected: Response, response: Response) -> bool:
    """Whether no rule makes the two equal."""
    if not (isinstance(expected, Answered) and isinstance(response, Answered)):
        return not _is_same(expected, response)
    if line.ruling or line.unobserved:
        return False
    has_other = False
    for is_equal in _agreements(expected.value, response.value):
        if is_equal:
            return False
        has_other = True
    return has_other


def _agreements(wanted: Json, got: Json) -> Iterator[bool]:
    """For each place that both answers have, whether the values are equal, and True for two lists with a common value;
    nothing for two numbers that differ, which can be within a tolerance."""
    match wanted, got:
        case (dict(), dict()) if wanted and got:
            for key in wanted.keys() & got.keys():
                yield from _agreements(wanted[key], got[key])
        case (list(), list()) if wanted and got:
            for left, right in zip(wanted, got, strict=False):
                yield from _agreements(left, right)
            if not {*_scalars(wanted)}.isdisjoint(_scalars(got)):
                yield True
        case (bool(), _) | (_, bool()):
            yield wanted is got
        case (int() | float(), int() | float()):
            if wanted == got:
                yield True
        case _:
            yield wanted == got


def _scalars(value: Json) -> Iterator[None | bool | float | str]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _scalars(item)
    else:
        yield value
