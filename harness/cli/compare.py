"""Lists the changes between two runs, by implementation: newly failing, fixed, changed, added and removed cases. With
`--corpus`, lists the requirements, rulings and cases that differ between two corpora."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ..compare.run_diff import Change, Comparison, compare
from ..corpus.corpus_diff import corpus_diff
from ..corpus.loader import Corpus, load_corpus
from ..errors import AdapterUnavailable, CorpusError, RecordError, UsageError, one_line, printable
from ..model import RunRecord
from ..records import going_on, read_record
from ..report.pages import corpus_diff_page
from ..report.run_summary import summarise
from ..report.summary_text import missing_texts
from ..report.terminal.run_diff_text import render
from .options import path_argument
from .streams import medium


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", type=path_argument, metavar="OLDER", help="the record of the older run")
    parser.add_argument("after", type=path_argument, metavar="NEWER", help="the record of the newer run")
    parser.add_argument(
        "--corpus",
        action="store_true",
        help="compare two corpora in place of records: OLDER and NEWER are folders with cases/ and schemas/",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="for --corpus: text (default), or json: all values"
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.corpus:
        return _compare_corpora(arguments)
    if arguments.format == "json":
        raise UsageError("--format json is for --corpus. For records: parity report NEWER --since OLDER --json FILE")
    before, after = whole_record(arguments.before), whole_record(arguments.after)
    comparison = compared(before, after)
    summary = summarise(after)
    sys.stdout.write(render(comparison, summary, medium()))
    for sentence in missing_texts(summary):
        print(printable(sentence))
    if summary.not_started.keys() & {*before.implementations}:
        return AdapterUnavailable.exit_status
    return 1 if comparison.of(Change.NEWLY_FAILING) or summary.missing else 0


def _compare_corpora(arguments: argparse.Namespace) -> int:
    diff = corpus_diff(*map(_corpus, (arguments.before, arguments.after)))
    if arguments.format == "json":
        print(json.dumps(corpus_diff_page.as_json(diff), indent=1))
    else:
        sys.stdout.write(corpus_diff_page.render(diff, medium()))
    return 0


def _corpus(folder: Path) -> Corpus:
    """The corpus in a folder. Raises `CorpusError` that names the folder."""
    try:
        return load_corpus(folder.resolve())
    except CorpusError as error:
        raise CorpusError(error.problems, f"the corpus {one_line(str(folder))}") from None


def whole_record(path: Path, *, copied: bool = False) -> RunRecord:
    """The record at `path`. Raises `RecordError` if the record is incomplete."""
    record = read_record(path, copied=copied)
    if not record.complete:
        raise RecordError(
            f"{path}: this record has no footer: its run did not end, so missing results would look like changes. "
            f"{going_on(path, record)}"
        )
    return record


def older_record(older: str, path: Path) -> RunRecord | None:
    """The record of `--since`, or None without the option; of the file `path` that the run overwrites, a copy."""
    return whole_record(Path(older), copied=Path(older).resolve() == path.resolve()) if older else None


def compared(before: RunRecord, after: RunRecord) -> Comparison:
    """The changes. Raises `RecordError` if the two records have no implementation or no case in common."""
    comparison = compare(before, after)
    if not comparison.changes:
        then, now = (one_line(", ".join(record.implementations)) for record in (before, after))
        raise RecordError(
            f"The records have no implementation in common: the older one has {then}, the newer one {now}."
        )
    if not comparison.common_cases:
        raise RecordError("The records have no case in common. Compare two records of the same cases.")
    return comparison
