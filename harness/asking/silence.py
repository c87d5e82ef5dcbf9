"""What an adapter is silent about while requests are in flight to it, for somebody who waits to be told in time."""

from __future__ import annotations

from dataclasses import dataclass

from harness.asking.agenda import Agenda
from harness.asking.session import Session

PATIENCE = 5.0
"""Seconds of silence after which somebody who waits is told what for."""


@dataclass(frozen=True, slots=True)
class Silence:
    """`about`: the case, if it is alone in flight, else how many requests are. `seconds`: for how long by now, of the
    `longest` that it may be. `left`: how many cases have no verdict, those in flight among them."""

    about: str
    seconds: float
    longest: float
    left: int

    @property
    def is_long(self) -> bool:
        """Whether it is time to tell, rather than to wait for the end of it."""
        return self.longest > PATIENCE <= self.seconds


def silence_of(session: Session | None, agenda: Agenda) -> Silence | None:
    """The silence of a process about what is in flight to it; nothing if that is nothing, or has been answered."""
    if session is None or not session.flight.open or session.flight.settling:
        return None
    flight = session.flight
    first = next(iter(flight.open.values()))
    about = first.question.case.name if len(flight.open) == 1 else f"any of {len(flight.open)} requests"
    left = len(flight.open) + agenda.count
    return Silence(about, session.looked - flight.heard, session.timeouts.asking, left)
