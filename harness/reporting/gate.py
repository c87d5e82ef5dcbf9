"""What a gate found → the text that `parity gate` prints: what fails it, grouped by status, each with its remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from harness.errors import one_line
from harness.expectations import Finding, Status
from harness.model import FAILING, RecordedResult, RunRecord, Verdict
from harness.reporting.describing import describe, describe_incident
from harness.reporting.summary import silences, totals

MOST_SHOWN = 20
"""Findings of one status that are shown; the record has them all."""

MOST_IN_FULL = 3
"""New failures whose differences are shown as well."""

_HEADS = {
    Status.NEW: "new: not explained by the known-divergence file",
    Status.STALE: "stale: explained, and no longer so",
    Status.EXPIRED: "expired: explained until a date that has passed",
    Status.UNMATCHED: "unmatched: names nothing in the corpus",
}


def render(record: RunRecord, found: Sequence[Finding], stands: Counter[Status]) -> str:
    """The whole text."""
    return "\n".join(_lines(record, found, stands)) + "\n"


def _lines(record: RunRecord, found: Sequence[Finding], stands: Counter[Status]) -> Iterator[str]:
    for status, head in _HEADS.items():
        group = [finding for finding in found if finding.status is status]
        if group:
            yield f"{head} ({len(group)})"
            yield from _group(record, group)
            yield ""
    for incident in record.incidents:
        yield describe_incident(incident)
    yield from silences(record)
    for name, counts in totals(record).items():
        verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
        yield f"{name}: {verdicts}; {stands[Status.KNOWN]} known"
    failing = bool(found or record.incidents or silences(record))
    yield "gate: RED" if failing else "gate: green"


def _group(record: RunRecord, group: Sequence[Finding]) -> Iterator[str]:
    failing = {result.case: result for result in record.results if result.verdict in FAILING}
    in_full = 0
    for finding in group[:MOST_SHOWN]:
        place = f"{finding.place}  " if finding.place else ""
        yield f"  {place}{finding.name}: {one_line(finding.sentence, 300)}"
        result: RecordedResult | None = failing.get(finding.name)
        if finding.status is Status.NEW and result is not None and in_full < MOST_IN_FULL:
            in_full += 1
            yield from (f"    {line}" for line in describe(result, record))
    if len(group) > MOST_SHOWN:
        yield f"  … and {len(group) - MOST_SHOWN} more; the record has them all"
