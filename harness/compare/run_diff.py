"""Two run records → what changed from the first to the second. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from ..model import (
    FAILING,
    UNTESTED,
    HasOutcome,
    Readings,
    RecordedResult,
    Ruling,
    RunRecord,
    Verdict,
    replace,
    where,
)
from .canonical import equality_text
from .causes import UNDECIDED, UNEXPLAINED, cause_name, count_by_cause
from .verdict import plain_response


class Change(StrEnum):
    """How an implementation's verdict on one case changed."""

    NEWLY_FAILING = "newly failing"
    FIXED = "fixed"
    DIFFERENCE = "changed difference"
    READING = "changed reading"
    FLAKY = "flaky"
    NO_LONGER_ANSWERED = "no longer answered"
    NEWLY_ANSWERED = "newly answered"
    ADDED = "added"
    REMOVED = "removed"


class ChangedResult(Struct, frozen=True):
    """One change. `before` is absent for an added case, `after` for a removed one.

    `case_changed`: the case itself has another request or another expected response than before.
    """

    change: Change
    before: RecordedResult | None
    after: RecordedResult | None
    case_changed: bool = False

    @property
    def result(self) -> RecordedResult:
        """The newer side that there is."""
        found = self.after or self.before
        assert found is not None
        return found


class CauseChanges(Struct, frozen=True):
    """The causes of the failures of one implementation that changed, each with its number of cases. `changed` are failures
    with another difference than before, by the causes before and after."""

    fixed: Mapping[str, int]
    new: Mapping[str, int]
    changed: Mapping[tuple[str, str], int]

    def __bool__(self) -> bool:
        """Whether a failure has a known cause."""
        named = {*self.fixed, *self.new, *(name for pair in self.changed for name in pair)}
        return not named <= {UNEXPLAINED, UNDECIDED}


class Comparison(Struct, frozen=True):
    """What changed, by implementation, in the order of the newer record; only implementations of both records.

    `rulings` are those of both records. `added` and `removed` are implementations of
    one record alone; `versions` holds both descriptions of an implementation where they differ; `same_corpus`: both runs
    used the same corpus. `before` is the older record. `only_before` and `only_after` are the numbers of cases of one
    record that the other run did not select; they are no changes.
    """

    changes: Mapping[str, tuple[ChangedResult, ...]]
    rulings: Mapping[str, Ruling]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    versions: Mapping[str, tuple[str, str]]
    same_corpus: bool
    common_cases: int
    before: RunRecord
    only_before: int = 0
    only_after: int = 0

    @property
    def causes(self) -> Mapping[str, CauseChanges]:
        """The causes of the failures that changed, by implementation."""
        return {name: cause_changes(changed, self.rulings) for name, changed in self.changes.items()}

    def of(self, change: Change) -> list[ChangedResult]:
        """All changes of one sort."""
        return [edit for changed in self.changes.values() for edit in changed if edit.change is change]


def compare(before: RunRecord, after: RunRecord) -> Comparison:
    """What changed from `before` to `after`."""
    common = [name for name in after.implementations if name in before.implementations]
    then, now = (
        {entry.name: entry.description or "not started" for entry in record.metadata.implementations}
        for record in (before, after)
    )
    cases = _Cases.of(before, after)
    changes = {name: cases.changes(_Side(before, name), _Side(after, name)) for name in common}
    return Comparison(
        changes=changes,
        rulings={**before.metadata.rulings, **after.metadata.rulings},
        added=tuple(name for name in after.implementations if name not in common),
        removed=tuple(name for name in before.implementations if name not in common),
        versions={name: (then[name], now[name]) for name in common if then[name] != now[name]},
        same_corpus=before.metadata.corpus_digest == after.metadata.corpus_digest,
        common_cases=cases.common,
        before=before,
        only_before=len(cases.only_before),
        only_after=len(cases.only_after),
    )


def confirmed(found: Comparison, before: RunRecord, after: RunRecord) -> Comparison:
    """The comparison with what further runs of the same two versions show: `before` and `after` have at least the changed
    cases. A change is flaky if the two versions have an outcome in common, over all runs."""
    changes = {
        name: tuple(_confirmed(changed, _Side(before, name), _Side(after, name)))
        for name, changed in found.changes.items()
    }
    return replace(found, changes=changes)


def _confirmed(changes: Sequence[ChangedResult], before: _Side, after: _Side) -> Iterator[ChangedResult]:
    for change in changes:
        case = change.result.case
        if change.before and change.after and case in before and case in after:
            then = outcomes(change.before) | outcomes(before.result(case))
            now = outcomes(change.after) | outcomes(after.result(case))
            yield replace(change, change=Change.FLAKY) if then & now else change
        else:
            yield change


def changes_between(before: RunRecord, then: str, after: RunRecord, now: str) -> tuple[ChangedResult, ...]:
    """What changed from the implementation `then` in one record to the implementation `now` in another or the same one."""
    return _Cases.of(before, after).changes(_Side(before, then), _Side(after, now))


def differs(then: HasOutcome, result: HasOutcome) -> bool:
    """Whether a new result is a change since an older one."""
    return _change(then, result) is not None


def cause_changes(changes: Sequence[ChangedResult], rulings: Mapping[str, Ruling]) -> CauseChanges:
    """The causes of the failures among these changes."""
    fixed = [change.before for change in changes if change.change is Change.FIXED and change.before]
    new = [change.after for change in changes if change.change is Change.NEWLY_FAILING and change.after]
    differing = [change for change in changes if change.change is Change.DIFFERENCE]
    changed = Counter(
        (cause_name(change.before, rulings), cause_name(change.after, rulings))
        for change in differing
        if change.before and change.after
    )
    return CauseChanges(count_by_cause(fixed, rulings), count_by_cause(new, rulings), dict(sorted(changed.items())))


class _Side:
    """The results of one implementation in one record, by case. `listed` are the cases that its known-divergence file lists
    as flaky."""

    def __init__(self, record: RunRecord, name: str) -> None:
        entry = record.metadata.implementation(name)
        self.listed: Mapping[str, Sequence[str]] = entry.flaky if entry else {}
        self._flaky_causes = {cause.name for cause in entry.causes if cause.flaky} if entry else set()
        results = sorted(where(record.results, names={name}), key=lambda result: result.case)
        self._by_case = {result.case: result for result in results}

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_case)

    def __contains__(self, case: str) -> bool:
        return case in self._by_case

    def result(self, case: str) -> RecordedResult:
        return self._by_case[case]

    def has_flaky_cause(self, case: str) -> bool:
        """Whether a cause that the implementation does not follow in every run explains a failure."""
        return not self._flaky_causes.isdisjoint(self.result(case).explained_by.named)


class _Cases(Struct, frozen=True):
    """The cases of two records: how many both have, and those of each that the other run did not select. These are no
    changes: the other run had another selection, or ran no case of the case's system. With the same selection, a case of
    one record alone was added to the corpus or removed from it."""

    common: int
    only_before: Collection[str]
    only_after: Collection[str]

    @classmethod
    def of(cls, before: RunRecord, after: RunRecord) -> _Cases:
        """The cases of these records."""
        then, now = ({result.case for result in record.results} for record in (before, after))
        is_same = _selection(before) == _selection(after)
        systems, others = ({case.partition("/")[0] for case in cases} if is_same else set() for cases in (now, then))
        return cls(
            len(then & now),
            {case for case in then - now if case.partition("/")[0] not in systems},
            {case for case in now - then if case.partition("/")[0] not in others},
        )

    def changes(self, before: _Side, after: _Side) -> tuple[ChangedResult, ...]:
        """What changed from one side to the other."""
        return tuple(self._changes(before, after))

    def _changes(self, before: _Side, after: _Side) -> Iterator[ChangedResult]:
        for case in after:
            if case in before:
                change = _change_of(case, before, after)
                if change is not None:
                    then, now = before.result(case), after.result(case)
                    yield ChangedResult(change, then, now, _definition(then) != _definition(now))
            elif case not in self.only_after:
                yield ChangedResult(Change.ADDED, None, after.result(case))
        for case in before:
            if case not in after and case not in self.only_before:
                yield ChangedResult(Change.REMOVED, before.result(case), None)


def _change_of(case: str, before: _Side, after: _Side) -> Change | None:
    """How one verdict changed; None if nothing relevant did. A flaky result that has an outcome in common with the other
    side is no change of the implementation, and neither is a case that varies by the known-divergence file of a side."""
    if before.result(case).is_flaky or after.result(case).is_flaky:
        then, now = outcomes(before.result(case)), outcomes(after.result(case))
        if then & now:
            return Change.FLAKY if then != now else None
    change = _change(before.result(case), after.result(case))
    return Change.FLAKY if change in _VERDICTS and _is_listed(case, before, after) else change


_VERDICTS = (Change.NEWLY_FAILING, Change.FIXED, Change.DIFFERENCE, Change.READING)
"""Changes from one verdict on an answer to another."""


def _is_listed(case: str, before: _Side, after: _Side) -> bool:
    """Whether the case varies by a known-divergence file, and each of its failures is one that the file expects."""
    listed = {*before.listed.get(case, ()), *after.listed.get(case, ())}
    failing = [side for side in (before, after) if side.result(case).verdict in FAILING]
    if not failing:
        return case in before.listed or case in after.listed
    return all(side.result(case).signature in listed or side.has_flaky_cause(case) for side in failing)


def _change(then: HasOutcome, now: HasOutcome) -> Change | None:
    failed, fails = then.verdict in FAILING, now.verdict in FAILING
    if failed and fails:
        return Change.DIFFERENCE if then.signature != now.signature else None
    if fails:
        return Change.NEWLY_FAILING
    if Verdict.UNSUPPORTED in (then.verdict, now.verdict):
        if then.verdict is now.verdict:
            return None
        return Change.NO_LONGER_ANSWERED if now.verdict in UNTESTED else Change.NEWLY_ANSWERED
    if failed:
        return Change.FIXED
    return Change.READING if (then.verdict, _reading(then)) != (now.verdict, _reading(now)) else None


def outcomes(result: RecordedResult) -> frozenset[tuple[Verdict, str, Readings]]:
    """The different outcomes of a case, one for each pass of a flaky one."""
    return frozenset((seen.verdict, seen.signature, _reading(seen)) for seen in result.flaky or (result,))


def _reading(result: HasOutcome) -> Readings:
    """The readings that a variant follows; a pass always follows the adopted one."""
    return result.readings if result.verdict is Verdict.VARIANT else ()


def _definition(result: RecordedResult) -> str:
    """Request and expected response of a case, for comparison."""
    return equality_text([result.request, plain_response(result.expected)])


def _selection(record: RunRecord) -> tuple[Collection[str], tuple[int, int] | None, Collection[str]]:
    found = record.metadata
    return {*found.selection}, found.shard, {*found.options.systems}
