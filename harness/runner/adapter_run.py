"""The whole conversation with one implementation, as a machine that never waits: `engine` turns its crank.

The rule of blame: `crash`, `timeout` and `protocol` are verdicts only of a request that was alone in flight. When an
adapter breaks while several requests are unanswered, it is killed, a fresh process is started, and each of them is asked
again alone. One that breaks the adapter then is still not blamed if the process had answered others before it, for what
they left behind can be the reason: it is asked once more, first of all, of another fresh process. A suspect's reply
counts once nothing follows it for a moment; that of any other request that was alone in flight, unless something has
followed it already. If all suspects answer, nobody is blamed, and the run carries an incident.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from harness.errors import AdapterUnavailable, ProtocolViolation
from harness.model import Case, ErrorKind, Implementation, Incident, Judgement, Operation, Result, Verdict
from harness.protocol import Channel, Connection, Reply, read_reply
from harness.runner.case_execution import (
    AdapterBroke,
    AnswerError,
    CaseExecution,
    error,
    judged,
    suspect,
    unsupported_reason,
)
from harness.runner.events import Event
from harness.runner.inflight import MAX_IN_FLIGHT, InFlight, PendingVerdict
from harness.runner.queue import CaseQueue
from harness.runner.session import AdapterSession, Timeouts
from harness.runner.stall import StallMonitor

MAX_RESTARTS = 20
MAX_FAILED_STARTS = 3

ID_STEP = 7
"""Ids go up in sevens, so that an adapter that counts for itself, rather than give ids back, is found out at once."""

QUIET_SECONDS = 0.02
"""Seconds in which nothing may follow a suspect's reply; a process that breaks after a reply mostly does so at once."""

QUIET_CHECKS = 50
"""Replies that have to settle likewise although their request is no suspect, after a break that nobody was blamed for,
or that followed a reply."""


class AdapterRun:
    """The whole conversation with one implementation: start, initialize, ask, end, and again as often as it breaks.

    It ends when nothing is left to ask; one that is `lasting` waits for more to be put, until it is closed.
    """

    def __init__(
        self,
        name: str,
        connection: Connection,
        cases: Sequence[Case],
        operations: Mapping[str, Operation],
        answer_error: AnswerError,
        timeouts: Timeouts,
        max_in_flight: int = MAX_IN_FLIGHT,
        *,
        lasting: bool = False,
        stalls: StallMonitor | None = None,
    ) -> None:
        self.name = name
        self._connection = connection
        self._operations = operations
        self._answer_error = answer_error
        self._timeouts = timeouts
        self._max_in_flight = max_in_flight
        self._lasting = lasting
        self._stalls = stalls or StallMonitor(name, timeouts)
        self._implementation: Implementation | None = None
        self._queue = CaseQueue.of(cases, operations)
        self._session: AdapterSession | None = None
        self._ids = count(ID_STEP, ID_STEP)
        self._restarts = 0
        self._wary = 0
        self._failed_starts: list[Incident] = []
        self._events: list[Event] = []

    @property
    def channel(self) -> Channel | None:
        """The running process, if there is one."""
        return None if self._session is None else self._session.channel

    @property
    def has_pending_verdict(self) -> bool:
        """Whether it is about to act although nothing comes, within `QUIET_SECONDS`."""
        return self._session is not None and self._session.in_flight.pending_verdict is not None

    @property
    def done(self) -> bool:
        """Whether it has come to its end."""
        return not (self._session or self._lasting or self._queue.has_waiting or self._queue.groups)

    def submit(self, case: Case) -> None:
        """Has one more case asked, after all others."""
        self._queue.groups.append((case.environment, [CaseExecution(case, self._operations[case.operation])]))

    def close(self) -> None:
        """Ends a lasting interview once nothing is left to ask."""
        self._lasting = False

    def step(self) -> list[Event]:
        """Does all that can be done without waiting, and returns what it led to."""
        if self._session is None:
            self._open()
        if self._session is not None:
            try:
                now = self._session.look()
                self._read_lines(self._session, now)
                self._watch(now)
                self._settle(now)
                self._fill()
            except ProtocolViolation as violation:
                self._broke(ErrorKind.PROTOCOL, str(violation))
        events, self._events = self._events, []
        results = [event for event in events if isinstance(event, Result)]
        return [*events, *self._stalls.observe(self._session, self._queue, results)]

    def abandon(self) -> None:
        """Ends the process, whatever it is doing."""
        if self._session is not None:
            self._session.channel.kill()
            self._session = None

    # Starting

    def _open(self) -> None:
        if not self._queue.has_waiting and not self._take_on():
            return
        try:
            channel = self._connection.start(self._queue.environment)
        except AdapterUnavailable as unavailable:
            self._failed_start(ErrorKind.START, str(unavailable))
            return
        self._session = AdapterSession(channel, self._ids, self._timeouts)
        self._session.begin()

    def _take_on(self) -> bool:
        """Turns to the next group; whether it has anything that can be asked."""
        self._queue.pending.extend(self._askable(self._queue.next_group()))
        return self._queue.has_waiting

    def _askable(self, questions: Sequence[CaseExecution]) -> Iterator[CaseExecution]:
        """The questions that this implementation can be asked; of the others the verdict is given here."""
        for question in questions:
            if self._implementation is None:
                yield question
            elif reason := unsupported_reason(question, self._implementation):
                self._verdict(question, Judgement(Verdict.UNSUPPORTED, reason=reason))
            else:
                yield question

    def _initialized(self, session: AdapterSession, reply: Reply) -> None:
        implementation = session.introduction(reply, self.name)
        if self._implementation and replace(self._implementation, versions={}) != replace(implementation, versions={}):
            raise ProtocolViolation("The adapter says something else of itself in initialize than at its first start.")
        session.initialize = None
        self._events += self._failed_starts
        self._failed_starts = []
        if self._implementation is not None:
            return
        self._implementation = implementation
        self._stalls.initialized()
        self._events.append(implementation)
        if not implementation.operations:
            self._give_up("The adapter offers no operation. List what it can answer under operations in initialize.")
        else:
            self._queue.pending = deque(self._askable(self._queue.pending))

    # Asking

    def _fill(self) -> None:
        """Sends what may be in flight; ends the process when nothing is left to ask of it."""
        session = self._session
        if session is None or not session.is_ready:
            return
        queue, in_flight = self._queue, session.in_flight
        if queue.continues_in_process and not queue.has_waiting:
            self._take_on()
        if queue.alone or self._is_fragile():
            if queue.has_waiting and not in_flight.open:
                session.ask(queue.alone or queue.pending, most=1)
        elif queue.pending and not in_flight.alone and len(in_flight.open) <= self._max_in_flight // 2:
            session.ask(queue.pending, most=self._max_in_flight)
        if not in_flight.open and not queue.has_waiting and (queue.groups or not self._lasting):
            session.end()

    def _is_fragile(self) -> bool:
        """Whether it broke so often that asking several requests at once costs more than it saves."""
        return self._restarts >= MAX_RESTARTS

    # Hearing

    def _read_lines(self, session: AdapterSession, now: float) -> None:
        for line in session.channel.lines():
            if line.strip(b" \t\r"):
                self._read_line(session, line, now)
                if self._session is None:
                    return

    def _read_line(self, session: AdapterSession, line: bytes, now: float) -> None:
        reply = read_reply(line)
        in_flight = session.in_flight
        if reply.id in in_flight.open and not in_flight.pending_verdict:
            self._answered(in_flight, reply, now)
        elif reply.id == session.initialize:
            self._initialized(session, reply)
        elif reply.id == session.shutdown and not session.shutdown_replied:
            session.read_shutdown_reply(reply)
        else:
            raise ProtocolViolation(f"The adapter answered {in_flight.unexpected(reply.id)}.")

    def _answered(self, in_flight: InFlight, reply: Reply, now: float) -> None:
        question = in_flight.open[reply.id].question
        try:
            judgement = judged(reply, question, self._answer_error)
        except ProtocolViolation as violation:
            if not in_flight.alone:
                self._doubt(in_flight, reply.id, str(violation), now)
                return
            judgement = error(ErrorKind.PROTOCOL, str(violation))
        ms = in_flight.record_reply(reply.id, now)
        if in_flight.alone:
            quiet = QUIET_SECONDS if question.needs_quiet_period or self._wary else 0.0
            self._wary = max(0, self._wary - 1)
            in_flight.pending_verdict = PendingVerdict(reply.id, judgement, ms, now + quiet)
        else:
            self._verdict(in_flight.land(reply.id), judgement, ms)

    def _doubt(self, in_flight: InFlight, id_: int, seen: str, now: float) -> None:
        """One reply was wrong in itself: its request alone is asked again, of the same process."""
        in_flight.record_reply(id_, now)
        self._suspect([in_flight.land(id_)], ErrorKind.PROTOCOL, seen, lost_process=False)

    def _settle(self, now: float) -> None:
        """The reply to a request that was alone in flight counts now, if nothing has followed it."""
        session = self._session
        pending_verdict = session and session.in_flight.pending_verdict
        if not session or not pending_verdict or now < pending_verdict.until:
            return
        session.channel.pump()
        self._read_lines(session, now)
        stderr = "" if pending_verdict.judgement.verdict is Verdict.PASS else session.stderr()
        self._verdict(session.in_flight.land(pending_verdict.id), pending_verdict.judgement, pending_verdict.ms, stderr)

    # Breaking

    def _watch(self, now: float) -> None:
        """Notices an adapter that has ended, or is silent for too long."""
        session = self._session
        if session is None:
            return
        if session.shutdown is None:
            if broken := session.breakdown(now):
                self._broke(*broken)
        elif session.is_over(now):
            if complaint := session.complaint():
                self._incident(*complaint, session.channel.stderr_since(0))
            self.abandon()

    def _broke(self, kind: ErrorKind, seen: str) -> None:
        """The adapter crashed, fell silent or broke the protocol: kill it, and decide who is to be asked again."""
        session = self._session
        assert session is not None
        in_flight = session.in_flight
        if in_flight.pending_verdict:
            self._wary = QUIET_CHECKS
            seen = f"{seen} This was right after its reply."
        elif in_flight.answered:
            seen = f"{seen} Its last answer was to {in_flight.last_answered}."
        stderr = session.stderr()
        self.abandon()
        self._restarts += 1
        suspects = [sent.question for sent in in_flight.open.values()]
        if session.initialize is not None:
            self._failed_start(kind, seen, stderr)
        elif not suspects:
            self._incident(kind, seen, stderr)
        elif in_flight.alone and in_flight.fresh:
            self._verdict(suspects[0], error(kind, seen), stderr=stderr)
        else:
            self._suspect(suspects, kind, seen, stderr)

    def _incident(self, kind: ErrorKind, seen: str, stderr: str) -> None:
        self._wary = QUIET_CHECKS
        self._events.append(Incident(self.name, kind, (), seen, stderr))

    def _suspect(
        self,
        suspects: Sequence[CaseExecution],
        kind: ErrorKind,
        seen: str,
        stderr: str = "",
        *,
        lost_process: bool = True,
    ) -> None:
        """Has them asked again alone, before any that already wait for that, so that the first gets a fresh process."""
        names = tuple(question.case.name for question in suspects)
        incident = Incident(self.name, kind, names, seen, stderr)
        suspect(suspects, incident, lost_process=lost_process)
        self._events.append(AdapterBroke(incident))
        self._queue.alone.extendleft(reversed(suspects))

    def _failed_start(self, kind: ErrorKind, seen: str, stderr: str = "") -> None:
        """Tries again, or gives up; a failure that is overcome in the end is told all the same."""
        incident = Incident(self.name, kind, (), f"The adapter did not start: {seen}", stderr)
        self._failed_starts.append(incident)
        self._events.append(AdapterBroke(incident))
        if len(self._failed_starts) >= MAX_FAILED_STARTS:
            self._give_up(seen, stderr)

    def _give_up(self, seen: str, stderr: str = "") -> None:
        """No process can be had: what is left, in every environment, is `error/start`."""
        for question in self._queue.clear():
            self._verdict(question, error(ErrorKind.START, seen), stderr=stderr)
        self.abandon()

    def _verdict(
        self, question: CaseExecution, judgement: Judgement, ms: float | None = None, stderr: str = ""
    ) -> None:
        """Gives the verdict, and before it what it settles, so that a record cut between them has lost nothing."""
        if settled := [suspicion.incident for suspicion in question.suspicions if suspicion.settle(judgement)]:
            self._wary = QUIET_CHECKS
        self._events += [*settled, Result(question.case, self.name, judgement, ms, stderr)]
