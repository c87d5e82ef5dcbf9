"""The record of the base → what a gate expects of the change: the same answers. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from ..model import FAILING, Listing, RunRecord, Status, Verdict
from .known_divergences import Divergence, KnownDivergences, ListedNames, ListedReading
from .listing import signatures

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
