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
from dataclasses import dataclass

from ..base.text_limits import MAX_NAME
from ..compare.verdict import response_differences
from ..errors import one_line
from ..model import (
    EXPECTED,
    FAILING,
    REFERENCE,
    Case,
    ErrorKind,
    HasOutcome,
    Operation,
    Readings,
    RecordedResult,
    Result,
    Ruling,
    RunRecord,
    Verdict,
)
from .phrases import and_more
from .requirement_failures import FailureSite, failure_site, undisputed
from .run_summary import not_started

SEVERITIES = ("high", "medium", "low")
_MAX_PATHS = 3


@dataclass(frozen=True, slots=True)
class FollowedReading:
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


@dataclass(frozen=True, slots=True)
class Followers:
    """The results of one implementation by the reading of a ruling that they follow, in the order of the ruling.

    The other results of its evidence: `failing`, `alike` for passes that separate no readings, `unsupported` for cases that
    did not run. `is_mixed`: no single reading can give all answers that follow one.
    """

    readings: Mapping[str, FollowedReading]
    failing: Sequence[RecordedResult]
    alike: Sequence[RecordedResult]
    unsupported: Sequence[RecordedResult]
    is_mixed: bool

    @property
    def is_answered(self) -> bool:
        """Whether the implementation answered any of these cases."""
        return bool(self.readings or self.failing or self.alike)

    @property
    def deviating(self) -> Sequence[RecordedResult]:
        """The failures without a reading that a deviation explains."""
        return [one for one in self.failing if one.explained_by.deviations]

    @property
    def none(self) -> Sequence[RecordedResult]:
        """The failures that neither a reading nor a deviation explains."""
        return [one for one in self.failing if not one.explained_by.deviations]

    @property
    def deviations(self) -> Mapping[str, int]:
        """The deviations that explain these failures with their numbers of cases, the most frequent first."""
        return dict(Counter(name for one in self.failing for name in one.explained_by.deviations).most_common())


def followed_readings(outcome: HasOutcome) -> Readings:
    """The readings that an answer follows, failing or not."""
    return outcome.explained_by.readings if outcome.verdict in FAILING else outcome.readings


def followers(id_: str, ruling: Ruling | None, results: Iterable[RecordedResult]) -> Followers:
    """The readings of a ruling that the results of one implementation follow; `ruling` is None if the record does not have
    it."""
    followed: dict[str, tuple[list[RecordedResult], list[RecordedResult]]] = {}
    failing, alike, unsupported = [], [], []
    for one in results:
        if reading := dict(followed_readings(one)).get(id_):
            followed.setdefault(reading, ([], []))[one.verdict in FAILING].append(one)
        elif id_ not in (one.ruling, *one.cited_by_rulings):
            continue
        elif one.verdict is Verdict.UNSUPPORTED or one.kind is ErrorKind.START:
            unsupported.append(one)
        elif one.verdict in FAILING:
            failing.append(one)
        elif one.verdict in EXPECTED:
            alike.append(one)
    order = list(ruling.readings) if ruling else []
    known = sorted(followed, key=lambda one: (order.index(one) if one in order else len(order), one))
    readings = {one: FollowedReading(one, *followed[one]) for one in known}
    return Followers(readings, failing, alike, unsupported, _is_mixed(id_, order, readings))


def _is_mixed(id_: str, names: Sequence[str], followed: Mapping[str, FollowedReading]) -> bool:
    """Whether no single one of the readings `names` can give all these answers.

    A disputed case can list fewer readings than its ruling. Then the answer does not decide on the others. An answer that a
    deviation explains beside the reading decides on none.
    """
    possible: set[str] | None = None
    for reading, found in followed.items():
        for one in found.every:
            if one.explained_by.deviations:
                continue
            listed = one.separates if one.ruling == id_ else ()
            open_ = {*names}.difference(listed) if listed else set()
            possible = {reading, *open_} if possible is None else possible & {reading, *open_}
    return possible is not None and not possible


@dataclass(frozen=True, slots=True)
class ReadingAdherence:
    """The followers of a ruling among the results of one implementation, and its failures that follow none: `none` for
    disputed cases that follow no reading, `hidden` for those with a hidden reading, `plain` for plain cases. `varying` are
    the answers that follow one reading or another from run to run."""

    followers: Followers
    none: Sequence[RecordedResult]
    plain: Sequence[RecordedResult]
    hidden: Sequence[RecordedResult]
    varying: Sequence[RecordedResult]

    @property
    def failing(self) -> Sequence[RecordedResult]:
        """The failing results without a known reading, the clearest first."""
        return [*self.none, *self.plain, *self.hidden]

    def departs(self, adopted: str) -> bool:
        """Whether some answer differs from the adopted reading."""
        return bool(self.none or self.plain or self.varying) or any(
            reading != adopted for reading in self.followers.readings
        )


@dataclass(frozen=True, slots=True)
class RulingAdherence:
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
        followed = {id_ for id_, _ in followed_readings(result)}
        for id_ in {result.ruling, *result.cited_by_rulings, *followed} & set(found):
            results.setdefault(id_, []).append(result)
    sites = _undisputed_sites(record)
    ruled = [
        _ruled(id_, text, results.get(id_, ()), record, {site for site, ids in sites if id_ not in ids})
        for id_, text in found.items()
    ]
    return sorted(ruled, key=lambda one: (SEVERITIES.index(one.severity), not one.is_split, one.agreed))


def varying(record: RunRecord) -> Set[tuple[str, str]]:
    """The implementation and the case of each answer that varies from run to run, by a known-divergence file."""
    return {(entry.name, case) for entry in record.metadata.implementations for case in entry.flaky}


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
    varies = varying(record)
    failed = {one.case for one in results if undisputed(one) is not None}
    ordered = sorted(
        results,
        key=lambda one: (
            one.ruling != id_,
            one.ruling != id_ and one.case not in failed,
            order.get(one.case, len(order)),
        ),
    )
    positions = {
        name: _adherence(id_, text, [one for one in ordered if one.implementation == name], sites, varies)
        for name in record.implementations
    }
    started = set(record.implementations) - set(not_started(record))
    evidence = [one for one in ordered if id_ in (one.ruling, *one.cited_by_rulings)]
    return RulingAdherence(id_, text, evidence, positions, _is_agreed(ordered, started, varies))


def _is_agreed(results: Sequence[RecordedResult], started: Set[str], varies: Set[tuple[str, str]]) -> bool:
    passed = {(one.implementation, one.case) for one in results if one.verdict in EXPECTED} - varies
    cases = {one.case for one in results}
    return bool(started - {REFERENCE}) and all((name, case) in passed for name in started for case in cases)


def _adherence(
    id_: str,
    ruling: Ruling,
    results: Sequence[RecordedResult],
    sites: Set[FailureSite],
    varies: Set[tuple[str, str]],
) -> ReadingAdherence:
    unsteady = [one for one in results if one.verdict not in FAILING and (one.implementation, one.case) in varies]
    found = followers(id_, ruling, [one for one in results if one not in unsteady])
    of_disputed = [one for one in found.failing if one.ruling == id_]
    hidden = [
        one for one in of_disputed if one.explained_by or undisputed(one) is not None or failure_site(one) in sites
    ]
    return ReadingAdherence(
        found,
        none=[one for one in of_disputed if one not in hidden],
        plain=[one for one in found.failing if one.ruling != id_],
        hidden=hidden,
        varying=unsteady,
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
