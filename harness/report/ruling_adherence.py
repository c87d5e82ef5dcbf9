"""RunRecord → the readings of each ruling that an implementation follows. Pure.

An implementation follows a reading in a case where the readings predict different answers and its answer is the one of
this reading. The result names it: a pass and a variant in `readings`, a failure in `explained_by`, beside what explains the
answer together with it. Every report asks `followers`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from ..base.text_limits import MAX_NAME
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
    where,
)
from .phrases import and_more
from .run_summary import not_started

_MAX_PATHS = 3


ResultsByName: TypeAlias = Mapping[str, Sequence[RecordedResult]]
"""Results by implementation; of implementations that have any."""


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
        if (reading or is_evidence) and result.verdict not in FAILING and varies(result, record):
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


def varies(result: RecordedResult, record: RunRecord) -> bool:
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


class Departure(Struct, frozen=True):
    """What SDKs do in place of the adopted text: `name` is `RUL-B39=a` or a deviation, `statement` tells it. `by` has the
    answers that follow it, failing or not."""

    name: str
    statement: str
    by: ResultsByName

    @property
    def ruling(self) -> str:
        """The id of the ruling; empty for a deviation."""
        id_, mark, _ = self.name.partition("=")
        return id_ if mark else ""


class RulingAdherence(Struct, frozen=True):
    """A ruling as in the record's header, the followers of each implementation that started, and the results on its
    evidence: those of disputed cases first, each part in the ruling's order."""

    text: Ruling
    by: Mapping[str, Followers]
    results: Sequence[RecordedResult]

    @property
    def id(self) -> str:
        """The id of the ruling."""
        return self.text.id

    @property
    def of_sdks(self) -> Mapping[str, Followers]:
        """The followers without the reference, which follows every adopted reading."""
        return {name: following for name, following in self.by.items() if name != REFERENCE}

    def answers(self, reading: str) -> ResultsByName:
        """The answers that follow a reading, by the SDK."""
        return {
            name: following.readings[reading].every
            for name, following in self.of_sdks.items()
            if reading in following.readings
        }

    @property
    def departures(self) -> Sequence[Departure]:
        """The readings that SDKs follow in place of the adopted one."""
        return [
            Departure(f"{self.id}={reading}", statement, by)
            for reading, statement in self.text.readings.items()
            if reading != self.text.adopted and (by := self.answers(reading))
        ]

    @property
    def is_followed(self) -> bool:
        """Whether no SDK follows another reading than the adopted one, and some answer follows it or none fails."""
        followers = self.of_sdks.values()
        is_else = bool(self.departures) or any(following.varying for following in followers)
        return not is_else and (
            bool(self.answers(self.text.adopted)) or not any(following.failing for following in followers)
        )


def rulings(record: RunRecord) -> list[RulingAdherence]:
    """The rulings of the record's cases."""
    results, absent = by_ruling(record.results), not_started(record)
    names = [name for name in record.implementations if name not in absent]
    return [_ruled(ruling, results.get(id_, ()), names, record) for id_, ruling in record.metadata.rulings.items()]


def _ruled(
    ruling: Ruling, results: Sequence[RecordedResult], names: Sequence[str], record: RunRecord
) -> RulingAdherence:
    order = {case: number for number, case in enumerate(ruling.evidence)}
    ordered = sorted(results, key=lambda result: (result.ruling != ruling.id, order.get(result.case, len(order))))
    by = {name: followers(ruling.id, ruling, where(ordered, names={name}), record) for name in names}
    evidence = [result for result in ordered if ruling.id in (result.ruling, *result.cited_by_rulings)]
    return RulingAdherence(ruling, by, evidence)


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
