"""Judges one implementation against a known-divergence file: fails for new failures and for stale entries."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

from ..compare.attribution import Attribution, Model
from ..compare.causes import names_of
from ..corpus.case_table import cases_at, heads_of
from ..corpus.paths import shipped
from ..errors import AdapterUnavailable, CorpusError, EmptySelection, ParityError, UsageError, one_line, printable
from ..gate.findings import Declared, judge, unmatched_names
from ..gate.known_divergences import KnownDivergences
from ..gate.listing import GateInput, Judge
from ..gate.reader import FILE_NAME, file_exists, files_in, load_known
from ..gate.readings import reading_problems
from ..gate.update import changed, removed, updated, with_unobservable
from ..gate.writer import digest_of, save_known
from ..model import Choice, GateFile, Implementation, RunOptions, RunRecord, option_words, rows
from ..report.error_text import outcome_text
from ..report.failure_groups import result_group
from ..report.gate_text import GateReport, KnownFile, render, render_not_started, render_written
from ..report.summary import summarise
from ..runner.execute import batches
from ..runner.stall import Stalled
from ..transport.adapter_spec import adapter_of
from ..transport.manifest import shipped_manifests
from .interrupts import defer_interrupts, raise_pending_interrupt
from .options import RUN, add_options, options_of, path_argument, record_path
from .run import keep_whole, stopped_text
from .run_setup import RunSetup, execute_into_record, prepare


def add_arguments(parser: argparse.ArgumentParser) -> None:
    judged = "the implementation to judge: a shipped adapter by name, or [LABEL=]COMMAND; required"
    add_options(parser, [*RUN, "record", "known"], adapters=judged)
    parser.add_argument(
        "--write-known",
        type=path_argument,
        metavar="FILE",
        help="update this known-divergence file from the run; new entries get the reason TODO, which you replace",
    )


def run(arguments: argparse.Namespace) -> int:
    options = options_of(arguments)
    if len(options.adapters) != 1:
        raise UsageError("A gate judges one implementation. Name it with one --adapter.")
    if arguments.write_known and options.max_failures:
        raise UsageError("--max-failures and --write-known exclude each other: the file is written from all cases.")
    writing: Path | None = arguments.write_known
    if writing and writing.is_dir():
        raise UsageError(
            f"--write-known {writing}: this is a folder. Name the file for the version: {writing / FILE_NAME}."
        )
    files, today = _known(options, writing), date.today()
    path = record_path(options)
    with prepare(options) as setup:
        needed = writing or not options.systems or any(known.model.choice or known.versions for known in files)
        introduced = _introduction(setup) if needed else None
        known = _for_version(files, introduced)
        shipped_lines = "" if options.known or (writing and file_exists(writing)) else known.shown
        named = replace(setup.options, known=known.shown if options.known else "")
        known_file = _known_file(named, writing, str(writing or known.shown))
        if problems := [*reading_problems(known, setup.corpus.rulings)]:
            raise CorpusError(problems, known.shown)
        skipped_systems = [] if options.systems else _skip_systems(setup, known, introduced)
        keep_whole(path, setup.options, setup.corpus, by_gate=True)
        (name,) = setup.connections
        setup.known[name] = known
        setup.predicted[name], alternatives = _predicted(setup, known.model, introduced)
        heads = setup.corpus.heads
        declared = Declared(
            {case.name: case.operation for case in heads},
            {case.name: case.ruling for case in heads if case.ruling},
            alternatives,
        )
        setup.gate = GateFile(digest_of(known), unmatched_names(known, declared), known.unwritten_reasons)
        judging = Judge(known, setup.predicted[name], setup.corpus.rulings, today, result_group, outcome_text)
        setup.counts = judging.counts
        summary = summarise(execute_into_record(setup, path, expect=judging))
        if summary.not_started:
            sys.stdout.write(render_not_started(summary, writing))
            print(printable(f"record: {path}"))
            return AdapterUnavailable.exit_status
        _check_offer(summary.record, skipped_systems, setup)
        results: Sequence[GateInput] = [judging.seen[case.case] for case, _, _ in rows(summary.record.results)]
        new_paths, gone_paths = (summary.gate.new_paths, summary.gate.stale_paths) if summary.gate else ((), ())
        if writing:
            before = known
            known, results = updated(known, results, declared, lambda model: _predicted(setup, model, introduced)[0])
            known = with_unobservable(known, new_paths, (*gone_paths, *setup.gate.unmatched))
            save_known(writing, known)
            lost = removed(before, known, results, declared, today)
            sys.stdout.write(render_written(writing, shipped_lines, changed(before, results), lost))
    judgement = judge(known, results, declared, today, new_paths, gone_paths)
    report = GateReport(summary, judgement, skipped_systems, known_file)
    sys.stdout.write(render(report))
    print(printable(f"record: {path}"))
    if not summary.record.complete:
        print(stopped_text(options.max_failures, path, summary.record))
    return 0 if report.is_green else 1


def _known(options: RunOptions, writing: Path | None) -> list[KnownDivergences]:
    """The content of `--known`, else of an existing `--write-known`, else of the shipped adapter's own files."""
    if options.known:
        given = Path(options.known)
        if not file_exists(given):
            made = gate_command(replace(options, known=""), "--write-known", str(writing or given))
            raise ParityError(f"{given}: no such file. To create it: {made}")
        files = files_in(given) if given.is_dir() else [given]
        if not files:
            raise ParityError(f"{given}: the folder has no {FILE_NAME}. Name a file, or another folder.")
        return [load_known(file, allow_todo=writing is not None) for file in files]
    if writing is not None and file_exists(writing):
        return [load_known(writing, allow_todo=True)]
    manifest = shipped_manifests(shipped()).get(adapter_of(options.adapters[0].partition("=")[0]))
    return [load_known(file) for file in files_in(manifest.folder)] if manifest else []


def _for_version(files: Sequence[KnownDivergences], introduced: Implementation | None) -> KnownDivergences:
    """The file for the version that the implementation reports; one with `versions` comes before one without. Without a
    file at all, an empty one. Raises `UsageError` if no file is for this version."""
    if not files or introduced is None:
        return files[0] if files else KnownDivergences()
    fitting = [known for known in files if known.holds_for(introduced.version)]
    if not fitting:
        ranges = "; ".join(f"{known.shown} is for {one_line(known.versions)}" for known in files)
        raise UsageError(
            f"No known-divergence file is for version {one_line(introduced.version)}: {ranges}. "
            "Name a file for it with --known, or change `versions` in one of these."
        )
    return next((known for known in fitting if known.versions), fitting[0])


def gate_command(options: RunOptions, *more: str) -> str:
    """The `parity gate` command with these options and `more`, for a shell; it judges all cases, in one process."""
    return shlex.join(["parity", "gate", *option_words(replace(options, max_failures=0, jobs=1)), *more])


def _known_file(options: RunOptions, writing: Path | None, shown: str) -> KnownFile:
    """The file `shown` and the command that updates it; a shipped file outside its checkout is copied instead."""
    root = shipped()
    is_shipped = bool(shown) and Path(shown).resolve().is_relative_to(root)
    is_ours = Path.cwd().is_relative_to(root)  # the command runs inside the checkout
    if is_shipped and not is_ours:
        update = gate_command(options, "--write-known", FILE_NAME)
        again = gate_command(replace(options, known=""), "--known", FILE_NAME)
        return KnownFile(shown, True, update, again, writes_copy=True)
    target = writing or options.known or FILE_NAME
    writes_copy = bool(shown) and not (writing or options.known)
    return KnownFile(shown, is_shipped, gate_command(options, "--write-known", str(target)), writes_copy=writes_copy)


def _predicted(
    setup: RunSetup, model: Model, introduced: Implementation | None
) -> tuple[Mapping[str, Choice], Collection[str] | None]:
    """For each case that fails by the model: the part of the model that causes the failure; and the names that a model can
    have, None if nobody knows them. A difference at a place that the implementation cannot report is no failure."""
    if not model.choice or introduced is None:
        return {}, None
    with setup.alternatives() as source:
        accepted = source.accepted() if source else None
        if source is None or accepted is None:
            return {}, None
        alternatives = {"=".join(filter(None, one)) for one in accepted}
        if not alternatives.issuperset(names_of(model.choice)):
            return {}, alternatives
        attribution = Attribution(source, setup.corpus.rulings, setup.corpus.operations, model, introduced.unobservable)
        return dict(attribution.predicted_failures(setup.part_cases())), alternatives


def _skip_systems(setup: RunSetup, known: KnownDivergences, introduced: Implementation | None) -> Sequence[str]:
    """Removes the cases of systems that the adapter does not implement, and returns the names of these systems.

    A system that the known-divergence file mentions stays, so that losing all of it is reported.
    """
    operations = setup.corpus.operations
    implemented = introduced.operations if introduced else frozenset()
    offered = {operations[operation].system for operation in implemented if operation in operations}
    judged = offered | {
        case.system
        for case in setup.corpus.heads
        if known.unsupported_name(case.name, case.operation) or known.divergence(case.name)
    }
    skipped_systems = sorted({case.system for case in heads_of(setup.cases)} - judged)
    if not offered or not skipped_systems:
        return ()
    heads = enumerate(heads_of(setup.cases))
    setup.cases = cases_at(setup.cases, [index for index, case in heads if case.system in judged])
    if not setup.cases:
        raise EmptySelection(
            f"{one_line(next(iter(setup.connections)))} offers no operation of {', '.join(skipped_systems)}, "
            "and all selected cases belong there. Select other cases, or name the system with --system."
        )
    systems = tuple(sorted({case.system for case in heads_of(setup.cases)}))
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
    plan = replace(setup.plan(), cases=setup.cases[:1], passes=1, max_failures=0, jobs=1)
    notices = setup.notices()
    with defer_interrupts(), closing(batches(plan)) as stream:
        for batch in stream:
            raise_pending_interrupt()
            for event in batch:
                if isinstance(event, Stalled):
                    notices(event)
                else:  # the reply to initialize, or the first failure
                    return event if isinstance(event, Implementation) else None
    return None
