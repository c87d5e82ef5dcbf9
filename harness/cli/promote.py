"""Prints a finding of `parity fuzz` as an entry for a case file, with the answer left to a person; or as the skeleton of a
reading or of a deviation."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..compare.known_divergences import TODO
from ..corpus.loader import load_corpus
from ..corpus.paths import default_record, shipped
from ..errors import ParityError, UsageError, one_line
from ..model import FAILING
from ..records import read_record
from ..records.cases import is_generated, recorded_case
from ..report.promotion import Promotion, case_entry, deviation_skeleton, proposed_requirements, reading_skeleton
from .options import add_corpus_folder, path_argument
from .streams import notice

_FORMS = {"case": case_entry, "reading": reading_skeleton, "deviation": deviation_skeleton}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("finding", metavar="FINDING", help="the name of a finding, or the beginning of its last part")
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
    add_corpus_folder(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.into and arguments.form != "case":
        raise UsageError("--into: only a case can be appended to a file. Leave --into out, or leave --as out.")
    path = arguments.record or default_record().with_name("fuzz.jsonl")
    if arguments.record is None and not path.exists():
        raise UsageError(f"{path} does not exist. Run `parity fuzz` first, or name its record: --record FILE")
    record = read_record(path)
    found = recorded_case(record, arguments.finding)
    if found is None:
        generated = [result for result in record.results if is_generated(result)]
        new = {result.case for result in generated if result.verdict in FAILING and not result.explained_by}
        names = sorted({result.case for result in generated}, key=lambda name: (name not in new, name))
        listed = "".join(f"\n  {name}" for name in names) or " none."
        raise UsageError(f"{path}: no single finding is called {one_line(arguments.finding)}. Its findings:{listed}")
    case, results = found
    failing = [one for one in results if one.verdict in FAILING]
    if failing and all(one.explained_by for one in failing):
        whose = ", ".join(sorted({one.implementation for one in failing}))
        notice(f"parity: {case.name} is an example of an explained answer of {whose}, and not new.")
    corpus = load_corpus((arguments.corpus or shipped()).resolve())
    text = _FORMS[arguments.form](Promotion(case, results, proposed_requirements(case, results, corpus)))
    if arguments.into is None:
        sys.stdout.write(text)
    else:
        _append(arguments.into, text)
        notice(
            f"parity: {arguments.into} has a new case without its answer. Derive it from the text, in place of {TODO}."
        )
    return 0


def _append(file: Path, text: str) -> None:
    """Adds an entry at the end of a case file, whose last key is `cases`."""
    try:
        before = file.read_text("utf-8")
        file.write_text(f"{before.rstrip()}\n\n{text}", "utf-8")
    except (OSError, ValueError) as error:
        raise ParityError(f"{file}: the case cannot be appended: {error}.") from None
