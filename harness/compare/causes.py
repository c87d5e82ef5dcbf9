"""The cause of a failure, and the number of failures by cause. Pure.

A failure can have several causes: the deviations and the refuted readings that explain it. Open readings that go with
them are no cause. A failure that only open readings explain has these readings as its cause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ..model import Choice, HasOutcome, Ruling, replace
from .alternatives import DECIDES, Alternative

UNEXPLAINED = "unexplained"
"""The name in place of a cause of a failure that nothing explains."""

UNDECIDED = "not decided"
"""The name in place of a cause of a failure whose search for an explanation ended at a bound."""


def names_of(choice: Choice) -> list[str]:
    """The parts of a choice, by name: `deaf`, `RUL-B03=b`."""
    return [*choice.named, *(f"{ruling}={reading}" for ruling, reading in choice.readings)]


def refuted_parts(choice: Choice, rulings: Mapping[str, Ruling]) -> tuple[str, ...]:
    """The causes in an explanation, by name: deviations or a listed cause, and readings that the text refutes."""
    refuted = tuple(reading for reading in choice.readings if is_refuted(reading, rulings))
    return tuple(names_of(replace(choice, readings=refuted)))


def is_refuted(reading: Alternative, rulings: Mapping[str, Ruling]) -> bool:
    """Whether the text refutes a reading: its ruling leaves nothing open."""
    ruling = rulings.get(reading[0])
    return ruling is not None and ruling.text == DECIDES


def causes_of(choice: Choice, rulings: Mapping[str, Ruling]) -> tuple[str, ...]:
    """The names of the causes in an explanation; empty without an explanation."""
    return refuted_parts(choice, rulings) or tuple(names_of(choice))


def cause_name(result: HasOutcome, rulings: Mapping[str, Ruling]) -> str:
    """`deaf`, `deaf and RUL-B01=b`, `unexplained` or `not decided`."""
    return " and ".join(causes_of(result.explained_by, rulings)) or (UNDECIDED if result.undecided else UNEXPLAINED)


def count_by_cause(failing: Iterable[HasOutcome], rulings: Mapping[str, Ruling]) -> Mapping[str, int]:
    """The number of failures by cause, the most frequent first; those without a cause last."""
    counts = Counter(cause_name(result, rulings) for result in failing)
    return dict(sorted(counts.items(), key=lambda item: (item[0] in (UNEXPLAINED, UNDECIDED), -item[1], item[0])))
