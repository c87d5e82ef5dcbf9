"""Lists the cases of the corpus, or prints the folder of its cases."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ..compare.contained import response_value
from ..corpus.loader import check_corpus
from ..errors import UsageError, one_line, printable
from ..model import Case, JsonObject
from ..plan.chosen_cases import corpus_folder, read_corpus
from .options import CORPUS, add_options, options_of
from .streams import medium, notice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser, CORPUS)
    parser.add_argument(
        "--format",
        choices=("text", "json", "table"),
        default="text",
        help="text: one line a case (default); json: all members; table: inputs and answers, suite by suite, as wide as "
        "the terminal",
    )
    parser.add_argument(
        "--columns",
        type=_columns,
        metavar="NAMES",
        help="for --format table: the columns, with commas between them: case, request, answer, request.query, at, "
        "operation, origin, requirements, ruling, tags, note, or globs (default: what varies)",
    )
    parser.add_argument("--path", action="store_true", help="print only the folder of the cases")


def _columns(text: str) -> list[str]:
    """Names of columns, or globs over them."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise argparse.ArgumentTypeError("it names no column; write names such as case,request.query")
    return names


def run(arguments: argparse.Namespace) -> int:
    if arguments.columns and arguments.format != "table":
        raise UsageError("--columns is for a table. Add --format table.")
    if arguments.path:
        print(_folder(arguments))
        return 0
    corpus, cases, _ = read_corpus(options_of(arguments), notice)
    check_corpus(corpus)
    if arguments.format == "table":
        from ..report.pages.case_table import render, unknown_columns

        columns = arguments.columns or []
        if unknown := unknown_columns(cases, columns):
            shown = one_line(", ".join(unknown))
            raise UsageError(
                f"--columns {shown}: no case has this column. `parity cases --format table` shows the names."
            )
        sys.stdout.write(render(corpus.tagged(cases), medium(), columns))
        return 0
    if arguments.format == "json":
        print(json.dumps([_as_json(case) for case in corpus.tagged(cases)], indent=1))
        return 0
    for case in cases:
        print(printable(f"{case.name}  {case.operation}  {case.at}"))
    return 0


def _folder(arguments: argparse.Namespace) -> Path:
    """The folder of the cases. Raises `UsageError` if it does not exist."""
    folder = corpus_folder(options_of(arguments)) / "cases"
    if not folder.is_dir():
        raise UsageError(f"{folder}: the folder does not exist. Name a folder that has cases/ and schemas/.")
    return folder


def _as_json(case: Case) -> JsonObject:
    readings: JsonObject = {name: response_value(response) for name, response in case.readings.items()}
    return {
        "name": case.name,
        "at": case.at,
        "operation": case.operation,
        "requirements": list(case.requirements),
        "origin": case.origin,
        "revision": case.revision,
        "negative": case.negative,
        "tags": list(case.tags),
        "note": case.note,
        "evidence": case.evidence,
        "environment": dict(case.environment),
        "ruling": case.ruling,
        "citedByRulings": list(case.cited_by_rulings),
        "adopted": case.adopted,
        "otherReadings": readings,
        "request": case.recorded_request,
        "expected": response_value(case.expected),
    }
