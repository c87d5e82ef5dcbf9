"""The whole conversation with one implementation, as a machine that never waits: `engine` turns its crank.

The rule of blame: `crash`, `timeout` and `protocol` are verdicts only of a request that was alone in flight. When an
adapter breaks while several requests are unanswered, it is killed, a fresh process is started, and each of them is asked
again alone. If all answer then, nobody is blamed, and the run carries an incident.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from harness.canonical import canonical_text
from harness.errors import AdapterUnavailable, ProtocolViolation, one_line
from harness.judging import error_signature, judge, pruned, refusals, says_something, told_of
from harness.model import (
    Answered,
    Case,
    ErrorKind,
    Implementation,
    Incident,
    Json,
    Judgement,
    Operation,
    Outcome,
    Raised,
    Result,
    Verdict,
)
from harness.protocol import (
    OUT_OF_REACH,
    RAISED,
    Channel,
    Connection,
    Refusal,
    Reply,
    initialize_params,
    read_implementation,
    read_reply,
    request_line,
)

MOST_IN_FLIGHT = 32
MOST_BYTES_IN_FLIGHT = 1024 * 1024
MOST_RESTARTS = 20
MOST_FAILED_STARTS = 3

AnswerError: TypeAlias = Callable[[Operation, Json], str]
"""Says what an answer has that its operation's schema does not allow; empty if nothing."""

Event: TypeAlias = Implementation | Result | Incident


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds of silence after which an adapter is given up: while asked, at its start, at its end."""

    asking: float = 10.0
    starting: float = 60.0
    closing: float = 5.0


@dataclass(slots=True, eq=False)
class _Question:
    """A case as it is put to one implementation; `wanted` is the canonical text of the answer expected of it."""

    case: Case
    operation: Operation
    wanted: str = ""
    untold: tuple[str, ...] = ()
    suspected: _Suspicion | None = None


@dataclass(slots=True, eq=False)
class _Suspicion:
    """An adapter broke with several requests in flight; each suspect is asked alone before anybody is blamed."""

    kind: ErrorKind
    seen: str
    stderr: str
    names: tuple[str, ...]
    left: int
    blamed: bool = False


@dataclass(slots=True)
class _Flight:
    """The requests that are in flight to one process, and since when it has been silent about them."""

    alone: bool = False
    open: dict[int, _Question] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)
    bytes: int = 0
    heard: float = 0.0
    sent_at: dict[int, float] = field(default_factory=dict)
    answered: dict[int, str] = field(default_factory=dict)


class Interview:
    """The whole conversation with one implementation: start, initialize, ask, end, and again as often as it breaks."""

    def __init__(
        self,
        name: str,
        connection: Connection,
        cases: Sequence[Case],
        operations: Mapping[str, Operation],
        answer_error: AnswerError,
        timeouts: Timeouts,
        most_in_flight: int = MOST_IN_FLIGHT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.channel: Channel | None = None
        self.done = False
        self._connection = connection
        self._answer_error = answer_error
        self._timeouts = timeouts
        self._most = most_in_flight
        self._clock = clock
        self._implementation: Implementation | None = None
        self._groups = _by_environment(cases, operations)
        self._environment: tuple[tuple[str, str], ...] = ()
        self._pending: deque[_Question] = deque()
        self._alone: deque[_Question] = deque()
        self._flight = _Flight()
        self._next_id = 0
        self._initialize: int | None = None
        self._shutdown: int | None = None
        self._deadline = 0.0
        self._restarts = 0
        self._failed_starts = 0
        self._mark = 0
        self._events: list[Event] = []

    def advance(self) -> list[Event]:
        """Does all that can be done without waiting, and returns what it led to."""
        if self.channel is None:
            self._open()
        if self.channel is not None:
            try:
                self.channel.pump()
                self._hear_all(self._clock())
                self._watch(self._clock())
                self._fill(self._clock())
            except ProtocolViolation as violation:
                self._broke(ErrorKind.PROTOCOL, str(violation))
        events, self._events = self._events, []
        return events

    def abandon(self) -> None:
        """Ends the process, whatever it is doing."""
        if self.channel is not None:
            self.channel.kill()
            self.channel = None

    # Starting

    def _open(self) -> None:
        if not (self._pending or self._alone):
            if not self._groups:
                self.done = True
                return
            self._environment, questions = self._groups.popleft()
            self._pending = deque(self._askable(questions))
            if not self._pending:
                return
        try:
            self.channel = self._connection.start(self._environment)
        except AdapterUnavailable as unavailable:
            self._give_up(str(unavailable))
            return
        self._flight = _Flight()
        self._initialize, self._shutdown = self._take_id(), None
        self._mark = 0
        self._deadline = self._clock() + self._timeouts.starting
        self.channel.send(request_line(self._initialize, "initialize", initialize_params()))

    def _take_id(self) -> int:
        self._next_id += 1
        return self._next_id

    def _askable(self, questions: Sequence[_Question]) -> Iterator[_Question]:
        """The questions that this implementation can be asked; of the others the verdict is given here."""
        for question in questions:
            if self._implementation is None:
                yield question
            elif reason := self._cannot(question, self._implementation):
                self._verdict(question, Judgement(Verdict.UNSUPPORTED, reason=reason))
            else:
                yield question

    def _cannot(self, question: _Question, implementation: Implementation) -> str:
        """Why the question cannot be put; prepares it where it can."""
        name = question.operation.name
        if name not in implementation.operations:
            return one_line(implementation.unsupported.get(name, "the adapter does not offer this operation"), 400)
        question.untold = implementation.untold.get(name, ())
        expected = question.case.expected
        if isinstance(expected, Answered):
            told = pruned(expected.value, question.untold)
            if question.untold and not says_something(told):
                return f"the implementation does not tell {', '.join(question.untold)}"
            question.wanted = canonical_text(told)
        return ""

    def _initialized(self, reply: Reply) -> None:
        if reply.result is None:
            said = reply.refusal.message if reply.refusal else ""
            raise ProtocolViolation(f"The adapter answered initialize with an error: {one_line(said)}.")
        implementation = read_implementation(self.name, reply.result)
        self._initialize = None
        self._failed_starts = 0
        if self._implementation is not None:
            return
        self._implementation = implementation
        self._events.append(implementation)
        if not implementation.operations:
            self._give_up("The adapter offers no operation. List what it can answer under operations in initialize.")
        else:
            self._pending = deque(self._askable(self._pending))

    # Asking

    def _fill(self, now: float) -> None:
        """Sends what may be in flight; ends the conversation when nothing is left to ask."""
        if self.channel is None or self._initialize is not None or self._shutdown is not None:
            return
        flight = self._flight
        if self._alone or self._restarts > MOST_RESTARTS:
            if not flight.open and (self._alone or self._pending):
                self._send(self._alone or self._pending, now, most=1)
        elif self._pending and not flight.alone and len(flight.open) <= self._most // 2:
            self._send(self._pending, now, most=self._most)
        if not flight.open and not self._pending and not self._alone:
            self._shutdown = self._take_id()
            self._deadline = now + self._timeouts.closing
            self.channel.send(request_line(self._shutdown, "shutdown", {}))

    def _send(self, waiting: deque[_Question], now: float, *, most: int) -> None:
        """Sends the first of those waiting, as many as may be in flight."""
        assert self.channel is not None
        flight = self._flight
        flight.alone = most == 1
        if not flight.open:
            flight.heard = now
        if flight.alone:
            self._mark = self.channel.stderr_mark()
        lines: list[bytes] = []
        while waiting and len(flight.open) < most:
            question = waiting[0]
            line = request_line(self._next_id + 1, question.operation.name, question.case.request)
            if flight.open and flight.bytes + len(line) > MOST_BYTES_IN_FLIGHT:
                break
            waiting.popleft()
            id_ = self._take_id()
            flight.open[id_] = question
            flight.sent_at[id_] = now
            flight.sizes[id_] = len(line)
            flight.bytes += len(line)
            lines.append(line)
        self.channel.send(b"".join(lines))

    # Hearing

    def _hear_all(self, now: float) -> None:
        assert self.channel is not None
        lines = [line for line in self.channel.lines() if line and not line.isspace()]
        for index, line in enumerate(lines):
            self._hear(line, now, more=index + 1 < len(lines))
            if self.channel is None:
                return

    def _hear(self, line: bytes, now: float, *, more: bool) -> None:
        reply = read_reply(line)
        question = self._flight.open.get(reply.id)
        if question is not None:
            if self._flight.alone and more:
                raise ProtocolViolation("The adapter wrote more than one line for one request.")
            self._answered(reply, question, now)
        elif reply.id == self._initialize:
            self._initialized(reply)
        elif reply.id != self._shutdown:
            raise ProtocolViolation(f"The adapter answered a request {self._unexpected(reply.id)}.")

    def _unexpected(self, id_: int) -> str:
        shown = one_line(str(id_), 40)
        if id_ in self._flight.answered:
            return f"twice (id {shown}, {self._flight.answered[id_]})"
        return f"that was not sent to it (id {shown})"

    def _answered(self, reply: Reply, question: _Question, now: float) -> None:
        flight = self._flight
        try:
            judgement = self._judged(reply, question)
        except ProtocolViolation as violation:
            if flight.alone:
                judgement = _error(ErrorKind.PROTOCOL, str(violation))
            else:
                self._doubt(question, ErrorKind.PROTOCOL, str(violation))
                judgement = None
        ms = (now - max(flight.sent_at.pop(reply.id), flight.heard)) * 1000
        flight.heard = now
        del flight.open[reply.id]
        flight.answered[reply.id] = question.case.name
        flight.bytes -= flight.sizes.pop(reply.id)
        if judgement is not None:
            self._verdict(question, judgement, ms)
        if not flight.open:
            flight.alone = False

    def _judged(self, reply: Reply, question: _Question) -> Judgement:
        """The judgement on a reply; raises `ProtocolViolation` if the reply breaks the operation's contract."""
        case, operation = question.case, question.operation
        if reply.refusal is not None:
            return self._judged_refusal(reply.refusal, question)
        answer = reply.result or {}
        outcome = Answered(answer)
        if question.wanted and canonical_text(answer) == question.wanted:
            engine = refusals(case, operation, outcome)
            return Judgement(Verdict.PASS, reading=case.adopted, outcome=outcome, engine=engine)
        told = told_of(answer, question.untold)
        if told:
            raise ProtocolViolation(f"The answer has {', '.join(told)}, which initialize declared untold.")
        breach = self._answer_error(operation, answer)
        if breach:
            raise ProtocolViolation(f"The answer breaks the schema of {operation.name}: {breach}.")
        return judge(case, operation, outcome, question.untold)

    @staticmethod
    def _judged_refusal(refusal: Refusal, question: _Question) -> Judgement:
        data = refusal.data
        if refusal.code == OUT_OF_REACH:
            return Judgement(Verdict.UNSUPPORTED, reason=one_line(str(data.get("reason") or refusal.message), 400))
        if refusal.code != RAISED:
            raise ProtocolViolation(
                f"The adapter refused an operation that it offers, with error {refusal.code}: {one_line(refusal.message)}. "
                "Use -32001 for what is out of reach, -32000 for what the implementation raised."
            )
        kind = str(data.get("type") or "unclassified")
        if kind != "unclassified" and kind not in question.operation.error_types:
            raise ProtocolViolation(
                f"The schema of {question.operation.name} lists no error type {one_line(kind, 60)}."
            )
        outcome: Outcome = Raised(kind, str(data.get("message") or refusal.message))
        return judge(question.case, question.operation, outcome, question.untold)

    # Breaking

    def _watch(self, now: float) -> None:
        """Notices an adapter that has ended, or is silent for too long."""
        if self.channel is None:
            return
        ending = self.channel.ending()
        if self._shutdown is not None:
            if ending or now > self._deadline:
                self._closed(ending)
        elif ending:
            self._broke(ErrorKind.CRASH, ending)
        elif self._initialize is not None and now > self._deadline:
            self._broke(ErrorKind.TIMEOUT, f"No reply to initialize for {self._timeouts.starting:g} s.")
        elif self._flight.open and now - self._flight.heard > self._timeouts.asking:
            self._broke(ErrorKind.TIMEOUT, f"No reply for {self._timeouts.asking:g} s.")

    def _closed(self, ending: str) -> None:
        """The conversation was ended by us; what the adapter did with that is told if it was not to exit 0."""
        assert self.channel is not None
        status = self.channel.exit_status()
        if not ending:
            seen = f"The adapter did not exit within {self._timeouts.closing:g} s of shutdown, and was killed."
            self._events.append(Incident(self.name, ErrorKind.TIMEOUT, (), seen, self.channel.stderr_since(0)))
        elif status:
            seen = f"After shutdown: {ending}"
            self._events.append(Incident(self.name, ErrorKind.CRASH, (), seen, self.channel.stderr_since(0)))
        self.abandon()

    def _broke(self, kind: ErrorKind, seen: str) -> None:
        """The adapter crashed, fell silent or broke the protocol: kill it, and decide who is to be asked again."""
        assert self.channel is not None
        stderr = self.channel.stderr_since(self._mark if self._flight.alone else 0)
        starting, closing = self._initialize is not None, self._shutdown is not None
        self.abandon()
        suspects = list(self._flight.open.values())
        alone = self._flight.alone
        self._flight = _Flight()
        self._restarts += 1
        if starting:
            self._failed_start(seen, stderr)
        elif alone and suspects:
            self._verdict(suspects[0], _error(kind, seen), stderr=stderr)
        elif suspects:
            self._suspect(suspects, kind, seen, stderr)
        elif not closing or kind is not ErrorKind.CRASH:
            self._events.append(Incident(self.name, kind, (), seen, stderr))

    def _failed_start(self, seen: str, stderr: str) -> None:
        self._failed_starts += 1
        if self._failed_starts >= MOST_FAILED_STARTS:
            self._give_up(seen, stderr)

    def _suspect(self, suspects: Sequence[_Question], kind: ErrorKind, seen: str, stderr: str) -> None:
        names = tuple(question.case.name for question in suspects)
        suspicion = _Suspicion(kind, seen, stderr, names, len(suspects))
        for question in suspects:
            question.suspected = suspicion
        self._alone.extend(suspects)

    def _doubt(self, question: _Question, kind: ErrorKind, seen: str) -> None:
        """One reply was wrong in itself: its request alone is asked again, of the same process."""
        self._suspect([question], kind, seen, "")

    def _give_up(self, seen: str, stderr: str = "") -> None:
        """No process can be had: what is left, in every environment, is `error/start`."""
        left = [*self._alone, *self._pending, *(question for _, group in self._groups for question in group)]
        self._alone.clear()
        self._pending.clear()
        self._groups.clear()
        for question in left:
            self._verdict(question, _error(ErrorKind.START, seen), stderr=stderr)
        self.abandon()

    def _verdict(self, question: _Question, judgement: Judgement, ms: float | None = None, stderr: str = "") -> None:
        if self._flight.alone and self.channel is not None and judgement.verdict is not Verdict.PASS:
            stderr = self.channel.stderr_since(self._mark)
        self._events.append(Result(question.case, self.name, judgement, ms, stderr))
        suspicion = question.suspected
        if suspicion is None:
            return
        blamed = judgement.verdict is Verdict.ERROR and judgement.kind is not ErrorKind.IMPLEMENTATION
        suspicion.blamed = suspicion.blamed or blamed
        suspicion.left -= 1
        if not suspicion.left and not suspicion.blamed:
            self._events.append(Incident(self.name, suspicion.kind, suspicion.names, suspicion.seen, suspicion.stderr))


def _error(kind: ErrorKind, seen: str) -> Judgement:
    return Judgement(Verdict.ERROR, kind=kind, reason=seen, signature=error_signature(kind))


def _by_environment(
    cases: Sequence[Case], operations: Mapping[str, Operation]
) -> deque[tuple[tuple[tuple[str, str], ...], list[_Question]]]:
    """The questions, grouped by the environment that they need a process of their own for; the plain one first."""
    groups: dict[tuple[tuple[str, str], ...], list[_Question]] = {(): []}
    for case in cases:
        question = _Question(case, operations[case.operation])
        groups.setdefault(case.environment, []).append(question)
    return deque((environment, questions) for environment, questions in groups.items() if questions)
