"""Results → the requirements that failures charge, by the share of their cases that fail. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..model import ErrorKind, RecordedResult, Verdict


@dataclass(frozen=True, slots=True)
class RequirementShare:
    """A requirement, the number of results whose case cites it, and the number of these that charge it."""

    requirement: str
    failing: int
    ran: int

    @property
    def is_never_met(self) -> bool:
        """Whether every case charges it."""
        return self.failing == self.ran

    @property
    def rank(self) -> tuple[bool, float, int]:
        """The order of a report: requirements without a passing case first, then by the share that fails."""
        return not self.is_never_met, -self.failing / self.ran, -self.failing


def requirement_shares(results: Iterable[RecordedResult]) -> list[RequirementShare]:
    """The charged requirements of these results in the order of a report. Unsupported cases and adapters that did not
    start do not count."""
    ran: Counter[str] = Counter()
    failing: Counter[str] = Counter()
    for result in results:
        if result.verdict is not Verdict.UNSUPPORTED and result.kind is not ErrorKind.START:
            ran.update(result.requirements)
            failing.update(result.charged)
    return sorted((RequirementShare(id_, failing[id_], ran[id_]) for id_ in failing), key=lambda one: one.rank)
