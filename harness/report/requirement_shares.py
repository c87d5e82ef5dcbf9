"""Results → the requirements that failures charge, by the share of their cases that fail. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..model import ErrorKind, RecordedResult, Verdict, rows


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


def requirement_shares(results: Sequence[RecordedResult]) -> list[RequirementShare]:
    """The charged requirements of these results in the order of a report. Unsupported cases and adapters that did not start
    do not count."""
    counted: Counter[tuple[str, ...]] = Counter()
    ran: Counter[str] = Counter()
    failing: Counter[str] = Counter()
    for case, _, outcome in rows(results):
        if outcome.verdict is not Verdict.UNSUPPORTED and outcome.kind is not ErrorKind.START:
            counted[case.requirements] += 1
            if charged := outcome.charged_among(case.requirements):
                failing.update(charged)
    for requirements, count in counted.items():
        for id_ in requirements:
            ran[id_] += count
    return sorted((RequirementShare(id_, failing[id_], ran[id_]) for id_ in failing), key=lambda one: one.rank)
