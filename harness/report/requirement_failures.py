"""Recorded results → the requirements that failing answers charge, with the share of the answers that do. Pure.

A failing answer charges the requirements that its causes break, or candidates for them. An answer counts for each
requirement that its case cites or that it charges. Cases that did not run and adapters that did not start do not count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..model import UNTESTED, ErrorKind, RecordedResult, RunRecord, where


class RequirementShare(Struct, frozen=True):
    """A requirement, the number of answers that count for it, and the number of these that charge it."""

    requirement: str
    failing: int
    ran: int

    @property
    def is_never_met(self) -> bool:
        """Whether every answer charges it."""
        return self.failing == self.ran

    @property
    def rank(self) -> tuple[bool, float, int]:
        """The order of a report: requirements that no answer meets first, then by the share that fails."""
        return not self.is_never_met, -self.failing / self.ran, -self.failing

    @property
    def text(self) -> str:
        """`36/37`."""
        return f"{self.failing}/{self.ran}"


class BrokenRequirement(Struct, frozen=True):
    """A requirement, the share of each implementation that was tested on it, and the answers that charge it, by
    implementation."""

    requirement: str
    shares: Mapping[str, RequirementShare]
    charging: Mapping[str, Sequence[RecordedResult]]

    @property
    def by_all(self) -> bool:
        """Whether every tested implementation breaks it."""
        return all(share.failing for share in self.shares.values())

    @property
    def failing(self) -> int:
        """How many answers charge it."""
        return sum(share.failing for share in self.shares.values())

    @property
    def example(self) -> RecordedResult:
        """An answer that charges it: by a cause before by a place, without a ruling before with one, and one that charges
        nothing before it."""
        return min(
            (result for results in self.charging.values() for result in results),
            key=lambda result: (not result.by_cause, bool(result.ruling), result.charged.index(self.requirement)),
        )


def requirement_shares(results: Iterable[RecordedResult]) -> list[RequirementShare]:
    """The charged requirements of these results in the order of a report."""
    return sorted((share for share in _shares(results) if share.failing), key=lambda share: share.rank)


def _shares(results: Iterable[RecordedResult]) -> Iterator[RequirementShare]:
    """The share of every requirement that these results cite or charge."""
    citing: Counter[tuple[str, ...]] = Counter()
    ran: Counter[str] = Counter()
    failing: Counter[str] = Counter()
    for result in results:
        if result.verdict not in UNTESTED and result.kind is not ErrorKind.START:
            citing[tuple(dict.fromkeys((*result.requirements, *result.charged)))] += 1
            failing.update(result.charged)
    for requirements, count in citing.items():
        for id_ in requirements:
            ran[id_] += count
    return (RequirementShare(id_, failing[id_], ran[id_]) for id_ in ran)


def broken_requirements(tested: Mapping[str, Sequence[RecordedResult]]) -> list[BrokenRequirement]:
    """The requirements that these results of implementations by name charge, the most often charged first."""
    shares: dict[str, dict[str, RequirementShare]] = defaultdict(dict)
    charging: dict[str, dict[str, list[RecordedResult]]] = defaultdict(lambda: defaultdict(list))
    for name, results in tested.items():
        for share in _shares(results):
            shares[share.requirement][name] = share
        for result in results:
            for id_ in result.charged if result.kind is not ErrorKind.START else ():
                charging[id_][name].append(result)
    broken = [BrokenRequirement(id_, shares[id_], of_name) for id_, of_name in charging.items()]
    return sorted(broken, key=lambda one: (-one.failing, one.requirement))


def main_requirement(record: RunRecord, implementation: str) -> Callable[[RecordedResult], str]:
    """Gives for a failure of the implementation the requirement that a report names: of those that it charges the one of
    which most cases fail; empty if it charges none."""
    shares = requirement_shares(where(record.results, names={implementation}))
    order = {share.requirement: place for place, share in enumerate(shares)}
    return lambda result: min(result.charged, key=lambda id_: order.get(id_, len(order)), default="")
