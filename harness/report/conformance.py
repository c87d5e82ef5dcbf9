"""RunRecord → how much of its systems an implementation answered, and which conformance profiles it passes. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from ..corpus.selection import profiles_of, with_profiles
from ..errors import UsageError, one_line
from ..model import (
    COMPARED,
    FAILING,
    UNTESTED,
    ConformanceProfile,
    ErrorKind,
    RecordedResult,
    RunRecord,
    TallyKey,
    Verdict,
    is_generated,
    replace,
)

COMPLETE = 0.95
"""The share of cases that an implementation must answer to complete a profile or its systems, and the share of the expected
leaves that it must report to complete a profile."""

_ALL = "all"

_Counts: TypeAlias = "Counter[TallyKey]"


class ProfileState(StrEnum):
    """The verdict on an implementation and a profile."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_COMPLETED = "not completed"


class ObservedShare(Struct, frozen=True):
    """The `observed` ones of the `leaves` of the expected answers of compared cases. A leaf is a scalar, an empty list, an
    empty object or an expected error. It is observed if it is not at or below a path that the implementation declares
    unobservable."""

    observed: int = 0
    leaves: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the implementation reports every leaf."""
        return self.observed == self.leaves

    @property
    def is_complete(self) -> bool:
        """Whether it reports enough for a verdict on the whole."""
        return self.observed >= COMPLETE * self.leaves


class AnsweredShare(Struct, frozen=True):
    """The `answered` and `failing` ones of `cases`, and what the implementation reports in the answers. `is_disputed`: a
    ruling is about every case."""

    answered: int
    cases: int
    failing: int
    observed: ObservedShare = ObservedShare()
    is_disputed: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether it answered enough cases for a verdict on all of them."""
        return self.answered >= COMPLETE * self.cases

    @property
    def state(self) -> ProfileState:
        """A failure fails; without one, unanswered cases and places that are not observed leave it open."""
        if self.failing:
            return ProfileState.FAILED
        is_complete = self.cases and self.is_complete and self.observed.is_complete
        return ProfileState.PASSED if is_complete else ProfileState.NOT_COMPLETED


class Conformance(Struct, frozen=True):
    """One implementation. `systems` are those of which it answers a case; `share` is over their cases in the corpus, or in
    the selected profiles. `own` is over the selected cases of the operations in its reply to `initialize`.

    `profiles` has the share of each profile of these systems. `offers_nothing`: its list of operations is empty.
    """

    systems: tuple[str, ...]
    share: AnsweredShare
    own: AnsweredShare
    profiles: tuple[tuple[ConformanceProfile, AnsweredShare], ...]
    offers_nothing: bool


def conformance_of(
    record: RunRecord, counted: _Counts, disputed: Collection[str] = frozenset()
) -> Mapping[str, Conformance]:
    """The conformance of each implementation that started; empty for a record of generated cases, which no profile has.
    `counted` are the results of the record, `disputed` its `disputed_operations`."""
    if counted and all(is_generated(key.suite) for key in counted):
        return {}
    scope = frozenset(profiles_of(record.metadata.selection)) or {_ALL}
    found = {}
    for entry in record.metadata.implementations:
        if entry.identity is None:
            continue
        mine = {key: count for key, count in counted.items() if key.implementation == entry.name}
        systems = tuple(dict.fromkeys(_system(key) for key in sorted(mine) if _is_answered(key)))
        within = {key: count for key, count in mine.items() if _system(key) in systems}
        own = {key: count for key, count in mine.items() if key.operation in entry.identity.operations}
        profiles = [profile for profile in record.metadata.profiles if profile.system in systems]
        in_scope: dict[str, int] = {}
        for profile in profiles:
            in_scope |= profile.operations if profile.name in scope else {}
        shown = [profile for profile in profiles if scope == {_ALL} or profile.name in scope]
        found[entry.name] = Conformance(
            systems,
            _share(within.items(), sum(in_scope.values())),
            _share(own.items()),
            tuple((profile, _of_profile(within, profile, disputed)) for profile in shown),
            not entry.identity.operations,
        )
    return found


def limited(record: RunRecord, names: Sequence[str]) -> RunRecord:
    """The record limited to the cases of these profiles. Raises `UsageError` for a profile that it does not have."""
    metadata = record.metadata
    known = list(dict.fromkeys(profile.name for profile in metadata.profiles))
    if unknown := [name for name in names if name not in known]:
        message = f"--profile {one_line(unknown[0])}: the record has no such profile."
        raise UsageError(f"{message} Use one of: {', '.join(known)}." if known else message)
    operations = {
        operation for profile in metadata.profiles if profile.name in names for operation in profile.operations
    }
    places = [at for at, result in enumerate(record.results) if result.operation in operations]
    results = tuple(record.results[at] for at in places)
    selection = tuple(with_profiles(metadata.selection, names))
    cases = len({result.case for result in results})
    return replace(record, metadata=replace(metadata, cases=cases, shard=None, selection=selection), results=results)


def disputed_operations(record: RunRecord, counted: _Counts) -> frozenset[str]:
    """The operations whose every case in the corpus is in the record and disputed. `counted` are its results."""
    whole = corpus_cases(record)
    disputed: Counter[tuple[str, str]] = Counter()
    for key, count in counted.items():
        disputed[key.implementation, key.operation] += count if key.is_disputed else 0
    return frozenset(name for (_, name), cases in disputed.items() if cases and cases == whole.get(name))


def hidden_places(record: RunRecord, result: RecordedResult) -> Sequence[str]:
    """The JSON Pointers of the places of an answer that the implementation cannot report."""
    entry = record.metadata.implementation(result.implementation)
    return entry.identity.unobservable.get(result.operation, ()) if entry and entry.identity else ()


def corpus_cases(record: RunRecord) -> Mapping[str, int]:
    """The number of cases of each operation in the corpus."""
    profiles = (profile for profile in record.metadata.profiles if profile.name == _ALL)
    return {operation: cases for profile in profiles for operation, cases in profile.operations.items()}


def _of_profile(
    counts: Mapping[TallyKey, int], profile: ConformanceProfile, disputed: Collection[str]
) -> AnsweredShare:
    of_profile = ((key, count) for key, count in counts.items() if key.operation in profile.operations)
    with_cases = {name for name, cases in profile.operations.items() if cases}
    return replace(_share(of_profile, profile.cases), is_disputed=bool(with_cases) and with_cases.issubset(disputed))


def _share(counts: Iterable[tuple[TallyKey, int]], cases: int = 0) -> AnsweredShare:
    """The share of these results; of `cases` if the corpus has more."""
    rows = list(counts)
    return AnsweredShare(
        sum(count for key, count in rows if _is_answered(key)),
        max(cases, sum(count for _, count in rows)),
        sum(count for key, count in rows if key.verdict in FAILING),
        _observed(rows),
    )


def _observed(counts: Iterable[tuple[TallyKey, int]]) -> ObservedShare:
    rows = [(key, count) for key, count in counts if key.verdict in COMPARED]
    leaves = sum(key.leaves * count for key, count in rows)
    return ObservedShare(leaves - sum(key.unobserved * count for key, count in rows), leaves)


def _is_answered(key: TallyKey) -> bool:
    return key.verdict in COMPARED or key.kind is ErrorKind.IMPLEMENTATION


def _system(key: TallyKey) -> str:
    return key.suite.partition("/")[0]


class OperationShare(Struct, frozen=True):
    """The answers of one implementation to the cases of an operation; `floor` is the share of cases, 0 to 1, that one
    constant answer passes, None if the corpus does not state it. `is_disputed`: a ruling is about every case."""

    operation: str
    counts: Counter[Verdict]
    floor: float | None
    observed: ObservedShare = ObservedShare()
    is_disputed: bool = False


def operation_shares(
    record: RunRecord, counted: _Counts, name: str, disputed: Collection[str] = frozenset()
) -> list[OperationShare]:
    """The supported operations of an implementation, the one with the most frequent failures first."""
    supported: dict[str, list[tuple[TallyKey, int]]] = {}
    for key, count in counted.items():
        if key.implementation == name and key.verdict not in UNTESTED:
            supported.setdefault(key.operation, []).append((key, count))
    found = []
    for operation, of_operation in supported.items():
        counts: Counter[Verdict] = Counter()
        for key, count in of_operation:
            counts[key.verdict] += count
        floor = record.metadata.floors.get(operation)
        found.append(OperationShare(operation, counts, floor, _observed(of_operation), operation in disputed))
    return sorted(found, key=lambda one: (-sum(one.counts[bad] for bad in FAILING) / one.counts.total(), one.operation))
