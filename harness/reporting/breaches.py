"""RunRecord → where implementations break what nobody disputes: failing cases that part in one place, as one. Pure.

A case cites every requirement that it shows, so one difference fails cases of many requirements. Cases of an operation
whose answers part in the same place (see `kinds`) are taken together, and put under the requirement that fits them
best: the one that most of them cite and that few other cases cite (the Ochiai coefficient of fault localisation).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from harness.model import FAILING, ErrorKind, RecordedResult, RunRecord, Verdict
from harness.reporting.kinds import place

_MANY = 4
"""Cases of a breach from which on a requirement that only one of them cites is not what it is about."""


@dataclass(frozen=True, slots=True)
class Breach:
    """Failing results of one operation that part in one place, and the requirement that fits them best.

    `by_all` tells whether everybody who was asked these cases fails them.
    """

    requirement: str
    operation: str
    place: str
    results: Sequence[RecordedResult]
    by_all: bool

    @property
    def example(self) -> RecordedResult:
        """The first result whose case cites the requirement."""
        return next((one for one in self.results if self.requirement in one.requirements), self.results[0])

    def of(self, name: str) -> Sequence[RecordedResult]:
        """The results of one implementation."""
        return [one for one in self.results if one.implementation == name]


def breaches(record: RunRecord, names: Iterable[str]) -> list[Breach]:
    """The breaches of these implementations in cases that no ruling touches, in the order of their requirements."""
    asked = _asked(record, set(names))
    citing = Counter(id_ for results in asked.values() for id_ in {id_ for one in results for id_ in one.requirements})
    groups: dict[tuple[str, str, bool], list[RecordedResult]] = defaultdict(list)
    for results in asked.values():
        failing = [one for one in results if one.verdict in FAILING]
        for one in failing:
            groups[one.operation, place(one), len(failing) == len(results)].append(one)
    found = [
        Breach(_requirement(results, citing), operation, where, results, by_all)
        for (operation, where, by_all), results in groups.items()
    ]
    header = record.header["requirements"]
    order = {id_: number for number, id_ in enumerate(header)} if isinstance(header, dict) else {}
    return sorted(found, key=lambda one: order.get(one.requirement, len(order)))


def _asked(record: RunRecord, names: set[str]) -> Mapping[str, list[RecordedResult]]:
    """By case the results of those that could be asked."""
    asked: dict[str, list[RecordedResult]] = {}
    for result in record.results:
        disputed = result.ruling or result.discussed
        silent = result.verdict is Verdict.UNSUPPORTED or result.kind is ErrorKind.START
        if result.implementation in names and not disputed and not silent:
            asked.setdefault(result.case, []).append(result)
    return asked


def _requirement(results: Sequence[RecordedResult], citing: Mapping[str, int]) -> str:
    cases = {result.case: result.requirements for result in results}
    cited = Counter(id_ for requirements in cases.values() for id_ in requirements)
    often = [id_ for id_ in cited if cited[id_] > 1] if len(cases) >= _MANY else []
    return max(often or cited, key=lambda id_: cited[id_] / sqrt(len(cases) * citing[id_]), default="")
