"""RunRecord → where implementations break what nobody disputes: failing cases that part in one place, as one. Pure.

A case cites every requirement that it shows, so one difference fails cases of many requirements. Cases of an operation
whose answers part in the same place (see `kinds`) are taken together, and put under the requirement that fits them
best: the one that most of them cite and that few other cases cite (the Ochiai coefficient of fault localisation).
A disputed case counts where its answer parts first in a place that is the same in every reading, unless plain cases that
a ruling discusses fail there too: then that ruling tells of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from math import sqrt
from typing import TypeAlias

from harness.model import FAILING, ErrorKind, Failed, RecordedResult, RunRecord, Verdict
from harness.report.failure_groups import first_difference, place

_MANY = 4
"""Cases of a breach from which on a requirement that only one of them cites is not what it is about."""

_NO_READINGS = frozenset({ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.PROTOCOL})
"""Errors that no reading of any ruling can ask for."""

Where: TypeAlias = "tuple[str, str, str]"
"""Implementation, operation and the place in which an answer parts."""


@dataclass(frozen=True, slots=True)
class RequirementFailure:
    """Failing results of one operation that part in one place, and the requirement that fits them best.

    `by_all` tells whether everybody who was asked these cases fails them. `cited_by_rulings` are the rulings with
    plain cases
    that fail in the same place.
    """

    requirement: str
    operation: str
    place: str
    results: Sequence[RecordedResult]
    by_all: bool
    cited_by_rulings: Set[str] = frozenset()

    @property
    def example(self) -> RecordedResult:
        """The result that shows the requirement best: of a plain case that cites it before all others, if there is one."""
        return min(
            self.results, key=lambda one: (self.requirement not in one.requirements, bool(one.ruling), self._at(one))
        )

    def _at(self, one: RecordedResult) -> int:
        """How many requirements its case cites before this one."""
        return one.requirements.index(self.requirement) if self.requirement in one.requirements else 0

    def of(self, name: str) -> Sequence[RecordedResult]:
        """The results of one implementation."""
        return [one for one in self.results if one.implementation == name]


def breaches(record: RunRecord, names: Iterable[str]) -> list[RequirementFailure]:
    """The breaches of these implementations in what no ruling touches, in the order of their requirements."""
    asked = _asked(record, set(names))
    uncited = ([one for one in results if not one.cited_by_rulings] for results in asked.values())
    citing = Counter(id_ for results in uncited for id_ in {id_ for one in results for id_ in one.requirements})
    cited_by_rulings = _discussed(asked)
    groups: dict[tuple[str, str, bool], list[RecordedResult]] = defaultdict(list)
    for results in asked.values():
        failing = [
            one for one in map(undisputed, results) if one is not None and not _told_elsewhere(one, cited_by_rulings)
        ]
        for one in failing:
            groups[one.operation, place(one), len(failing) == len(results)].append(one)
    found = [
        RequirementFailure(
            _requirement(results, citing), operation, where, results, by_all, _rulings(results, cited_by_rulings)
        )
        for (operation, where, by_all), results in groups.items()
    ]
    order = {id_: number for number, id_ in enumerate(record.metadata.requirements)}
    return sorted(found, key=lambda one: order.get(one.requirement, len(order)))


def differing_paths(result: RecordedResult) -> Where:
    """Whose failing answer parts first, of which operation, and in which place."""
    return result.implementation, result.operation, place(result)


def undisputed(result: RecordedResult) -> RecordedResult | None:
    """What a result fails that no reading of its case's ruling asks for; of a plain case, all that it fails.

    Of an answer to a disputed case these are the differences that stand against every reading, if it parts first in one
    of them: what parts later may only follow from what is disputed.
    """
    if result.verdict not in FAILING or result.kind is ErrorKind.START:
        return None
    if not result.ruling or result.kind in _NO_READINGS:
        return result
    first = first_difference(result)
    if first is None or not first.undisputed:
        return None
    if not isinstance(result.outcome, Failed):
        return result
    against_all = tuple(part for part in result.outcome.differences if part.undisputed)
    return replace(result, outcome=replace(result.outcome, differences=against_all))


def _asked(record: RunRecord, names: Set[str]) -> Mapping[str, list[RecordedResult]]:
    """By case the results of those that could be asked."""
    asked: dict[str, list[RecordedResult]] = {}
    for result in record.results:
        silent = result.verdict is Verdict.UNSUPPORTED or result.kind is ErrorKind.START
        if result.implementation in names and not silent:
            asked.setdefault(result.case, []).append(result)
    return asked


def _discussed(asked: Mapping[str, Sequence[RecordedResult]]) -> Mapping[Where, Set[str]]:
    """The rulings that discuss plain cases, by where these fail."""
    found: dict[Where, set[str]] = defaultdict(set)
    for results in asked.values():
        for one in results:
            if one.cited_by_rulings and undisputed(one) is not None:
                found[differing_paths(one)].update(one.cited_by_rulings)
    return found


def _told_elsewhere(result: RecordedResult, cited_by_rulings: Mapping[Where, Set[str]]) -> bool:
    """Whether a ruling tells of a failing result."""
    return bool(result.cited_by_rulings or (result.ruling and differing_paths(result) in cited_by_rulings))


def _rulings(results: Iterable[RecordedResult], cited_by_rulings: Mapping[Where, Set[str]]) -> Set[str]:
    return {id_ for one in results for id_ in cited_by_rulings.get(differing_paths(one), ())}


def _requirement(results: Sequence[RecordedResult], citing: Mapping[str, int]) -> str:
    cases = {result.case: result.requirements for result in results}
    cited = Counter(id_ for requirements in cases.values() for id_ in requirements)
    often = [id_ for id_ in cited if cited[id_] > 1] if len(cases) >= _MANY else []
    return max(often or cited, key=lambda id_: cited[id_] / sqrt(len(cases) * citing[id_]), default="")
