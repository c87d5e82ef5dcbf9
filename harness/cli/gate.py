"""Judges one implementation against what is known of it: only what is new, stale, unmatched or expired fails."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from datetime import date
from pathlib import Path

from harness.cli.asking import Question, add_asking_arguments, ask, prepare
from harness.errors import AdapterUnavailable, UsageError, printable
from harness.expectations import TODO, Known, Seen, Status, expectation, findings, merged
from harness.known_file import FILE_NAME, load_known, save_known
from harness.model import JsonObject, Result, RunRecord
from harness.places import default_record, shipped
from harness.records import read_record
from harness.reporting.gate import render
from harness.reporting.summary import not_started, silences


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_asking_arguments(parser)
    parser.add_argument("--record", type=Path, metavar="FILE", help="where the run record is written")
    parser.add_argument(
        "--known", type=Path, metavar="FILE", help="what is known to diverge (default: the shipped adapter's own file)"
    )
    parser.add_argument(
        "--write-known",
        type=Path,
        metavar="FILE",
        help="write a file that explains what was found; new reasons are TODO, and yours to write",
    )


def run(arguments: argparse.Namespace) -> int:
    if len(arguments.adapter) != 1:
        raise UsageError("A gate judges one implementation. Name it with one --adapter.")
    known = _known(arguments)
    path: Path = arguments.record or default_record()
    question = prepare(arguments)
    with question:
        ask(question, path, expect=lambda result: _expected(known, result))
    record = read_record(path)
    found = findings(known, _seen(record), _names(question), date.today())
    sys.stdout.write(printable(render(record, found, _counts(known, record))))
    print(printable(f"record: {path}"))
    if arguments.write_known:
        return _write(arguments.write_known, known, record, question)
    return _status(record, bool(found))


def _status(record: RunRecord, failing: bool) -> int:
    if not_started(record):
        return AdapterUnavailable.exit_status
    return 1 if failing or record.incidents or silences(record) else 0


def _known(arguments: argparse.Namespace) -> Known:
    """The file that was named; of a shipped adapter its own; none where there is none yet."""
    own = shipped() / "adapters" / arguments.adapter[0] / FILE_NAME
    writing = arguments.write_known is not None
    if arguments.known is not None:
        return load_known(arguments.known, allow_todo=writing)
    if writing and arguments.write_known.exists():
        return load_known(arguments.write_known, allow_todo=True)
    return load_known(own, allow_todo=writing) if own.exists() else Known()


def _expected(known: Known, result: Result) -> JsonObject | None:
    judgement = result.judgement
    seen = Seen(result.case.name, result.case.operation, judgement.verdict, judgement.signature)
    stands = expectation(known, seen, date.today())
    return None if stands is None else {"status": stands[0].value, "reason": stands[1]}


def _seen(record: RunRecord) -> list[Seen]:
    return [Seen(one.case, one.operation, one.verdict, one.signature) for one in record.results]


def _names(question: Question) -> list[tuple[str, str]]:
    return [(case.name, case.operation) for case in question.corpus.cases]


def _counts(known: Known, record: RunRecord) -> Counter[Status]:
    stands = (expectation(known, seen, date.today()) for seen in _seen(record))
    return Counter(one[0] for one in stands if one is not None)


def _write(path: Path, known: Known, record: RunRecord, question: Question) -> int:
    """Writes the merged file; the status is that of a gate with it, which refuses a reason that is not written yet."""
    written = merged(known, _seen(record), _names(question))
    save_known(path, written)
    new = sum(len(entry.cases) for entry in written.entries if entry.reason == TODO)
    new += sum(1 for reason in written.unsupported.values() if reason == TODO)
    print(printable(f"{path} explains what was found; {new} new lines wait for a reason in place of TODO."))
    return _status(record, bool(new))
