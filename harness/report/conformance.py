"""RunRecord → how much of its systems an implementation answered, and which conformance profiles it passes. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from ..corpus.selection import profiles_of, with_profiles
from ..errors import UsageError, one_line
from ..model import FAILING, ConformanceProfile, ErrorKind, RunRecord, TallyKey, Verdict, is_generated, rows

COMPLETE = 0.95
"""The share of cases that an implementation must answer to complete a profile or its systems."""

_NO_ANSWER = frozenset((ErrorKind.PROTOCOL, ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.START))
_ALL = "all"

_Counts: TypeAlias = "Counter[TallyKey]"


class ProfileState(StrEnum):
    """The verdict on an implementation and a profile."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_COMPLETED = "not completed"


@dataclass(frozen=True, slots=True)
class AnsweredShare:
    """The `answered` and `failing` ones of `cases`."""

    answered: int
    cases: int
    failing: int

    @property
    def is_complete(self) -> bool:
        """Whether it answered enough cases for a verdict on all of them."""
        return self.answered >= COMPLETE * self.cases

    @property
    def state(self) -> ProfileState:
        """A failure fails; without one, unanswered cases leave it open."""
        if self.failing:
            return ProfileState.FAILED
        return ProfileState.PASSED if self.cases and self.is_complete else ProfileState.NOT_COMPLETED


@dataclass(frozen=True, slots=True)
class Conformance:
    """One implementation. `systems` are those of which it answers a case; `share` is over their cases in the corpus, or in
    the selected profiles. `own` is over the selected cases of the operations in its reply to `initialize`.

    `profiles` has the share of each profile of these systems. `offers_nothing`: its list of operations is empty.
    """

    systems: tuple[str, ...]
    share: AnsweredShare
    own: AnsweredShare
    profiles: tuple[tuple[ConformanceProfile, AnsweredShare], ...]
    offers_nothing: bool


def conformance_of(record: RunRecord, counted: _Counts) -> Mapping[str, Conformance]:
    """The conformance of each implementation that started; empty for a record of generated cases, which no profile has.
    `counted` are the results of the record."""
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
        profiles = [one for one in record.metadata.profiles if one.system in systems]
        in_scope: dict[str, int] = {}
        for one in profiles:
            in_scope |= one.operations if one.name in scope else {}
        shown = [one for one in profiles if scope == {_ALL} or one.name in scope]
        found[entry.name] = Conformance(
            systems,
            _share(within.items(), sum(in_scope.values())),
            _share(own.items()),
            tuple((one, _of_profile(within, one)) for one in shown),
            not entry.identity.operations,
        )
    return found


def limited(record: RunRecord, names: Sequence[str]) -> RunRecord:
    """The record limited to the cases of these profiles. Raises `UsageError` for a profile that it does not have."""
    metadata = record.metadata
    known = list(dict.fromkeys(one.name for one in metadata.profiles))
    if unknown := [name for name in names if name not in known]:
        message = f"--profile {one_line(unknown[0])}: the record has no such profile."
        raise UsageError(f"{message} Use one of: {', '.join(known)}." if known else message)
    operations = {operation for one in metadata.profiles if one.name in names for operation in one.operations}
    places = [at for at, (case, _, _) in enumerate(rows(record.results)) if case.operation in operations]
    results = tuple(record.results[at] for at in places)
    selection = tuple(with_profiles(metadata.selection, names))
    cases = len({one.case for one in results})
    return replace(record, metadata=replace(metadata, cases=cases, shard=None, selection=selection), results=results)


def _of_profile(counts: Mapping[TallyKey, int], profile: ConformanceProfile) -> AnsweredShare:
    return _share(((key, count) for key, count in counts.items() if key.operation in profile.operations), profile.cases)


def _share(counts: Iterable[tuple[TallyKey, int]], cases: int = 0) -> AnsweredShare:
    """The share of these results; of `cases` if the corpus has more."""
    rows = list(counts)
    return AnsweredShare(
        sum(count for key, count in rows if _is_answered(key)),
        max(cases, sum(count for _, count in rows)),
        sum(count for key, count in rows if key.verdict in FAILING),
    )


def _is_answered(key: TallyKey) -> bool:
    return key.verdict is not Verdict.UNSUPPORTED and key.kind not in _NO_ANSWER


def _system(key: TallyKey) -> str:
    return key.suite.partition("/")[0]


@dataclass(frozen=True, slots=True)
class OperationShare:
    """The answers of one implementation to the cases of an operation; `floor` is the share of cases, 0 to 1, that one
    constant answer passes, None if the corpus does not state it."""

    operation: str
    counts: Counter[Verdict]
    floor: float | None


def operation_shares(record: RunRecord, counted: _Counts, name: str) -> list[OperationShare]:
    """The supported operations of an implementation, the one with the most frequent failures first."""
    counts: dict[str, Counter[Verdict]] = {}
    for key, count in counted.items():
        if key.implementation == name and key.verdict is not Verdict.UNSUPPORTED:
            counts.setdefault(key.operation, Counter())[key.verdict] += count
    found = [OperationShare(operation, one, record.metadata.floors.get(operation)) for operation, one in counts.items()]
    return sorted(found, key=lambda one: (-sum(one.counts[bad] for bad in FAILING) / one.counts.total(), one.operation))
