"""Steps of the reference: what an explanation of an answer shows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an algorithm: the section of the specification, the name of the step, and its result (JSON)."""

    section: str
    step: str
    value: object


Observer = Callable[[Step], None]

_observer: ContextVar[Observer | None] = ContextVar("observer", default=None)


def observe(section: str, step: str, value: object) -> None:
    """Tells the observer of the block a step; without an observer, nothing."""
    observer = _observer.get()
    if observer is not None:
        observer(Step(section, step, value))


@contextmanager
def observing(observer: Observer) -> Iterator[None]:
    """The observer is told the steps within the block."""
    before = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(before)
