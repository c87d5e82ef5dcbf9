"""What a gate found → the text that `parity gate` prints: what to do about it, and the verdict last, next to the prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.errors import one_line, printable
from harness.expectations import Finding, Status
from harness.model import FAILING, RunRecord, Verdict
from harness.reporting.describing import describe, describe_asked, describe_incidents, describe_not_started, plural
from harness.reporting.summary import not_started, silences, totals

MOST_SHOWN = 20
"""Findings listed of one status."""

MOST_IN_FULL = 3
"""New failures whose differences are shown as well."""

_LAST_LINES = 20
"""Lines of what an adapter printed before it failed to start."""

_HEADS = {
    Status.UNMATCHED: "Correct or delete {lines}: the corpus has nothing of this name (unmatched)",
    Status.STALE: "Delete {rows}: what is explained there is no longer so (stale)",
    Status.EXPIRED: "Mend {cases}, or set a later day and say why: the day in the entry has passed (expired)",
    Status.NEW: "Mend or explain {cases}: no line of the known-divergence file explains this (new)",
}


def render(
    record: RunRecord,
    found: Sequence[Finding],
    known: Sequence[str],
    waiting: int,
    left_out: Sequence[str],
    command: str,
) -> str:
    """The whole text. `known` tells how many results are explained, `waiting` how many reasons are still to be written,
    `left_out` names the systems that were not judged, `command` is the one that brings the file up to date."""
    if not_started(record):
        told = [
            line
            for name, reason in not_started(record).items()
            for line in describe_not_started(name, reason, record, _LAST_LINES)
        ]
        return "".join(f"{line}\n" for line in (*told, "gate: RED"))
    groups = {status: [finding for finding in found if finding.status is status] for status in _HEADS}
    counts = [f"{len(group)} {status}" for status, group in groups.items() if group]
    if waiting:
        counts.append(f"{plural(waiting, 'reason')} to write")
    asked = [*describe_asked(record), ""]
    lines = [*asked, *_findings(groups, record, command), *_judged(record, known, left_out), _verdict(record, counts)]
    return "".join(f"{line}\n" for line in lines)


def written(path: Path, shipped: str, changed: Sequence[str]) -> str:
    """What was written to `path`: whether it began with the lines of a `shipped` file, and the cases whose reasons have to
    be written anew because they diverge in another way."""
    lines = [f"written: {path}; a gate reads it with --known {path}"]
    if shipped:
        lines.append(f"It began with the lines of the file that is shipped with parity, {shipped}")
    if changed:
        lines.append(
            f"Its new signature replaced the known one of {plural(len(changed), 'case')}; the reason is TODO again:"
        )
        lines += [f"  {one_line(case, 300)}" for case in changed]
    return "".join(f"{printable(line)}\n" for line in lines)


def _findings(groups: Mapping[Status, Sequence[Finding]], record: RunRecord, command: str) -> Iterator[str]:
    for status, group in groups.items():
        if group:
            yield from _group(status, group, record)
            yield ""
    if any(group for status, group in groups.items() if status is not Status.EXPIRED):
        yield "Or let parity write the lines, and you the reasons that it leaves as TODO:"
        yield f"  {printable(command)}"
        yield ""


def _judged(record: RunRecord, known: Sequence[str], left_out: Sequence[str]) -> Iterator[str]:
    yield from describe_incidents(record.incidents)
    yield from silences(record)
    for name, counts in totals(record).items():
        verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
        yield f"{name}: {verdicts}; {', '.join(known)}"
        if left_out:
            yield f"not judged: {', '.join(map(one_line, left_out))} ({name} offers none of their operations)"


def _verdict(record: RunRecord, counts: Sequence[str]) -> str:
    if counts:
        return f"gate: RED ({', '.join(counts)})"
    return "gate: RED" if record.incidents or silences(record) else "gate: green"


def _group(status: Status, group: Sequence[Finding], record: RunRecord) -> Iterator[str]:
    lines, cases = plural(len(group), "line"), plural(len(group), "case")
    yield _HEADS[status].format(lines=lines, cases=cases, rows=_rows(group))
    failing = {result.case: replace(result, expectation=None) for result in record.results if result.verdict in FAILING}
    in_full, entry = 0, ""
    for finding in group[:MOST_SHOWN]:
        if finding.entry not in ("", entry):
            yield f"  {finding.entry}  the whole entry, for it explains nothing else:"
        entry = finding.entry
        place = f"{finding.place}  " if finding.place else ""
        yield f"  {place}{one_line(finding.name, 300)}: {one_line(finding.seen, 300)}"
        if status is Status.NEW and finding.name in failing and in_full < MOST_IN_FULL:
            in_full += 1
            yield from (f"    {line}" for line in describe(failing[finding.name], record))
    if len(group) > MOST_SHOWN:
        yield f"  … and {len(group) - MOST_SHOWN} more"


def _rows(group: Sequence[Finding]) -> str:
    """What is to be deleted: `3 lines`, `1 whole entry`, or both."""
    lines, entries = sum(not finding.entry for finding in group), len({finding.entry for finding in group} - {""})
    whole = "1 whole entry" if entries == 1 else f"{entries} whole entries"
    return " and ".join([*([plural(lines, "line")] if lines else []), *([whole] if entries else [])])
