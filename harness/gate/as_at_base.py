"""The record of the base → what a gate expects of the change: the same answers, or none that are worse. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from ..compare.canonical import equality_text
from ..compare.causes import names_of
from ..compare.verdict import difference_row, plain_response
from ..model import FAILING, Listing, RecordedResult, RunRecord, Status, Verdict, response_of
from .known_divergences import Divergence, KnownDivergences, ListedNames, ListedReading
from .listing import signatures
from .summary import status_of

AS_AT_BASE = "as at the base"
"""The reason of every failure and gap that the base has."""


def expected_as(record: RunRecord, base: str) -> KnownDivergences:
    """What a change must not make worse: every failure, gap and reading in the record of the `base`, a commit. A case varies
    if its outcomes differ there, or if a known-divergence file says so."""
    (entry,) = record.metadata.implementations
    failing: dict[bool, dict[str, tuple[str, ...]]] = {False: {}, True: {}}
    readings: dict[tuple[str, str, bool], list[str]] = defaultdict(list)
    for seen in record.results:
        varies = seen.is_flaky or seen.case in entry.flaky
        if failures := signatures(seen) | {*entry.flaky.get(seen.case, ())}:
            failing[varies][seen.case] = tuple(sorted(failures))
        variants = [part for part in seen.flaky or (seen,) if part.verdict is Verdict.VARIANT]
        for ruling, reading in {reading for variant in variants for reading in variant.readings}:
            readings[ruling, reading, varies].append(seen.case)
    gaps = tuple(seen.case for seen in record.results if seen.verdict is Verdict.UNSUPPORTED)
    declared = entry.identity.unobservable if entry.identity else {}
    paths = tuple(f"{operation}{path}" for operation, listed in declared.items() for path in listed)
    return KnownDivergences(
        tuple(Divergence(reason=AS_AT_BASE, flaky=varies, cases=cases) for varies, cases in failing.items()),
        (ListedNames(reason=AS_AT_BASE, names=gaps),),
        (ListedNames(reason=AS_AT_BASE, names=paths),),
        tuple(
            ListedReading(ruling=ruling, reading=reading, flaky=varies, cases=tuple(cases))
            for (ruling, reading, varies), cases in sorted(readings.items())
        ),
        base=base,
    )


def as_at_base(record: RunRecord, cases: Collection[str]) -> dict[str, Listing | None]:
    """The statuses of these cases, whose answers are those of the base."""
    known = Listing(Status.KNOWN, AS_AT_BASE)
    return {seen.case: known if seen.verdict in FAILING else None for seen in record.results if seen.case in cases}


def accused_since(before: RunRecord, after: RunRecord) -> dict[str, RecordedResult]:
    """The results that fail the gate, of cases that the base was judged by too."""
    known = {seen.case for seen in before.results}
    red = (Status.NEW, Status.READING, Status.FLAKY)
    return {seen.case: seen for seen in after.results if seen.case in known and status_of(seen) in red}


def no_worse(before: RunRecord, accused: Mapping[str, RecordedResult]) -> set[str]:
    """The accused cases with the answer of the base, or with a failure that has fewer faults or no new cause."""
    causes = {name for seen in before.results for name in names_of(seen.explained_by)}
    return {
        then.case
        for then in before.results
        if (now := accused.get(then.case))
        and (_answer(then) == _answer(now) is not None or _is_no_worse(then, now, causes))
    }


def _answer(seen: RecordedResult) -> str | None:
    """The answer of a case that has one, for comparison."""
    response = None if seen.is_flaky else response_of(seen.outcome)
    return None if response is None else equality_text(plain_response(response))


def _is_no_worse(before: RecordedResult, now: RecordedResult, known_causes: Collection[str]) -> bool:
    """Whether a case that failed fails now with a part of its differences, or by causes that the base has: of two causes,
    the one that is repaired can have hidden the other."""
    if before.verdict is not Verdict.FAIL or now.verdict is not Verdict.FAIL or before.is_flaky or now.is_flaky:
        return False
    causes = names_of(now.explained_by)
    rows, rows_of_base = ({*map(difference_row, seen.differences)} for seen in (now, before))
    return (bool(causes) and {*causes}.issubset(known_causes)) or rows < rows_of_base
