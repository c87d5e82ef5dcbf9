"""Lists requirements without cases or with positive cases only, the origins of the answers, the cases that a constant
answer passes and, with a record, the implementations that ran them."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ..corpus.loader import Corpus, load_with_gaps
from ..corpus.provenance import Derivation
from ..corpus.requirement_coverage import Coverage, Proof, cover
from ..corpus.selection import of_systems
from ..errors import CorpusError, UsageError
from ..model import REFERENCE
from ..plan.chosen_cases import corpus_folder
from ..report.pages.coverage_page import as_json, render
from .compare import whole_record
from .options import add_options, options_of, path_argument
from .streams import medium


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser, ["corpus", "systems"], systems="use the requirements of one system; may be repeated")
    parser.add_argument(
        "--record", type=path_argument, metavar="FILE", help="a run record: adds the verdicts by implementation"
    )
    parser.add_argument(
        "--mutation",
        type=path_argument,
        metavar="FILE",
        help="a mutation score: adds the proven requirements (default: reports/published/mutation.json of the corpus)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default: text)")


def run(arguments: argparse.Namespace) -> int:
    corpus = load_with_gaps(corpus_folder(options_of(arguments)))
    coverage = _coverage(corpus, arguments)
    sys.stdout.write(as_json(coverage) if arguments.format == "json" else render(coverage, medium()))
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
    listed = corpus.requirements.values()
    requirements = [requirement for requirement in listed if requirement.system in systems or not arguments.system]
    proof, derivation = _proof(arguments.mutation, corpus), _derivation(corpus)
    return cover(requirements, cases, record, REFERENCE, proof, derivation)


def _proof(named: Path | None, corpus: Corpus) -> Proof | None:
    """The kept mutation score; None if no file is named and the corpus has none. Raises `UsageError` for another file."""
    file = named or corpus.root / "reports" / "published" / "mutation.json"
    if named is None and not file.is_file():
        return None
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        return Proof(frozenset(map(str, value["proven"])), value["corpus"] == corpus.digest)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{file}: this file is no mutation score, an object with the members corpus and proven. "
            "`make mutants` writes one."
        ) from error


def _derivation(corpus: Corpus) -> Derivation | None:
    """The answers that `oracles/confirmed.json` of the corpus lists; None if nobody knows them, without this file."""
    file = corpus.root / "oracles" / "confirmed.json"
    if not file.is_file():
        return None
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        return Derivation(frozenset(map(str, value["systems"])), tuple(map(str, value["except"])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{file}: expected an object with the lists systems and except. Correct the file.") from error
