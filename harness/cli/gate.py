"""Judges one implementation against a known-divergence file: fails for new failures and for stale entries."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

from ..compare.attribution import Attribution, Model
from ..compare.causes import refuted_parts
from ..compare.error_text import outcome_text
from ..compare.gate_findings import GateInput, expectation, findings, path_findings, reading_changes
from ..compare.known_divergences import KnownDivergences, Status, is_unwritten, names_of
from ..compare.known_update import changed, removed, updated, with_unobservable
from ..corpus.case_table import cases_at, heads_of
from ..corpus.known_divergences_file import FILE_NAME, digest_of, file_exists, files_in, load_known, save_known
from ..corpus.paths import default_record, shipped
from ..corpus.reading_names import reading_problems
from ..errors import AdapterUnavailable, CorpusError, EmptySelection, ParityError, UsageError, one_line, printable
from ..model import (
    ADOPTED,
    Choice,
    GateExpectation,
    GateFile,
    Implementation,
    Passes,
    Result,
    Ruling,
    RunRecord,
    Verdict,
)
from ..report.failure_groups import failure_groups
from ..report.gate_text import GateReport, KnownFile, render, render_not_started, render_written
from ..report.summary import RunSummary, summarise
from ..runner.execute import batches
from ..runner.stall import Stalled
from ..transport.adapter_spec import adapter_of
from ..transport.manifest import shipped_manifests
from .interrupts import defer_interrupts, raise_pending_interrupt
from .options import WHERE, path_argument
from .run import keep_whole, stopped_text
from .run_command import gate_command
from .run_setup import RunSetup, add_run_arguments, execute_into_record, prepare


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run_arguments(parser, "the implementation to judge: a shipped adapter by name, or [LABEL=]COMMAND; required")
    parser.add_argument("--record", type=path_argument, metavar="FILE", help=WHERE)
    parser.add_argument(
        "--known",
        type=path_argument,
        metavar="FILE",
        help="the known-divergence file, or a folder with one for each range of versions (default: the shipped adapter's)",
    )
    parser.add_argument(
        "--write-known",
        type=path_argument,
        metavar="FILE",
        help="update this known-divergence file from the run; new entries get the reason TODO, which you replace",
    )


def run(arguments: argparse.Namespace) -> int:
    if len(arguments.adapter) != 1:
        raise UsageError("A gate judges one implementation. Name it with one --adapter.")
    if arguments.write_known and arguments.max_failures:
        raise UsageError("--max-failures and --write-known exclude each other: the file is written from all cases.")
    writing: Path | None = arguments.write_known
    if writing and writing.is_dir():
        raise UsageError(
            f"--write-known {writing}: this is a folder. Name the file for the version: {writing / FILE_NAME}."
        )
    files = _known(arguments)
    path: Path = arguments.record or default_record()
    with prepare(arguments) as setup:
        needed = writing or not arguments.system or any(known.model.choice or known.versions for known in files)
        introduced = _introduction(setup) if needed else None
        known = _for_version(files, introduced, arguments)
        shipped_lines = "" if arguments.known or (writing and file_exists(writing)) else known.shown
        known_file = _known_file(arguments, str(writing or known.shown))
        if problems := [*reading_problems(known, setup.corpus.rulings)]:
            raise CorpusError(problems, known.shown)
        skipped_systems = [] if arguments.system else _skip_systems(setup, known, introduced)
        operation_of = {case.name: case.operation for case in setup.corpus.heads}
        ruling_of = {case.name: case.ruling for case in setup.corpus.heads if case.ruling}
        keep_whole(path, arguments, setup.corpus)
        (name,) = setup.connections
        setup.known[name] = known
        predicted, alternatives = _predicted(setup, known.model, introduced)
        setup.counts = lambda result: _is_new(known, result, predicted)
        setup.gate, setup.predicted[name] = _gate_file(known, operation_of, alternatives), predicted
        record = execute_into_record(setup, path, expect=lambda result: _expected(known, result, predicted))
        summary = summarise(record)
        results: Sequence[GateInput] = _gate_inputs(summary, predicted, setup.corpus.rulings)
        new_paths, gone_paths = (summary.gate.new_paths, summary.gate.stale_paths) if summary.gate else ((), ())
        if not summary.not_started:
            _check_offer(summary.record, skipped_systems, setup)
        before = known
        if writing and not summary.not_started:
            known, results = updated(
                known,
                results,
                operation_of,
                ruling_of,
                alternatives,
                lambda model: _predicted(setup, model, introduced)[0],
            )
            known = with_unobservable(known, new_paths, (*gone_paths, *setup.gate.unmatched))
    if summary.not_started:
        sys.stdout.write(render_not_started(summary, writing))
        print(printable(f"record: {path}"))
        return AdapterUnavailable.exit_status
    if writing:
        save_known(writing, known)
        others = changed(before, results)
        lost = removed(before, known, results, operation_of, date.today())
        sys.stdout.write(render_written(writing, shipped_lines, others, lost))
    verdicts = _known_verdicts(known, results)
    report = GateReport(
        summary=summary,
        findings=[
            *findings(known, results, operation_of, date.today(), alternatives),
            *path_findings(known, new_paths, gone_paths),
        ],
        reading_changes=reading_changes(known, results),
        known=sum(verdict is not Verdict.UNSUPPORTED for verdict in verdicts),
        known_unsupported=verdicts.count(Verdict.UNSUPPORTED),
        unwritten_reasons=_unwritten_reasons(known),
        skipped_systems=skipped_systems,
        known_file=known_file,
    )
    sys.stdout.write(render(report))
    print(printable(f"record: {path}"))
    if not record.complete:
        print(stopped_text(arguments.max_failures, path, record))
    return 0 if report.is_green else 1


def _known(arguments: argparse.Namespace) -> list[KnownDivergences]:
    """The content of `--known`, else of an existing `--write-known`, else of the shipped adapter's own files."""
    writing: Path | None = arguments.write_known
    if arguments.known is not None:
        if not file_exists(arguments.known):
            made = gate_command(_without_known(arguments), "--write-known", str(writing or arguments.known))
            raise ParityError(f"{arguments.known}: no such file. To create it: {made}")
        files = files_in(arguments.known) if arguments.known.is_dir() else [arguments.known]
        if not files:
            raise ParityError(f"{arguments.known}: the folder has no {FILE_NAME}. Name a file, or another folder.")
        return [load_known(file, allow_todo=writing is not None) for file in files]
    if writing is not None and file_exists(writing):
        return [load_known(writing, allow_todo=True)]
    manifest = shipped_manifests(shipped()).get(adapter_of(arguments.adapter[0].partition("=")[0]))
    return [load_known(file) for file in files_in(manifest.folder)] if manifest else []


def _for_version(
    files: Sequence[KnownDivergences], introduced: Implementation | None, arguments: argparse.Namespace
) -> KnownDivergences:
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
    chosen = next((known for known in fitting if known.versions), fitting[0])
    if arguments.known:
        arguments.known = Path(chosen.shown)
    return chosen


def _without_known(arguments: argparse.Namespace) -> argparse.Namespace:
    """The same arguments without `--known`."""
    return argparse.Namespace(**{**vars(arguments), "known": None})


def _known_file(arguments: argparse.Namespace, shown: str) -> KnownFile:
    """The file `shown` and the command that updates it; a shipped file outside its checkout is copied instead."""
    root = shipped()
    is_shipped = bool(shown) and Path(shown).resolve().is_relative_to(root)
    is_ours = Path.cwd().is_relative_to(root)  # the command runs inside the checkout
    if is_shipped and not is_ours:
        update = gate_command(arguments, "--write-known", FILE_NAME)
        again = gate_command(_without_known(arguments), "--known", FILE_NAME)
        return KnownFile(shown, True, update, again, writes_copy=True)
    target = arguments.write_known or arguments.known or FILE_NAME
    writes_copy = bool(shown) and not (arguments.write_known or arguments.known)
    return KnownFile(shown, is_shipped, gate_command(arguments, "--write-known", str(target)), writes_copy=writes_copy)


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


def _gate_inputs(
    summary: RunSummary, predicted: Mapping[str, Choice], rulings: Mapping[str, Ruling]
) -> list[GateInput]:
    """The results as inputs of the gate; failing ones have the kind that the reports show."""
    kind_of = {result.case: kind.name for kind in failure_groups(summary.failing) for result in kind.results}
    return [
        GateInput(
            one.case,
            one.operation,
            one.verdict,
            signature=one.signature,
            reason=outcome_text(one.outcome),
            kind=kind_of.get(one.case, ""),
            ruling=one.ruling,
            reading=one.reading_of(one.ruling) if one.verdict is Verdict.VARIANT else "",
            flaky=_flaky_signatures(one.flaky),
            explained_by=one.explained_by,
            causes=refuted_parts(one.explained_by, rulings),
            predicted=predicted.get(one.case, ADOPTED),
            readings=one.readings,
        )
        for one in summary.record.results
    ]


def _known_verdicts(known: KnownDivergences, results: Sequence[GateInput]) -> list[Verdict]:
    """The verdicts of all known results."""
    found = [(one.verdict, expectation(known, one, date.today())) for one in results]
    return [verdict for verdict, expected in found if expected and expected.status == Status.KNOWN]


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
    plan = replace(setup.plan(), cases=setup.cases[:1], passes=1, max_failures=0)
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


def _expected(known: KnownDivergences, result: Result, predicted: Mapping[str, Choice]) -> GateExpectation | None:
    seen = GateInput(
        result.case.name,
        result.case.operation,
        result.verdict,
        result.signature,
        flaky=_flaky_signatures(result.flaky),
        explained_by=result.explained_by,
        predicted=predicted.get(result.case.name, ADOPTED),
    )
    return expectation(known, seen, date.today())


def _is_new(known: KnownDivergences, result: Result, predicted: Mapping[str, Choice]) -> bool:
    """Whether `--max-failures` counts a failure: it is not known, or its entry has expired."""
    expected = _expected(known, result, predicted)
    return expected is not None and expected.status in (Status.NEW, Status.EXPIRED)


def _flaky_signatures(passes: Sequence[Passes]) -> frozenset[str]:
    """The signature of each outcome of a flaky case, as `GateInput.flaky` has them."""
    return frozenset(one.verdict.value if one.verdict is Verdict.UNSUPPORTED else one.signature for one in passes)


def _gate_file(
    known: KnownDivergences, operation_of: Mapping[str, str], alternatives: Collection[str] | None
) -> GateFile:
    """The state of the file for the record: its digest, if there is one, the unmatched names, the missing reasons."""
    unmatched = tuple(found.name for found in findings(known, (), operation_of, date.today(), alternatives))
    return GateFile(digest_of(known) if known.shown else "", unmatched, _unwritten_reasons(known))


def _unwritten_reasons(known: KnownDivergences) -> int:
    """The number of reasons that are TODO."""
    return sum(map(is_unwritten, known.reasons()))
