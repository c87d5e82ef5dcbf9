"""Readings and deviations as text."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import one_line
from ..model import Choice, HasOutcome, Readings

_SHOWN = 400
"""Characters of the text of a choice."""


def readings_text(readings: Readings) -> str:
    """`RUL-B03 b`, `RUL-B03 b and RUL-B47 c`; empty without a reading."""
    return one_line(_joined([f"{ruling} {reading}" for ruling, reading in readings]), _SHOWN)


def choice_text(choice: Choice) -> str:
    """The deviations, then the readings that go with them: `operator-beside-a-quote, with RUL-B03 b`."""
    parts = [_joined(choice.deviations), _joined([f"{ruling} {reading}" for ruling, reading in choice.readings])]
    return one_line(", with ".join(part for part in parts if part), _SHOWN)


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def explained_by_text(result: HasOutcome) -> str:
    """What explains a failure without excusing it; empty if nothing does."""
    choice = result.explained_by
    if not choice:
        return ""
    words = "as predicted by" if choice.deviations else "would be explained by"
    return f"{words} {choice_text(choice)}"
