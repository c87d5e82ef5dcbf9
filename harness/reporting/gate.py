"""What a gate found → the text that `parity gate` prints: what to do about it, and the verdict last, next to the prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from harness.errors import one_line, printable
from harness.expectations import Finding, Status
from harness.model import FAILING, RunRecord, Verdict
from harness.reporting.describing import describe, describe_incident, plural
from harness.reporting.summary import not_started, silences, totals

MOST_SHOWN = 20
"""Findings listed of one status."""

MOST_IN_FULL = 3
"""New failures whose differences are shown as well."""

_LAST_LINES = 8
"""Lines of what an adapter printed before it failed to start."""

_HEADS = {
    Status.UNMATCHED: "Correct or delete {lines}: the corpus has nothing of this name (unmatched)",
    Status.STALE: "Delete {lines}: what is explained there is no longer so (stale)",
    Status.EXPIRED: "Mend {cases}, or set a later day and say why: the day in the entry has passed (expired)",
    Status.NEW: "Mend or explain {cases}: no line of the known-divergence file explains this (new)",
}


def render(
    record: RunRecord, found: Sequence[Finding], known: int, waiting: int, left_out: Sequence[str], all_at_once: str
) -> str:
    """The whole text. `known` is how many results are explained, `waiting` how many of the file's lines have no reason yet,
    `left_out` names the systems that were not judged, `all_at_once` is the command that brings the file up to date."""
    if not_started(record):
        return "".join(f"{line}\n" for line in _not_started(record))
    groups = {status: [finding for finding in found if finding.status is status] for status in _HEADS}
    counts = [f"{len(group)} {status}" for status, group in groups.items() if group]
    if waiting:
        counts.append(f"{plural(waiting, 'line')} without a reason")
    lines = [*_findings(groups, record, all_at_once), *_judged(record, known, left_out), _verdict(record, counts)]
    return "".join(f"{line}\n" for line in lines)


def _not_started(record: RunRecord) -> Iterator[str]:
    for name, reason in not_started(record).items():
        yield f"{name} could not be built or started, so nothing was judged."
        yield from (f"  {one_line(line.strip())}" for line in printable(reason).splitlines()[-_LAST_LINES:])
    yield "gate: RED"


def _findings(groups: Mapping[Status, Sequence[Finding]], record: RunRecord, all_at_once: str) -> Iterator[str]:
    for status, group in groups.items():
        if group:
            yield from _group(status, group, record)
            yield ""
    if any(group for status, group in groups.items() if status is not Status.EXPIRED):
        yield "Or let parity write the lines, and you the reasons that it leaves as TODO:"
        yield f"  {printable(all_at_once)}"
        yield ""


def _judged(record: RunRecord, known: int, left_out: Sequence[str]) -> Iterator[str]:
    yield from (describe_incident(incident) for incident in record.incidents)
    yield from silences(record)
    for name, counts in totals(record).items():
        verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
        yield f"{name}: {verdicts}; {known} known"
        if left_out:
            yield f"not judged: {', '.join(map(one_line, left_out))} ({name} offers none of their operations)"


def _verdict(record: RunRecord, counts: Sequence[str]) -> str:
    if counts:
        return f"gate: RED ({', '.join(counts)})"
    return "gate: RED" if record.incidents or silences(record) else "gate: green"


def _group(status: Status, group: Sequence[Finding], record: RunRecord) -> Iterator[str]:
    yield _HEADS[status].format(lines=plural(len(group), "line"), cases=plural(len(group), "case"))
    failing = {result.case: replace(result, expectation=None) for result in record.results if result.verdict in FAILING}
    in_full = 0
    for finding in group[:MOST_SHOWN]:
        place = f"{finding.place}  " if finding.place else ""
        yield f"  {place}{one_line(finding.name, 300)}: {one_line(finding.seen, 300)}"
        if status is Status.NEW and finding.name in failing and in_full < MOST_IN_FULL:
            in_full += 1
            yield from (f"    {line}" for line in describe(failing[finding.name], record))
    if len(group) > MOST_SHOWN:
        yield f"  … and {len(group) - MOST_SHOWN} more"
