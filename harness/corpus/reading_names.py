"""Readings that a person names, against the rulings of the corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from ..compare.alternatives import Alternative
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


def named_readings(names: Iterable[str], rulings: Mapping[str, Ruling], option: str = "") -> tuple[Alternative, ...]:
    """The readings of these names, such as `RUL-B03=b`, sorted. Raises `UsageError` for a name that is no reading, and for
    two readings of one ruling; `option` is what stands before a name on the command line."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        ruling, _, reading = name.partition("=")
        shown = f"{option}{one_line(name, 80)}"
        if reading_state(ruling, reading, rulings) is ReadingState.UNKNOWN:
            if choices := other_readings(ruling, rulings):
                raise UsageError(
                    f"{shown}: {ruling} has no such reading. "
                    f"Its readings: {', '.join(choices)}; {ruling}={rulings[ruling].adopted} is adopted."
                )
            raise UsageError(
                f"{shown}: no such ruling. Name a ruling and a reading, such as RUL-B47=c; "
                "`parity explain RULING` lists the readings."
            )
        if ruling in found:
            raise UsageError(f"{shown}: {ruling}={found[ruling]} is named too. Name one reading of a ruling.")
        found[ruling] = reading
    return tuple(sorted(found.items()))


def check_option(name: str, rulings: Mapping[str, Ruling]) -> None:
    """Raises `UsageError` if `name` is no reading that the reference can follow in place of the adopted one."""
    [(ruling, reading)] = named_readings([name], rulings, "--reading ")
    if reading == rulings[ruling].adopted:
        raise UsageError(
            f"--reading {one_line(name, 80)}: this reading is adopted, and the reference follows it without the option. "
            f"Other readings: {', '.join(other_readings(ruling, rulings))}."
        )
