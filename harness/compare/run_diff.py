"""Two run records → what changed from the first to the second. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..model import FAILING, Answered, HasOutcome, JsonObject, Readings, RecordedResult, Ruling, RunRecord, Verdict
from .canonical import equality_text
from .causes import cause_name, count_by_cause


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


@dataclass(frozen=True, slots=True)
class ChangedResult:
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


@dataclass(frozen=True, slots=True)
class CauseChanges:
    """The causes of the failures of one implementation that changed, each with its number of cases. `changed` are failures
    with another difference than before, by the causes before and after."""

    fixed: Mapping[str, int]
    new: Mapping[str, int]
    changed: Mapping[tuple[str, str], int]

    def __bool__(self) -> bool:
        return bool(self.fixed or self.new or self.changed)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed, by implementation, in the order of the newer record; only implementations of both records.

    `causes` has the causes of the failures that changed, by implementation. `added` and `removed` are implementations of
    one record alone; `versions` holds both descriptions of an implementation where they differ; `same_corpus`: both runs
    used the same corpus.
    """

    changes: Mapping[str, tuple[ChangedResult, ...]]
    causes: Mapping[str, CauseChanges]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    versions: Mapping[str, tuple[str, str]]
    same_corpus: bool
    common_cases: int

    def of(self, change: Change) -> list[ChangedResult]:
        """All changes of one sort."""
        return [one for changed in self.changes.values() for one in changed if one.change is change]


def compare(before: RunRecord, after: RunRecord) -> Comparison:
    """What changed from `before` to `after`."""
    common = [name for name in after.implementations if name in before.implementations]
    then, now = _descriptions(before), _descriptions(after)
    changes = {name: tuple(_changes(_by_case(before, name), _by_case(after, name))) for name in common}
    rulings = {**before.metadata.rulings, **after.metadata.rulings}
    return Comparison(
        changes=changes,
        causes={name: _cause_changes(changed, rulings) for name, changed in changes.items()},
        added=tuple(name for name in after.implementations if name not in common),
        removed=tuple(name for name in before.implementations if name not in common),
        versions={name: (then[name], now[name]) for name in common if then[name] != now[name]},
        same_corpus=before.metadata.corpus_digest == after.metadata.corpus_digest,
        common_cases=len({result.case for result in before.results} & {result.case for result in after.results}),
    )


def _cause_changes(changes: Sequence[ChangedResult], rulings: Mapping[str, Ruling]) -> CauseChanges:
    fixed = [one.before for one in changes if one.change is Change.FIXED and one.before]
    new = [one.after for one in changes if one.change is Change.NEWLY_FAILING and one.after]
    differing = [one for one in changes if one.change is Change.DIFFERENCE]
    changed = Counter(
        (cause_name(one.before, rulings), cause_name(one.after, rulings))
        for one in differing
        if one.before and one.after
    )
    return CauseChanges(count_by_cause(fixed, rulings), count_by_cause(new, rulings), dict(sorted(changed.items())))


def _changes(before: Mapping[str, RecordedResult], after: Mapping[str, RecordedResult]) -> Iterator[ChangedResult]:
    for case, now in after.items():
        then = before.get(case)
        change = Change.ADDED if then is None else _change(then, now)
        if change is not None:
            yield ChangedResult(change, then, now, then is not None and _definition(then) != _definition(now))
    for case, then in before.items():
        if case not in after:
            yield ChangedResult(Change.REMOVED, then, None)


def _change(then: RecordedResult, now: RecordedResult) -> Change | None:
    """How one verdict changed; None if nothing relevant did. A flaky result that has an outcome in common with the other
    side is no change of the implementation."""
    if then.flaky or now.flaky:
        before, after = _outcomes(then), _outcomes(now)
        if before & after:
            return Change.FLAKY if before != after else None
    failed, fails = then.verdict in FAILING, now.verdict in FAILING
    if failed and fails:
        return Change.DIFFERENCE if then.signature != now.signature else None
    if fails:
        return Change.NEWLY_FAILING
    if Verdict.UNSUPPORTED in (then.verdict, now.verdict):
        if then.verdict is now.verdict:
            return None
        return Change.NO_LONGER_ANSWERED if now.verdict is Verdict.UNSUPPORTED else Change.NEWLY_ANSWERED
    if failed:
        return Change.FIXED
    return Change.READING if (then.verdict, _reading(then)) != (now.verdict, _reading(now)) else None


def _outcomes(result: RecordedResult) -> frozenset[tuple[Verdict, str, Readings]]:
    """The different outcomes of a case, one for each pass of a flaky one."""
    return frozenset((one.verdict, one.signature, _reading(one)) for one in result.flaky or (result,))


def _reading(result: HasOutcome) -> Readings:
    """The readings that a variant follows; a pass always follows the adopted one."""
    return result.readings if result.verdict is Verdict.VARIANT else ()


def _definition(result: RecordedResult) -> str:
    """Request and expected response of a case, for comparison."""
    expected = result.expected
    wanted: JsonObject = {"answer": expected.value} if isinstance(expected, Answered) else {"error": expected.type}
    return equality_text([result.request, wanted])


def _by_case(record: RunRecord, name: str) -> dict[str, RecordedResult]:
    results = (result for result in record.results if result.implementation == name)
    return {result.case: result for result in sorted(results, key=lambda result: result.case)}


def _descriptions(record: RunRecord) -> dict[str, str]:
    """Each implementation's own name, version, language and runtime."""
    return {one.name: one.description or "not started" for one in record.metadata.implementations}
