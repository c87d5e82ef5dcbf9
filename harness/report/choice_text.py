"""Readings and deviations as text."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import one_line
from ..model import Choice, Readings

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
