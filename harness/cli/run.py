"""Runs the selected cases against implementations, judges the answers, and writes a run record."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from ..compare.run_diff import differs
from ..errors import ParityError, RecordError, UsageError, plural, printable
from ..model import Result, RunOptions, RunRecord, path_word, replace
from ..plan.setup import prepare
from ..records import Unfinished, going_on, read_record, read_unfinished
from ..report.document_terminal import Medium
from ..report.result_text import describe_incidents
from ..report.run_summary import RunSummary, summarise
from ..report.summary_text import missing_texts, not_tested_text
from ..report.terminal import console, first_screen
from .compare import compared, older_record
from .interrupts import interrupt_note
from .options import RUN, add_options, options_of, path_argument, record_path
from .recorded_run import execute_into_record
from .streams import WIDTH, discard, is_colored, notice, width


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser, [*RUN, "repeat", "since"])
    where = parser.add_mutually_exclusive_group()
    add_options(where, ["record"])
    where.add_argument(
        "--resume",
        type=path_argument,
        metavar="FILE",
        help="finish the record of an interrupted run; options that are not given come from it",
    )
    more = "print suites, failure groups, requirements, readings and rates too"
    parser.add_argument("-v", "--verbose", action="store_true", help=more)
    parser.add_argument("--failed-before", action="store_true", help=argparse.SUPPRESS)  # of `watch`


def run(arguments: argparse.Namespace) -> int:
    options = options_of(arguments)
    path = arguments.resume or record_path(options)
    before = older_record(options.since, path)
    if options.repeat > 1 and options.max_failures:
        raise UsageError("--max-failures and --repeat exclude each other: a repeated run executes every case N times.")
    unfinished = _unfinished(arguments.resume, options) if arguments.resume else None
    if unfinished is not None:
        options = options_of(arguments, _begun(unfinished))
    with interrupt_note(lambda: "No case was run."):
        setup = prepare(options, notice)
    if before is not None:
        setup.is_change = _is_change(before)
    with setup, interrupt_note(lambda: _next_step(path)):
        summary = summarise(execute_into_record(setup, path, unfinished))
        if arguments.failed_before:
            sys.stdout.write(console.render_repeated(summary, color=is_colored(), width=_columns()))
            sys.stdout.flush()
            return summary.exit_status
        _print(summary, path, before, is_verbose=arguments.verbose or options.repeat > 1)
        if not summary.record.complete:
            print(stopped_text(options.max_failures, path, summary.record), flush=True)
    return summary.exit_status


def _is_change(before: RunRecord) -> Callable[[Result], bool]:
    """Whether a result differs from that of the older record."""
    then = {(result.case, result.implementation): result for result in before.results}

    def is_change(result: Result) -> bool:
        outcome = then.get((result.case.name, result.implementation))
        return outcome is not None and differs(outcome, result)

    return is_change


def _unfinished(file: Path, options: RunOptions) -> Unfinished | None:
    """The record to resume; None if the file has no header, so that the run starts from the beginning."""
    unfinished = read_unfinished(file)
    if unfinished is None:
        if not options.adapters:
            raise UsageError(
                f"--resume {file}: the file has no complete header, so the adapters and the selection of its run are "
                "unknown. Name them again (--adapter, --select), or run without --resume."
            )
        print(printable(f"parity: {file} has no header; the run starts from the beginning."), file=sys.stderr)
    return unfinished


def _begun(unfinished: Unfinished) -> RunOptions:
    """The options of the run that was begun."""
    metadata = unfinished.record.metadata
    return replace(
        metadata.options,
        adapters=tuple(entry.adapter for entry in metadata.implementations),
        selection=tuple(metadata.selection),
        shard=metadata.shard,
    )


def stopped_text(limit: int, path: Path, record: RunRecord) -> str:
    """The last line of a run that `--max-failures` stopped."""
    count = plural(limit, "failure")
    return printable(f"The run stopped after {count} (--max-failures) and is incomplete. {going_on(path, record)}")


def _next_step(path: Path) -> str:
    """The command to run after an interruption, by the state of the record."""
    try:
        record = read_record(path)
    except RecordError:
        return "No verdict was written. Run again."
    if record.complete:
        return f"The run itself is complete; its record is {path}."
    return f"The record has {plural(len(record.results), 'verdict')}. {going_on(path, record)}"


def _changes(before: RunRecord, summary: RunSummary, columns: int) -> str:
    """The changes since the older record, and the doubts about the newer one."""
    from ..report.terminal import run_diff_text

    doubts = [*describe_incidents(summary.record.incidents), *missing_texts(summary)]
    ending = "".join(f"{line}\n" for line in (*doubts, *run_diff_text.current_verdicts(summary)))
    return run_diff_text.render(compared(before, summary.record), summary, Medium(columns, is_colored())) + printable(
        ending
    )


def _columns() -> int:
    return width() if sys.stdout.isatty() else WIDTH


def _print(summary: RunSummary, path: Path, before: RunRecord | None, *, is_verbose: bool) -> None:
    """Prints one screen, all details, or what changed."""
    columns, screen = _columns(), console if is_verbose else first_screen
    text = (
        _changes(before, summary, columns)
        if before
        else screen.render(summary, color=is_colored(), width=columns, path=path_word(str(path)))
    )
    try:
        sys.stdout.write(text)
        print(printable(f"record: {path}"), flush=True)
        if missing := not_tested_text(summary):
            print(missing, flush=True)
    except OSError as error:
        discard(sys.stdout)
        raise ParityError(f"The report cannot be printed: {error.strerror}. The record {path} is complete.") from None
