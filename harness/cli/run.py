"""Runs the selected cases against implementations, judges the answers, and writes a run record."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Collection
from contextlib import closing
from pathlib import Path

from ..compare.run_diff import differs
from ..corpus.case_table import heads_of
from ..corpus.loader import Corpus
from ..corpus.paths import default_record
from ..errors import ParityError, RecordError, UsageError, printable
from ..model import Result, RunRecord, replace, rows
from ..records import Unfinished, going_on, read_record, read_unfinished
from ..records.file import RecordFile
from ..records.resume import is_of_gate
from ..report.console import render, render_repeated
from ..report.summary import RunSummary, summarise
from ..report.summary_text import missing_texts, not_tested_text
from ..report.text import describe_incidents, plural
from .interrupts import interrupt_note
from .options import WHERE, number_of, path_argument, take_options
from .run_setup import add_run_arguments, execute_into_record, prepare
from .streams import WIDTH, discard, is_colored, width


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run_arguments(parser)
    parser.add_argument(
        "--repeat",
        type=number_of("repeat"),
        metavar="N",
        help="run each case N times, in fresh processes and other orders, and list the flaky answers",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--record", type=path_argument, metavar="FILE", help=WHERE)
    where.add_argument(
        "--resume",
        type=path_argument,
        metavar="FILE",
        help="finish the record of an interrupted run; options that are not given come from it",
    )
    parser.add_argument("--failed-before", action="store_true", help=argparse.SUPPRESS)  # of `watch`
    parser.add_argument(
        "--since", type=path_argument, metavar="OLDER", help="print only what changed since this older record"
    )


def run(arguments: argparse.Namespace) -> int:
    path: Path = arguments.resume or arguments.record or default_record()
    before = _before(arguments.since, path) if arguments.since else None
    if arguments.repeat and arguments.max_failures:
        raise UsageError("--max-failures and --repeat exclude each other: a repeated run executes every case N times.")
    unfinished = _unfinished(arguments)
    with interrupt_note(lambda: "No case was run."):
        setup = prepare(arguments)
    if arguments.resume is None:
        keep_whole(path, arguments, setup.corpus)
    if before is not None:
        setup.is_change = _is_change(before)
    with setup, interrupt_note(lambda: _next_step(path)):
        summary = summarise(execute_into_record(setup, path, unfinished))
        if before is not None and _is_part(arguments):
            before = _only(before, {case.name for case in heads_of(setup.part_cases())})
        if arguments.failed_before:
            sys.stdout.write(render_repeated(summary, color=is_colored(), width=_columns()))
            sys.stdout.flush()
            return summary.exit_status
        _print(summary, path, before)
        if not summary.record.complete:
            print(stopped_text(arguments.max_failures, path, summary.record), flush=True)
    return summary.exit_status


def _before(older: Path, path: Path) -> RunRecord:
    """The older record; of the file that the run overwrites, a copy."""
    from .compare import whole_record

    return whole_record(older, copied=older.resolve() == path.resolve())


def _is_change(before: RunRecord) -> Callable[[Result], bool]:
    """Whether a result differs from that of the older record."""
    then = {(case.case, name): outcome for case, name, outcome in rows(before.results)}

    def is_change(result: Result) -> bool:
        outcome = then.get((result.case.name, result.implementation))
        return outcome is not None and differs(outcome, result)

    return is_change


def _unfinished(arguments: argparse.Namespace) -> Unfinished | None:
    """The record to resume; options that the command line leaves open come from it."""
    if arguments.resume is None:
        return None
    unfinished = read_unfinished(arguments.resume)
    if unfinished is None:
        if not arguments.adapter:
            raise UsageError(
                f"--resume {arguments.resume}: the file has no complete header, so the adapters and the selection of its "
                "run are unknown. Name them again (--adapter, --select), or run without --resume."
            )
        print(
            printable(f"parity: {arguments.resume} has no header; the run starts from the beginning."), file=sys.stderr
        )
        return None
    metadata = unfinished.record.metadata
    arguments.adapter = arguments.adapter or [entry.adapter for entry in metadata.implementations]
    arguments.select = arguments.select or [*metadata.selection]
    arguments.shard = arguments.shard or unfinished.part
    take_options(arguments, metadata.options)
    return unfinished


def _is_part(arguments: argparse.Namespace) -> bool:
    """Whether the options select a part of the corpus."""
    return bool(arguments.select or arguments.system or arguments.shard)


def keep_whole(path: Path, arguments: argparse.Namespace, corpus: Corpus) -> None:
    """Keeps the default record of a whole run or gate under another name before a part, or the other verb, replaces it."""
    if path != default_record():
        return
    by_gate = "known" in arguments
    with contextlib.suppress(RecordError, OSError), closing(RecordFile(path, create=False)):  # locked by no other run
        record = read_record(path)
        of_gate = is_of_gate(record)
        if record.complete and _is_whole(record, corpus) and (_is_part(arguments) or of_gate != by_gate):
            kept = path.with_stem(f"{path.stem}-whole{'-gate' if of_gate else ''}")
            path.replace(kept)
            what = "gate" if of_gate else "run"
            print(printable(f"parity: the record of the whole {what} is kept as {kept}"), file=sys.stderr)


def _is_whole(record: RunRecord, corpus: Corpus) -> bool:
    """Whether the record covers the whole corpus. A gate skips the systems that the adapter does not implement."""
    metadata = record.metadata
    if metadata.selection or metadata.shard:
        return False
    systems = metadata.options.systems
    offered = {
        operation.system
        for name, operation in corpus.operations.items()
        if any(entry.identity and name in entry.identity.operations for entry in metadata.implementations)
    }
    return not systems or (is_of_gate(record) and bool(offered) and offered <= {*systems})


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


def _only(record: RunRecord, names: Collection[str]) -> RunRecord:
    """The record limited to these cases, so that cases outside the selection do not count as removed."""
    return replace(record, results=[one for one in record.results if one.case in names])


def _changes(before: RunRecord, summary: RunSummary, columns: int) -> str:
    """The changes since the older record, and the doubts about the newer one."""
    from ..report import run_diff_text
    from .compare import compared

    doubts = [*describe_incidents(summary.record.incidents), *missing_texts(summary)]
    ending = "".join(f"{line}\n" for line in (*doubts, *run_diff_text.current_verdicts(summary)))
    return printable(run_diff_text.render(compared(before, summary.record), summary, columns) + ending)


def _columns() -> int:
    return width() if sys.stdout.isatty() else WIDTH


def _print(summary: RunSummary, path: Path, before: RunRecord | None) -> None:
    """Prints the report, or what changed."""
    columns = _columns()
    text = (
        _changes(before, summary, columns)
        if before
        else render(summary, color=is_colored(), width=columns, path=str(path))
    )
    try:
        sys.stdout.write(text)
        print(printable(f"record: {path}"), flush=True)
        if missing := not_tested_text(summary):
            print(missing, flush=True)
    except OSError as error:
        discard(sys.stdout)
        raise ParityError(f"The report cannot be printed: {error.strerror}. The record {path} is complete.") from None
