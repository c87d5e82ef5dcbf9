"""Judges one implementation for CI. It fails for what became worse than at a base (--base), or for what a known-divergence
file does not list and for the entries of the file that no longer hold."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path

from msgspec import Struct

from ..compare.attribution import Attribution
from ..compare.run_diff import Comparison
from ..errors import (
    AdapterUnavailable,
    CorpusError,
    RecordError,
    UsageError,
    one_line,
    printable,
)
from ..gate.as_at_base import as_at_base, expected_as
from ..gate.findings import Declared, findings, gate_after, masked_listings, path_findings, unmatched_names
from ..gate.fixed import is_deleted, without_lines
from ..gate.known_corpus import written_for
from ..gate.known_divergences import KnownDivergences
from ..gate.known_reader import FILE_NAME, file_exists, unwritten_in
from ..gate.known_writer import digest_of, save_known
from ..gate.listing import counts, is_change, listing, that_ran
from ..gate.places import with_anchors
from ..gate.readings import reading_changes, reading_problems, requirement_problems
from ..gate.summary import GateSummary
from ..gate.update import changed, explained_failures, removed, updated, with_unobservable
from ..model import (
    FREE,
    Choice,
    GateFile,
    Implementation,
    RecordedResult,
    RunOptions,
    RunRecord,
    Status,
    path_word,
    replace,
    where,
)
from ..plan.setup import RunSetup, prepare
from ..records import line_of, relist
from ..report.run_summary import summarise
from ..report.suite_counts import system_of
from ..report.terminal.gate_text import GateReport, render, render_not_started
from ..report.terminal.known_file_text import KnownFile, render_written
from ..transport.change import path_in_repository
from .base_revision import Base, judged_base
from .compare import compared, older_record
from .gate_file import described_file, for_version, is_shipped_file, known_files, with_newer_corpus
from .gate_systems import check_offer, introduction, skip_systems
from .options import RUN, add_options, options_of, path_argument, record_path
from .recorded_run import execute_into_record
from .run import stopped_text
from .streams import medium, notice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    judged = "the implementation to judge: a shipped adapter by name, or [LABEL=]COMMAND; required"
    since = "an older record of this implementation: the text also lists the changes since then, which fail no gate"
    named = ["record", "known", "strict_corpus", "base", "readings", "since"]
    add_options(parser, [*RUN, *named], adapters=judged, since=since)
    written = parser.add_mutually_exclusive_group()
    for flag, what in _WRITTEN.items():
        written.add_argument(flag, type=path_argument, metavar="FILE", help=what)


_WRITTEN = {
    "--write-known": "update this known-divergence file from the run; new entries get the reason TODO, which you replace",
    "--fix-known": "only delete the stale and unmatched lines of this known-divergence file",
}


class _Gate(Struct, frozen=True):
    """What is settled before the first request. `shipped` is the path of the shipped file that a written one starts from, or
    is empty; `introduced` is the reply to `initialize`, if it was needed."""

    known: KnownDivergences
    known_file: KnownFile
    shipped: str
    skipped_systems: Sequence[str]
    declared: Declared
    introduced: Implementation | None


def run(arguments: argparse.Namespace) -> int:
    options, writing = options_of(arguments), arguments.write_known or arguments.fix_known
    _check_usage(options, arguments)
    with judged_base(options) as base:
        return _judged(options, writing, base, only_deletes=bool(arguments.fix_known))


def _judged(options: RunOptions, writing: Path | None, base: Base | None, *, only_deletes: bool) -> int:
    """The exit status of the gate, whose text is printed."""
    files = [expected_as(base.record, base.revision.commit)] if base else known_files(options, writing)
    path, today = record_path(options), date.today()
    before = older_record(options.since, path)
    with prepare(options, notice) as setup:
        if before:
            _check_older(before, setup)
        gate = _settled(setup, files, writing, base)
        setup.counts = lambda result: counts(gate.known, line_of(result), today)
        setup.is_change = lambda result: is_change(gate.known, line_of(result), today)
        summary = summarise(execute_into_record(setup, path, expect=lambda line: listing(gate.known, line, today)))
        if summary.not_started:
            sys.stdout.write(render_not_started(summary, writing))
            print(printable(f"record: {path}"))
            return AdapterUnavailable.exit_status
        check_offer(summary.record, gate.skipped_systems, setup)
        unchanged = base.unchanged(summary.record) if base else set()
        if unchanged:
            summary = summarise(relist(path, as_at_base(summary.record, unchanged)))
        results = that_ran(summary.record.results)
        accused = where(results, lambda result: result.case not in unchanged)
        found = findings(gate.known, accused, gate.declared, today)
        if masked := masked_listings(found, results):
            summary = summarise(relist(path, masked))
        state, known, file = summary.gate, gate.known, gate.known_file
        assert state is not None  # the header has the state of the file
        if writing:
            write = _fix if only_deletes else _write
            known = write(writing, gate, results, state, setup, today)
            file = replace(file, corpus=known.corpus, old_keys=())
            found = findings(known, results, gate.declared, today)
            state = gate_after(known, results, gate.declared, today, trusted=summary.trusted)
    report = GateReport(
        summary,
        state,
        [*found, *path_findings(known, state.new_paths, state.stale_paths)],
        reading_changes(known, accused),
        gate.skipped_systems,
        file,
        _changes(before, summary.record) if before else None,
        path_word(str(path)),
        _changes(base.record, summary.record) if base else None,
    )
    sys.stdout.write(render(report, medium()))
    print(printable(f"record: {path}"))
    if not summary.record.complete:
        print(stopped_text(options.max_failures, path, summary.record))
    return 0 if state.is_green else 1


def _check_usage(options: RunOptions, arguments: argparse.Namespace) -> None:
    """Raises what is wrong with the options of a gate."""
    writing = arguments.write_known or arguments.fix_known
    flag = "--fix-known" if arguments.fix_known else "--write-known"
    if len(options.adapters) != 1:
        raise UsageError("A gate judges one implementation. Name it with one --adapter.")
    if options.base and (options.known or writing):
        other = "--known" if options.known else flag
        raise UsageError(
            f"--base and {other} exclude each other: a gate compares with the base or with a file. Leave one out."
        )
    if writing and options.max_failures:
        raise UsageError(f"--max-failures and {flag} exclude each other: the file is written from all cases.")
    if writing and writing.is_dir():
        raise UsageError(f"{flag} {writing}: this is a folder. Name the file for the version: {writing / FILE_NAME}.")


def _check_older(before: RunRecord, setup: RunSetup) -> None:
    """Raises `RecordError` if the record of `--since` is of another corpus, implementation or system than the gate."""
    older, (name,) = one_line(setup.options.since), setup.connections
    then, now = before.metadata.corpus_digest, setup.corpus.digest
    if then != now:
        raise RecordError(
            f"--since {older}: this record is of another corpus: digest {one_line(then[:12])}, and this is {now[:12]}. "
            "Name a record of this corpus."
        )
    if name not in before.implementations:
        found = one_line(", ".join(before.implementations))
        raise RecordError(f"--since {older}: this record is of {found}, and not of {name}. Name a record of {name}.")
    judged, recorded = (
        {case.system for case in setup.cases},
        {system_of(result.case) for result in before.results},
    )
    if judged.isdisjoint(recorded):
        raise RecordError(
            f"--since {older}: this record is of the system {', '.join(sorted(recorded))}, and this gate judges "
            f"{', '.join(sorted(judged))}. Name a record of the same system."
        )


def _changes(before: RunRecord, after: RunRecord) -> Comparison:
    """The changes of the judged implementation; the others of the older record are none of the gate's."""
    return replace(compared(before, after), removed=())


def _settled(setup: RunSetup, files: Sequence[KnownDivergences], writing: Path | None, base: Base | None) -> _Gate:
    """Chooses the file, and gives the set-up what it says about the implementation."""
    options = setup.options
    needed = writing or not options.systems or any(known.model or known.versions for known in files)
    introduced = introduction(setup) if needed else None
    known = for_version(files, introduced)
    problems = [
        *reading_problems(known, setup.corpus.rulings),
        *requirement_problems(known, setup.corpus.requirements),
    ]
    known = with_newer_corpus(known, setup.corpus, strict=bool(options.strict_corpus))
    if problems and not known.newer:
        raise CorpusError(problems, known.shown)
    others = {case.system for case in setup.corpus.cases if base and case.name in base.cases}
    skipped_systems = [] if options.systems else skip_systems(setup, known, introduced, others)
    (name,) = setup.connections
    predicted, alternatives = _predicted(setup, known.model, introduced)
    known = replace(known, predicted=predicted, is_free=options.readings == FREE)
    # Against a base, the causes of failures are still those of the shipped file.
    causes = setup.known.get(name, KnownDivergences())
    setup.known[name] = replace(causes, unobservable=known.unobservable) if base else known
    heads = setup.corpus.cases
    declared = Declared(
        {case.name: case.operation for case in heads},
        {case.name: case.ruling for case in heads if case.ruling},
        alternatives,
        setup.corpus.requirements,
        setup.corpus.rulings,
    )
    unmatched, lost = unmatched_names(known, declared), unmatched_names(known, declared, Status.NEW_IN_CORPUS)
    sdk = setup.sdks.get(name)
    setup.gate = GateFile(
        digest=digest_of(known),
        unmatched=tuple(unmatched),
        without_reason=known.unwritten_reasons,
        places={**{path: known.place(path) for path in known.unobservable_names}, **unmatched, **lost},
        path=path_in_repository(Path(known.shown), sdk.folder if sdk else Path.cwd()) if known.shown else "",
        base=known.base,
        lost=tuple(lost),
    )
    shown = "" if options.known or (writing and file_exists(writing)) else known.shown
    options = replace(options, known=known.shown if options.known else "")
    known_file = KnownFile("", False, "", base=base.text) if base else described_file(options, known, writing)
    return _Gate(known, known_file, shown, skipped_systems, declared, introduced)


def _write(
    path: Path, gate: _Gate, results: Sequence[RecordedResult], state: GateSummary, setup: RunSetup, today: date
) -> KnownDivergences:
    """Writes the file that explains the results, and prints what it changed."""
    before, declared = gate.known, gate.declared
    known = updated(before, results, declared, lambda model: _predicted(setup, model, gate.introduced)[0])
    known = with_unobservable(known, state.new_paths, {*state.stale_paths, *state.unmatched, *state.lost})
    for sdk in setup.sdks.values():
        known = with_anchors(known, sdk.text_of)
    if not is_shipped_file(path):
        ran = {seen.case for seen in results}
        known = replace(known, corpus=written_for(setup.corpus, before.corpus, ran, explained_failures(known, results)))
    save_known(path, known)
    lost = removed(before, known, results, declared, today)
    sys.stdout.write(render_written(path, gate.shipped, changed(before, results), lost, unwritten_in(path)))
    return known


def _fix(
    path: Path, gate: _Gate, results: Sequence[RecordedResult], state: GateSummary, setup: RunSetup, today: date
) -> KnownDivergences:
    """Writes the file without the lines that do not hold, and prints them."""
    before, declared = gate.known, gate.declared
    found = [*findings(before, results, declared, today), *path_findings(before, (), state.stale_paths)]
    known = without_lines(before, {finding.name for finding in found if is_deleted(finding)})
    known = replace(known, predicted=_predicted(setup, known.model, gate.introduced)[0])
    if gate.shipped and not is_shipped_file(path):  # which is for the corpus beside it
        ran = {seen.case for seen in results}
        known = replace(known, corpus=written_for(setup.corpus, None, ran, explained_failures(known, results)))
    save_known(path, known)
    lost = removed(before, known, results, declared, today)
    sys.stdout.write(render_written(path, gate.shipped, (), lost))
    return known


def _predicted(
    setup: RunSetup, model: Choice, introduced: Implementation | None
) -> tuple[Mapping[str, Choice], Collection[str] | None]:
    """For each case that fails by the model: the part of the model that causes the failure; and the names that a model can
    have, None if nobody knows them. A difference at a place that the implementation cannot report is no failure."""
    if not model or introduced is None:
        return {}, None
    with setup.alternatives() as source:
        accepted = source.accepted() if source else None
        if source is None or accepted is None:
            return {}, None
        alternatives = {"=".join(filter(None, alternative)) for alternative in accepted}
        model = Choice(
            tuple(reading for reading in model.readings if "=".join(reading) in alternatives),
            tuple(name for name in model.deviations if name in alternatives),
        )
        attribution = Attribution(source, setup.corpus.rulings, setup.corpus.operations, model, introduced.unobservable)
        return dict(attribution.predicted_failures(setup.shard_cases())), alternatives
