"""What is still to be asked of one implementation, in which order, and of a process with which environment."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness.model import Case, Operation
from harness.runner.case_execution import CaseExecution, Environment


@dataclass(slots=True)
class CaseQueue:
    """Those to be asked `alone` go first, then the `pending`, both of a process with `environment`; then the next of the
    `groups`, of which each needs a process with an environment of its own."""

    groups: deque[tuple[Environment, list[CaseExecution]]]
    environment: Environment = ()
    pending: deque[CaseExecution] = field(default_factory=deque)
    alone: deque[CaseExecution] = field(default_factory=deque)

    @classmethod
    def of(cls, cases: Sequence[Case], operations: Mapping[str, Operation]) -> CaseQueue:
        """The cases by the environment that they need; the plain one first."""
        groups: dict[Environment, list[CaseExecution]] = {(): []}
        for case in cases:
            groups.setdefault(case.environment, []).append(CaseExecution(case, operations[case.operation]))
        return cls(deque((environment, questions) for environment, questions in groups.items() if questions))

    @property
    def has_waiting(self) -> bool:
        """Whether questions wait for a process with the present environment."""
        return bool(self.alone or self.pending)

    @property
    def count(self) -> int:
        """How many questions wait, for this process or for one of another environment."""
        return len(self.alone) + len(self.pending) + sum(len(questions) for _, questions in self.groups)

    @property
    def continues_in_process(self) -> bool:
        """Whether the next group can be put to the process that there is."""
        return bool(self.groups) and self.groups[0][0] == self.environment

    def next_group(self) -> list[CaseExecution]:
        """Turns to the next group: its questions, or none."""
        if not self.groups:
            return []
        self.environment, questions = self.groups.popleft()
        return questions

    def clear(self) -> list[CaseExecution]:
        """Strikes everything off: what that was."""
        left = [*self.alone, *self.pending, *(question for _, group in self.groups for question in group)]
        for queue in (self.alone, self.pending, self.groups):
            queue.clear()
        return left
