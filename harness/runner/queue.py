"""Work queue of one adapter run: the cases that wait, in order, grouped by the process environment they need."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct, field

from ..model import Case, Operation
from .case_execution import CaseExecution, Environment

MAX_BUILT = 64
"""Cases that are built before they can be sent."""


class CaseQueue(Struct):
    """First the cases to run `alone`, then the `pending` ones, then those `behind` them, which are not built yet, all in a
    process with `environment`; then the next of the `groups`, each of which needs a process with its own environment.
    `withheld` ones wait until they are released. `is_supported` decides whether a case can be sent, and `admits` whether
    cases of an operation are sent now. `known_hangs` are the names of cases that run alone."""

    operations: Mapping[str, Operation]
    is_supported: Callable[[CaseExecution], bool]
    admits: Callable[[str], bool]
    known_hangs: Collection[str] = ()
    groups: deque[tuple[Environment, Sequence[Case]]] = field(default_factory=deque)
    environment: Environment = ()
    pending: deque[CaseExecution] = field(default_factory=deque)
    behind: Iterator[Case] = field(default_factory=lambda: iter(()))
    behind_count: int = 0
    alone: deque[CaseExecution] = field(default_factory=deque)
    withheld: list[CaseExecution] = field(default_factory=list)

    def add(self, cases: Sequence[Case]) -> None:
        """Adds cases behind all others, grouped by environment; the group without variables comes first."""
        groups: dict[Environment, list[Case]] = {(): []}
        for case in cases:
            groups.setdefault(case.environment, []).append(case)
        self.groups += ((environment, group) for environment, group in groups.items() if group)

    def refill(self, limit: float = MAX_BUILT) -> None:
        """Builds cases until `limit` are pending."""
        while self.behind_count and len(self.pending) < limit:
            self.behind_count -= 1
            case = next(self.behind)
            execution = CaseExecution(case, self.operations[case.operation], case.name in self.known_hangs)
            if self.is_supported(execution):
                ready = self.alone if execution.goes_alone else self.pending
                (ready if self.admits(case.operation) else self.withheld).append(execution)

    def drop_unsupported(self) -> None:
        """Drops the cases that are built and cannot be sent."""
        self.alone, self.pending = (deque(filter(self.is_supported, built)) for built in (self.alone, self.pending))
        self.refill()

    @property
    def has_waiting(self) -> bool:
        """Whether cases wait for a process with the present environment."""
        return bool(self.alone or self.pending or self.behind_count)

    @property
    def count(self) -> int:
        """How many cases wait, for this process or for one with another environment."""
        built = len(self.alone) + len(self.pending) + len(self.withheld)
        return built + self.behind_count + sum(len(group) for _, group in self.groups)

    @property
    def continues_in_process(self) -> bool:
        """Whether the present process can run the next group."""
        return bool(self.groups) and self.groups[0][0] == self.environment

    def take_group(self) -> None:
        """Puts the next group, if there is one, behind the pending cases, of which none is left."""
        if self.groups:
            self.environment, group = self.groups.popleft()
            self.behind, self.behind_count = iter(group), len(group)

    def clear(self) -> list[CaseExecution]:
        """Empties the queue and returns everything that waited."""
        later = chain(self.behind, *(group for _, group in self.groups))
        left = [
            *self.alone,
            *self.pending,
            *self.withheld,
            *(CaseExecution(case, self.operations[case.operation]) for case in later),
        ]
        self.behind_count = 0
        for queue in (self.alone, self.pending, self.groups, self.withheld):
            queue.clear()
        return left

    def withhold(self, admits: Callable[[str], bool]) -> int:
        """Withholds the waiting cases whose operation `admits` rejects; how many."""
        self.refill(math.inf)
        before = len(self.withheld)
        for queue in (self.alone, self.pending):
            waiting = [*queue]
            queue.clear()
            for execution in waiting:
                (queue if admits(execution.operation.name) else self.withheld).append(execution)
        return len(self.withheld) - before

    def release(self, admits: Callable[[str], bool]) -> None:
        """Puts the withheld cases whose operation `admits` accepts before all others."""
        waiting, self.withheld = self.withheld, []
        for execution in reversed(waiting):
            if not admits(execution.operation.name):
                self.withheld.append(execution)
            elif execution.goes_alone:
                self.alone.appendleft(execution)
            else:
                self.pending.appendleft(execution)
        self.withheld.reverse()

    def take_last_withheld(self, operation: str) -> CaseExecution:
        """Removes and returns the last withheld case of the operation."""
        last = next(execution for execution in reversed(self.withheld) if execution.operation.name == operation)
        self.withheld.remove(last)
        return last
