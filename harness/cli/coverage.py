"""Lists requirements without cases or with positive cases only and, with a record, the implementations that ran them."""

from __future__ import annotations

import argparse
import sys

from ..corpus.coverage import Coverage, cover
from ..corpus.loader import Corpus, load_with_gaps
from ..corpus.paths import shipped
from ..corpus.selection import of_systems
from ..errors import CorpusError, UsageError
from ..report.coverage import as_json, render
from ..report.summary import REFERENCE
from .compare import whole_record
from .options import add_corpus_folder, path_argument


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_corpus_folder(parser)
    parser.add_argument(
        "--system",
        action="append",
        default=[],
        metavar="NAME",
        help="use the requirements of one system; may be repeated",
    )
    parser.add_argument(
        "--record", type=path_argument, metavar="FILE", help="a run record: adds the verdicts by implementation"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default: text)")


def run(arguments: argparse.Namespace) -> int:
    corpus = load_with_gaps((arguments.corpus or shipped()).resolve())
    coverage = _coverage(corpus, arguments)
    sys.stdout.write(as_json(coverage) if arguments.format == "json" else render(coverage))
    if corpus.missing_evidence_problems:
        raise CorpusError(corpus.missing_evidence_problems)
    return 1 if coverage.uncovered_musts() else 0


def _coverage(corpus: Corpus, arguments: argparse.Namespace) -> Coverage:
    """Raises `UsageError` for a record that was made from another corpus."""
    record = whole_record(arguments.record) if arguments.record else None
    if record and record.metadata.corpus_digest != corpus.digest:
        raise UsageError(
            f"{arguments.record}: this record was made from another corpus, so its cases may have other requests. "
            "Run again, or name its corpus with --corpus DIR."
        )
    cases = of_systems(corpus.cases, arguments.system)
    systems = {case.system for case in cases}
    requirements = [one for one in corpus.requirements.values() if one.system in systems or not arguments.system]
    return cover(requirements, cases, record, REFERENCE)
