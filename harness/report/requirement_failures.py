"""RunRecord → failures of undisputed requirements: failing cases with the same first difference, as one entry. Pure.

A case cites every requirement that it shows, so one difference fails cases of many requirements. Failing cases of one
operation with the same first difference (see `failure_groups`) form one group. The group belongs to the requirement that
fits it best: most of its cases cite it, and few other cases do (the Ochiai coefficient of fault localisation).
A disputed case counts if its first difference is the same in every reading. It does not count if plain cases that a
ruling cites fail at the same site, or if a reading explains the failure: the report of that ruling shows them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from math import sqrt

from msgspec import Struct

from ..compare.causes import first_difference, place_of
from ..model import FAILING, UNTESTED, ErrorKind, Failed, RecordedResult, RunRecord, replace, where

_MANY = 4
"""From this number of cases on, a requirement that only one of them cites does not fit the group."""

_NO_READINGS = frozenset({ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.PROTOCOL})
"""Errors that no reading of any ruling allows."""


class FailureSite(Struct, frozen=True):
    """The site of a failure: the implementation, the operation and the path of the first difference."""

    implementation: str
    operation: str
    path: str


class RequirementFailure(Struct, frozen=True):
    """Failing results of one operation with the same first difference, and the requirement that fits them best.

    `by_all` is True if every implementation that was tested on these cases fails them; `tested` are these implementations.
    `cited_by_rulings` are the rulings with plain cases that fail at the same site.
    """

    requirement: str
    operation: str
    place: str
    results: Sequence[RecordedResult]
    by_all: bool
    tested: Set[str]
    cited_by_rulings: Set[str] = frozenset()

    @property
    def example(self) -> RecordedResult:
        """The best example: preferably a plain case that cites the requirement before all others."""
        return min(
            self.results,
            key=lambda one: (self.requirement not in one.charged, bool(one.ruling), self._position(one)),
        )

    def _position(self, one: RecordedResult) -> int:
        """How many requirements the failure charges before this one."""
        return one.charged.index(self.requirement) if self.requirement in one.charged else 0

    def of(self, name: str) -> Sequence[RecordedResult]:
        """The results of one implementation."""
        return [result for result in self.results if result.implementation == name]


def requirement_failures(record: RunRecord, names: Iterable[str]) -> list[RequirementFailure]:
    """The undisputed failures of these implementations: requirements without a passing case first, then by the share of
    their cases that fail."""
    judged = _judged(record, set(names))
    uncited = ([result for result in results if not result.cited_by_rulings] for results in judged.values())
    citing = Counter(
        id_
        for results in uncited
        for id_ in {id_ for result in results for id_ in (*result.requirements, *result.charged)}
    )
    cited = _cited_sites(judged)
    groups: dict[tuple[str, str, bool], list[RecordedResult]] = defaultdict(list)
    for results in judged.values():
        failing = [
            result
            for result in map(undisputed, results)
            if result is not None and not _is_shown_by_ruling(result, cited)
        ]
        for failure in failing:
            groups[failure.operation, place_of(failure), len(failing) == len(results)].append(failure)
    found = [
        RequirementFailure(
            _best_requirement(results, citing),
            operation,
            path,
            results,
            by_all,
            {result.implementation for case in {result.case for result in results} for result in judged[case]},
            _rulings(results, cited),
        )
        for (operation, path, by_all), results in groups.items()
    ]
    shares = requirement_shares([result for results in judged.values() for result in results])
    order = {share.requirement: number for number, share in enumerate(shares)}
    return sorted(found, key=lambda one: (order.get(one.requirement, len(order)), -len(one.results)))


def failure_site(result: RecordedResult) -> FailureSite:
    """The site of a failing result."""
    return FailureSite(result.implementation, result.operation, place_of(result))


def undisputed(result: RecordedResult) -> RecordedResult | None:
    """The part of a failure that no reading of the case's ruling allows; of a plain case, the whole failure.

    For a disputed case it has the differences from every reading, and only if the first difference is one of them: later
    differences may follow from the disputed one.
    """
    kind = result.kind
    if result.verdict not in FAILING or kind is ErrorKind.START:
        return None
    if not result.ruling or kind in _NO_READINGS:
        return result
    first = first_difference(result)
    if first is None or not first.undisputed or not isinstance(result.outcome, Failed):
        return None
    parts = tuple(part for part in result.differences if part.undisputed)
    return replace(result.line, outcome=replace(result.outcome, differences=parts))


def _judged(record: RunRecord, names: Set[str]) -> Mapping[str, list[RecordedResult]]:
    """The results of supported cases, by case."""
    judged: dict[str, list[RecordedResult]] = {}
    for result in record.results:
        skipped = result.verdict in UNTESTED or result.kind is ErrorKind.START
        if result.implementation in names and not skipped:
            judged.setdefault(result.case, []).append(result)
    return judged


def _cited_sites(judged: Mapping[str, Sequence[RecordedResult]]) -> Mapping[FailureSite, Set[str]]:
    """The rulings that cite plain cases, by the sites at which these fail."""
    found: dict[FailureSite, set[str]] = defaultdict(set)
    for results in judged.values():
        for result in results:
            if result.cited_by_rulings and undisputed(result) is not None:
                found[failure_site(result)].update(result.cited_by_rulings)
    return found


def _is_shown_by_ruling(result: RecordedResult, cited: Mapping[FailureSite, Set[str]]) -> bool:
    """Whether the report of a ruling shows a failing result: as evidence, or as a follower of one of its readings."""
    return bool(
        result.cited_by_rulings or result.explained_by.readings or (result.ruling and failure_site(result) in cited)
    )


def _rulings(results: Iterable[RecordedResult], cited: Mapping[FailureSite, Set[str]]) -> Set[str]:
    return {id_ for result in results for id_ in cited.get(failure_site(result), ())}


def _best_requirement(results: Sequence[RecordedResult], citing: Mapping[str, int]) -> str:
    cases = {result.case: result.charged for result in results}
    cited = Counter(id_ for requirements in cases.values() for id_ in requirements)
    often = [id_ for id_ in cited if cited[id_] > 1] if len(cases) >= _MANY else []
    return max(often or cited, key=lambda id_: cited[id_] / sqrt(len(cases) * max(citing[id_], 1)), default="")


def main_requirement(record: RunRecord, implementation: str) -> Callable[[RecordedResult], str]:
    """Gives for a failure of the implementation the requirement that a report names: of those that it charges the one of
    which most cases fail; empty if it charges none."""
    shares = requirement_shares(where(record.results, names={implementation}))
    order = {share.requirement: place for place, share in enumerate(shares)}
    return lambda result: min(result.charged, key=lambda id_: order.get(id_, len(order)), default="")


class RequirementShare(Struct, frozen=True):
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

    @property
    def text(self) -> str:
        """`36/37`."""
        return f"{self.failing}/{self.ran}"


def requirement_shares(results: Sequence[RecordedResult]) -> list[RequirementShare]:
    """The charged requirements of these results in the order of a report. Unsupported cases and adapters that did not start
    do not count."""
    counted: Counter[tuple[str, ...]] = Counter()
    ran: Counter[str] = Counter()
    failing: Counter[str] = Counter()
    for result in results:
        if result.verdict not in UNTESTED and result.kind is not ErrorKind.START:
            counted[tuple(dict.fromkeys((*result.requirements, *result.charged)))] += 1
            failing.update(result.charged)
    for requirements, count in counted.items():
        for id_ in requirements:
            ran[id_] += count
    return sorted((RequirementShare(id_, failing[id_], ran[id_]) for id_ in failing), key=lambda one: one.rank)
