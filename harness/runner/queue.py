"""Work queue of one adapter run: the cases that wait, in order, grouped by the process environment they need."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..model import Case, Operation
from .case_execution import CaseExecution, Environment


@dataclass(slots=True)
class CaseQueue:
    """First the cases to run `alone`, then the `pending` ones, both in a process with `environment`; then the next of the
    `groups`, each of which needs a process with its own environment. `withheld` ones wait until they are
    released."""

    groups: deque[tuple[Environment, list[CaseExecution]]]
    environment: Environment = ()
    pending: deque[CaseExecution] = field(default_factory=deque)
    alone: deque[CaseExecution] = field(default_factory=deque)
    withheld: list[CaseExecution] = field(default_factory=list)

    @classmethod
    def of(cls, cases: Sequence[Case], operations: Mapping[str, Operation]) -> CaseQueue:
        """A queue of these cases, grouped by environment; the group without variables comes first."""
        groups: dict[Environment, list[CaseExecution]] = {(): []}
        for case in cases:
            groups.setdefault(case.environment, []).append(CaseExecution(case, operations[case.operation]))
        return cls(deque((environment, executions) for environment, executions in groups.items() if executions))

    @property
    def has_waiting(self) -> bool:
        """Whether cases wait for a process with the present environment."""
        return bool(self.alone or self.pending)

    @property
    def count(self) -> int:
        """How many cases wait, for this process or for one with another environment."""
        return len(self.alone) + len(self.pending) + len(self.withheld) + sum(len(group) for _, group in self.groups)

    @property
    def continues_in_process(self) -> bool:
        """Whether the present process can run the next group."""
        return bool(self.groups) and self.groups[0][0] == self.environment

    def next_group(self) -> list[CaseExecution]:
        """Takes the next group; empty if there is none."""
        if not self.groups:
            return []
        self.environment, group = self.groups.popleft()
        return group

    def clear(self) -> list[CaseExecution]:
        """Empties the queue and returns everything that waited."""
        left = [
            *self.alone,
            *self.pending,
            *self.withheld,
            *(execution for _, group in self.groups for execution in group),
        ]
        for queue in (self.alone, self.pending, self.groups, self.withheld):
            queue.clear()
        return left

    def withhold(self, admits: Callable[[str], bool]) -> int:
        """Withholds the waiting cases whose operation `admits` rejects; how many."""
        before = len(self.withheld)
        for queue in (self.alone, self.pending):
            waiting = [*queue]
            queue.clear()
            for execution in waiting:
                (queue if admits(execution.operation.name) else self.withheld).append(execution)
        return len(self.withheld) - before

    def release(self, admits: Callable[[str], bool]) -> None:
        """Puts the withheld cases whose operation `admits` accepts before all others; suspects are still sent alone."""
        waiting, self.withheld = self.withheld, []
        for execution in reversed(waiting):
            if not admits(execution.operation.name):
                self.withheld.append(execution)
            elif execution.blame_groups:
                self.alone.appendleft(execution)
            else:
                self.pending.appendleft(execution)
        self.withheld.reverse()

    def take_last_withheld(self, operation: str) -> CaseExecution:
        """Removes and returns the last withheld case of the operation."""
        last = next(execution for execution in reversed(self.withheld) if execution.operation.name == operation)
        self.withheld.remove(last)
        return last
