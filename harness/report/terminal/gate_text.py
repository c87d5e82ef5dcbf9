"""GateReport → the text that `parity gate` prints: what to do first, the verdict last, next to the prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ...base.text_limits import MAX_NAME, MAX_STATEMENT, MAX_TEXT, MAX_WORD
from ...compare.run_diff import Comparison
from ...errors import Problem, one_line, printable
from ...gate.findings import GateFinding
from ...gate.readings import ReadingChange
from ...gate.summary import GateSummary, status_of
from ...gate.update import RemovedLine
from ...model import Status
from ..phrases import and_more, counts_text, first_and_more, observed_text, plural, verb
from ..result_text import (
    describe_implementations,
    describe_incidents,
    describe_not_started,
    describe_passes,
    listing_command,
)
from ..run_summary import RunSummary
from ..summary_text import known_texts, missing_texts, red_reasons
from .finding_text import MAX_SHOWN, describe_expired, describe_listed, describe_new, rows_to_delete
from .run_diff_text import render as render_changes

_MAX_LOG_LINES = 20
"""Lines of output shown for an adapter that does not start."""


class _Sort(NamedTuple):
    """Findings with one heading. `counted` names the count in it; `off_model`: models that predict too many failures;
    `is_line`: lines of the file, which are not to be changed in a shipped one."""

    status: Status
    lead: str
    counted: str
    text: str
    is_line: bool = True
    is_path: bool = False
    off_model: bool = False

    def of(self, findings: Sequence[GateFinding]) -> list[GateFinding]:
        """The findings of this sort."""
        wanted = (self.status, self.is_path, self.off_model)
        return [one for one in findings if (one.status, one.is_path, bool(one.off_model)) == wanted]

    def heading(self, group: Sequence[GateFinding], file: KnownFile) -> str:
        """`Delete 2 lines: the divergence no longer occurs (stale)`."""
        count = rows_to_delete(group) if self.counted == "rows" else plural(len(group), self.counted)
        lead = "{} of the shipped file" if file.rerun_command and self.is_line else self.lead
        return f"{lead.format(count)}: {self.text if file.path else _NO_FILE}"


_NO_FILE = "there is no known-divergence file (new)"
_NO_ENTRY = "the known-divergence file has no matching entry (new)"
_NOT_COMPARED = "the known-divergence file does not list what is not compared (new)"
_OFF_MODEL = (
    "a deviation or reading predicts a failure that does not occur (stale). Name a narrower one; or list the cases that "
    "still fail below `cases:` in its place, as `--write-known` does after a whole run; or delete the entry if a whole run "
    "shows none of its failures"
)
_SORTS = (
    _Sort(Status.NEW, "Fix or explain {}", "case", _NO_ENTRY, is_line=False),
    _Sort(Status.UNMATCHED, "Correct or delete {}", "line", "the corpus has no such case or operation (unmatched)"),
    _Sort(Status.STALE, "Correct {}", "model", _OFF_MODEL, is_line=False, off_model=True),
    _Sort(Status.STALE, "Delete {}", "rows", "the divergence no longer occurs (stale)"),
    _Sort(
        Status.EXPIRED,
        "Fix {}, or set a later date and give the reason",
        "case",
        "the expiry date has passed (expired)",
    ),
    _Sort(Status.NEW, "Report {}, or give the reason", "unobservable path", _NOT_COMPARED, is_line=False, is_path=True),
    _Sort(
        Status.STALE,
        "Delete {}",
        "rows",
        "the implementation does not declare the path unobservable (stale)",
        is_path=True,
    ),
)
"""In the order of the text."""


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
        return f"known-divergence file: {one_line(self.path, MAX_NAME) or 'none'}{shipped}"


@dataclass(frozen=True, slots=True)
class GateReport:
    """What the text of a gate is made of. `reading_changes` and `changes`, those since the record of `--since`, are
    information. `skipped_systems` did not run. `path` is the path of the record, for commands."""

    summary: RunSummary
    gate: GateSummary
    findings: Sequence[GateFinding]
    reading_changes: Sequence[ReadingChange]
    skipped_systems: Sequence[str]
    known_file: KnownFile
    changes: Comparison | None = None
    path: str = "RECORD"


def render(report: GateReport) -> str:
    """The whole text."""
    lines = [
        *describe_implementations(report.summary.record),
        "",
        *_findings(report),
        *_readings(report),
        *_flaky(report.summary),
        *_changes(report),
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


def render_written(
    path: Path,
    shipped: str,
    changed: Sequence[str],
    removed: Sequence[RemovedLine] = (),
    unwritten: Sequence[Problem] = (),
) -> str:
    """The text after writing `path`: the `shipped` file that it starts from, the cases with a new signature, whose
    reasons are TODO, the `removed` lines with their reasons, and what is `unwritten`."""
    lines = [f"written: {path} (use it with --known {path})"]
    if shipped:
        lines.append(f"It starts with the entries of the shipped file {shipped}")
    if changed:
        lines.append(f"{plural(len(changed), 'case')} with a new signature; the reason is TODO:")
        lines += [f"  {one_line(case, MAX_STATEMENT)}" for case in changed]
    lines += _removed(removed)
    lines += [f"{problem.place}  {problem.message} {problem.remedy}" for problem in unwritten]
    return "".join(f"{printable(line)}\n" for line in lines)


def _removed(lines: Sequence[RemovedLine]) -> Iterator[str]:
    """The removed lines below their reasons, and a warning where a new failure can have the same reason."""
    if not lines:
        return
    yield f"{plural(len(lines), 'line')} removed, which this run does not confirm:"
    for reason, group in groupby(sorted(lines, key=lambda line: line.reason), key=lambda line: line.reason):
        yield f"  reason: {one_line(reason, MAX_TEXT)}"
        names = [one_line(line.name, MAX_STATEMENT) for line in group]
        yield from (f"    {line}" for line in first_and_more(names, MAX_SHOWN))
    for operation, count in sorted({(line.operation, line.new_failures) for line in lines if line.new_failures}):
        yield (
            f"  Warning: {one_line(operation)} has {plural(count, 'new failure')} in this run. If a removed reason still "
            "holds, write it in place of the TODO."
        )


def _findings(report: GateReport) -> Iterator[str]:
    for sort in _SORTS:
        if group := sort.of(report.findings):
            yield sort.heading(group, report.known_file)
            is_new_case = sort.status is Status.NEW and not sort.is_path
            if is_new_case:
                yield from describe_new(group, report.summary)
                yield from _list_command(report)
            else:
                yield from describe_expired(group) if sort.status is Status.EXPIRED else describe_listed(group)
            yield ""
    yield from _update_commands(report.known_file, {finding.status for finding in report.findings})


def _list_command(report: GateReport) -> Iterator[str]:
    """The command that lists the cases that make the gate red; nothing if there is one case."""
    red, record = report.gate.red, report.summary.record
    if red.total() > 1 and (command := listing_command(record, record.implementations[0], red, report.path)):
        yield f"  list: {printable(command)}"


def _update_commands(file: KnownFile, found: set[Status]) -> Iterator[str]:
    """The commands that bring the file up to date."""
    path, todo = one_line(file.path, MAX_NAME), ", and replace each TODO with a reason" if Status.NEW in found else ""
    if file.rerun_command and found - {Status.NEW}:
        yield (
            f"Or update a copy of the shipped file {path}, which this command does not change. Run the first command"
            f"{todo}; then run the second:"
        )
        yield f"  {printable(file.update_command)}"
        yield f"  {printable(file.rerun_command)}"
        yield ""
    elif found - {Status.EXPIRED}:
        what = f"update {'a copy of ' if file.writes_copy else ''}the file {path}" if path else "write the entries"
        yield f"Or {what} with this command{todo}:"
        yield f"  {printable(file.update_command)}"
        yield ""


def _readings(report: GateReport) -> Iterator[str]:
    """The cases that follow another reading than the file lists; they do not fail the gate."""
    found = report.reading_changes
    if not found:
        return
    yield f"{plural(len(found), 'case')} {verb(len(found), 'follows', 'follow')} another reading than the file lists:"
    changes = [
        one_line(f"{one.case}: {one.ruling} {_reading(one.before)} → {_reading(one.after)}", MAX_NAME) for one in found
    ]
    yield from (f"  {line}" for line in first_and_more(changes, MAX_SHOWN))
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
    yield f"{plural(len(found), 'case')} {verb(len(found), 'is', 'are')} flaky: a second execution has another result:"
    for one in found[:MAX_SHOWN]:
        yield f"  {one_line(one.case, MAX_NAME)}"
        yield from (f"    {line}" for line in describe_passes(one))
    if more := and_more(len(found) - MAX_SHOWN, "case"):
        yield f"  … {more}"
    yield "  A flaky case is no evidence against a version. Run the gate again; --write-known lists the cases as flaky."
    yield ""


def _changes(report: GateReport) -> Iterator[str]:
    """What changed since the record of `--since`."""
    if report.changes is None:
        return
    older = one_line(report.changes.before.metadata.started_at, MAX_WORD)
    yield f"Changes since the older record of {older} (information, which fails no gate):"
    yield from (f"  {line}".rstrip() for line in render_changes(report.changes, report.summary).splitlines())
    yield ""


def _reading(reading: str) -> str:
    return f"reading {reading}" if reading else "the adopted reading"


def _results(report: GateReport) -> Iterator[str]:
    summary = report.summary
    yield from describe_incidents(summary.record.incidents)
    yield from missing_texts(summary)
    known = ", ".join(known_texts(report.gate.known, report.gate.known_unsupported))
    for name, counts in summary.totals.items():
        yield f"{name}: {counts_text(counts)}; {known}"
        yield from _observed(summary, name)
        if report.skipped_systems:
            yield f"skipped: {', '.join(map(one_line, report.skipped_systems))} ({name} implements none of their operations)"


def _observed(summary: RunSummary, name: str) -> Iterator[str]:
    """Each operation of which the implementation does not report all, with the share and the paths."""
    entry = summary.record.metadata.implementation(name)
    unobservable = entry.identity.unobservable if entry and entry.identity else {}
    for one in sorted(summary.operations.get(name, ()), key=lambda one: one.operation):
        if not one.observed.is_whole:
            paths = ", ".join(unobservable.get(one.operation, ()))
            yield one_line(f"  {observed_text(one.observed)} of {one.operation}; not reported: {paths}", MAX_NAME)


def _verdict(report: GateReport) -> str:
    return (
        "gate: green" if report.gate.is_green else f"gate: RED ({', '.join(red_reasons(report.summary, report.gate))})"
    )
