"""GateReport → the page that `parity gate` prints: what to do first, the verdict last, next to the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from shlex import quote
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from ...compare.run_diff import Change, Comparison
from ...errors import Problem, plural
from ...gate.findings import GateFinding
from ...gate.fixed import is_deleted
from ...gate.known_corpus import KnownCorpus
from ...gate.readings import ReadingChange
from ...gate.summary import GateSummary
from ...gate.update import RemovedLine
from ...model import FREE, PASSING, RecordedResult, RunMetadata, Status, Verdict, path_word, replace
from ..document import Block, Item, first_items, literal, sections
from ..document_terminal import Medium, render_document
from ..phrases import and_more, corpus_text, counts_text, observed_text, verb
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
from .finding_text import MAX_SHOWN, corpus_blocks, listed_blocks, new_blocks, rows_to_delete
from .run_diff_text import changed_sections

_MAX_LEAKS = 5
"""Cases with several answers that are shown."""

_MAX_CASES = 3
"""Cases listed for each changed reading."""

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
    is_unsupported: bool = False
    off_model: bool = False
    remedy: str = ""

    def of(self, findings: Sequence[GateFinding]) -> list[GateFinding]:
        """The findings of this sort."""
        wanted = (self.status, self.is_path, self.is_unsupported, self.off_model)

        def sort(finding: GateFinding) -> tuple[Status, bool, bool, bool]:
            return finding.status, finding.is_path, finding.is_unsupported, bool(finding.off_model)

        return [finding for finding in findings if sort(finding) == wanted]

    def heading(self, group: Sequence[GateFinding], file: KnownFile) -> str:
        """`Delete 2 lines: the divergence no longer occurs (stale)`."""
        count = rows_to_delete(group) if self.counted == "rows" else plural(len(group), self.counted)
        lead = "{} of the shipped file" if file.rerun_command and self.is_line else self.lead
        text = _WORSE if file.base else self.text if file.path else _NO_FILE
        if self.status is Status.STALE and not self.is_path:
            stale = sum(finding.stale for finding in group)
            text += f" ({plural(stale, 'stale case') if stale else 'stale: its cases fail, see above'})"
        return f"{lead.format(count)}: {text}{self.remedy}"


_NO_FILE = "there is no known-divergence file (new)"
_WORSE = "worse than at the base (new)"
_NO_ENTRY = "the known-divergence file has no matching entry (new)"
_NOT_COMPARED = "the known-divergence file does not list what is not compared (new)"
_OFF_MODEL = "a deviation or reading predicts a failure that does not occur"
_OF_OFF_MODEL = (
    ". Name a narrower one; or list the cases that still fail below `cases:` in its place, as `--write-known` does after a "
    "whole run; or delete the entry if a whole run shows none of its failures"
)
_SORTS = (
    _Sort(Status.NEW, "Fix or explain {}", "case", _NO_ENTRY, is_line=False),
    _Sort(Status.UNMATCHED, "Correct or delete {}", "line", "the corpus has no such case or operation (unmatched)"),
    _Sort(Status.STALE, "Correct {}", "model", _OFF_MODEL, is_line=False, off_model=True, remedy=_OF_OFF_MODEL),
    _Sort(Status.STALE, "Delete {}", "rows", "the divergence no longer occurs"),
    _Sort(
        Status.STALE,
        "Delete {}",
        "rows",
        "the implementation answers what the file lists as unsupported",
        is_unsupported=True,
    ),
    _Sort(
        Status.MASKED,
        "Keep {} for now",
        "rows",
        "the divergence does not show, and new failures of its operation can hide it (masked)",
    ),
    _Sort(
        Status.MASKED,
        "Keep {} for now",
        "model",
        "some of its failures do not show, and new failures of their operations can hide them (masked)",
        off_model=True,
    ),
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


class KnownFile(Struct, frozen=True):
    """The known-divergence file of a gate. `path` is empty without one; `is_shipped` if it comes with parity.

    `update_command` brings the file up to date, `fix_command` deletes lines of it; with `writes_copy`, they write another
    one that begins with its entries. For a shipped file outside its checkout, `rerun_command` runs the gate with that copy;
    otherwise it is empty.
    `lists_readings`: the file says which readings the implementation follows. `base`: the gate compares with a commit, which
    this line describes, and has no file. `corpus` and `old_keys` are those of its content.
    """

    path: str
    is_shipped: bool
    update_command: str
    fix_command: str = ""
    rerun_command: str = ""
    writes_copy: bool = False
    lists_readings: bool = True
    base: str = ""
    corpus: KnownCorpus | None = None
    old_keys: Sequence[Problem] = ()

    def description(self, run: RunMetadata) -> Iterator[str]:
        """A line with its path, or about the base; one with its corpus, if it is not that of the run; the renamed keys."""
        if self.base:
            yield self.base
            return
        yield f"known-divergence file: {self.path or 'none'}{' (shipped with parity)' if self.is_shipped else ''}"
        if self.corpus and not run.corpus_digest.startswith(self.corpus.digest):
            written, now = self.corpus, corpus_text(run.corpus_date, run.corpus_digest)
            yield f"  written for {corpus_text(written.date, written.digest)}; this is {now}"
        elif self.path and not self.is_shipped and not self.corpus:
            yield "  written for no named corpus, so each case of a newer one can fail the gate; --write-known names it"
        yield from (f"{key.place}  {key.message} {key.remedy}" for key in self.old_keys)


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


def render_written(
    path: Path,
    shipped: str,
    changed: Sequence[str],
    removed: Sequence[RemovedLine] = (),
    unwritten: Sequence[Problem] = (),
) -> str:
    """The text after writing `path`: the `shipped` file that it starts from, the cases with a new signature, whose
    reasons are TODO, the `removed` lines with their reasons, and what is `unwritten`."""
    blocks = [literal(f"written: {path} (use it with --known {quote(path_word(str(path)))})")]
    if shipped:
        blocks.append(literal(f"It starts with the entries of the shipped file {shipped}"))
    if changed:
        blocks.append(Item(f"{plural(len(changed), 'case')} with a new signature; the reason is TODO:"))
        blocks += (literal(case, 1) for case in changed)
    blocks += _removed(removed)
    blocks += (literal(f"{problem.place}  {problem.message} {problem.remedy}") for problem in unwritten)
    return render_document(blocks, Medium())


def _removed(lines: Sequence[RemovedLine]) -> Iterator[Item]:
    """The removed lines below their reasons, and a warning where a new failure can have the same reason."""
    if not lines:
        return
    yield Item(f"{plural(len(lines), 'line')} removed, which this run does not confirm:")
    for reason, group in groupby(sorted(lines, key=lambda line: line.reason), key=lambda line: line.reason):
        yield literal(f"reason: {reason}", 1)
        yield from first_items([line.name for line in group], MAX_SHOWN, depth=2)
    for operation, count in sorted({(line.operation, line.new_failures) for line in lines if line.new_failures}):
        yield literal(
            f"Warning: {operation} has {plural(count, 'new failure')} in this run. If a removed reason still holds, write "
            "it in place of the TODO.",
            1,
        )


Section: TypeAlias = "tuple[str, Iterable[Block]]"


def _findings(report: GateReport, width: int) -> Iterator[Section]:
    for sort in _SORTS:
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
