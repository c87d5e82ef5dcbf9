"""The number of failures after which a run stops; the cases that have no verdict then stay open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from ..model import FAILING, ErrorKind, Result
from .events import Event

Counts: TypeAlias = "Callable[[Result], bool]"
"""Whether a failure counts."""


def is_failure(result: Result) -> bool:
    """Whether the result fails. A failed start is no failure of a case."""
    return result.verdict in FAILING and result.kind is not ErrorKind.START


class FailureLimit(Struct):
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
