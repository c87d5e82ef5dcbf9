"""Judges one implementation against a known-divergence file: fails for what it does not explain, or explains in vain."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from harness.cli.interrupts import defer_interrupts
from harness.cli.options import WHERE, place
from harness.cli.plan import RunPlan, add_run_arguments, ask, interview, prepare
from harness.cli.run import keep_whole
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
from harness.model import GateFile, Implementation, JsonObject, Result, RunRecord, Verdict
from harness.records import read_record
from harness.report.failure_groups import kinds
from harness.report.gate_text import GateReport, KnownFile, render, render_not_started, render_written
from harness.report.record_access import reason, signature
from harness.report.summary import RunSummary, summarise
from harness.runner.event_loop import run_all
from harness.transport.manifest import shipped_manifests


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run_arguments(parser, "who is judged: one shipped adapter by name, or [LABEL=]COMMAND; has to be given")
    parser.add_argument("--record", type=place, metavar="FILE", help=WHERE)
    parser.add_argument(
        "--known", type=place, metavar="FILE", help="what is known to diverge (default: the shipped adapter's own file)"
    )
    parser.add_argument(
        "--write-known",
        type=place,
        metavar="FILE",
        help="bring this file up to date with what was found; new reasons are TODO, and yours to write",
    )


def run(arguments: argparse.Namespace) -> int:
    if len(arguments.adapter) != 1:
        raise UsageError("A gate judges one implementation. Name it with one --adapter.")
    known, writing = _known(arguments), arguments.write_known
    shipped_lines = "" if arguments.known or (writing and file_exists(writing)) else known.shown
    known_file = _known_file(arguments, str(writing or known.shown))
    path: Path = arguments.record or default_record()
    with prepare(arguments) as question:
        left_out = [] if arguments.system else _leave_out(question, known)
        operation_of = {case.name: case.operation for case in question.corpus.cases}
        question.gate = _judging(known, operation_of)
        keep_whole(path, arguments, question.corpus)
        ask(question, path, expect=lambda result: _expected(known, result))
    summary = summarise(read_record(path))
    if summary.not_started:
        sys.stdout.write(render_not_started(summary, writing))
        print(printable(f"record: {path}"))
        return AdapterUnavailable.exit_status
    _check_offer(summary.record, left_out, question)
    results = _gate_inputs(summary)
    if writing:
        others = changed(known, results)
        known = merged(known, results, operation_of)
        save_known(writing, known)
        sys.stdout.write(render_written(writing, shipped_lines, others))
    verdicts = _known_verdicts(known, results)
    report = GateReport(
        summary=summary,
        findings=findings(known, results, operation_of, date.today()),
        known=sum(verdict is not Verdict.UNSUPPORTED for verdict in verdicts),
        known_unsupported=verdicts.count(Verdict.UNSUPPORTED),
        unwritten_reasons=_waiting(known),
        skipped_systems=left_out,
        known_file=known_file,
    )
    sys.stdout.write(render(report))
    print(printable(f"record: {path}"))
    return 0 if report.is_green else 1


def _known(arguments: argparse.Namespace) -> KnownDivergences:
    """What is expected: the file that was named, or the one to be written again, or the shipped adapter's own."""
    writing: Path | None = arguments.write_known
    if arguments.known is not None:
        if not file_exists(arguments.known):
            made = shlex.join([*_without_known(), "--write-known", str(writing or arguments.known)])
            raise ParityError(f"{arguments.known}: there is no such file. Make it: {made}")
        return load_known(arguments.known, allow_todo=writing is not None)
    if writing is not None and file_exists(writing):
        return load_known(writing, allow_todo=True)
    manifest = shipped_manifests(shipped()).get(arguments.adapter[0])
    own = manifest.folder / FILE_NAME if manifest else None
    return load_known(own) if own is not None and own.exists() else KnownDivergences()


def _without_known() -> list[str]:
    """The command line without the file that it was to judge by, however that is spelt."""
    kept, words = ["parity"], iter(sys.argv[1:])
    for word in words:
        name, equals, _ = word.partition("=")
        if name.startswith("--k") and "--known".startswith(name):
            if not equals:
                next(words, None)
        else:
            kept.append(word)
    return kept


def _known_file(arguments: argparse.Namespace, shown: str) -> KnownFile:
    """The file `shown`, with what to run to bring it up to date, or another one if it is not the user's to edit."""
    root = shipped()
    is_shipped = bool(shown) and Path(shown).resolve().is_relative_to(root)
    is_ours = root.name != "shipped" and Path.cwd().is_relative_to(root)  # as of a checkout that one works in
    if is_shipped and not is_ours:
        update = shlex.join(["parity", *sys.argv[1:], "--write-known", FILE_NAME])
        return KnownFile(shown, True, update, shlex.join([*_without_known(), "--known", FILE_NAME]))
    target = arguments.write_known or arguments.known or FILE_NAME
    return KnownFile(shown, is_shipped, shlex.join(["parity", *sys.argv[1:], "--write-known", str(target)]))


def _gate_inputs(summary: RunSummary) -> list[GateInput]:
    """The results as inputs of the gate; failing ones have the kind that the reports show."""
    kind_of = {result.case: kind.name for kind in kinds(summary.failing) for result in kind.results}
    return [
        GateInput(one.case, one.operation, one.verdict, signature(one), reason(one), kind_of.get(one.case, ""))
        for one in summary.record.results
    ]


def _known_verdicts(known: KnownDivergences, results: Sequence[GateInput]) -> list[Verdict]:
    """The verdicts of all known results."""
    found = [(one.verdict, expectation(known, one, date.today())) for one in results]
    return [verdict for verdict, expected in found if expected and expected[0] is Status.KNOWN]


def _leave_out(question: RunPlan, known: KnownDivergences) -> Sequence[str]:
    """Takes the cases of systems of which the adapter offers nothing out of the question, and tells which those are.

    A system of which something is known stays: losing all of it is news.
    """
    (name,) = question.connections
    operations = question.corpus.operations
    offered = {operations[operation].system for operation in _offered(question, name) if operation in operations}
    explained = {*known.unsupported, *(case for one in known.divergences for case in one.cases)}
    judged = offered | {case.system for case in question.corpus.cases if {case.name, case.operation} & explained}
    left_out = sorted({case.system for case in question.cases} - judged)
    if not offered or not left_out:
        return ()
    question.cases = [case for case in question.cases if case.system in judged]
    if not question.cases:
        raise EmptySelection(
            f"The selected cases are all of {', '.join(left_out)}, and {one_line(name)} offers none of its operations. "
            "Select others, or judge that with --system."
        )
    systems = tuple(sorted({case.system for case in question.cases}))
    question.options = replace(question.options, systems=systems)
    return left_out


def _check_offer(record: RunRecord, left_out: Sequence[str], question: RunPlan) -> None:
    """Raises `ParityError` if the adapter that was asked offers something of a system that it did not offer before."""
    operations, (entry,) = question.corpus.operations, record.metadata.implementations
    offered = entry.identity.operations if entry.identity else ()
    late = {operations[name].system for name in offered if name in operations} & {*left_out}
    if late:
        raise ParityError(
            f"{entry.name} offered nothing of {', '.join(sorted(late))} when it was first started, and then it did, so "
            "that was not judged. An adapter says the same of itself at every start."
        )


def _offered(question: RunPlan, name: str) -> frozenset[str]:
    """The operations that the adapter says it offers; none if it cannot say, which the run will tell."""
    asked = interview(question, name, question.cases[:1])
    with defer_interrupts():
        try:
            first = next(run_all([asked]), [])  # it has introduced itself, or could not
        finally:
            asked.abandon()
    return next((event.operations for event in first if isinstance(event, Implementation)), frozenset())


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
