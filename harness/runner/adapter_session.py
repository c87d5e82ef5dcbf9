"""One process of an adapter, from `initialize` to its exit: its requests in flight and its timeouts."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator

from msgspec import Struct, field

from ..model import (
    DEFAULT_OPTIONS,
    Breach,
    BreachCode,
    Break,
    BreakContext,
    Crash,
    Implementation,
    Phase,
    TimedOut,
    replace,
)
from ..protocol import Channel, Reply, accepted, initialize_params, request_line
from .case_execution import CaseExecution
from .inflight import InFlight

MAX_POLL_GAP = 0.2
"""Seconds between two polls of an adapter. The harness spent the time above it elsewhere, so it counts for no timeout."""


class Timeouts(Struct, frozen=True):
    """Seconds without a reply after which an adapter times out: to a case, to a case that is known to time out, to
    `initialize`, to `shutdown`."""

    reply: float = DEFAULT_OPTIONS.timeout
    known_hang: float = 1.0
    initialize: float = 60.0
    shutdown: float = 5.0

    @classmethod
    def of(cls, reply: float) -> Timeouts:
        """The timeouts for `--timeout`: with fewer than 10 seconds, `initialize` gets six times as many, at least 10."""
        return cls(
            reply=reply, known_hang=min(cls().known_hang, reply), initialize=min(cls().initialize, max(10.0, 6 * reply))
        )


def is_other(before: Implementation, now: Implementation) -> bool:
    """Whether another implementation replies than before; the versions of its parts may differ."""
    return replace(before, versions=now.versions) != now


class AdapterSession(Struct):
    """State of a running process. `initialize` and `shutdown` are the ids of these requests while their replies are pending
    (`shutdown` also afterwards); `ids` gives the next ones. Times are seconds of the monotonic clock."""

    channel: Channel
    ids: Iterator[int]
    timeouts: Timeouts
    in_flight: InFlight = field(default_factory=InFlight)
    initialize: int | None = None
    shutdown: int | None = None
    shutdown_replied: bool = False
    deadline: float = 0.0
    polled_at: float = 0.0
    mark: int = 0

    def begin(self) -> None:
        """Sends `initialize`."""
        self.polled_at = time.monotonic()
        self.deadline = self.polled_at + self.timeouts.initialize
        self.initialize = next(self.ids)
        self.channel.send(request_line(self.initialize, "initialize", initialize_params()))

    def send_cases(self, waiting: deque[CaseExecution], *, limit: int) -> None:
        """Sends the first of the waiting cases, until `limit` requests are in flight."""
        if limit == 1:
            self.mark = self.channel.stderr_mark()
        self.channel.send(self.in_flight.load(waiting, self.ids, time.monotonic(), limit))

    def end(self) -> None:
        """Sends `shutdown`."""
        self.shutdown = next(self.ids)
        self.deadline = time.monotonic() + self.timeouts.shutdown
        self.channel.send(request_line(self.shutdown, "shutdown", {}))

    @property
    def is_ready(self) -> bool:
        """Whether it takes requests: after the reply to `initialize` and before `shutdown`."""
        return self.initialize is None and self.shutdown is None

    def poll(self) -> float:
        """Reads the available output and returns the time; time without a poll counts for no timeout."""
        now = time.monotonic()
        away = now - self.polled_at
        if away > MAX_POLL_GAP:
            self.in_flight.last_reply_at = min(now, self.in_flight.last_reply_at + away)
            self.deadline += away
        self.channel.pump()
        self.polled_at = now
        return now

    def stderr(self) -> str:
        """Its standard error; with a request alone in flight, only the part since that request."""
        return self.channel.stderr_since(self.mark if self.in_flight.alone else 0)

    def breakdown(self, now: float) -> Crash | TimedOut | None:
        """How it broke before `shutdown`, if it did: it ended, or it did not reply in time."""
        if ending := self.channel.ending():
            return ending
        if self.initialize is not None and now > self.deadline:
            return TimedOut(self.timeouts.initialize, "initialize")
        in_flight = self.in_flight
        known = in_flight.is_known_hang
        limit = self.timeouts.known_hang if known else self.timeouts.reply
        if in_flight.open and not in_flight.pending_verdict and now - in_flight.last_reply_at > limit:
            return TimedOut(limit, known=known)
        return None

    def break_context(self) -> BreakContext:
        """When it breaks, if it breaks now."""
        if self.shutdown is not None:
            return BreakContext(Phase.SHUTDOWN)
        if self.in_flight.pending_verdict:
            return BreakContext(after_reply=True)
        return BreakContext(last_answered=self.in_flight.last_answered) if self.in_flight.answered else BreakContext()

    def read_shutdown_reply(self, reply: Reply) -> None:
        """Takes the reply to `shutdown`. Raises `ProtocolViolation`."""
        accepted(reply, BreachCode.SHUTDOWN_REFUSED)
        self.shutdown_replied = True

    def is_over(self, now: float) -> bool:
        """Whether the process has exited after `shutdown`, or is out of time."""
        return now > self.deadline or bool(self.channel.ending() and self.channel.exit_status() is not None)

    def shutdown_break(self) -> Break | None:
        """How the process broke after `shutdown`; None if it replied and exited with status 0."""
        ending = self.channel.ending()
        status = self.channel.exit_status() if ending else None
        if ending is None or status is None:
            return TimedOut(self.timeouts.shutdown, "shutdown")
        if status:
            return replace(ending, context=BreakContext(Phase.SHUTDOWN))
        if not self.shutdown_replied:
            return Breach(BreachCode.NO_SHUTDOWN_REPLY)
        if half := self.channel.half_line().strip():
            return Breach(BreachCode.OUTPUT_AFTER_SHUTDOWN, found=f"{len(half)} bytes")
        return None
