"""Readings and deviations as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..base.text_limits import MAX_NAME
from ..compare.causes import is_refuted, names_of
from ..compare.combination_search import MAX_SIZE
from ..errors import one_line
from ..model import Choice, HasOutcome, Readings, Ruling, Undecided, Verdict
from .phrases import verdict_text


def readings_text(readings: Readings) -> str:
    """`RUL-B03=b`, `RUL-B03=b and RUL-B47=c`; empty without a reading."""
    return one_line(_joined(names_of(Choice(readings))), MAX_NAME)


def verdict_with_readings(result: HasOutcome) -> str:
    """`pass`, `error/crash`, `variant, RUL-B03=b`."""
    text = verdict_text(result)
    return f"{text}, {readings_text(result.readings)}" if result.verdict is Verdict.VARIANT else text


def explained_by_text(result: HasOutcome, rulings: Mapping[str, Ruling]) -> str:
    """The explanation of a failure, which does not excuse it, or how far the search for one went; empty without either.

    `as predicted by deaf and RUL-B16=b, which the text refutes, with RUL-B03=b`, `listed as last-week-is-a-phrase`
    """
    choice = result.explained_by
    if not choice:
        return undecided_text(result.undecided) if result.undecided else ""
    refuted = tuple(reading for reading in choice.readings if is_refuted(reading, rulings))
    others = tuple(reading for reading in choice.readings if reading not in refuted)
    if choice.listed:
        return one_line(f"listed as {choice.listed}", MAX_NAME)
    if not (choice.deviations or refuted):
        return f"would be explained by {readings_text(others)} together, which another of its answers contradicts"
    causes = [_joined(choice.deviations)] if choice.deviations else []
    causes += [f"{readings_text(refuted)}, which the text refutes"] if refuted else []
    beside = [f"with {readings_text(others)}"] if others else []
    return one_line(f"as predicted by {', '.join([' and '.join(causes), *beside])}", MAX_NAME)


def undecided_text(undecided: Undecided) -> str:
    """`not decided: of the 41 open readings that the request reaches, no more than 2 were tried together`."""
    reached = f"of the {undecided.readings} open readings that the request reaches"
    match undecided.size:
        case 0:
            return "not decided: no reading was compared with the answer"
        case 1:
            return f"not decided: {reached}, not all pairs were compared with the answer"
        case size if size < MAX_SIZE:
            return f"not decided: {reached}, not all combinations of {size + 1} were compared with the answer"
    return "not decided: not all combinations with a deviation were compared with the answer"


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
