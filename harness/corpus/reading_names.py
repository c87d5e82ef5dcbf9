"""Readings that a person names, against the rulings of the corpus."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from ..compare.causes import is_refuted
from ..errors import UsageError, one_line
from ..model import Ruling


class ReadingState(StrEnum):
    """What the specification does with a reading. `unknown`: no ruling lists it."""

    OPEN = "open"
    REFUTED = "refuted"
    ADOPTED = "adopted"
    UNKNOWN = "unknown"


def reading_state(ruling: str, reading: str, rulings: Mapping[str, Ruling]) -> ReadingState:
    """The state of one reading."""
    found = rulings.get(ruling)
    if found is None or reading not in found.readings:
        return ReadingState.UNKNOWN
    if reading == found.adopted:
        return ReadingState.ADOPTED
    return ReadingState.REFUTED if is_refuted((ruling, reading), rulings) else ReadingState.OPEN


def other_readings(ruling: str, rulings: Mapping[str, Ruling]) -> list[str]:
    """The readings of a ruling that are not adopted, as `RUL-B03=b`; empty for an unknown ruling."""
    found = rulings.get(ruling)
    return [f"{ruling}={reading}" for reading in found.readings if reading != found.adopted] if found else []


def check_option(name: str, rulings: Mapping[str, Ruling]) -> None:
    """Raises `UsageError` if `name` is no reading that the reference can follow in place of the adopted one."""
    ruling, _, reading = name.partition("=")
    state = reading_state(ruling, reading, rulings)
    if state not in (ReadingState.ADOPTED, ReadingState.UNKNOWN):
        return
    choices = other_readings(ruling, rulings)
    adopted = f"{ruling}={rulings[ruling].adopted}" if choices else ""
    if state is ReadingState.ADOPTED:
        raise UsageError(
            f"--reading {one_line(name, 80)}: this reading is adopted, and the reference follows it without the option. "
            f"Other readings: {', '.join(choices)}."
        )
    if choices:
        raise UsageError(
            f"--reading {one_line(name, 80)}: {ruling} has no such reading. "
            f"Its readings: {', '.join(choices)}; {adopted} is adopted."
        )
    raise UsageError(
        f"--reading {one_line(name, 80)}: no such ruling. Name a ruling and a reading, such as RUL-B47=c; "
        "`parity explain RULING` lists the readings."
    )
