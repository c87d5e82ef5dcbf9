"""RunRecord → who answers by which reading of a ruling. Pure.

A disputed case tells its readings apart, so an answer to it is one of them or none. One that parts first where all
readings are alike, or where the implementation fails plain cases (the ruling's own left out) or disputed ones of other
rulings beyond dispute, hides which reading it follows. A plain case that a ruling cites has one answer, and another one
fails it. Right, it is the adopted reading where a ruling has plain cases only; beside disputed
ones it tells nothing of readings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from harness.model import FAILING, ErrorKind, RecordedResult, Ruling, RunRecord, Verdict
from harness.report.requirement_failures import Where, differing_paths, undisputed
from harness.report.summary import REFERENCE, not_started

SEVERITIES = ("high", "medium", "low")


@dataclass(frozen=True, slots=True)
class ReadingAdherence:
    """What one implementation made of a ruling's evidence: results by reading; of disputed cases those by `none` of the
    readings, and those whose reading is `hidden` by another difference; the plain cases that it fails; what it could not
    be asked."""

    readings: Mapping[str, Sequence[RecordedResult]]
    none: Sequence[RecordedResult]
    plain: Sequence[RecordedResult]
    hidden: Sequence[RecordedResult]
    not_asked: Sequence[RecordedResult]

    @property
    def failing(self) -> Sequence[RecordedResult]:
        """All that is no known answer, those first that are plainest."""
        return [*self.none, *self.plain, *self.hidden]

    def departs(self, adopted: str) -> bool:
        """Whether some answer is known not to be the adopted reading's."""
        return bool(self.none or self.plain) or any(reading != adopted for reading in self.readings)


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling as the record's header has it, the results on its evidence, and each one's position.

    The results on disputed cases come first, then those on plain ones that somebody fails, each in the ruling's order.

    It is `agreed` if an SDK was asked, and everybody who was answered each of its cases by the adopted reading.
    """

    id: str
    text: Ruling
    results: Sequence[RecordedResult]
    positions: Mapping[str, ReadingAdherence]
    agreed: bool

    @property
    def severity(self) -> str:
        """`high`, `medium` or `low`."""
        return self.text.severity

    @property
    def disputed(self) -> bool:
        """Whether any of its cases tells readings apart."""
        return any(one.ruling == self.id for one in self.results)

    @property
    def parted(self) -> bool:
        """Whether anybody departs from the adopted reading."""
        return any(one.departs(self.text.adopted) for one in self.positions.values())


def rulings(record: RunRecord) -> list[Ruled]:
    """All rulings that the record's cases touch: by severity, first where implementations part, last where they agree."""
    found = record.metadata.rulings
    results: dict[str, list[RecordedResult]] = {}
    for result in record.results:
        for id_ in {result.ruling, *result.cited_by_rulings} & set(found):
            results.setdefault(id_, []).append(result)
    known = _known(record)
    ruled = [
        _ruled(id_, text, results.get(id_, ()), record, {where for where, ids in known if id_ not in ids})
        for id_, text in found.items()
    ]
    return sorted(ruled, key=lambda one: (SEVERITIES.index(one.severity), not one.parted, one.agreed))


def _known(record: RunRecord) -> Set[tuple[Where, frozenset[str]]]:
    """Where implementations part beyond dispute, each place with the rulings whose own cases show it."""
    return {
        (differing_paths(one), frozenset({one.ruling, *one.cited_by_rulings}))
        for one in map(undisputed, record.results)
        if one is not None
    }


def _ruled(id_: str, text: Ruling, results: Sequence[RecordedResult], record: RunRecord, known: Set[Where]) -> Ruled:
    order = {case: number for number, case in enumerate(text.evidence)}
    failed = {one.case for one in results if undisputed(one) is not None}
    ordered = sorted(
        results,
        key=lambda one: (
            one.ruling != id_,
            one.ruling != id_ and one.case not in failed,
            order.get(one.case, len(order)),
        ),
    )
    disputed = any(result.ruling == id_ for result in ordered)
    positions = {
        name: _position(id_, text.adopted, [one for one in ordered if one.implementation == name], disputed, known)
        for name in record.implementations
    }
    return Ruled(
        id_, text, ordered, positions, _agreed(ordered, set(record.implementations) - set(not_started(record)))
    )


def _agreed(results: Sequence[RecordedResult], asked: Set[str]) -> bool:
    right = {(one.implementation, one.case) for one in results if one.verdict is Verdict.PASS}
    cases = {one.case for one in results}
    return bool(asked - {REFERENCE}) and all((name, case) in right for name in asked for case in cases)


def _position(
    id_: str, adopted: str, results: Sequence[RecordedResult], disputed: bool, known: Set[Where]
) -> ReadingAdherence:
    readings: dict[str, list[RecordedResult]] = {}
    for result in results:
        if result.ruling == id_ and result.verdict in (Verdict.PASS, Verdict.VARIANT):
            readings.setdefault(result.reading or adopted, []).append(result)
        elif not disputed and result.verdict is Verdict.PASS:
            readings.setdefault(adopted, []).append(result)
    failing = [one for one in results if one.verdict in FAILING and one.kind is not ErrorKind.START]
    telling = [one for one in failing if one.ruling == id_]
    hidden = [one for one in telling if undisputed(one) is not None or differing_paths(one) in known]
    return ReadingAdherence(
        readings=readings,
        none=[one for one in telling if one not in hidden],
        plain=[one for one in failing if one.ruling != id_],
        hidden=hidden,
        not_asked=[one for one in results if one.verdict is Verdict.UNSUPPORTED or one.kind is ErrorKind.START],
    )
