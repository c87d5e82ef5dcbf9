"""RunRecord → the reading of each ruling that an implementation follows. Pure.

A variant names the readings that it follows, in disputed and in plain cases; a failure names those that explain it without
excusing it. Any other failing answer to a disputed case follows no reading, or its reading is hidden: by a deviation that
explains the answer, by a first difference that is the same in every reading, or by a failure at the same site elsewhere,
in plain cases that the ruling does not cite, or beyond dispute in disputed cases of other rulings. A pass of a plain case
counts for the adopted reading only if the ruling has no disputed cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from ..compare.verdict import response_differences
from ..errors import one_line
from ..model import FAILING, Case, ErrorKind, Operation, RecordedResult, Result, Ruling, RunRecord, Verdict
from .requirement_failures import FailureSite, failure_site, undisputed
from .summary import REFERENCE, not_started

SEVERITIES = ("high", "medium", "low")
_MAX_PATHS = 3


@dataclass(frozen=True, slots=True)
class ReadingAdherence:
    """The results of one implementation that follow a reading of a ruling, or are on its evidence.

    `readings` has passes and variants by the reading that they follow, `refuted` failures by the reading that explains them.
    The other failures: `none` for disputed cases that follow no reading, `hidden` for those with a hidden reading, `plain`
    for plain cases. `unsupported` are cases that did not run.
    """

    readings: Mapping[str, Sequence[RecordedResult]]
    refuted: Mapping[str, Sequence[RecordedResult]]
    none: Sequence[RecordedResult]
    plain: Sequence[RecordedResult]
    hidden: Sequence[RecordedResult]
    unsupported: Sequence[RecordedResult]

    @property
    def failing(self) -> Sequence[RecordedResult]:
        """The failing results without a known reading, the clearest first."""
        return [*self.none, *self.plain, *self.hidden]

    def departs(self, adopted: str) -> bool:
        """Whether some answer differs from the adopted reading."""
        followed = {*self.readings, *self.refuted}
        return bool(self.none or self.plain) or any(reading != adopted for reading in followed)


@dataclass(frozen=True, slots=True)
class RulingAdherence:
    """A ruling as in the record's header, the results on its evidence, and the adherence of each implementation.

    The results on disputed cases come first, then those on failing plain cases, each in the ruling's order.
    It is `agreed` if an SDK answered every case, and all answers follow the adopted reading.
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
        """Whether any of its cases distinguishes the readings."""
        return any(one.ruling == self.id for one in self.results)

    @property
    def is_split(self) -> bool:
        """Whether any implementation departs from the adopted reading."""
        return any(one.departs(self.text.adopted) for one in self.positions.values())


def rulings(record: RunRecord) -> list[RulingAdherence]:
    """The rulings of the record's cases by severity: rulings with departures first, agreed ones last."""
    found = record.metadata.rulings
    results: dict[str, list[RecordedResult]] = {}
    for result in record.results:
        followed = {id_ for id_, _ in (*result.readings, *result.explained_by.readings)}
        for id_ in {result.ruling, *result.cited_by_rulings, *followed} & set(found):
            results.setdefault(id_, []).append(result)
    sites = _undisputed_sites(record)
    ruled = [
        _ruled(id_, text, results.get(id_, ()), record, {site for site, ids in sites if id_ not in ids})
        for id_, text in found.items()
    ]
    return sorted(ruled, key=lambda one: (SEVERITIES.index(one.severity), not one.is_split, one.agreed))


def _undisputed_sites(record: RunRecord) -> Set[tuple[FailureSite, frozenset[str]]]:
    """The sites of undisputed failures, each with the rulings whose own cases show it."""
    return {
        (failure_site(one), frozenset({one.ruling, *one.cited_by_rulings}))
        for one in map(undisputed, record.results)
        if one is not None
    }


def _ruled(
    id_: str, text: Ruling, results: Sequence[RecordedResult], record: RunRecord, sites: Set[FailureSite]
) -> RulingAdherence:
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
        name: _adherence(id_, text.adopted, [one for one in ordered if one.implementation == name], disputed, sites)
        for name in record.implementations
    }
    started = set(record.implementations) - set(not_started(record))
    evidence = [one for one in ordered if id_ in (one.ruling, *one.cited_by_rulings)]
    return RulingAdherence(id_, text, evidence, positions, _is_agreed(ordered, started))


def _is_agreed(results: Sequence[RecordedResult], started: Set[str]) -> bool:
    passed = {(one.implementation, one.case) for one in results if one.verdict is Verdict.PASS}
    cases = {one.case for one in results}
    return bool(started - {REFERENCE}) and all((name, case) in passed for name in started for case in cases)


def _adherence(
    id_: str, adopted: str, results: Sequence[RecordedResult], disputed: bool, sites: Set[FailureSite]
) -> ReadingAdherence:
    readings: dict[str, list[RecordedResult]] = {}
    refuted: dict[str, list[RecordedResult]] = {}
    failing: list[RecordedResult] = []
    for result in results:
        if reading := dict(result.explained_by.readings).get(id_):
            refuted.setdefault(reading, []).append(result)
        elif result.verdict in FAILING and result.kind is not ErrorKind.START:
            failing.append(result)
        elif reading := result.reading_of(id_):
            readings.setdefault(reading, []).append(result)
        elif result.verdict is Verdict.PASS and (result.ruling == id_ or not disputed):
            readings.setdefault(adopted, []).append(result)
    of_disputed = [one for one in failing if one.ruling == id_]
    hidden = [
        one for one in of_disputed if one.explained_by or undisputed(one) is not None or failure_site(one) in sites
    ]
    return ReadingAdherence(
        readings=readings,
        refuted=refuted,
        none=[one for one in of_disputed if one not in hidden],
        plain=[one for one in failing if one.ruling != id_],
        hidden=hidden,
        unsupported=[one for one in results if one.verdict is Verdict.UNSUPPORTED or one.kind is ErrorKind.START],
    )


def is_inconsistent(ruling: Ruling | None, followed: Mapping[str, Sequence[RecordedResult]]) -> bool:
    """Whether no single reading can give all these results; `followed` has them by the reading that they follow.

    A disputed case can list fewer readings than its ruling. Then the answer does not decide on the others.
    """
    possible: set[str] | None = None
    for reading, results in followed.items():
        for one in results:
            is_partial = ruling is not None and one.ruling == ruling.id and one.separates
            open_ = {*ruling.readings}.difference(one.separates) if ruling and is_partial else set()
            possible = {reading, *open_} if possible is None else possible & {reading, *open_}
    return possible is not None and not possible


def adherence_text(case: Case, operation: Operation, result: Result, unobservable: Sequence[str]) -> str:
    """The reading that a failing answer to a disputed case is nearest to; `unobservable` paths are not compared."""
    paths = [part.path for part in result.differences if part.undisputed]
    more = len(paths) - _MAX_PATHS
    listed = one_line(", ".join(paths[:_MAX_PATHS]), 400) + (f" and {more} more" if more > 0 else "")
    nearest = nearest_reading(case, operation, result, unobservable) if paths else ""
    if nearest:
        return f"{result.implementation}: reading {nearest}, except for {listed}"
    beyond = f" (against every reading: {listed})" if paths else ""
    return f"{result.implementation}: none of these readings{beyond}"


def nearest_reading(case: Case, operation: Operation, result: Result, unobservable: Sequence[str]) -> str:
    """The reading from which an answer has only the differences that it has from all readings; empty without one."""
    received = result.response
    if received is None:
        return ""
    against_all = [(part.path, part.wanted, part.got) for part in result.differences if part.undisputed]
    for name, expected in ({case.adopted: case.expected} | dict(case.readings)).items():
        parts = response_differences(expected, received, operation.rules, unobservable)
        if all((part.path, part.wanted, part.got) in against_all for part in parts):
            return name
    return ""
