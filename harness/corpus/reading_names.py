"""Readings that a person names, in a known-divergence file or on a command line, against the rulings of the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from ..compare.causes import is_refuted
from ..compare.known_divergences import KnownDivergences
from ..errors import Problem, UsageError, one_line
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
    return [f"{ruling}={one}" for one in found.readings if one != found.adopted] if found else []


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


def reading_problems(known: KnownDivergences, rulings: Mapping[str, Ruling]) -> Iterator[Problem]:
    """A problem for each reading of `model` or `follows` that has no effect there. An unknown reading is no problem of the
    file's form: the gate reports it as unmatched."""
    for divergence in known.divergences:
        ruling, is_reading, reading = divergence.model.partition("=")
        if is_reading:
            yield from _problem(known, ruling, reading, rulings, ReadingState.REFUTED)
    for ruling, reading in known.follows:
        yield from _problem(known, ruling, reading, rulings, ReadingState.OPEN)


def _problem(
    known: KnownDivergences, ruling: str, reading: str, rulings: Mapping[str, Ruling], wanted: ReadingState
) -> Iterator[Problem]:
    name, state = one_line(f"{ruling}={reading}", 80), reading_state(ruling, reading, rulings)
    if state in (wanted, ReadingState.UNKNOWN):
        return
    place = known.place(f"{ruling}={reading}")
    others = ", ".join(other_readings(ruling, rulings))
    match state:
        case ReadingState.ADOPTED:
            message = f"{name} is the adopted reading, and every prediction assumes it."
            yield Problem(place, "adopted-reading", message, f"Delete it, or name another reading: {others}.")
        case ReadingState.OPEN:
            message = f"{name} is an open reading. It fails no case, so as a model it has no effect."
            remedy = f"Delete the entry, and write `{ruling}: {reading}` below `follows:`."
            yield Problem(place, "open-reading-as-model", message, remedy)
        case _:
            message = f"The text refutes {name}. Only open readings belong below `follows:`, so it has no effect there."
            remedy = f"Delete it below `follows:`, and write an entry with `model: {name}` and a reason."
            yield Problem(place, "refuted-reading-in-follows", message, remedy)
