"""Withholds the cases of an open circuit from the queue, releases them after an answer, and settles the rest at the end."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Break
from .breaker import CircuitBreaker, CircuitOpened
from .case_execution import CaseExecution
from .queue import CaseQueue


def note_answer(breaker: CircuitBreaker, queue: CaseQueue, execution: CaseExecution) -> None:
    """Notes that the case was answered; releases the cases that this proves worth sending."""
    if breaker.answered(execution.operation.name):
        queue.release(breaker.admits)


def note_break(
    breaker: CircuitBreaker, queue: CaseQueue, execution: CaseExecution, cause: Break, name: str
) -> Iterator[CircuitOpened]:
    """Notes that the case broke the implementation `name`; the event if that withholds cases."""
    opened = breaker.broke(execution.operation.name, cause)
    if opened is not None and (withheld := queue.withhold(breaker.admits)):
        yield CircuitOpened(name, opened, cause.kind, breaker.limit, withheld)


class Withholder:
    """Withholds cases of one process whose circuit another process of the same adapter has opened."""

    def __init__(self, breaker: CircuitBreaker) -> None:
        self._breaker = breaker
        self._openings = breaker.openings

    def update(self, queue: CaseQueue, *, has_withheld: bool) -> None:
        """Withholds once for each opening; `has_withheld`: the queue of this process follows it already."""
        if self._breaker.openings != self._openings:
            self._openings = self._breaker.openings
            if not has_withheld:
                queue.withhold(self._breaker.admits)


def probes_or_rest(breaker: CircuitBreaker, queue: CaseQueue) -> list[tuple[CaseExecution, Break]]:
    """Once no other case waits: queues a probe for each circuit without one, else returns the withheld cases with their
    causes."""
    for operation in dict.fromkeys(execution.operation.name for execution in queue.withheld):
        if breaker.needs_probe(operation):
            queue.pending.append(queue.take_last_withheld(operation))
    if queue.pending:
        return []
    queue.release(lambda operation: breaker.cause(operation) is None)
    withheld, queue.withheld = queue.withheld, []
    causes = [(execution, breaker.cause(execution.operation.name)) for execution in withheld]
    return [(execution, cause) for execution, cause in causes if cause is not None]
