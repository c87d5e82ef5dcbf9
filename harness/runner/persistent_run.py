"""One adapter that keeps running while cases are executed one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..compare.verdict import errored
from ..model import Case, EarlierStartFailure, ErrorKind, Result, StartFailure
from .adapter_run import AdapterRun
from .events import Event
from .execute import wait


class PersistentRun:
    """Gives the verdict on one case at a time; the verdicts are those of a whole run.

    `begin` creates a lasting `AdapterRun`. `listen` gets every other event of the run. The requests of later cases can be
    sent ahead; their results wait until the cases come.
    """

    def __init__(self, begin: Callable[[], AdapterRun], listen: Callable[[Event], None]) -> None:
        self._begin = begin
        self._listen = listen
        self._run: AdapterRun | None = None
        self._start_failure: Result | None = None
        self._submitted: set[str] = set()
        self._ready: dict[str, Result] = {}

    @property
    def failed_to_start(self) -> bool:
        """Whether the adapter could not be started; the first result has the reason."""
        return self._start_failure is not None

    @property
    def ahead(self) -> int:
        """How many cases were sent ahead, or wait to be sent."""
        return len(self._submitted)

    def execute(self, case: Case, upcoming: Iterable[Case] = ()) -> Result:
        """The verdict on one case; the `upcoming` ones are sent ahead. An adapter that failed to start is not started
        again."""
        if failure := self._start_failure:
            cause = EarlierStartFailure(failure.implementation, failure.case.name)
            return Result(case, failure.implementation, errored(StartFailure(cause)))
        try:
            result = self._execute(case, upcoming)
        except BaseException:  # the request is still open; its reply must not count for the next case
            self.abandon()
            raise
        if result.kind is ErrorKind.START:
            self._start_failure = result
        return result

    def _execute(self, case: Case, upcoming: Iterable[Case]) -> Result:
        if self._run is None:
            self._run = self._begin()
        new = {next_case.name: next_case for next_case in (case, *upcoming) if next_case.name not in self._submitted}
        self._submitted |= new.keys()
        self._run.submit([*new.values()])
        while case.name not in self._ready:
            self._step(self._run)
            if case.name not in self._ready:
                wait([self._run])
        self._submitted.remove(case.name)
        return self._ready.pop(case.name)

    def poll(self) -> None:
        """Reports what the adapter has done since, without waiting."""
        if self._run is not None:
            self._step(self._run)

    def end(self) -> None:
        """Ends the process by `shutdown`, without the cases that wait to be sent ahead."""
        if self._run is None:
            return
        self._run.close(drop_waiting=True)
        while not self._run.done:
            self._step(self._run)
            wait([self._run])
        self.abandon()

    def abandon(self) -> None:
        """Kills the process."""
        if self._run is not None:
            self._run.abandon()
            self._run = None
        self._submitted.clear()
        self._ready.clear()

    def _step(self, run: AdapterRun) -> None:
        """One step of the run."""
        for event in run.step():
            if isinstance(event, Result):
                self._ready[event.case.name] = event
            else:
                self._listen(event)
