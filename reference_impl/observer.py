"""Trace of a reference function: typed steps, passed to an observer.

A function with intermediate steps takes the keyword ``observe``; the default discards the steps.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an algorithm: the section of the specification, the name of the step, and its result (JSON)."""

    section: str
    step: str
    value: object


Observer = Callable[[Step], None]


def silent(step: Step) -> None:
    """Discards the step."""
