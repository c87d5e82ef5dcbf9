"""GateReport → the page that `parity gate` prints: what to do first, the verdict last, next to the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from ...compare.run_diff import Change, Comparison
from ...errors import plural
from ...gate.findings import GateFinding
from ...gate.fixed import is_deleted
from ...gate.readings import ReadingChange
from ...gate.summary import GateSummary
from ...model import FREE, PASSING, RecordedResult, Status, Verdict, replace
from ..document import Block, Item, first_items, literal, sections
from ..document_terminal import Medium, render_document
from ..phrases import and_more, counts_text, observed_text, verb
from ..result_text import (
    describe_implementations,
    describe_incidents,
    describe_not_started,
    describe_passes,
    listing_command,
)
from ..ruling_adherence import by_ruling, followers
from ..run_summary import RunSummary
from ..summary_text import known_texts, missing_texts, new_in_corpus_texts, red_reasons
from .finding_sorts import SORTS
from .finding_text import corpus_blocks, listed_blocks, new_blocks
from .known_file_text import KnownFile
from .run_diff_text import changed_sections

_MAX_LEAKS = 5
"""Cases with several answers that are shown."""

_MAX_CASES = 3
"""Cases listed for each changed reading."""

_MAX_LOG_LINES = 20
"""Lines of output shown for an adapter that does not start."""


class GateReport(Struct, frozen=True):
    """What the text of a gate is made of. `changes`, those since the record of `--since`, are information, and so are
    `reading_changes` with `--readings free`. `skipped_systems` did not run. `path` is the path of the record, for commands.
    """

    summary: RunSummary
    gate: GateSummary
    findings: Sequence[GateFinding]
    reading_changes: Sequence[ReadingChange]
    skipped_systems: Sequence[str]
    known_file: KnownFile
    changes: Comparison | None = None
    path: str = "RECORD"
    since_base: Comparison | None = None


def render(report: GateReport, medium: Medium) -> str:
    """The whole text."""
    summary = report.summary
    titled = [
        ("", map(literal, describe_implementations(summary.record))),
        *_state_leaks(summary.unstable),
        *_findings(report, medium.width),
        *_readings(report),
        *_new_in_corpus(report),
        *_update_commands(report),
        *_better(report, medium.width),
        *_changes(report, medium.width),
        (
            "",
            map(
                literal, (*_results(report), *report.known_file.description(summary.record.metadata), _verdict(report))
            ),
        ),
    ]
    return render_document(sections(titled), medium)


def render_not_started(summary: RunSummary, write_path: Path | None) -> str:
    """The whole text for an adapter that does not start; `write_path` is the file that is not written for this reason."""
    lines = [
        line
        for name, cause in summary.not_started.items()
        for line in describe_not_started(name, cause, summary.record, _MAX_LOG_LINES)
    ]
    if write_path:
        lines.append(f"{write_path} is not written, because no case ran.")
    lines.append(f"gate: RED ({', '.join(summary.not_started)} did not start)")
    return render_document(map(literal, lines), Medium())


Section: TypeAlias = "tuple[str, Iterable[Block]]"


def _findings(report: GateReport, width: int) -> Iterator[Section]:
    for sort in SORTS:
        if group := sort.of(report.findings):
            is_new_case = sort.status is Status.NEW and not sort.is_path
            blocks = [*new_blocks(group, report.summary, width), *_list_command(report)] if is_new_case else None
            yield sort.heading(group, report.known_file), blocks or listed_blocks(group)


def _new_in_corpus(report: GateReport) -> Iterator[Section]:
    """What an older corpus explains, for which the file was written; it does not fail the gate."""
    findings = [finding for finding in report.findings if finding.status is Status.NEW_IN_CORPUS]
    results = [finding.result for finding in findings if finding.result]
    lines = [finding for finding in findings if not finding.result]
    if results:
        note = "This fails no gate without --strict-corpus. --write-known takes it in."
        title = (
            f"New in the corpus: {plural(len(results), 'case')} that the file's corpus lacks or has in another form:"
        )
        yield title, [*corpus_blocks(results), Item(note)]
    if lines:
        note = "This fails no gate without --strict-corpus. --write-known deletes them, or lists the cases of a cause."
        count = plural(len(lines), "line")
        title = f"No longer in the corpus: {count} of the file {verb(len(lines), 'names', 'name')} what it had:"
        yield title, [*listed_blocks(lines), Item(note)]


def _list_command(report: GateReport) -> Iterator[Block]:
    """The command that lists the cases that make the gate red; nothing if there is one case."""
    red, record = report.gate.red, report.summary.record
    if red.total() > 1 and (command := listing_command(record, record.implementations[0], red, report.path)):
        yield literal(f"list: {command}")


def _update_commands(report: GateReport) -> Iterator[Section]:
    """The commands that bring the file up to date: one that deletes lines, if that is enough, else one that writes it."""
    file = report.known_file
    deleted = [*map(is_deleted, report.findings)]
    found = {*(finding.status for finding in report.findings), *report.gate.red} - {Status.EXPIRED, Status.MASKED}
    if file.base or not found:
        return
    is_deletion = all(deleted) and Status.READING not in found
    todo = ", and replace each TODO with a reason" if found & {Status.NEW, Status.NEW_IN_CORPUS} else ""
    command = file.fix_command if is_deletion else file.update_command
    copied = "a copy of " if file.writes_copy else ""
    if is_deletion:
        what = f"delete these lines in {copied}the file {file.path}"
    else:
        what = f"update {copied}the file {file.path}" if file.path else "write the entries"
    if file.rerun_command and found - {Status.NEW}:
        lead = (
            f"Or {what.replace('the file', 'the shipped file')}, which stays as it is. Run the first command{todo}; then "
            "run the second, and name the copy with --known from then on:"
        )
        yield "", [literal(lead), literal(command, 1), literal(file.rerun_command, 1)]
    else:
        lead = f"To take in what is new, {what}" if found <= {Status.NEW_IN_CORPUS} else f"Or {what}"
        yield "", [literal(f"{lead} with this command{todo}:"), literal(command, 1)]
    if any(deleted) and not is_deletion:
        yield "", [literal("To delete the lines that do not hold, and change no other:"), literal(file.fix_command, 1)]


def _readings(report: GateReport) -> Iterator[Section]:
    """The answers that follow another reading than the file lists, by ruling: a change that users can see."""
    changes, record = report.reading_changes, report.summary.record
    if not changes:
        return
    blocks: list[Block] = []
    for text, group in groupby(sorted(changes, key=lambda change: change.text), key=lambda change: change.text):
        listed = [*group]
        blocks.append(literal(f"{text}: {plural(len(listed), 'case')}"))
        ruling = record.metadata.rulings.get(listed[0].ruling)
        if ruling:
            blocks.append(literal(f"{ruling.title}: {ruling.readings[listed[0].after or ruling.adopted]}", 1))
        blocks += first_items([change.case for change in listed], _MAX_CASES, "case", 1)
    for id_ in sorted({change.ruling for change in changes}):
        following = followers(id_, record.metadata.rulings.get(id_), by_ruling(record.results)[id_], record)
        if following.is_mixed:
            counts = (f"{reading} in {plural(part.cases, 'case')}" for reading, part in following.readings.items())
            blocks.append(literal(f"{id_} is mixed, one answer contradicts another: {', '.join(counts)}"))
    cases = plural(len({change.case for change in changes}), "case")
    title = f"Check {cases}: users see an answer by another reading (changed reading)"
    note = "--readings free lets it pass."
    if record.metadata.options.readings == FREE:
        title, note = (
            f"{cases} with another reading than the file lists (information):",
            "--write-known lists the readings.",
        )
    yield title, [*blocks, Item(note)]


def _state_leaks(unstable: Sequence[RecordedResult]) -> Iterator[Section]:
    """The cases whose executions differ, with the answers of each. The executions differ in nothing but the process, and in
    what was asked before."""
    if unstable:
        blocks = [
            block
            for result in unstable[:_MAX_LEAKS]
            for block in (literal(result.case), *(literal(line, 1) for line in describe_passes(result)))
        ]
        more = and_more(len(unstable) - _MAX_LEAKS, "case")
        note = (
            "The same request has several answers, in fresh processes and in other orders. Look for what one request leaves "
            "to the next, such as a cache whose key lacks a part of the request. Only an answer that varies by chance "
            "belongs into a known-divergence file, with `flaky: true`."
        )
        title = f"Fix {plural(len(unstable), 'state leak')}: the answer depends on what was asked before (flaky)"
        yield title, [*blocks, *([Item(f"… {more}")] if more else []), Item(note)]


def _better(report: GateReport, width: int) -> Iterator[Section]:
    """What is better than at the base."""
    if report.since_base is not None:
        better = (Change.FIXED, Change.NEWLY_ANSWERED)
        changes = {
            name: tuple(change for change in changed if change.change in better and change.result.verdict in PASSING)
            for name, changed in report.since_base.changes.items()
        }
        if any(changes.values()):
            yield from changed_sections(replace(report.since_base, changes=changes, versions={}), report.summary, width)


def _changes(report: GateReport, width: int) -> Iterator[Section]:
    """What changed since the record of `--since`."""
    if report.changes is not None:
        older = report.changes.before.metadata.started_at
        yield "", [Item(f"Changes since the older record of {older} (information, which fails no gate):")]
        yield from changed_sections(report.changes, report.summary, width)


def _results(report: GateReport) -> Iterator[str]:
    summary = report.summary
    yield from describe_incidents(summary.record.incidents)
    yield from missing_texts(summary)
    known = ", ".join(known_texts(report.gate))
    for name, counts in summary.totals.items():
        yield f"{name}: {counts_text(counts)}; {known}"
        yield from _observed(summary, name)
        if counts[Verdict.VARIANT] and not report.known_file.lists_readings:
            yield "readings are not pinned: the known-divergence file lists none; --write-known lists them"
        if report.skipped_systems:
            yield f"skipped: {', '.join(report.skipped_systems)} ({name} implements none of their operations)"


def _observed(summary: RunSummary, name: str) -> Iterator[str]:
    """Each operation of which the implementation does not report all, with the share and the paths."""
    entry = summary.record.metadata.implementation(name)
    unobservable = entry.identity.unobservable if entry and entry.identity else {}
    for share in sorted(summary.operations.get(name, ()), key=lambda share: share.operation):
        if not share.observed.is_whole:
            paths = ", ".join(unobservable.get(share.operation, ()))
            yield f"  {observed_text(share.observed)} of {share.operation}; not reported: {paths}"


def _verdict(report: GateReport) -> str:
    gate = report.gate
    reasons = [*([] if gate.is_green else red_reasons(report.summary, gate)), *new_in_corpus_texts(gate)]
    return f"gate: {'green' if gate.is_green else 'RED'}" + (f" ({', '.join(reasons)})" if reasons else "")
