"""Stall detection: one typed notice when an adapter leaves its requests unanswered for long."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ..model import ErrorKind, Result
from ..protocol import Channel
from .adapter_session import AdapterSession, Timeouts
from .queue import CaseQueue

STALL_NOTICE_AFTER = 5.0
"""Seconds without a reply after which a stall is reported."""


class Stalled(Struct, frozen=True):
    """Event: an adapter has not replied for `seconds`; after `limit` seconds it times out.

    `pending` is `initialize` or the full name of the only case in flight, empty if `in_flight` requests are pending.
    """

    implementation: str
    pending: str
    in_flight: int
    seconds: float
    limit: float


class TimeoutsCounted(Struct, frozen=True):
    """Event, after a stall: the 1st, 10th, 100th … case that timed out. `remaining` cases have no verdict yet."""

    implementation: str
    timeouts: int
    remaining: int
    limit: float


class StallMonitor:
    """Watches one implementation across its processes and rounds; reports each kind of stall once."""

    def __init__(self, name: str, timeouts: Timeouts) -> None:
        self._name = name
        self._timeouts = timeouts
        self._initialized = False
        self._channel: Channel | None = None
        self._channel_since = 0.0
        self._start_reported = False
        self._request_reported = False
        self._timed_out = 0

    def initialized(self) -> None:
        """Notes that the adapter has answered `initialize`, so its start is no longer watched."""
        self._initialized = True

    def observe(
        self, session: AdapterSession | None, queue: CaseQueue, results: Iterable[Result]
    ) -> list[Stalled | TimeoutsCounted]:
        """The notices that are due after a step that gave `results`."""
        found: list[Stalled | TimeoutsCounted] = []
        if session is not None:
            if not (self._initialized or self._start_reported):
                found += self._start(session)
            if not self._request_reported:
                found += self._requests(session)
        for result in results:
            if self._request_reported and result.kind is ErrorKind.TIMEOUT:
                found += self._timeout(session, queue)
        return found

    def _start(self, session: AdapterSession) -> list[Stalled]:
        if session.channel is not self._channel:
            self._channel, self._channel_since = session.channel, session.polled_at
        waited = session.polled_at - self._channel_since
        if waited < STALL_NOTICE_AFTER:
            return []
        self._start_reported = True
        return [Stalled(self._name, "initialize", 1, waited, self._timeouts.initialize)]

    def _requests(self, session: AdapterSession) -> list[Stalled]:
        in_flight = session.in_flight
        if not in_flight.open or in_flight.pending_verdict:
            return []
        waited = session.polled_at - in_flight.last_reply_at
        if not self._timeouts.reply > STALL_NOTICE_AFTER <= waited:
            return []
        self._request_reported = True
        only = next(iter(in_flight.open.values())).execution.case.name if len(in_flight.open) == 1 else ""
        return [Stalled(self._name, only, len(in_flight.open), waited, self._timeouts.reply)]

    def _timeout(self, session: AdapterSession | None, queue: CaseQueue) -> list[TimeoutsCounted]:
        self._timed_out += 1
        if str(self._timed_out).strip("0") != "1":
            return []
        remaining = queue.count + (len(session.in_flight.open) if session else 0)
        return [TimeoutsCounted(self._name, self._timed_out, remaining, self._timeouts.reply)]
