"""What a reference function shows of its work: typed steps, given to an observer.

A function with steps worth showing takes the keyword ``observe``; the default discards them.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an algorithm: the specification's section, what was done, and the value it left (JSON)."""

    section: str
    step: str
    value: object


Observer = Callable[[Step], None]


def silent(step: Step) -> None:
    """Discard the step."""
