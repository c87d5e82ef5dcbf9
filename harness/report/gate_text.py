"""What a gate found → the text that `parity gate` prints: what to do about it, and the verdict last, next to the prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from harness.compare.known_divergences import GateFinding, Status
from harness.errors import one_line, printable
from harness.model import FAILING, RunRecord, Verdict
from harness.report.summary import not_started, totals, unanswered_implementations
from harness.report.text import describe, describe_implementations, describe_incidents, describe_not_started, plural

MAX_SHOWN = 20
"""Findings listed of one status."""

MAX_IN_FULL = 3
"""New failures whose differences are shown as well."""

_LAST_LINES = 20
"""Lines of what an adapter printed before it failed to start."""

_HEADS = {
    Status.UNMATCHED: "Correct or delete {lines}: the corpus has nothing of this name (unmatched)",
    Status.STALE: "Delete {rows}: what is explained there is no longer so (stale)",
    Status.EXPIRED: "Mend {cases}, or set a later day and say why: the day in the entry has passed (expired)",
    Status.NEW: "Mend or explain {cases}: no line of the known-divergence file explains this (new)",
}
_HEADS_OF_ANOTHERS = {
    Status.UNMATCHED: "{lines} of the shipped file: the corpus has nothing of this name (unmatched)",
    Status.STALE: "{rows} of the shipped file: what is explained there is no longer so (stale)",
    Status.EXPIRED: "{cases} of the shipped file: the day in the entry has passed (expired)",
}


@dataclass(frozen=True, slots=True)
class JudgedBy:
    """The known-divergence file of a gate: its path, empty if there is none, and whether it is shipped with parity.

    `update` is the command that brings it up to date. Of a file that is not the user's to edit, that writes another one,
    and `again` is the command that judges by the other one; else it is empty.
    """

    shown: str
    is_shipped: bool
    update: str
    again: str = ""

    def sentence(self) -> str:
        """One line that names it."""
        shipped = " (the one shipped with parity)" if self.is_shipped else ""
        return f"known-divergence file: {one_line(self.shown, 400) or 'none'}{shipped}"


def render(
    record: RunRecord,
    found: Sequence[GateFinding],
    known: Sequence[str],
    waiting: int,
    left_out: Sequence[str],
    judged_by: JudgedBy,
) -> str:
    """The whole text. `known` tells how many results are explained, `waiting` how many reasons are still to be written,
    `left_out` names the systems that were not judged."""
    groups = {status: [finding for finding in found if finding.status is status] for status in _HEADS}
    counts = [f"{len(group)} {status}" for status, group in groups.items() if group]
    if waiting:
        counts.append(f"{plural(waiting, 'reason')} to write")
    lines = [
        *describe_implementations(record),
        "",
        *_findings(groups, record, judged_by),
        *_judged(record, known, left_out),
    ]
    return "".join(f"{line}\n" for line in (*lines, judged_by.sentence(), _verdict(record, counts)))


def not_judged(record: RunRecord, writing: Path | None) -> str:
    """The whole text where the adapter did not start; `writing` is the file that therefore was not written."""
    silent = not_started(record)
    lines = [line for name, why in silent.items() for line in describe_not_started(name, why, record, _LAST_LINES)]
    if writing:
        lines.append(printable(f"{writing} was not written, for nothing was judged."))
    names = ", ".join(map(one_line, silent))
    return "".join(f"{line}\n" for line in (*lines, f"gate: RED ({names} could not be built or started)"))


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


def _findings(groups: Mapping[Status, Sequence[GateFinding]], record: RunRecord, judged_by: JudgedBy) -> Iterator[str]:
    heads = {**_HEADS, **_HEADS_OF_ANOTHERS} if judged_by.again else _HEADS
    is_anothers = bool(judged_by.again) and any(groups[status] for status in _HEADS_OF_ANOTHERS)
    if is_anothers:
        yield (
            "The file that is shipped with parity does not hold here, and is not yours to edit. Let parity write one of "
            "your own that begins with it, and judge by that:"
        )
        yield f"  {printable(judged_by.update)}"
        yield f"  {printable(judged_by.again)}"
        yield ""
    for status, group in groups.items():
        if group:
            told = {"lines": plural(len(group), "line"), "cases": plural(len(group), "case"), "rows": _rows(group)}
            yield heads[status].format(**told)
            yield from _new(group, record) if status is Status.NEW else _listed(group)
            yield ""
    if not is_anothers and any(group for status, group in groups.items() if status is not Status.EXPIRED):
        yield "Or let parity write the lines, and you the reasons that it leaves as TODO:"
        yield f"  {printable(judged_by.update)}"
        yield ""


def _judged(record: RunRecord, known: Sequence[str], left_out: Sequence[str]) -> Iterator[str]:
    yield from describe_incidents(record.incidents)
    yield from unanswered_implementations(record)
    for name, counts in totals(record).items():
        verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
        yield f"{name}: {verdicts}; {', '.join(known)}"
        if left_out:
            yield f"not judged: {', '.join(map(one_line, left_out))} ({name} offers none of their operations)"


def _verdict(record: RunRecord, counts: Sequence[str]) -> str:
    amiss = [*counts, *([plural(len(record.incidents), "incident")] if record.incidents else [])]
    amiss += ["something was not judged"] if unanswered_implementations(record) else []
    return f"gate: RED ({', '.join(amiss)})" if amiss else "gate: green"


def _new(group: Sequence[GateFinding], record: RunRecord) -> Iterator[str]:
    """What fails case by case, the first of them whole; what is unsupported by operation and reason, the most first."""
    failing = {result.case: replace(result, expectation=None) for result in record.results if result.verdict in FAILING}
    failures = [finding for finding in group if finding.name in failing]
    in_full = {one.name: [*describe(failing[one.name], record)] for one in failures[:MAX_IN_FULL]}
    yield from _listed(failures, in_full)
    operation_of = {result.case: result.operation for result in record.results}
    gaps = Counter((operation_of[one.name], one.seen) for one in group if one.name not in failing).most_common()
    for (operation, seen), count in gaps[:MAX_SHOWN]:
        yield f"  {one_line(operation)}: {plural(count, 'case')} {one_line(seen, 300)}"
    if len(gaps) > MAX_SHOWN:
        yield f"  … and {plural(sum(count for _, count in gaps[MAX_SHOWN:]), 'more case')} of other operations or reasons"


def _listed(group: Sequence[GateFinding], in_full: Mapping[str, Sequence[str]] = MappingProxyType({})) -> Iterator[str]:
    """A line for each finding; `in_full` has more about some cases."""
    entry = ""
    for finding in group[:MAX_SHOWN]:
        if finding.entry not in ("", entry):
            yield f"  {finding.entry}  the whole entry, for it explains nothing else:"
        entry = finding.entry
        place = f"{finding.place}  " if finding.place else ""
        yield f"  {place}{one_line(finding.name, 300)}: {one_line(finding.seen, 300)}"
        yield from (f"    {line}" for line in in_full.get(finding.name, ()))
    if len(group) > MAX_SHOWN:
        yield f"  … and {len(group) - MAX_SHOWN} more"


def _rows(group: Sequence[GateFinding]) -> str:
    """What is to be deleted: `3 lines`, `1 whole entry`, or both."""
    lines, entries = sum(not finding.entry for finding in group), len({finding.entry for finding in group} - {""})
    whole = "1 whole entry" if entries == 1 else f"{entries} whole entries"
    return " and ".join([*([plural(lines, "line")] if lines else []), *([whole] if entries else [])])
