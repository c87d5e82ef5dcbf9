"""Stops a run after a number of failures; the cases that have no verdict then stay open.

Failing answers are explained at the end of a run, and some then turn out to be variants or known. So a run that stopped
too early goes on with the open cases.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from ..model import FAILING, ErrorKind, Implementation, Result
from .events import Event

if TYPE_CHECKING:
    from .execute import RunPlan

Counts: TypeAlias = "Callable[[Result], bool]"
"""Whether a failure counts."""


def is_failure(result: Result) -> bool:
    """Whether the result fails. A failed start is no failure of a case."""
    return result.verdict in FAILING and result.kind is not ErrorKind.START


@dataclass(slots=True)
class FailureLimit:
    """Counts failures until `left` is 0; `None` is no limit. `counts` decides before the answers are explained."""

    left: int | None = None
    counts: Counts = is_failure

    @property
    def is_reached(self) -> bool:
        """Whether no further case is sent."""
        return self.left == 0

    def admits(self, event: Event) -> bool:
        """Counts an event; false for a result after the last failure, which the run drops."""
        if self.left is None or not isinstance(event, Result):
            return True
        if self.left == 0:
            return False
        self.left -= is_failure(event) and self.counts(event)
        return True


Executor: TypeAlias = "Callable[[RunPlan, list[Result], FailureLimit], Generator[list[Event], None, None]]"


def limited(
    plan: RunPlan, max_failures: int, unconfirmed: list[Result], execute: Executor
) -> Generator[list[Event], None, None]:
    """The batches of a plan until `max_failures` failures count after the explanations.

    Each round that finds too few is followed by one with twice the limit, so that variants cost few rounds.
    """
    completed = set(plan.completed)
    introduced: set[str] = set()
    found, size = 0, max_failures
    while found < max_failures:
        limit = FailureLimit(size, _before_explanation(plan))
        stream = execute(replace(plan, completed=frozenset(completed)), unconfirmed, limit)
        try:
            for batch in stream:
                passed_on = [one for one in batch if not isinstance(one, Implementation) or one.name not in introduced]
                introduced |= {one.name for one in batch if isinstance(one, Implementation)}
                results = [one for one in batch if isinstance(one, Result)]
                found += sum(is_failure(one) and plan.counts(one) for one in results)
                completed |= {(one.case.name, one.implementation) for one in results}
                yield passed_on
        finally:
            stream.close()
        if not limit.is_reached:
            return
        size = max(2 * size, 1)


def _before_explanation(plan: RunPlan) -> Counts:
    """Whether a result counts that is not explained yet: a failure that the model predicts does not."""
    causes = plan.explanations.causes if plan.explanations else {}

    def counts(result: Result) -> bool:
        return plan.counts(result) and result.case.name not in causes.get(result.implementation, {})

    return counts
