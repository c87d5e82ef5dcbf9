"""Several processes of one adapter that share its cases.

Each process is an adapter run of its own, which gets a few cases at a time. A verdict never depends on another process:
blame needs a request that was alone in flight in its process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..model import Breach, BreachCode, Case, Implementation, Incident
from .adapter_run import AdapterRun
from .adapter_session import is_other
from .events import Event

CHUNK = 32
"""Cases that a process gets at a time, as many as it may have in flight."""


class JobPool:
    """Executes cases on `jobs` lasting adapter runs that `begin` makes; it ends when no case is left."""

    def __init__(self, jobs: int, cases: Sequence[Case], begin: Callable[[], AdapterRun]) -> None:
        self._cases = sorted(cases, key=lambda case: case.environment)
        self._next = 0
        self.runs = [begin() for _ in range(max(1, min(jobs, len(cases) // CHUNK + 1)))]
        self._chunk = CHUNK if jobs > 1 else len(cases)
        self._introduction: Implementation | None = None

    @property
    def done(self) -> bool:
        """Whether all runs have ended."""
        return all(run.done for run in self.runs)

    @property
    def active(self) -> list[AdapterRun]:
        """The runs that have not ended."""
        return [run for run in self.runs if not run.done]

    def step(self) -> list[Event]:
        """Everything that can be done without waiting, and the events that it gave."""
        events: list[Event] = []
        for run in self.active:
            while self._next < len(self._cases) and run.waiting < self._chunk:
                run.submit(self._cases[self._next : self._next + self._chunk])
                self._next += self._chunk
            if self._next >= len(self._cases):
                run.close()
            events += run.step()
        return [checked for event in events for checked in self._checked(event)]

    def abandon(self) -> None:
        """Kills all processes."""
        for run in self.runs:
            run.abandon()

    def _checked(self, event: Event) -> list[Event]:
        """The event; only the first reply to `initialize`, and an incident for one that differs."""
        if not isinstance(event, Implementation):
            return [event]
        first, self._introduction = self._introduction, self._introduction or event
        if first is None:
            return [event]
        if is_other(first, event):
            return [Incident(event.name, Breach(BreachCode.IDENTITY_CHANGED))]
        return []
