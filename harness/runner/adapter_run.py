"""One adapter run: start, `initialize`, requests, `shutdown`, again after a break. It never waits; an event loop steps it.

The rule of blame: `crash`, `timeout` and `protocol` are verdicts only of a request that was alone in flight. When an
adapter breaks while several requests are unanswered, it is killed, a fresh process is started, and each of them is sent
again alone. One that breaks the adapter then is still not blamed if the process had answered others before it, for these
can be the cause: it is sent once more, first of all, to another fresh process. A suspect's reply counts once nothing
follows it for a moment; that of any other request that was alone in flight, unless something has followed it already. If
all suspects answer, none is blamed, and the run has an incident. A second reply to a request is an incident too: the first
one counts, so that no verdict depends on the time between them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..compare.verdict import errored
from ..errors import AdapterUnavailable, ProtocolViolation, one_line
from ..model import (
    EXPECTED,
    Breach,
    BreachCode,
    Break,
    BreakContext,
    Case,
    Errored,
    Implementation,
    Incident,
    Operation,
    Outcome,
    Phase,
    Result,
    StartFailure,
    TimedOut,
    Unavailable,
    Unsupported,
    replace,
)
from ..protocol import Channel, Connection, Reply, accepted, read_implementation, read_reply
from .adapter_session import AdapterSession, Timeouts, is_other
from .breaker import CircuitBreaker
from .case_execution import (
    AdapterBroke,
    AnswerError,
    CaseExecution,
    outcome_of,
    suspect,
    unsupported_reason,
)
from .events import Event
from .inflight import MAX_IN_FLIGHT, InFlight, request_ids
from .queue import CaseQueue
from .spare import Spare
from .stall import StallMonitor
from .withholding import Withholder, note_answer, note_break, probes_or_rest

MAX_RESTARTS = 20
"""Restarts after which several requests in flight cost more than they save."""

MAX_FAILED_STARTS = 3

QUIET_SECONDS = 0.02
"""Seconds in which nothing may follow a suspect's reply; a process that breaks after a reply mostly does so at once."""

QUIET_CHECKS = 50
"""Replies that wait for `QUIET_SECONDS` although their request is no suspect, after a break that no case explains or that
followed a reply."""


class AdapterRun:
    """Runs cases on one implementation: start, `initialize`, requests, `shutdown`, and again after each break.

    It ends when no case is left. A `lasting` one waits for more cases until it is closed.
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
        breaker: CircuitBreaker | None = None,
        spare: bool = False,
        known_hangs: Collection[str] = (),
    ) -> None:
        self.name = name
        self._connection = connection
        self._answer_error = answer_error
        self._timeouts = timeouts
        self._max_in_flight = max_in_flight
        self._lasting = lasting
        self._stalls = stalls or StallMonitor(name, timeouts)
        self._breaker = breaker or CircuitBreaker()
        self._withholder = Withholder(self._breaker)
        self._implementation: Implementation | None = None
        self._queue = CaseQueue(operations, self._is_supported, self._breaker.admits, known_hangs)
        self._queue.add(cases)
        self._session: AdapterSession | None = None
        self._ids = request_ids()
        self._spare = Spare(connection, self._ids, timeouts, self._introduction, is_used=spare)
        self._restarts = 0
        self._quiet_checks = 0
        self._answers_again = False
        self._failed_starts: list[Incident] = []
        self._start_failure: Errored | None = None
        self._events: list[Event] = []

    @property
    def channel(self) -> Channel | None:
        """The running process, if there is one."""
        return None if self._session is None else self._session.channel

    @property
    def has_pending_verdict(self) -> bool:
        """Whether a verdict becomes final within `QUIET_SECONDS`, without further input."""
        return self._session is not None and self._session.in_flight.pending_verdict is not None

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return not (self._session or self._lasting or self._queue.count)

    def submit(self, cases: Sequence[Case]) -> None:
        """Adds cases behind all others, grouped by environment."""
        self._queue.add(cases)

    @property
    def waiting(self) -> int:
        """How many cases wait to be sent."""
        return self._queue.count - len(self._queue.withheld)

    def close(self, *, drop_waiting: bool = False) -> None:
        """Ends a lasting run as soon as no case is left; cases that are not sent yet can be dropped without a verdict."""
        self._lasting = False
        if drop_waiting:
            self._queue.clear()

    def step(self) -> list[Event]:
        """Everything that can be done without waiting, and the events that it gave."""
        self._queue.refill()
        self._settle_withheld()
        if self._session is None:
            self._open()
        if self._session is not None:
            try:
                now = self._session.poll()
                self._read_lines(self._session, now)
                self._watch(now)
                self._settle(now)
                self._fill()
                if self._session is not None and self._session.is_ready:
                    self._spare.watch(self._session, self._queue.environment, now)
            except ProtocolViolation as violation:
                self._broke(violation.breach)
        events, self._events = self._events, []
        results = [event for event in events if isinstance(event, Result)]
        return [*events, *self._stalls.observe(self._session, self._queue, results)]

    def abandon(self) -> None:
        """Kills the processes."""
        self._spare.discard()
        self._kill()

    def _kill(self) -> None:
        """Kills the process."""
        if self._session is not None:
            self._session.channel.kill()
            self._session = None

    # Starting

    def _open(self) -> None:
        if not self._queue.has_waiting and not self._take_group():
            return
        if spare := self._spare.take(self._queue.environment, self._queue.alone):
            self._session = spare
            return
        try:
            channel = self._connection.start(self._queue.environment)
        except AdapterUnavailable as unavailable:
            self._failed_start(unavailable.cause)
            return
        self._session = AdapterSession(channel, self._ids, self._timeouts)
        self._session.begin()

    def _take_group(self) -> bool:
        """Takes the next group; whether it has a case to send."""
        self._queue.take_group()
        self._queue.refill()
        return self._queue.has_waiting

    def _is_supported(self, execution: CaseExecution) -> bool:
        """Whether this implementation supports the case, as far as is known; otherwise the case gets its verdict here."""
        if self._start_failure is not None:
            self._events.append(Result(execution.case, self.name, self._start_failure))
        elif self._implementation is None:
            return True
        elif reason := unsupported_reason(execution, self._implementation):
            self._verdict(execution, Unsupported(reason))
        else:
            return True
        return False

    def _introduction(self, reply: Reply) -> Implementation:
        """The implementation, from the reply to `initialize`. Raises `ProtocolViolation`, also if it is another one."""
        implementation = read_implementation(self.name, accepted(reply, BreachCode.INITIALIZE_REFUSED))
        if self._implementation and is_other(self._implementation, implementation):
            raise ProtocolViolation(Breach(BreachCode.IDENTITY_CHANGED))
        return implementation

    def _initialized(self, session: AdapterSession, reply: Reply) -> None:
        implementation = self._introduction(reply)
        session.initialize = None
        self._events += self._failed_starts
        self._failed_starts = []
        if self._implementation is not None:
            return
        self._implementation = implementation
        self._stalls.initialized()
        self._events.append(implementation)
        if not implementation.operations:
            self._give_up(Breach(BreachCode.NO_OPERATIONS, "$.operations", "names of operations", "[]"))
        else:
            self._queue.drop_unsupported()

    # Sending

    def _fill(self) -> None:
        """Sends as many requests as may be in flight; ends the process when it has no case left."""
        session = self._session
        if session is None or not session.is_ready:
            return
        queue, in_flight = self._queue, session.in_flight
        queue.refill()
        while queue.continues_in_process and not queue.has_waiting:
            self._take_group()
        if queue.alone or self._restarts >= MAX_RESTARTS or self._breaker.is_wary:
            if queue.has_waiting and not in_flight.open:
                session.send_cases(queue.alone or queue.pending, limit=1)
        elif queue.pending and not in_flight.alone and len(in_flight.open) <= self._max_in_flight // 2:
            session.send_cases(
                queue.pending, limit=self._max_in_flight if in_flight.open or len(queue.pending) > 1 else 1
            )
        if not in_flight.open and not queue.has_waiting and not queue.withheld and (queue.groups or not self._lasting):
            session.end()

    # Receiving

    def _read_lines(self, session: AdapterSession, now: float) -> None:
        for line in session.channel.lines():
            if line.strip(b" \t\r"):
                self._read_line(session, line, now)
                if self._session is None:
                    return

    def _read_line(self, session: AdapterSession, line: bytes, now: float) -> None:
        reply = read_reply(line)
        in_flight = session.in_flight
        if in_flight.is_answered(reply.id):
            self._answered_again(in_flight, reply.id)
        elif reply.id in in_flight.open:
            self._answered(in_flight, reply, now)
        elif reply.id == session.initialize:
            self._initialized(session, reply)
        elif reply.id == session.shutdown and not session.shutdown_replied:
            session.read_shutdown_reply(reply)
        else:
            raise ProtocolViolation(Breach(BreachCode.UNKNOWN_ID, "$.id", "", one_line(str(reply.id), 40)))

    def _answered_again(self, in_flight: InFlight, id_: int) -> None:
        """Adds one incident for all requests that the adapter answers again. Their first replies count, whenever the others
        arrive, and no request is in doubt, so the process goes on."""
        if not self._answers_again:
            self._answers_again = True
            case = in_flight.answered.get(id_) or in_flight.open[id_].execution.case.name
            self._events.append(Incident(self.name, Breach(BreachCode.DUPLICATE_REPLY, "$.id", case, str(id_))))

    def _answered(self, in_flight: InFlight, reply: Reply, now: float) -> None:
        execution = in_flight.open[reply.id].execution
        try:
            outcome = outcome_of(reply, execution, self._answer_error)
        except ProtocolViolation as violation:
            if not in_flight.alone:
                in_flight.record_reply(reply.id, now)  # it is sent again, alone, to the same process
                self._suspect([in_flight.complete(reply.id)], violation.breach, lost_process=False)
                return
            outcome = errored(violation.breach)
        ms = in_flight.record_reply(reply.id, now)
        if in_flight.alone:
            quiet = QUIET_SECONDS if execution.needs_quiet_period or self._quiet_checks else 0.0
            self._quiet_checks = max(0, self._quiet_checks - 1)
            request = in_flight.open[reply.id]
            request.outcome, request.ms, request.until = outcome, ms, now + quiet
        else:
            self._verdict(in_flight.complete(reply.id), outcome, ms)
            note_answer(self._breaker, self._queue, execution)

    def _settle(self, now: float) -> None:
        """Makes a pending verdict final once nothing has followed its reply for long enough."""
        session = self._session
        answered = session and session.in_flight.pending_verdict
        if not session or not answered or not answered.outcome or now < answered.until:
            return
        session.channel.pump()
        self._read_lines(session, now)
        stderr = "" if answered.outcome.verdict in EXPECTED else session.stderr()
        session.in_flight.complete(answered.id)
        self._verdict(answered.execution, answered.outcome, answered.ms, stderr)
        note_answer(self._breaker, self._queue, answered.execution)

    # Breaking

    def _watch(self, now: float) -> None:
        """Handles an adapter that has ended or timed out."""
        session = self._session
        if session is None:
            return
        if session.shutdown is None:
            if broken := session.breakdown(now):
                self._broke(broken)
        elif session.is_over(now):
            if broken_at_end := session.shutdown_break():
                self._incident(broken_at_end, session.channel.stderr_since(0))
            self.abandon()

    def _broke(self, cause: Break) -> None:
        """Kills an adapter that crashed, timed out or broke the protocol, and queues the suspects again."""
        session = self._session
        assert session is not None
        in_flight = session.in_flight
        if session.shutdown is None and in_flight.pending_verdict:
            self._quiet_checks = QUIET_CHECKS
        cause = replace(cause, context=session.break_context())
        stderr = session.stderr()
        self._kill()
        is_known = isinstance(cause, TimedOut) and cause.known  # it costs little, and says nothing of other cases
        self._restarts += not is_known
        suspects = [sent.execution for sent in in_flight.open.values()]
        if session.initialize is not None:
            self._failed_start(cause, stderr)
        elif not suspects:
            self._incident(cause, stderr)
        elif in_flight.alone and in_flight.fresh:
            self._verdict(suspects[0], errored(cause), stderr=stderr)
            if is_known:
                return
            self._events += note_break(self._breaker, self._queue, suspects[0], cause, self.name)
            self._withholder.update(self._queue, has_withheld=True)
        else:
            self._suspect(suspects, cause, stderr)

    def _settle_withheld(self) -> None:
        """Gives withheld cases their verdict once nothing else is left."""
        self._withholder.update(self._queue, has_withheld=False)
        is_idle = not (self._session and self._session.in_flight.open)
        if self._queue.withheld and not self._queue.has_waiting and is_idle:
            for execution, cause in probes_or_rest(self._breaker, self._queue):
                self._verdict(execution, errored(cause))

    def _incident(self, cause: Break, stderr: str) -> None:
        self._quiet_checks = QUIET_CHECKS
        self._events.append(Incident(self.name, cause, (), stderr))

    def _suspect(
        self, suspects: Sequence[CaseExecution], cause: Break, stderr: str = "", *, lost_process: bool = True
    ) -> None:
        """Queues the suspects to be sent alone, before any that already wait for that: the first gets a fresh process."""
        names = tuple(execution.case.name for execution in suspects)
        incident = Incident(self.name, cause, names, stderr)
        suspect(suspects, incident, lost_process=lost_process)
        self._events.append(AdapterBroke(incident))
        self._queue.alone.extendleft(reversed(suspects))

    def _failed_start(self, cause: Break | Unavailable, stderr: str = "") -> None:
        """Starts the adapter again, or gives up; a start that timed out is not repeated. The record keeps a failed start."""
        at_start = BreakContext(Phase.START)
        broken = StartFailure(cause) if isinstance(cause, Unavailable) else replace(cause, context=at_start)
        incident = Incident(self.name, broken, (), stderr)
        self._failed_starts.append(incident)
        self._events.append(AdapterBroke(incident))
        if len(self._failed_starts) >= MAX_FAILED_STARTS or isinstance(cause, TimedOut):
            self._give_up(cause, stderr)

    def _give_up(self, cause: Break | Unavailable, stderr: str = "") -> None:
        """Ends every case that is left, in every environment, as `error/start`."""
        self._start_failure = errored(StartFailure(cause))
        for execution in self._queue.clear():
            self._verdict(execution, self._start_failure, stderr=stderr)
        self.abandon()

    def _verdict(self, execution: CaseExecution, outcome: Outcome, ms: float | None = None, stderr: str = "") -> None:
        """Adds the result, and before it the incidents that it settles, so that a record cut between them is complete."""
        if isinstance(outcome, Errored) and not isinstance(outcome.cause, StartFailure):
            outcome = replace(outcome, charged=execution.case.demands)
        if settled := [group for group in execution.blame_groups if group.is_unexplained_after(outcome)]:
            self._quiet_checks = QUIET_CHECKS
        self._events += [*(group.incident for group in settled), Result(execution.case, self.name, outcome, ms, stderr)]
