"""Prints a finding of `parity fuzz` as an entry for a case file, with the answer left to a person; or as the skeleton of a
reading or of a deviation."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..corpus.entries import TODO
from ..corpus.loader import load_corpus
from ..corpus.paths import default_record
from ..errors import ParityError, UsageError, one_line, printable
from ..fuzz.campaign_report import is_example
from ..model import FAILING, RecordedResult, RunRecord, is_generated
from ..plan.chosen_cases import corpus_folder
from ..records import read_record
from ..records.generated_cases import recorded_case
from ..report.pages.promotion import (
    Promotion,
    case_entry,
    deviation_skeleton,
    findings_text,
    proposed_requirements,
    reading_skeleton,
)
from .options import add_options, options_of, path_argument
from .streams import notice

_FORMS = {"case": case_entry, "reading": reading_skeleton, "deviation": deviation_skeleton}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "finding",
        nargs="?",
        metavar="FINDING",
        help="the name of a finding, its end, or the beginning of its last part (default: list the new findings)",
    )
    parser.add_argument(
        "--record",
        type=path_argument,
        metavar="FILE",
        help="the record of the campaign (default: fuzz.jsonl in the folder of `parity run`)",
    )
    parser.add_argument(
        "--as", dest="form", choices=_FORMS, default="case", help="what to print (default: %(default)s)"
    )
    parser.add_argument(
        "--into", type=path_argument, metavar="FILE", help="append the case to this case file in place of printing it"
    )
    add_options(parser, ["corpus"])


def run(arguments: argparse.Namespace) -> int:
    if not arguments.finding and (arguments.into or arguments.form != "case"):
        raise UsageError("FINDING is missing. `parity promote` without options lists the new findings.")
    if arguments.into and arguments.form != "case":
        raise UsageError("--into: only a case can be appended to a file. Leave --into out, or leave --as out.")
    path = arguments.record or default_record().with_name("fuzz.jsonl")
    if arguments.record is None and not path.exists():
        raise UsageError(f"{path} does not exist. Run `parity fuzz` first, or name its record: --record FILE")
    record = read_record(path)
    corpus = load_corpus(corpus_folder(options_of(arguments)))
    if not arguments.finding:
        sys.stdout.write(printable(findings_text(_findings(record), corpus.rulings)))
        return 0
    found = recorded_case(record, arguments.finding)
    if found is None:
        listed = "".join(f"\n  {name}" for name, _ in _findings(record)) or " none."
        raise UsageError(f"{path}: no single finding is called {one_line(arguments.finding)}. Its findings:{listed}")
    case, results = found
    if is_example(case.name):
        whose = ", ".join(sorted({result.implementation for result in results if result.verdict in FAILING}))
        notice(f"parity: {case.name} is an example of an explained or known answer of {whose}, and not new.")
    text = _FORMS[arguments.form](Promotion(case, results, proposed_requirements(case, results, corpus)))
    if arguments.into is None:
        sys.stdout.write(text)
    else:
        _append(arguments.into, text)
        notice(
            f"parity: {arguments.into} has a new case without its answer. Derive it from the text, in place of {TODO}."
        )
    return 0


def _findings(record: RunRecord) -> list[tuple[str, list[RecordedResult]]]:
    """The new findings of a campaign by name, each with its results."""
    found: dict[str, list[RecordedResult]] = {}
    for result in record.results:
        if is_generated(result.case) and not is_example(result.case):
            found.setdefault(result.case, []).append(result)
    return sorted(found.items())


def _append(file: Path, text: str) -> None:
    """Adds an entry at the end of a case file, whose last key is `cases`."""
    try:
        before = file.read_text("utf-8")
        file.write_text(f"{before.rstrip()}\n\n{text}", "utf-8")
    except (OSError, ValueError) as error:
        raise ParityError(f"{file}: the case cannot be appended: {error}.") from None
