"""A second process of an adapter, started ahead, that takes the place of the running one when that is lost.

While the running process is silent, the spare gets the request that the first suspect would get: alone, in a fresh process.
So a hang costs one timeout and not two, and the rule of blame stays the same. The time of a hang counts from the silence of
the running process, but the request has at least the share beyond `MAX_CREDIT` to itself. An answer of the spare counts only
once it has taken the place of the running process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from ..errors import AdapterUnavailable, ProtocolViolation
from ..protocol import Connection, Reply, read_reply
from .adapter_session import AdapterSession, Timeouts
from .case_execution import CaseExecution, Environment

DOUBT = 0.1
"""Share of the timeout after which a silent process gets a spare."""

MAX_CREDIT = 0.2
"""Share of the timeout, at most, that a request has waited in the running process and that counts for the spare."""


class Spare:
    """At most one process; none if it is not used. `check` raises `ProtocolViolation` for a reply to `initialize` that the
    run does not accept."""

    def __init__(
        self,
        connection: Connection,
        ids: Iterator[int],
        timeouts: Timeouts,
        check: Callable[[Reply], object],
        *,
        is_used: bool,
    ) -> None:
        self._is_used = is_used
        self._connection = connection
        self._ids = ids
        self._timeouts = timeouts
        self._check = check
        self._session: AdapterSession | None = None
        self._environment: Environment = ()
        self._execution: CaseExecution | None = None
        self._silent_since = 0.0

    def _start(self, environment: Environment, execution: CaseExecution) -> None:
        """Starts the process unless it runs; after its reply to `initialize` it gets the `execution`."""
        if self._session is None and self._is_used:
            try:
                channel = self._connection.start(environment)
            except AdapterUnavailable:
                return
            self._session, self._environment = AdapterSession(channel, self._ids, self._timeouts), environment
            self._session.begin()
        if self._session is not None:
            self._execution = self._execution or execution

    def watch(self, running: AdapterSession, environment: Environment, now: float) -> None:
        """Starts the process if the running one is silent, and ends it if that answered the same case after all."""
        in_flight = running.in_flight
        oldest = next(iter(in_flight.open.values())).execution if in_flight.open else None
        if self._execution is not None and self._execution is not oldest:
            self.discard()
        is_proof = in_flight.alone and in_flight.fresh
        silent = now - in_flight.last_reply_at > self._timeouts.reply * DOUBT
        if oldest and silent and not is_proof and not in_flight.pending_verdict:
            self._silent_since = in_flight.last_reply_at
            self._start(environment, oldest)
        self._step()

    def _step(self) -> None:
        session = self._session
        if session is None:
            return
        session.poll()
        if session.initialize is None or self._execution is None:
            return
        try:
            lines = [line for line in session.channel.lines() if line.strip()]
            if lines:
                self._initialized(session, lines, self._execution)
        except ProtocolViolation:
            self.discard()

    def _initialized(self, session: AdapterSession, lines: list[bytes], execution: CaseExecution) -> None:
        reply = read_reply(lines[0])
        if len(lines) > 1 or reply.id != session.initialize:
            self.discard()
            return
        self._check(reply)
        session.initialize = None
        session.send_cases(deque([execution]), limit=1)

    def take(self, environment: Environment, waiting: deque[CaseExecution]) -> AdapterSession | None:
        """The process, if it suits: its environment is this one, and the case that it got is the first of the waiting ones,
        which loses it."""
        session = self._session
        if session is None:
            return None
        sent = [request.execution for request in session.in_flight.open.values()]
        suits = self._environment == environment and (not sent or (bool(waiting) and waiting[0] is sent[0]))
        if not suits or session.channel.ending():
            self.discard()
            return None
        if sent:
            waiting.popleft()
            waited = session.in_flight.last_reply_at - self._silent_since
            session.in_flight.last_reply_at -= max(0.0, min(waited, self._timeouts.reply * MAX_CREDIT))
        self._session = self._execution = None
        return session

    def discard(self) -> None:
        """Ends the process."""
        if self._session is not None:
            self._session.channel.kill()
        self._session = self._execution = None
