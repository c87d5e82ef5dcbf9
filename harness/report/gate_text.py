"""GateReport → the text that `parity gate` prints: what to do first, the verdict last, next to the prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ..compare.causes import UNEXPLAINED
from ..compare.gate_findings import GateFinding, ReadingChange
from ..compare.known_divergences import NewReason, Status
from ..compare.known_update import RemovedLine
from ..errors import one_line, printable
from ..model import FAILING, Verdict, replace, rows, where
from .gate_summary import NEW_REASON_TEXT, status_of
from .group_text import describe_groups
from .run_diff_text import cause_lines
from .summary import RunSummary
from .summary_text import doubt_texts, known_texts, missing_texts, observed_parts, path_text, red_text
from .text import describe_implementations, describe_incidents, describe_not_started, describe_passes, plural

MAX_SHOWN = 20
"""Findings listed for each status, and changed readings; new failures are listed by group."""

_MAX_OFF_MODEL = 5
"""Cases listed for a model that predicts too many failures."""

_MAX_LOG_LINES = 20
"""Lines of output shown for an adapter that does not start."""

_HEADINGS = {
    Status.NEW: "Fix or explain {cases}: the known-divergence file has no matching entry (new)",
    Status.UNMATCHED: "Correct or delete {lines}: the corpus has no such case or operation (unmatched)",
    Status.STALE: "Delete {rows}: the divergence no longer occurs (stale)",
    Status.EXPIRED: "Fix {cases}, or set a later date and give the reason: the expiry date has passed (expired)",
}
_PATH_HEADINGS = {
    Status.NEW: "Report {paths}, or give the reason: the known-divergence file does not list what is not compared (new)",
    Status.STALE: "Delete {rows}: the implementation does not declare the path unobservable (stale)",
}
_SHIPPED_PATH_HEADINGS = {
    Status.STALE: "{rows} of the shipped file: the implementation does not declare the path unobservable (stale)",
}
_OFF_MODEL = (
    "Correct {models}: a deviation or reading predicts a failure that does not occur (stale). Name a narrower one; or list "
    "the cases that still fail below `cases:` in its place, as `--write-known` does after a whole run; or delete the entry "
    "if a whole run shows none of its failures"
)
_SHIPPED_HEADINGS = {
    Status.UNMATCHED: "{lines} of the shipped file: the corpus has no such case or operation (unmatched)",
    Status.STALE: "{rows} of the shipped file: the divergence no longer occurs (stale)",
    Status.EXPIRED: "{cases} of the shipped file: the expiry date has passed (expired)",
}


@dataclass(frozen=True, slots=True)
class KnownFile:
    """The known-divergence file of a gate. `path` is empty without one; `is_shipped` if it comes with parity.

    `update_command` brings the file up to date, or with `writes_copy` another one that begins with its entries. For a
    shipped file outside its checkout, `rerun_command` runs the gate with that copy; otherwise it is empty.
    """

    path: str
    is_shipped: bool
    update_command: str
    rerun_command: str = ""
    writes_copy: bool = False

    def description(self) -> str:
        """One line with its path."""
        shipped = " (shipped with parity)" if self.is_shipped else ""
        return f"known-divergence file: {one_line(self.path, 400) or 'none'}{shipped}"


@dataclass(frozen=True, slots=True)
class GateReport:
    """A run compared with a known-divergence file. `known` and `known_unsupported` count the explained results,
    `unwritten_reasons` the reasons that are TODO. `skipped_systems` did not run. `reading_changes` are information."""

    summary: RunSummary
    findings: Sequence[GateFinding]
    reading_changes: Sequence[ReadingChange]
    known: int
    known_unsupported: int
    unwritten_reasons: int
    skipped_systems: Sequence[str]
    known_file: KnownFile

    @property
    def is_green(self) -> bool:
        """Whether the gate passes."""
        return not self.findings and not self.unwritten_reasons and self.summary.trusted

    def by_status(self, *, paths: bool = False) -> Mapping[Status, Sequence[GateFinding]]:
        """The findings about results, or those about unobservable paths, in the order of the text."""
        found = [finding for finding in self.findings if finding.is_path == paths]
        return {status: [finding for finding in found if finding.status is status] for status in _HEADINGS}


def render(report: GateReport) -> str:
    """The whole text."""
    lines = [
        *describe_implementations(report.summary.record),
        "",
        *_findings(report),
        *_readings(report),
        *_flaky(report.summary),
        *_results(report),
        report.known_file.description(),
        _verdict(report),
    ]
    return "".join(f"{line}\n" for line in lines)


def render_not_started(summary: RunSummary, write_path: Path | None) -> str:
    """The whole text for an adapter that does not start; `write_path` is the file that is not written for this reason."""
    lines = [
        line
        for name, cause in summary.not_started.items()
        for line in describe_not_started(name, cause, summary.record, _MAX_LOG_LINES)
    ]
    if write_path:
        lines.append(printable(f"{write_path} is not written, because no case ran."))
    names = ", ".join(map(one_line, summary.not_started))
    return "".join(f"{line}\n" for line in (*lines, f"gate: RED ({names} did not start)"))


def render_written(path: Path, shipped: str, changed: Sequence[str], removed: Sequence[RemovedLine] = ()) -> str:
    """The text after writing `path`: the `shipped` file that it starts from, the cases with a new signature, whose
    reasons are TODO, and the `removed` lines with their reasons."""
    lines = [f"written: {path} (use it with --known {path})"]
    if shipped:
        lines.append(f"It starts with the entries of the shipped file {shipped}")
    if changed:
        lines.append(f"{plural(len(changed), 'case')} with a new signature; the reason is TODO:")
        lines += [f"  {one_line(case, 300)}" for case in changed]
    lines += _removed(removed)
    return "".join(f"{printable(line)}\n" for line in lines)


def _removed(lines: Sequence[RemovedLine]) -> Iterator[str]:
    """The removed lines below their reasons, and a warning where a new failure can have the same reason."""
    if not lines:
        return
    yield f"{plural(len(lines), 'line')} removed, which this run does not confirm:"
    for reason, group in groupby(sorted(lines, key=lambda line: line.reason), key=lambda line: line.reason):
        yield f"  reason: {one_line(reason, 1000)}"
        names = [line.name for line in group]
        yield from (f"    {one_line(name, 300)}" for name in names[:MAX_SHOWN])
        if len(names) > MAX_SHOWN:
            yield f"    … and {len(names) - MAX_SHOWN} more"
    for operation, count in sorted({(line.operation, line.new_failures) for line in lines if line.new_failures}):
        yield (
            f"  Warning: {one_line(operation)} has {plural(count, 'new failure')} in this run. If a removed reason still "
            "holds, write it in place of the TODO."
        )


def _findings(report: GateReport) -> Iterator[str]:
    groups = report.by_status()
    is_read_only = bool(report.known_file.rerun_command)
    headings = _HEADINGS | _SHIPPED_HEADINGS if is_read_only else _HEADINGS
    path_headings = _PATH_HEADINGS | _SHIPPED_PATH_HEADINGS if is_read_only else _PATH_HEADINGS
    for status, group in groups.items():
        if status is Status.STALE:
            off = [finding for finding in group if finding.off_model]
            group = [finding for finding in group if not finding.off_model]
            if off:
                yield _OFF_MODEL.format(models=plural(len(off), "model"))
                yield from _listed(off)
                yield ""
        if group:
            yield headings[status].format(
                lines=plural(len(group), "line"), cases=plural(len(group), "case"), rows=_rows(group)
            )
            yield from _new(group, report.summary) if status is Status.NEW else _listed(group)
            yield ""
    of_paths = report.by_status(paths=True)
    for status, heading in path_headings.items():
        if group := of_paths[status]:
            yield heading.format(paths=plural(len(group), "unobservable path"), rows=_rows(group))
            yield from _listed(group)
            yield ""
    found = {finding.status for finding in report.findings}
    yield from _update_commands(report.known_file, found)


def _update_commands(file: KnownFile, found: Collection[Status]) -> Iterator[str]:
    """The commands that bring the file up to date."""
    path, todo = one_line(file.path, 400), ", and replace each TODO with a reason" if Status.NEW in found else ""
    if file.rerun_command and any(status in found for status in _SHIPPED_HEADINGS):
        yield (
            f"Or update a copy of the shipped file {path}, which is read-only here. These commands write the copy and run "
            f"the gate with it{todo}:"
        )
        yield f"  {printable(file.update_command)}"
        yield f"  {printable(file.rerun_command)}"
        yield ""
    elif any(status is not Status.EXPIRED for status in found):
        what = f"update {'a copy of ' if file.writes_copy else ''}the file {path}" if path else "write the entries"
        yield f"Or {what} with this command{todo}:"
        yield f"  {printable(file.update_command)}"
        yield ""


def _readings(report: GateReport) -> Iterator[str]:
    """The cases that follow another reading than the file lists; they do not fail the gate."""
    found = report.reading_changes
    if not found:
        return
    yield f"{plural(len(found), 'case')} {'follows' if len(found) == 1 else 'follow'} another reading than the file lists:"
    for one in found[:MAX_SHOWN]:
        change = f"{_reading(one.before)} → {_reading(one.after)}"
        yield one_line(f"  {one.case}: {one.ruling} {change}", 400)
    if len(found) > MAX_SHOWN:
        yield f"  … and {len(found) - MAX_SHOWN} more"
    yield "  This is information and fails no gate. --write-known lists the present readings."
    yield ""


def _flaky(summary: RunSummary) -> Iterator[str]:
    """The flaky cases without an entry: they blame no version, and keep the gate from green."""
    found = [
        one
        for results in summary.flaky.values()
        for one in results
        if one.is_unstable and status_of(one) is not Status.KNOWN
    ]
    if not found:
        return
    yield f"{plural(len(found), 'case')} {'is' if len(found) == 1 else 'are'} flaky: a second execution has another result:"
    for one in found[:MAX_SHOWN]:
        yield f"  {one_line(one.case, 400)}"
        yield from (f"    {line}" for line in describe_passes(one))
    if len(found) > MAX_SHOWN:
        yield f"  … and {len(found) - MAX_SHOWN} more"
    yield "  A flaky case is no evidence against a version. Run the gate again; --write-known lists the cases as flaky."
    yield ""


def _reading(reading: str) -> str:
    return f"reading {reading}" if reading else "the adopted reading"


def _results(report: GateReport) -> Iterator[str]:
    summary = report.summary
    yield from describe_incidents(summary.record.incidents)
    yield from missing_texts(summary)
    known = ", ".join(known_texts(report.known, report.known_unsupported))
    for name, counts in summary.totals.items():
        verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
        yield f"{name}: {verdicts}; {known}"
        if observed := observed_parts(summary, name):
            yield f"  {observed}"
        if report.skipped_systems:
            yield f"skipped: {', '.join(map(one_line, report.skipped_systems))} ({name} implements none of their operations)"


def _verdict(report: GateReport) -> str:
    if report.is_green:
        return "gate: green"
    gate = report.summary.gate
    reasons = [
        red_text(status, gate.red[status] if gate and gate.red[status] else len(group))
        for status, group in report.by_status().items()
        if group
    ]
    reasons += [path_text(status, len(group)) for status, group in report.by_status(paths=True).items() if group]
    reasons += [plural(report.unwritten_reasons, "unwritten reason")] if report.unwritten_reasons else []
    return f"gate: RED ({', '.join([*reasons, *doubt_texts(report.summary)])})"


def _new(group: Sequence[GateFinding], summary: RunSummary) -> Iterator[str]:
    """New failures by failure group, errors first; new unsupported cases by operation and reason, the most frequent
    first."""
    record = summary.record
    failing = {
        result.case: replace(result.line, expectation=None)
        for result in where(record.results, lambda outcome: outcome.verdict in FAILING)
    }
    found = {one.name: one for one in group if one.name in failing}
    yield from describe_groups([failing[name] for name in found], record, lambda result: _line(found[result.case]))
    yield from _by_cause(list(found.values()))
    operation_of = {case.case: case.operation for case, _, _ in rows(record.results)}
    unsupported = Counter(
        (operation_of[one.name], f"{_finding_text(one)}{_listed_text(one)}") for one in group if one.name not in failing
    ).most_common()
    for (operation, text), count in unsupported[:MAX_SHOWN]:
        yield f"  {one_line(operation)}: {plural(count, 'case')} {one_line(text, 700)}"
    rest = sum(count for _, count in unsupported[MAX_SHOWN:])
    if rest:
        yield f"  … and {plural(rest, 'more case')} of other operations or reasons"


def _by_cause(failing: Sequence[GateFinding]) -> Iterator[str]:
    """`by cause:`, and a line for each cause; nothing if no failure has one."""
    counts = Counter(
        f"another failure than {' and '.join(one.predicted)} predicts"
        if one.predicted and not one.unlisted
        else " and ".join(one.causes) or UNEXPLAINED
        for one in failing
    )
    if {*counts} - {UNEXPLAINED}:
        yield "  by cause:"
        yield from (f"    {line}" for line in cause_lines(dict(counts.most_common())))


def _listed(group: Sequence[GateFinding]) -> Iterator[str]:
    """A line for each finding."""
    entry = ""
    for finding in group[:MAX_SHOWN]:
        if finding.entry not in ("", entry):
            yield f"  {finding.entry}  the whole entry, because none of its lines applies:"
        entry = finding.entry
        yield f"  {_line(finding)}"
        yield from (f"      {one_line(case, 300)}" for case in finding.off_model[:_MAX_OFF_MODEL])
        if len(finding.off_model) > _MAX_OFF_MODEL:
            yield f"      … and {len(finding.off_model) - _MAX_OFF_MODEL} more"
    if len(group) > MAX_SHOWN:
        yield f"  … and {len(group) - MAX_SHOWN} more"


def _line(finding: GateFinding) -> str:
    place = f"{finding.place}  " if finding.place else ""
    return f"{place}{one_line(finding.name, 300)}: {one_line(_finding_text(finding), 300)}{_listed_text(finding)}"


def _listed_text(finding: GateFinding) -> str:
    """The reason of the known failure of the case; empty without one."""
    if not finding.listed_reason:
        return ""
    label = "the listed reason" if finding.verdict in FAILING else "the file lists a failure"
    return f"; {label}: {one_line(finding.listed_reason, 300)}"


def _finding_text(finding: GateFinding) -> str:
    """`fail, not a known divergence (signature 0123456789ab)`, or the text of a line of the file."""
    if finding.reason is None:
        return finding.seen
    is_failure = finding.verdict in FAILING
    detail = f"signature {finding.seen}" if is_failure and finding.seen else finding.seen
    return f"{finding.verdict}, {_reason_text(finding, finding.reason)}{f' ({detail})' if detail else ''}"


def _reason_text(finding: GateFinding, reason: NewReason) -> str:
    """Why a result is new: the causes that the file does not name, the prediction that does not hold, or the reason."""
    if finding.unlisted and reason is not NewReason.OTHER_SIGNATURE:
        causes = finding.causes or finding.unlisted
        readings = [one for one in finding.unlisted if one not in causes]
        models = [f"an entry with `model: {one}`" for one in finding.unlisted if one in causes]
        follows = [f"`{one.replace('=', ': ')}`" for one in readings]
        add = ", and ".join([*models, *([f"{', '.join(follows)} to `follows:`"] if follows else [])])
        beside = f" with {' and '.join(readings)}" if readings else ""
        return f"explained by {' and '.join(causes)}{beside}, which the file does not name: add {add}"
    if finding.predicted:
        return f"another failure than {' and '.join(finding.predicted)} predicts"
    return NEW_REASON_TEXT[reason]


def _rows(group: Sequence[GateFinding]) -> str:
    """The rows to delete: `3 lines`, `1 whole entry`, or both."""
    lines, entries = sum(not finding.entry for finding in group), len({finding.entry for finding in group} - {""})
    whole = "1 whole entry" if entries == 1 else f"{entries} whole entries"
    return " and ".join([*([plural(lines, "line")] if lines else []), *([whole] if entries else [])])
