"""Shows requirements against cases: what no case shows, what only positive ones show, and, with a record, who answers."""

from __future__ import annotations

import argparse
import sys

from harness.cli.compare import whole_record
from harness.cli.options import add_corpus_folder, place
from harness.corpus.coverage import Coverage, cover
from harness.corpus.loader import Corpus, load_with_gaps
from harness.corpus.paths import shipped
from harness.corpus.selection import of_systems
from harness.errors import CorpusError, UsageError
from harness.report.coverage import as_json, render
from harness.report.summary import REFERENCE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_corpus_folder(parser)
    parser.add_argument(
        "--system", action="append", default=[], metavar="NAME", help="the requirements of one system; may be repeated"
    )
    parser.add_argument("--record", type=place, metavar="FILE", help="a run record: who answered the cases")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print it")


def run(arguments: argparse.Namespace) -> int:
    corpus = load_with_gaps((arguments.corpus or shipped()).resolve())
    covering = _covering(corpus, arguments)
    sys.stdout.write(as_json(covering) if arguments.format == "json" else render(covering))
    if corpus.missing_evidence_problems:
        raise CorpusError(corpus.missing_evidence_problems)
    return 1 if covering.uncovered_musts() else 0


def _covering(corpus: Corpus, arguments: argparse.Namespace) -> Coverage:
    """Raises `UsageError` for a record that was made from another corpus."""
    record = whole_record(arguments.record) if arguments.record else None
    if record and record.metadata.corpus_digest != corpus.digest:
        raise UsageError(
            f"{arguments.record}: this record was made from another corpus, so what it answers may be another question. "
            "Run again, or name its corpus: --corpus DIR."
        )
    cases = of_systems(corpus.cases, arguments.system)
    systems = {case.system for case in cases}
    requirements = [one for one in corpus.requirements.values() if one.system in systems or not arguments.system]
    return cover(requirements, cases, record, REFERENCE)
