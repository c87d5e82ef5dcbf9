"""Judges one implementation against a known-divergence file: fails for new failures and for stale entries."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

from msgspec import Struct

from ..compare.attribution import Attribution
from ..compare.causes import names_of
from ..compare.run_diff import Comparison
from ..errors import (
    AdapterUnavailable,
    CorpusError,
    EmptySelection,
    ParityError,
    RecordError,
    UsageError,
    one_line,
    printable,
)
from ..gate.findings import Declared, findings, gate_after, path_findings, unmatched_names
from ..gate.known_divergences import KnownDivergences
from ..gate.known_reader import FILE_NAME, file_exists, unwritten_in
from ..gate.known_writer import digest_of, save_known
from ..gate.listing import counts, listing, that_ran
from ..gate.readings import changes_of, reading_changes, reading_problems, requirement_problems
from ..gate.summary import GateSummary
from ..gate.update import changed, removed, updated, with_unobservable
from ..model import (
    DEFAULT_OPTIONS,
    FREE,
    Choice,
    GateFile,
    Implementation,
    RecordedResult,
    RunOptions,
    RunRecord,
    path_word,
    replace,
)
from ..plan.setup import RunSetup, prepare
from ..records import line_of
from ..report.run_summary import summarise
from ..report.suite_counts import system_of
from ..report.terminal.event_text import Notices
from ..report.terminal.gate_text import GateReport, KnownFile, render, render_not_started, render_written
from ..runner.execute import batches
from ..runner.stall import Stalled
from ..transport.change import path_in_repository
from .compare import compared, older_record
from .gate_file import described_file, for_version, known_files
from .interrupts import defer_interrupts, raise_pending_interrupt
from .options import RUN, add_options, options_of, path_argument, record_path
from .recorded_run import execute_into_record
from .run import stopped_text
from .streams import medium, notice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    judged = "the implementation to judge: a shipped adapter by name, or [LABEL=]COMMAND; required"
    since = "an older record of this implementation: the text also lists the changes since then, which fail no gate"
    add_options(parser, [*RUN, "record", "known", "readings", "since"], adapters=judged, since=since)
    parser.add_argument(
        "--write-known",
        type=path_argument,
        metavar="FILE",
        help="update this known-divergence file from the run; new entries get the reason TODO, which you replace",
    )


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
    options, writing = options_of(arguments), arguments.write_known
    _check_usage(options, writing)
    files, today = known_files(options, writing), date.today()
    path = record_path(options)
    before = older_record(options.since, path)
    with prepare(options, notice) as setup:
        if before:
            _check_older(before, setup)
        gate = _settled(setup, files, writing)
        setup.counts = lambda result: counts(gate.known, line_of(result), today)
        setup.is_change = lambda result: any(changes_of(gate.known, line_of(result)))
        summary = summarise(execute_into_record(setup, path, expect=lambda line: listing(gate.known, line, today)))
        if summary.not_started:
            sys.stdout.write(render_not_started(summary, writing))
            print(printable(f"record: {path}"))
            return AdapterUnavailable.exit_status
        _check_offer(summary.record, gate.skipped_systems, setup)
        results = that_ran(summary.record.results)
        state, known = summary.gate, gate.known
        assert state is not None  # the header has the state of the file
        if writing:
            known = _write(writing, gate, results, state, setup, today)
            state = gate_after(known, results, gate.declared, today, trusted=summary.trusted)
    report = GateReport(
        summary,
        state,
        [*findings(known, results, gate.declared, today), *path_findings(known, state.new_paths, state.stale_paths)],
        reading_changes(known, results),
        gate.skipped_systems,
        gate.known_file,
        _changes(before, summary.record) if before else None,
        path_word(str(path)),
    )
    sys.stdout.write(render(report, medium()))
    print(printable(f"record: {path}"))
    if not summary.record.complete:
        print(stopped_text(options.max_failures, path, summary.record))
    return 0 if state.is_green else 1


def _check_usage(options: RunOptions, writing: Path | None) -> None:
    """Raises what is wrong with the options of a gate."""
    if len(options.adapters) != 1:
        raise UsageError("A gate judges one implementation. Name it with one --adapter.")
    if writing and options.max_failures:
        raise UsageError("--max-failures and --write-known exclude each other: the file is written from all cases.")
    if writing and writing.is_dir():
        raise UsageError(
            f"--write-known {writing}: this is a folder. Name the file for the version: {writing / FILE_NAME}."
        )


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


def _settled(setup: RunSetup, files: Sequence[KnownDivergences], writing: Path | None) -> _Gate:
    """Chooses the file, and gives the set-up what it says about the implementation."""
    options = setup.options
    needed = writing or not options.systems or any(known.model or known.versions for known in files)
    introduced = _introduction(setup) if needed else None
    known = for_version(files, introduced)
    problems = [
        *reading_problems(known, setup.corpus.rulings),
        *requirement_problems(known, setup.corpus.requirements),
    ]
    if problems:
        raise CorpusError(problems, known.shown)
    skipped_systems = [] if options.systems else _skip_systems(setup, known, introduced)
    (name,) = setup.connections
    predicted, alternatives = _predicted(setup, known.model, introduced)
    setup.known[name] = known = replace(known, predicted=predicted, is_free=options.readings == FREE)
    heads = setup.corpus.cases
    declared = Declared(
        {case.name: case.operation for case in heads},
        {case.name: case.ruling for case in heads if case.ruling},
        alternatives,
        setup.corpus.requirements,
        setup.corpus.rulings,
    )
    unmatched, sdk = unmatched_names(known, declared), setup.sdks.get(name)
    setup.gate = GateFile(
        digest=digest_of(known),
        unmatched=tuple(unmatched),
        without_reason=known.unwritten_reasons,
        places={**{path: known.place(path) for path in known.unobservable_names}, **unmatched},
        path=path_in_repository(Path(known.shown), sdk.folder if sdk else Path.cwd()) if known.shown else "",
    )
    shown = "" if options.known or (writing and file_exists(writing)) else known.shown
    options = replace(options, known=known.shown if options.known else "")
    return _Gate(known, described_file(options, known, writing), shown, skipped_systems, declared, introduced)


def _write(
    path: Path, gate: _Gate, results: Sequence[RecordedResult], state: GateSummary, setup: RunSetup, today: date
) -> KnownDivergences:
    """Writes the file that explains the results, and prints what it changed."""
    before, declared = gate.known, gate.declared
    known = updated(before, results, declared, lambda model: _predicted(setup, model, gate.introduced)[0])
    known = with_unobservable(known, state.new_paths, {*state.stale_paths, *state.unmatched})
    save_known(path, known)
    lost = removed(before, known, results, declared, today)
    sys.stdout.write(render_written(path, gate.shipped, changed(before, results), lost, unwritten_in(path)))
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
        if not alternatives.issuperset(names_of(model)):
            return {}, alternatives
        attribution = Attribution(source, setup.corpus.rulings, setup.corpus.operations, model, introduced.unobservable)
        return dict(attribution.predicted_failures(setup.shard_cases())), alternatives


def _skip_systems(setup: RunSetup, known: KnownDivergences, introduced: Implementation | None) -> Sequence[str]:
    """Removes the cases of systems that the adapter does not implement, and returns the names of these systems.

    A system that the known-divergence file mentions stays, so that losing all of it is reported.
    """
    operations = setup.corpus.operations
    implemented = introduced.operations if introduced else frozenset()
    offered = {operations[operation].system for operation in implemented if operation in operations}
    judged = offered | {
        case.system
        for case in setup.corpus.cases
        if known.unsupported_name(case.name, case.operation) or known.divergence(case.name)
    }
    skipped_systems = sorted({case.system for case in setup.cases} - judged)
    if not offered or not skipped_systems:
        return ()
    setup.cases = [case for case in setup.cases if case.system in judged]
    if not setup.cases:
        raise EmptySelection(
            f"{one_line(next(iter(setup.connections)))} offers no operation of {', '.join(skipped_systems)}, "
            "and all selected cases belong there. Select other cases, or name the system with --system."
        )
    systems = tuple(sorted({case.system for case in setup.cases}))
    setup.options = replace(setup.options, systems=systems)
    return skipped_systems


def _check_offer(record: RunRecord, skipped_systems: Sequence[str], setup: RunSetup) -> None:
    """Raises `ParityError` if the adapter offered operations of a skipped system during the run."""
    operations, (entry,) = setup.corpus.operations, record.metadata.implementations
    offered = entry.identity.operations if entry.identity else ()
    late = {operations[name].system for name in offered if name in operations} & {*skipped_systems}
    if late:
        raise ParityError(
            f"{entry.name} offered no operation of {', '.join(sorted(late))} at its first start and offered one later, "
            "so that system was not judged. An adapter must offer the same operations at every start."
        )


def _introduction(setup: RunSetup) -> Implementation | None:
    """The adapter's reply to `initialize`; None if it does not start, which the run then reports."""
    plan = replace(setup.plan(), cases=setup.cases[:1], options=DEFAULT_OPTIONS)
    notices = Notices.of(setup)
    with defer_interrupts(), closing(batches(plan)) as stream:
        for batch in stream:
            raise_pending_interrupt()
            for event in batch:
                if isinstance(event, Stalled):
                    notices(event)
                else:  # the reply to initialize, or the first failure
                    return event if isinstance(event, Implementation) else None
    return None
