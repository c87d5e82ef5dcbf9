"""A failing answer to a disputed case → how it stands to the readings, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from harness.compare.verdict import response_differences
from harness.errors import one_line
from harness.model import Case, Operation, Result

_MOST_PLACES = 3


def standing(case: Case, operation: Operation, result: Result, unobservable: Sequence[str]) -> str:
    """Which reading it follows but for what stands against all of them; `unobservable` are places that are not compared."""
    against_all = [part.path for part in result.differences if part.undisputed]
    more = len(against_all) - _MOST_PLACES
    places = one_line(", ".join(against_all[:_MOST_PLACES]), 400) + (f" and {more} more" if more > 0 else "")
    nearest = _nearest(case, operation, result, unobservable) if against_all else ""
    if nearest:
        return f"{result.implementation}: as reading {nearest}, but for {places}"
    beside = f" (against every reading: {places})" if against_all else ""
    return f"as none of these readings has it: {result.implementation}{beside}"


def _nearest(case: Case, operation: Operation, result: Result, unobservable: Sequence[str]) -> str:
    """The reading from which an answer has no difference but those that it has from all; empty if there is none."""
    got, difference = result.response, result.differences
    if got is None:
        return ""
    against_all = [(part.path, part.wanted, part.got) for part in difference if part.undisputed]
    for reading, wanted in ({case.adopted: case.expected} | dict(case.readings)).items():
        parts = response_differences(wanted, got, operation.rules, unobservable)
        if all((part.path, part.wanted, part.got) in against_all for part in parts):
            return reading
    return ""
