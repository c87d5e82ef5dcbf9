"""RunRecord → who answers by which reading of a ruling. Pure.

A disputed case tells its readings apart, so an answer to it is one of them or none. A plain case that a ruling cites has
one answer: where a ruling has plain cases only, that answer is the adopted reading's; beside disputed ones it tells only
that an implementation departs. An answer to a disputed case that first parts where the implementation's answers part in
undisputed cases too hides which reading it follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, TypeAlias

from harness.model import FAILING, ErrorKind, RecordedResult, RunRecord, Verdict
from harness.reporting.breaches import breaches, place

SEVERITIES = ("high", "medium", "low")

_Places: TypeAlias = "Set[tuple[str, str, str]]"
"""Implementation, operation and place of the undisputed breaches."""


@dataclass(frozen=True, slots=True)
class Position:
    """What one implementation made of a ruling's evidence: cases by reading, those it answered otherwise, those whose
    reading hides behind an undisputed difference, those that it could not be asked."""

    readings: Mapping[str, int]
    otherwise: tuple[RecordedResult, ...]
    hidden: int
    not_asked: int

    def departs(self, adopted: str) -> bool:
        """Whether some answer is not the adopted reading's."""
        return bool(self.otherwise) or any(reading != adopted for reading in self.readings)


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling as the record's header has it, the results on its evidence in its order, and each one's position."""

    id: str
    text: Mapping[str, Any]
    results: Sequence[RecordedResult]
    positions: Mapping[str, Position]

    @property
    def severity(self) -> str:
        """`high`, `medium` or `low`."""
        return str(self.text.get("severity", SEVERITIES[-1]))

    @property
    def parted(self) -> bool:
        """Whether anybody departs from the adopted reading."""
        return any(one.departs(self.text["adopted"]) for one in self.positions.values())


def rulings(record: RunRecord) -> list[Ruled]:
    """All rulings that the record's cases touch: by severity, those first on which implementations part."""
    found: Any = record.header["rulings"]
    results: dict[str, list[RecordedResult]] = {}
    for result in record.results:
        for id_ in {result.ruling, *result.discussed} & set(found):
            results.setdefault(id_, []).append(result)
    known = {
        (result.implementation, one.operation, one.place)
        for one in breaches(record, record.implementations)
        for result in one.results
    }
    ruled = [_ruled(id_, text, results.get(id_, ()), record, known) for id_, text in found.items()]
    return sorted(ruled, key=lambda one: (SEVERITIES.index(one.severity), not one.parted))


def _ruled(
    id_: str, text: Mapping[str, Any], results: Sequence[RecordedResult], record: RunRecord, known: _Places
) -> Ruled:
    order = {case: number for number, case in enumerate(text.get("evidence", ()))}
    ordered = sorted(results, key=lambda result: order.get(result.case, len(order)))
    disputed = any(result.ruling == id_ for result in ordered)
    positions = {
        name: _position(id_, text["adopted"], [one for one in ordered if one.implementation == name], disputed, known)
        for name in record.implementations
    }
    return Ruled(id_, text, ordered, positions)


def _position(id_: str, adopted: str, results: Sequence[RecordedResult], disputed: bool, known: _Places) -> Position:
    readings: Counter[str] = Counter()
    for result in results:
        if result.ruling == id_ and result.verdict in (Verdict.PASS, Verdict.VARIANT):
            readings[result.reading or adopted] += 1
        elif not disputed and result.verdict is Verdict.PASS:
            readings[adopted] += 1
    failing = [one for one in results if one.verdict in FAILING and one.kind is not ErrorKind.START]
    otherwise = [one for one in failing if not disputed or (one.implementation, one.operation, place(one)) not in known]
    return Position(
        readings=readings,
        otherwise=tuple(otherwise),
        hidden=len(failing) - len(otherwise),
        not_asked=sum(one.verdict is Verdict.UNSUPPORTED or one.kind is ErrorKind.START for one in results),
    )
