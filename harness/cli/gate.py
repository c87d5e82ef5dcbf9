"""Judges one implementation against a known-divergence file: fails for new failures and for stale entries."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

from harness.cli.interrupts import defer_interrupts, raise_pending_interrupt
from harness.cli.options import WHERE, place
from harness.cli.run import keep_whole
from harness.cli.run_setup import RunSetup, add_run_arguments, execute_into_record, prepare, rerun_command
from harness.compare.known_divergences import (
    GateInput,
    KnownDivergences,
    Status,
    changed,
    expectation,
    findings,
    is_unwritten,
    merged,
)
from harness.corpus.known_divergences_file import FILE_NAME, digest_of, file_exists, load_known, save_known
from harness.corpus.paths import default_record, shipped
from harness.errors import AdapterUnavailable, EmptySelection, ParityError, UsageError, one_line, printable
from harness.model import FAILING, GateFile, Implementation, JsonObject, Result, RunRecord, Verdict
from harness.records import read_record
from harness.report.error_text import outcome_text
from harness.report.failure_groups import kinds
from harness.report.gate_summary import explained
from harness.report.gate_text import JudgedBy, not_judged, render, written
from harness.report.summary import not_started, unanswered_implementations
from harness.runner.execute import batches
from harness.runner.stall import Stalled
from harness.transport.manifest import shipped_manifests


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run_arguments(parser, "the implementation to judge: a shipped adapter by name, or [LABEL=]COMMAND; required")
    parser.add_argument("--record", type=place, metavar="FILE", help=WHERE)
    parser.add_argument(
        "--known", type=place, metavar="FILE", help="the known-divergence file (default: the shipped adapter's own)"
    )
    parser.add_argument(
        "--write-known",
        type=place,
        metavar="FILE",
        help="update this known-divergence file from the run; new entries get the reason TODO, which you replace",
    )


def run(arguments: argparse.Namespace) -> int:
    if len(arguments.adapter) != 1:
        raise UsageError("A gate judges one implementation. Name it with one --adapter.")
    known, writing = _known(arguments), arguments.write_known
    shipped_lines = "" if arguments.known or (writing and file_exists(writing)) else known.shown
    judged_by = _judged_by(arguments, str(writing or known.shown))
    path: Path = arguments.record or default_record()
    with prepare(arguments) as setup:
        skipped_systems = [] if arguments.system else _skip_systems(setup, known)
        operation_of = {case.name: case.operation for case in setup.corpus.cases}
        setup.gate = _judging(known, operation_of)
        keep_whole(path, arguments, setup.corpus)
        execute_into_record(setup, path, expect=lambda result: _expected(known, result))
    record = read_record(path)
    if not_started(record):
        sys.stdout.write(not_judged(record, writing))
        print(printable(f"record: {path}"))
        return AdapterUnavailable.exit_status
    _check_offer(record, skipped_systems, setup)
    results = _seen(record)
    if writing:
        others = changed(known, results)
        known = merged(known, results, operation_of)
        save_known(writing, known)
        sys.stdout.write(written(writing, shipped_lines, others))
    found, waiting = findings(known, results, operation_of, date.today()), _waiting(known)
    sys.stdout.write(render(record, found, _explained(known, results), waiting, skipped_systems, judged_by))
    print(printable(f"record: {path}"))
    return 1 if found or waiting or record.incidents or unanswered_implementations(record) else 0


def _known(arguments: argparse.Namespace) -> KnownDivergences:
    """What is expected: the file that was named, or the one to be written again, or the shipped adapter's own."""
    writing: Path | None = arguments.write_known
    if arguments.known is not None:
        if not file_exists(arguments.known):
            made = rerun_command("gate", _without_known(arguments), "--write-known", str(writing or arguments.known))
            raise ParityError(f"{arguments.known}: no such file. To create it: {made}")
        return load_known(arguments.known, allow_todo=writing is not None)
    if writing is not None and file_exists(writing):
        return load_known(writing, allow_todo=True)
    manifest = shipped_manifests(shipped()).get(arguments.adapter[0])
    own = manifest.folder / FILE_NAME if manifest else None
    return load_known(own) if own is not None and own.exists() else KnownDivergences()


def _without_known(arguments: argparse.Namespace) -> argparse.Namespace:
    """The same arguments without `--known`."""
    return argparse.Namespace(**{**vars(arguments), "known": None})


def _judged_by(arguments: argparse.Namespace, shown: str) -> JudgedBy:
    """The file `shown`, with what to run to bring it up to date, or another one if it is not the user's to edit."""
    root = shipped()
    is_shipped = bool(shown) and Path(shown).resolve().is_relative_to(root)
    is_ours = root.name != "shipped" and Path.cwd().is_relative_to(root)  # as of a checkout that one works in
    if is_shipped and not is_ours:
        update = rerun_command("gate", arguments, "--write-known", FILE_NAME)
        return JudgedBy(shown, True, update, rerun_command("gate", _without_known(arguments), "--known", FILE_NAME))
    target = arguments.write_known or arguments.known or FILE_NAME
    return JudgedBy(shown, is_shipped, rerun_command("gate", arguments, "--write-known", str(target)))


def _seen(record: RunRecord) -> list[GateInput]:
    """The results as a gate looks at them, those that fail with the kind by which the reports group them."""
    failing = [result for result in record.results if result.verdict in FAILING]
    kind_of = {result.case: kind.name for kind in kinds(failing) for result in kind.results}
    return [
        GateInput(
            one.case, one.operation, one.verdict, one.signature, outcome_text(one.outcome), kind_of.get(one.case, "")
        )
        for one in record.results
    ]


def _explained(known: KnownDivergences, results: Sequence[GateInput]) -> list[str]:
    """How many results are known, in the words of the reports."""
    stands = [(seen.verdict, expectation(known, seen, date.today())) for seen in results]
    verdicts = [verdict for verdict, stand in stands if stand and stand[0] is Status.KNOWN]
    unsupported = verdicts.count(Verdict.UNSUPPORTED)
    return explained(len(verdicts) - unsupported, unsupported)


def _skip_systems(setup: RunSetup, known: KnownDivergences) -> Sequence[str]:
    """Removes the cases of systems that the adapter does not implement, and returns the names of these systems.

    A system that the known-divergence file mentions stays, so that losing all of it is reported.
    """
    operations = setup.corpus.operations
    offered = {operations[operation].system for operation in _offered(setup) if operation in operations}
    explained = {*known.unsupported, *(case for one in known.divergences for case in one.cases)}
    judged = offered | {case.system for case in setup.corpus.cases if {case.name, case.operation} & explained}
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


def _offered(setup: RunSetup) -> frozenset[str]:
    """The operations that the adapter offers; none if it does not start, which the run then reports."""
    plan = replace(setup.plan(), cases=setup.cases[:1], passes=1)
    notices = setup.notices()
    with defer_interrupts(), closing(batches(plan)) as stream:
        for batch in stream:
            raise_pending_interrupt()
            for event in batch:
                if isinstance(event, Stalled):
                    notices(event)
                else:  # the reply to initialize, or the first failure
                    return event.operations if isinstance(event, Implementation) else frozenset()
    return frozenset()


def _expected(known: KnownDivergences, result: Result) -> JsonObject | None:
    seen = GateInput(result.case.name, result.case.operation, result.verdict, result.signature)
    stands = expectation(known, seen, date.today())
    return None if stands is None else {"status": stands[0].value, "reason": stands[1]}


def _judging(known: KnownDivergences, operation_of: Mapping[str, str]) -> GateFile:
    """The state of the file for the record: its digest, if there is one, the unmatched names, the missing reasons."""
    unmatched = tuple(found.name for found in findings(known, (), operation_of, date.today()))
    return GateFile(digest_of(known) if known.shown else "", unmatched, _waiting(known))


def _waiting(known: KnownDivergences) -> int:
    """How many reasons nobody has written yet."""
    return sum(map(is_unwritten, [*(one.reason for one in known.divergences), *known.unsupported.values()]))
