"""An interview that stays open between two cases, for somebody who asks one and waits for its verdict."""

from __future__ import annotations

import time
from collections.abc import Callable

from harness.compare.verdict import errored
from harness.model import Case, EarlierStartFailure, ErrorKind, Implementation, Incident, Result, StartFailure
from harness.report.text import describe_incident, standard_error
from harness.runner.adapter_run import AdapterRun
from harness.runner.event_loop import wait
from harness.runner.stall import STALL_NOTICE_AFTER, Stall


class PersistentRun:
    """Puts one case at a time to an adapter that keeps running; the verdicts are those that a run gives.

    `begin` begins a lasting interview that has one request in flight. `on_stall` is called with nothing, once, if
    `initialize` is long unanswered, and with the silence, once, if a case is. `incidents` holds, in words, what could be
    blamed on no case, until somebody takes it out; `said` is what the adapter says of itself, once it has.
    """

    def __init__(self, begin: Callable[[], AdapterRun], on_stall: Callable[[Stall | None], None]) -> None:
        self.incidents: list[str] = []
        self.said: Implementation | None = None
        self._begin = begin
        self._told_to_wait = on_stall
        self._start_notice_sent = False
        self._stall_notice_sent = False
        self._interview: AdapterRun | None = None
        self._gone: Result | None = None

    @property
    def is_gone(self) -> bool:
        """Whether it cannot be started, and a verdict has told why."""
        return self._gone is not None

    def ask(self, case: Case) -> Result:
        """The verdict on one case, as soon as it is there. An adapter that cannot be started is not tried again, and why
        is told once."""
        if self._gone is not None:
            cause = EarlierStartFailure(self._gone.implementation, self._gone.case.name)
            return Result(case, self._gone.implementation, errored(StartFailure(cause)))
        try:
            result = self._verdict(case)
        except BaseException:  # the question is left open, and its answer is not to be taken for the next one's
            self.abandon()
            raise
        if result.kind is ErrorKind.START:
            self._gone = result
        return result

    def _verdict(self, case: Case) -> Result:
        if self._interview is None:
            self._interview = self._begin()
        self._interview.put(case)
        since = time.monotonic()
        while (result := self._advance(self._interview)) is None:
            wait([self._interview])
            if not (self.said or self._start_notice_sent) and time.monotonic() - since >= STALL_NOTICE_AFTER:
                self._start_notice_sent = True
                self._told_to_wait(None)
            silence = self._interview.silence
            if silence and silence.is_long and not self._stall_notice_sent:
                self._stall_notice_sent = True
                self._told_to_wait(silence)
        return result

    def look(self) -> None:
        """Notices what the adapter has done meanwhile, without waiting for it."""
        if self._interview is not None:
            self._advance(self._interview)

    def end(self) -> None:
        """Ends the process by a shutdown."""
        if self._interview is None:
            return
        self._interview.close()
        while not self._interview.done:
            self._advance(self._interview)
            wait([self._interview])
        self._interview = None

    def abandon(self) -> None:
        """Ends the process, whatever it is doing."""
        if self._interview is not None:
            self._interview.abandon()
            self._interview = None

    def _advance(self, interview: AdapterRun) -> Result | None:
        """Does what can be done without waiting; the verdict, if that led to one."""
        result = None
        for event in interview.step():
            if isinstance(event, Result):
                result = event
            elif isinstance(event, Implementation):
                self.said = event
            elif isinstance(event, Incident):
                self.incidents.append("\n".join([describe_incident(event), *standard_error(event.stderr)]))
        return result
