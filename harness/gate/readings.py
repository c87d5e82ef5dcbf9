"""Readings in a known-divergence file, against the rulings of the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..corpus.reading_names import ReadingState, other_readings, reading_state
from ..errors import Problem, one_line
from ..model import Ruling
from .known_divergences import KnownDivergences


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
