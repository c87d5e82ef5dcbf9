"""RunRecord → the readings of each ruling that an implementation follows. Pure.

An implementation follows a reading in a case where the readings predict different answers and its answer is the one of
this reading. The result names it: a pass and a variant in `readings`, a failure in `explained_by`, beside what explains the
answer together with it. Every report asks `followers`.

Any other failing answer to a disputed case follows no reading, or its reading is hidden: by a deviation that explains the
answer, by a first difference that is the same in every reading, or by a failure at the same site elsewhere, in plain cases
that the ruling does not cite, or beyond dispute in disputed cases of other rulings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TypeAlias

from msgspec import Struct

from ..base.text_limits import MAX_NAME
from ..compare.causes import first_difference, place_of
from ..compare.verdict import response_differences
from ..errors import one_line
from ..model import (
    EXPECTED,
    FAILING,
    REFERENCE,
    UNTESTED,
    Case,
    ErrorKind,
    HasOutcome,
    Operation,
    Readings,
    RecordedResult,
    Result,
    Ruling,
    RunRecord,
)
from .phrases import and_more
from .run_summary import not_started

SEVERITIES = ("high", "medium", "low")
_MAX_PATHS = 3

_NO_READINGS = frozenset({ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.PROTOCOL})
"""Errors that no reading of any ruling allows."""


_Site: TypeAlias = tuple[str, str, str]
"""The site of a failure: the implementation, the operation and the path of the first difference."""


def _site(result: RecordedResult) -> _Site:
    return result.implementation, result.operation, place_of(result)


def _is_undisputed(result: RecordedResult) -> bool:
    """Whether a failure differs from every reading of its case's ruling where it first differs; later differences may
    follow from a disputed one."""
    if result.verdict not in FAILING or result.kind is ErrorKind.START:
        return False
    first = first_difference(result)
    return not result.ruling or result.kind in _NO_READINGS or (first is not None and first.undisputed)


class FollowedReading(Struct, frozen=True):
    """A reading of a ruling with the answers that follow it: `results` pass or are variants, `failing` fail."""

    reading: str
    results: Sequence[RecordedResult]
    failing: Sequence[RecordedResult] = ()

    @property
    def every(self) -> Sequence[RecordedResult]:
        """All of its answers, failing ones first."""
        return [*self.failing, *self.results]

    @property
    def cases(self) -> int:
        """The number of its answers, failing ones included."""
        return len(self.results) + len(self.failing)


class Followers(Struct, frozen=True):
    """The results of one implementation by the reading of a ruling that they follow, in the order of the ruling.

    The other results of its evidence: `failing`, `alike` for passes that separate no readings, `unsupported` for cases that
    did not run, `varying` for answers that follow one reading or another from run to run. `is_mixed`: no single reading can
    give all answers that follow one.
    """

    readings: Mapping[str, FollowedReading]
    failing: Sequence[RecordedResult]
    alike: Sequence[RecordedResult]
    unsupported: Sequence[RecordedResult]
    varying: Sequence[RecordedResult]
    is_mixed: bool

    @property
    def is_answered(self) -> bool:
        """Whether the implementation answered any of these cases."""
        return bool(self.readings or self.failing or self.alike or self.varying)

    @property
    def deviating(self) -> Sequence[RecordedResult]:
        """The failures without a reading that a deviation explains."""
        return [result for result in self.failing if result.explained_by.named]

    @property
    def none(self) -> Sequence[RecordedResult]:
        """The failures that neither a reading nor a deviation explains."""
        return [result for result in self.failing if not result.explained_by.named]

    @property
    def deviations(self) -> Mapping[str, int]:
        """The deviations that explain these failures with their numbers of cases, the most frequent first."""
        return dict(Counter(name for result in self.failing for name in result.explained_by.named).most_common())


def followed_readings(outcome: HasOutcome) -> Readings:
    """The readings that an answer follows, failing or not."""
    return outcome.explained_by.readings if outcome.verdict in FAILING else outcome.readings


def by_ruling(results: Iterable[RecordedResult]) -> Mapping[str, list[RecordedResult]]:
    """The results by each ruling that they are evidence of, or a reading of which they follow."""
    indexed: dict[str, list[RecordedResult]] = {}
    for result in results:
        ids = (result.ruling, *result.cited_by_rulings, *(id_ for id_, _ in followed_readings(result)))
        for id_ in dict.fromkeys(filter(None, ids)):
            indexed.setdefault(id_, []).append(result)
    return indexed


def followers(id_: str, ruling: Ruling | None, results: Iterable[RecordedResult], record: RunRecord) -> Followers:
    """The readings of a ruling that the results of one implementation of the record follow; `ruling` is None if the record
    does not have it."""
    followed: dict[str, tuple[list[RecordedResult], list[RecordedResult]]] = {}
    failing, alike, unsupported, varying = [], [], [], []
    for result in results:
        reading = dict(followed_readings(result)).get(id_)
        is_evidence = id_ in (result.ruling, *result.cited_by_rulings)
        if (reading or is_evidence) and result.verdict not in FAILING and _varies(result, record):
            varying.append(result)
        elif reading:
            followed.setdefault(reading, ([], []))[result.verdict in FAILING].append(result)
        elif not is_evidence:
            continue
        elif result.verdict in UNTESTED or result.kind is ErrorKind.START:
            unsupported.append(result)
        elif result.verdict in FAILING:
            failing.append(result)
        elif result.verdict in EXPECTED:
            alike.append(result)
    order = list(ruling.readings) if ruling else []
    known = sorted(followed, key=lambda reading: (order.index(reading) if reading in order else len(order), reading))
    readings = {reading: FollowedReading(reading, *followed[reading]) for reading in known}
    return Followers(readings, failing, alike, unsupported, varying, _is_mixed(id_, order, readings))


def _varies(result: RecordedResult, record: RunRecord) -> bool:
    """Whether the answer to a case varies from run to run, by a known-divergence file."""
    entry = record.metadata.implementation(result.implementation)
    return entry is not None and result.case in entry.flaky


def _is_mixed(id_: str, names: Sequence[str], followed: Mapping[str, FollowedReading]) -> bool:
    """Whether no single one of the readings `names` can give all these answers.

    A disputed case can list fewer readings than its ruling. Then the answer does not decide on the others. An answer that a
    deviation explains beside the reading decides on none.
    """
    possible: set[str] | None = None
    for reading, following in followed.items():
        for result in following.every:
            if result.explained_by.named:
                continue
            listed = result.separates if result.ruling == id_ else ()
            open_ = {*names}.difference(listed) if listed else set()
            possible = {reading, *open_} if possible is None else possible & {reading, *open_}
    return possible is not None and not possible


class ReadingAdherence(Struct, frozen=True):
    """The followers of a ruling among the results of one implementation, and its failures that follow none: `none` for
    disputed cases that follow no reading, `hidden` for those with a hidden reading, `plain` for plain cases."""

    followers: Followers
    none: Sequence[RecordedResult]
    plain: Sequence[RecordedResult]
    hidden: Sequence[RecordedResult]

    @property
    def failing(self) -> Sequence[RecordedResult]:
        """The failing results without a known reading, the clearest first."""
        return [*self.none, *self.plain, *self.hidden]

    def departs(self, adopted: str) -> bool:
        """Whether some answer differs from the adopted reading."""
        return bool(self.none or self.plain or self.followers.varying) or any(
            reading != adopted for reading in self.followers.readings
        )


class RulingAdherence(Struct, frozen=True):
    """A ruling as in the record's header, the results on its evidence, and the adherence of each implementation.

    The results on disputed cases come first, then those on failing plain cases, each in the ruling's order.
    It is `agreed` if an SDK answered every case, and all answers are the expected ones.
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
        return any(result.ruling == self.id for result in self.results)

    @property
    def is_split(self) -> bool:
        """Whether any implementation departs from the adopted reading."""
        return any(position.departs(self.text.adopted) for position in self.positions.values())


def rulings(record: RunRecord) -> list[RulingAdherence]:
    """The rulings of the record's cases by severity: rulings with departures first, agreed ones last."""
    texts = record.metadata.rulings
    results = by_ruling(record.results)
    sites = {
        (_site(result), frozenset({result.ruling, *result.cited_by_rulings}))
        for result in record.results
        if _is_undisputed(result)
    }
    ruled = [
        _ruled(text, results.get(id_, ()), record, {site for site, ids in sites if id_ not in ids})
        for id_, text in texts.items()
    ]
    return sorted(ruled, key=lambda one: (SEVERITIES.index(one.severity), not one.is_split, one.agreed))


def _ruled(text: Ruling, results: Sequence[RecordedResult], record: RunRecord, sites: Set[_Site]) -> RulingAdherence:
    """The adherence to a ruling. `sites` are those at which cases of other rulings fail, beyond dispute."""
    order = {case: number for number, case in enumerate(text.evidence)}
    failed = {result.case for result in results if _is_undisputed(result)}
    ordered = sorted(
        results,
        key=lambda result: (
            result.ruling != text.id,
            result.ruling != text.id and result.case not in failed,
            order.get(result.case, len(order)),
        ),
    )
    positions = {
        name: _adherence(text, [result for result in ordered if result.implementation == name], record, sites)
        for name in record.implementations
    }
    evidence = [result for result in ordered if text.id in (result.ruling, *result.cited_by_rulings)]
    return RulingAdherence(text.id, text, evidence, positions, _is_agreed(ordered, record))


def _is_agreed(results: Sequence[RecordedResult], record: RunRecord) -> bool:
    started = set(record.implementations) - set(not_started(record))
    passed = {
        (result.implementation, result.case)
        for result in results
        if result.verdict in EXPECTED and not _varies(result, record)
    }
    cases = {result.case for result in results}
    return bool(started - {REFERENCE}) and all((name, case) in passed for name in started for case in cases)


def _adherence(
    ruling: Ruling, results: Sequence[RecordedResult], record: RunRecord, sites: Set[_Site]
) -> ReadingAdherence:
    following = followers(ruling.id, ruling, results, record)
    disputed = [result for result in following.failing if result.ruling == ruling.id]
    hidden = [result for result in disputed if result.explained_by or _is_undisputed(result) or _site(result) in sites]
    return ReadingAdherence(
        following,
        none=[result for result in disputed if result not in hidden],
        plain=[result for result in following.failing if result.ruling != ruling.id],
        hidden=hidden,
    )


def adherence_text(case: Case, operation: Operation, result: Result, unobservable: Sequence[str]) -> str:
    """The reading that a failing answer to a disputed case is nearest to; `unobservable` paths are not compared."""
    paths = [part.path for part in result.differences if part.undisputed]
    listed = f"{one_line(', '.join(paths[:_MAX_PATHS]), MAX_NAME)} {and_more(len(paths) - _MAX_PATHS)}".rstrip()
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
