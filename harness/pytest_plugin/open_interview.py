"""An interview that stays open between two cases, for somebody who asks one and waits for its verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from harness.engine import wait
from harness.interview import Interview, Timeouts
from harness.model import Case, ErrorKind, Incident, Operation, Result
from harness.protocol import Connection
from harness.questions import AnswerError, Question


class OpenInterview(Interview):
    """Gives one case at a time to an adapter that keeps running; the verdicts are those that a run gives.

    `incidents` holds, in words, what could be blamed on no case, until somebody takes it out.
    """

    def __init__(
        self,
        name: str,
        connection: Connection,
        operations: Mapping[str, Operation],
        answer_error: AnswerError,
        timeouts: Timeouts,
    ) -> None:
        super().__init__(name, connection, (), operations, answer_error, timeouts, most_in_flight=1)
        self.incidents: list[str] = []
        self._operations = operations
        self._ending = False
        self._gone: Result | None = None

    def ask(self, case: Case) -> Result:
        """The verdict on one case, as soon as it is there. An adapter that cannot be started is not tried again."""
        if self._gone is not None:
            return replace(self._gone, case=case)
        if case.environment != self._environment:
            self.end()
            self._environment = case.environment
        self._pending.extend(self._askable([Question(case, self._operations[case.operation])]))
        while (result := self._turn()) is None:
            wait([self])
        if result.judgement.kind is ErrorKind.START:
            self._gone = result
        return result

    def end(self) -> None:
        """Ends the process: by a shutdown if it is idle, at once if a question was left open."""
        if self._pending or self._alone or self._flight.open:
            self.abandon()
        self._ending = True
        while self.channel is not None:
            self._turn()
            wait([self])
        self._ending = False

    def _turn(self) -> Result | None:
        """Does what can be done without waiting; the verdict, if that led to one."""
        result = None
        for event in self.advance():
            if isinstance(event, Result):
                result = event
            elif isinstance(event, Incident):
                stderr = f"\nstandard error: {event.stderr}" if event.stderr else ""
                self.incidents.append(f"incident: {event.implementation}: {event.seen}{stderr}")
        return result

    def _fill(self, now: float) -> None:
        """That nothing is left to ask is no end here: the next case may come."""
        if self._pending or self._alone or self._ending:
            super()._fill(now)
