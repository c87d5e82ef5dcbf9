"""One adapter that keeps running while cases are executed one at a time."""

from __future__ import annotations

from collections.abc import Callable

from ..compare.verdict import errored
from ..model import Case, EarlierStartFailure, ErrorKind, Result, StartFailure
from .adapter_run import AdapterRun
from .events import Event
from .execute import wait


class PersistentRun:
    """Executes one case at a time; the verdicts are those of a whole run.

    `begin` creates a lasting `AdapterRun` with one request in flight. `listen` gets every other event of the run.
    """

    def __init__(self, begin: Callable[[], AdapterRun], listen: Callable[[Event], None]) -> None:
        self._begin = begin
        self._listen = listen
        self._run: AdapterRun | None = None
        self._start_failure: Result | None = None

    @property
    def failed_to_start(self) -> bool:
        """Whether the adapter could not be started; the first result has the reason."""
        return self._start_failure is not None

    def execute(self, case: Case) -> Result:
        """The verdict on one case. An adapter that failed to start is not started again."""
        if failure := self._start_failure:
            cause = EarlierStartFailure(failure.implementation, failure.case.name)
            return Result(case, failure.implementation, errored(StartFailure(cause)))
        try:
            result = self._execute(case)
        except BaseException:  # the request is still open; its reply must not count for the next case
            self.abandon()
            raise
        if result.kind is ErrorKind.START:
            self._start_failure = result
        return result

    def _execute(self, case: Case) -> Result:
        if self._run is None:
            self._run = self._begin()
        self._run.submit(case)
        while (result := self._step(self._run)) is None:
            wait([self._run])
        return result

    def poll(self) -> None:
        """Reports what the adapter has done since, without waiting."""
        if self._run is not None:
            self._step(self._run)

    def end(self) -> None:
        """Ends the process by `shutdown`."""
        if self._run is None:
            return
        self._run.close()
        while not self._run.done:
            self._step(self._run)
            wait([self._run])
        self._run = None

    def abandon(self) -> None:
        """Kills the process."""
        if self._run is not None:
            self._run.abandon()
            self._run = None

    def _step(self, run: AdapterRun) -> Result | None:
        """One step of the run; its result, if there is one."""
        found = None
        for event in run.step():
            if isinstance(event, Result):
                found = event
            else:
                self._listen(event)
        return found
