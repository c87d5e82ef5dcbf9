"""The whole conversation with one implementation, as a machine that never waits: `engine` turns its crank.

The rule of blame: `crash`, `timeout` and `protocol` are verdicts only of a request that was alone in flight. When an
adapter breaks while several requests are unanswered, it is killed, a fresh process is started, and each of them is asked
again alone. One that breaks the adapter then is still not blamed if the process had answered others before it, for what
they left behind can be the reason: it is asked once more, first of all, of another fresh process. A suspect's reply
counts once nothing follows it for a moment. If all suspects answer, nobody is blamed, and the run carries an incident.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from harness.errors import AdapterUnavailable, ProtocolViolation, one_line
from harness.flight import ID_STEP, MOST_IN_FLIGHT, Flight, Settling
from harness.model import Case, ErrorKind, Implementation, Incident, Judgement, Operation, Result, Verdict
from harness.protocol import (
    Channel,
    Connection,
    Reply,
    initialize_params,
    read_implementation,
    read_reply,
    request_line,
)
from harness.questions import (
    AnswerError,
    Environment,
    Question,
    Suspected,
    by_environment,
    error,
    judged,
    suspect,
    unaskable,
)

MOST_RESTARTS = 20
MOST_FAILED_STARTS = 3

SETTLING = 0.02
"""Seconds in which nothing may follow a suspect's reply; a process that breaks after a reply mostly does so at once."""

ATTENTIVE = 0.2
"""Seconds between two looks at an adapter's output. What exceeds it the harness spent on others, or on judging."""

Event: TypeAlias = Implementation | Result | Incident | Suspected


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds of silence after which an adapter is given up: while asked, at its start, at its end."""

    asking: float = 10.0
    starting: float = 60.0
    closing: float = 5.0


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
        self._groups = by_environment(cases, operations)
        self._environment: Environment = ()
        self._pending: deque[Question] = deque()
        self._alone: deque[Question] = deque()
        self._flight = Flight()
        self._last_id = 0
        self._initialize: int | None = None
        self._shutdown: int | None = None
        self._said_farewell = False
        self._deadline = 0.0
        self._looked = clock()
        self._restarts = 0
        self._failed_starts: list[Incident] = []
        self._mark = 0
        self._events: list[Event] = []

    @property
    def settling(self) -> bool:
        """Whether it is about to act although nothing comes, within `SETTLING`."""
        return self._flight.settling is not None

    def advance(self) -> list[Event]:
        """Does all that can be done without waiting, and returns what it led to."""
        if self.channel is None:
            self._open()
        if self.channel is not None:
            try:
                now = self._look(self.channel)
                self._hear_all(now)
                self._watch(now)
                self._settle(now)
                self._fill(self._clock())
            except ProtocolViolation as violation:
                self._broke(ErrorKind.PROTOCOL, str(violation))
        events, self._events = self._events, []
        return events

    def _look(self, channel: Channel) -> float:
        """Reads what is there, and returns when: silence counts up to then, without the time in which nobody listened."""
        now = self._clock()
        away = now - self._looked
        if away > ATTENTIVE:
            self._flight.heard = min(now, self._flight.heard + away)
            self._deadline += away
        channel.pump()
        self._looked = now
        return now

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
            self._failed_start(ErrorKind.START, str(unavailable))
            return
        self._flight = Flight()
        self._initialize, self._shutdown, self._said_farewell = self._take_id(), None, False
        self._mark = 0
        self._looked = self._clock()
        self._deadline = self._looked + self._timeouts.starting
        self.channel.send(request_line(self._initialize, "initialize", initialize_params()))

    def _take_id(self) -> int:
        self._last_id += ID_STEP
        return self._last_id

    def _askable(self, questions: Sequence[Question]) -> Iterator[Question]:
        """The questions that this implementation can be asked; of the others the verdict is given here."""
        for question in questions:
            if self._implementation is None:
                yield question
            elif reason := unaskable(question, self._implementation):
                self._verdict(question, Judgement(Verdict.UNSUPPORTED, reason=reason))
            else:
                yield question

    def _initialized(self, reply: Reply) -> None:
        if reply.breach or reply.refusal:
            said = reply.breach or (reply.refusal.message if reply.refusal else "")
            raise ProtocolViolation(f"The adapter did not answer initialize with a result: {one_line(said)}")
        implementation = read_implementation(self.name, reply.result)
        if self._implementation and replace(self._implementation, facts={}) != replace(implementation, facts={}):
            raise ProtocolViolation("The adapter says something else of itself in initialize than at its first start.")
        self._initialize = None
        self._events += self._failed_starts
        self._failed_starts = []
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
        if self._alone or self._is_fragile():
            if not flight.open and (self._alone or self._pending):
                self._send(self._alone or self._pending, now, most=1)
        elif self._pending and not flight.alone and len(flight.open) <= self._most // 2:
            self._send(self._pending, now, most=self._most)
        if not flight.open and not self._pending and not self._alone:
            self._shutdown = self._take_id()
            self._deadline = now + self._timeouts.closing
            self.channel.send(request_line(self._shutdown, "shutdown", {}))

    def _is_fragile(self) -> bool:
        """Whether it broke so often that asking several requests at once costs more than it saves."""
        return self._restarts >= MOST_RESTARTS

    def _send(self, waiting: deque[Question], now: float, *, most: int) -> None:
        """Sends the first of those waiting, as many as may be in flight."""
        assert self.channel is not None
        if most == 1:
            self._mark = self.channel.stderr_mark()
        data, self._last_id = self._flight.load(waiting, self._last_id, now, most)
        self.channel.send(data)

    # Hearing

    def _hear_all(self, now: float) -> None:
        assert self.channel is not None
        for line in self.channel.lines():
            if line.strip(b" \t\r"):
                self._hear(line, now)
                if self.channel is None:
                    return

    def _hear(self, line: bytes, now: float) -> None:
        reply = read_reply(line)
        if reply.id in self._flight.open and not self._flight.settling:
            self._answered(reply, now)
        elif reply.id == self._initialize:
            self._initialized(reply)
        elif reply.id == self._shutdown and not self._said_farewell:
            self._farewell(reply)
        else:
            raise ProtocolViolation(f"The adapter answered a request {self._unexpected(reply.id)}.")

    def _unexpected(self, id_: int) -> str:
        shown = one_line(str(id_), 40)
        if id_ in self._flight.open:
            return f"twice (id {shown})"
        if id_ in self._flight.answered:
            return f"twice (id {shown}, {self._flight.answered[id_]})"
        return f"that was not sent to it (id {shown})"

    def _answered(self, reply: Reply, now: float) -> None:
        flight = self._flight
        question = flight.open[reply.id].question
        try:
            judgement = judged(reply, question, self._answer_error)
        except ProtocolViolation as violation:
            if not flight.alone:
                self._doubt(reply.id, str(violation), now)
                return
            judgement = error(ErrorKind.PROTOCOL, str(violation))
        ms = flight.heard_of(reply.id, now)
        if flight.alone and (question.suspicions or self._is_fragile()):
            flight.settling = Settling(reply.id, judgement, ms, now + SETTLING)
        else:
            self._land(reply.id, judgement, ms)

    def _doubt(self, id_: int, seen: str, now: float) -> None:
        """One reply was wrong in itself: its request alone is asked again, of the same process."""
        self._flight.heard_of(id_, now)
        self._suspect([self._flight.land(id_)], ErrorKind.PROTOCOL, seen)

    def _settle(self, now: float) -> None:
        """A suspect's reply counts now, if nothing has followed it."""
        settling = self._flight.settling
        if settling and now >= settling.until:
            self._flight.settling = None
            self._land(settling.id, settling.judgement, settling.ms)

    def _land(self, id_: int, judgement: Judgement, ms: float) -> None:
        assert self.channel is not None
        flight = self._flight
        said = flight.alone and judgement.verdict is not Verdict.PASS
        stderr = self.channel.stderr_since(self._mark) if said else ""
        self._verdict(flight.land(id_), judgement, ms, stderr)
        if not flight.open:
            flight.alone = False

    def _farewell(self, reply: Reply) -> None:
        if reply.breach or reply.refusal:
            raise ProtocolViolation("The adapter did not answer shutdown with a result. Answer {}, and exit with 0.")
        self._said_farewell = True

    # Breaking

    def _watch(self, now: float) -> None:
        """Notices an adapter that has ended, or is silent for too long."""
        if self.channel is None:
            return
        ending = self.channel.ending()
        if self._shutdown is not None:
            self._watch_closing(ending, now)
        elif ending:
            self._broke(ErrorKind.CRASH, ending)
        elif self._initialize is not None and now > self._deadline:
            self._broke(ErrorKind.TIMEOUT, f"No reply to initialize for {self._timeouts.starting:g} s.")
        elif self._flight.open and not self.settling and now - self._flight.heard > self._timeouts.asking:
            self._broke(ErrorKind.TIMEOUT, f"No reply for {self._timeouts.asking:g} s.")

    def _watch_closing(self, ending: str, now: float) -> None:
        """The conversation was ended by us; what the adapter makes of that is told if it is not what was asked."""
        assert self.channel is not None
        status = self.channel.exit_status() if ending else None
        if status is None and now <= self._deadline:
            return
        if status is None:
            seen = f"The adapter did not exit within {self._timeouts.closing:g} s of shutdown, and was killed."
            self._incident(ErrorKind.TIMEOUT, seen)
        elif status:
            self._incident(ErrorKind.CRASH, f"After shutdown: {ending}")
        elif not self._said_farewell:
            self._incident(ErrorKind.PROTOCOL, f"The adapter did not answer shutdown. {ending}")
        self.abandon()

    def _incident(self, kind: ErrorKind, seen: str) -> None:
        assert self.channel is not None
        self._events.append(Incident(self.name, kind, (), seen, self.channel.stderr_since(0)))

    def _broke(self, kind: ErrorKind, seen: str) -> None:
        """The adapter crashed, fell silent or broke the protocol: kill it, and decide who is to be asked again."""
        assert self.channel is not None
        flight = self._flight
        if flight.settling:
            seen = f"{seen} This was right after its reply."
        elif flight.answered:
            seen = f"{seen} Its last answer was to {flight.last_answered}."
        stderr = self.channel.stderr_since(self._mark if flight.alone else 0)
        self.abandon()
        self._flight = Flight()
        self._restarts += 1
        suspects = [sent.question for sent in flight.open.values()]
        if self._initialize is not None:
            self._failed_start(kind, seen, stderr)
        elif not suspects:
            self._events.append(Incident(self.name, kind, (), seen, stderr))
        elif flight.alone and flight.fresh:
            self._verdict(suspects[0], error(kind, seen), stderr=stderr)
        else:
            self._suspect(suspects, kind, seen, stderr)

    def _suspect(self, suspects: Sequence[Question], kind: ErrorKind, seen: str, stderr: str = "") -> None:
        """Has them asked again alone, before any that already wait for that, so that the first gets a fresh process."""
        names = tuple(question.case.name for question in suspects)
        incident = Incident(self.name, kind, names, seen, stderr)
        suspect(suspects, incident)
        self._events.append(Suspected(incident))
        self._alone.extendleft(reversed(suspects))

    def _failed_start(self, kind: ErrorKind, seen: str, stderr: str = "") -> None:
        """Tries again, or gives up; a failure that is overcome in the end is told all the same."""
        incident = Incident(self.name, kind, (), f"The adapter did not start: {seen}", stderr)
        self._failed_starts.append(incident)
        self._events.append(Suspected(incident))
        if len(self._failed_starts) >= MOST_FAILED_STARTS:
            self._give_up(seen, stderr)

    def _give_up(self, seen: str, stderr: str = "") -> None:
        """No process can be had: what is left, in every environment, is `error/start`."""
        left = [*self._alone, *self._pending, *(question for _, group in self._groups for question in group)]
        self._alone.clear()
        self._pending.clear()
        self._groups.clear()
        for question in left:
            self._verdict(question, error(ErrorKind.START, seen), stderr=stderr)
        self.abandon()

    def _verdict(self, question: Question, judgement: Judgement, ms: float | None = None, stderr: str = "") -> None:
        """Gives the verdict, and before it what it settles, so that a record cut between them has lost nothing."""
        settled = [suspicion.incident for suspicion in question.suspicions if suspicion.settle(judgement)]
        self._events += [*settled, Result(question.case, self.name, judgement, ms, stderr)]
