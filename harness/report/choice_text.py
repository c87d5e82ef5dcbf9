"""Readings and deviations as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..compare.causes import is_refuted
from ..compare.known_divergences import names_of
from ..errors import one_line
from ..model import Choice, HasOutcome, Readings, Ruling

_SHOWN = 400
"""Characters of the text of a choice."""


def readings_text(readings: Readings) -> str:
    """`RUL-B03=b`, `RUL-B03=b and RUL-B47=c`; empty without a reading."""
    return one_line(_joined(names_of(Choice(readings))), _SHOWN)


def explained_by_text(result: HasOutcome, rulings: Mapping[str, Ruling]) -> str:
    """The explanation of a failure, which does not excuse it; empty without one.

    `as predicted by deaf and RUL-B16=b, which the text refutes, with RUL-B03=b`
    """
    choice = result.explained_by
    if not choice:
        return ""
    refuted = tuple(one for one in choice.readings if is_refuted(one, rulings))
    others = tuple(one for one in choice.readings if one not in refuted)
    if not (choice.deviations or refuted):
        together = " together" if len(others) > 1 else ""
        return f"would be explained by {readings_text(others)}{together}, which it follows nowhere else"
    causes = [_joined(choice.deviations)] if choice.deviations else []
    causes += [f"{readings_text(refuted)}, which the text refutes"] if refuted else []
    beside = [f"with {readings_text(others)}"] if others else []
    return one_line(f"as predicted by {', '.join([' and '.join(causes), *beside])}", _SHOWN)


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
