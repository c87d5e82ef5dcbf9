"""What an adapter is silent about while requests are in flight to it, for somebody who waits to be told in time."""

from __future__ import annotations

from dataclasses import dataclass

from harness.runner.queue import CaseQueue
from harness.runner.session import AdapterSession

STALL_NOTICE_AFTER = 5.0
"""Seconds of silence after which somebody who waits is told what for."""


@dataclass(frozen=True, slots=True)
class Stall:
    """`about`: the case, if it is alone in flight, else how many requests are. `seconds`: for how long by now, of the
    `longest` that it may be. `left`: how many cases have no verdict, those in flight among them."""

    about: str
    seconds: float
    longest: float
    left: int

    @property
    def is_long(self) -> bool:
        """Whether it is time to tell, rather than to wait for the end of it."""
        return self.longest > STALL_NOTICE_AFTER <= self.seconds


def current_stall(session: AdapterSession | None, agenda: CaseQueue) -> Stall | None:
    """The silence of a process about what is in flight to it; nothing if that is nothing, or has been answered."""
    if session is None or not session.in_flight.open or session.in_flight.pending_verdict:
        return None
    in_flight = session.in_flight
    first = next(iter(in_flight.open.values()))
    about = first.question.case.name if len(in_flight.open) == 1 else f"any of {len(in_flight.open)} requests"
    left = len(in_flight.open) + agenda.count
    return Stall(about, session.looked - in_flight.last_reply_at, session.timeouts.asking, left)
