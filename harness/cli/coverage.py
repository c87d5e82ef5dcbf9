"""Lists requirements without cases or with positive cases only, the origins of the answers, the cases that a constant
answer passes and, with a record, the implementations that ran them. With the text of the specification it also lists what
changed there: passages that are gone or reworded, and passages without a requirement."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from ..base.text_limits import MAX_WORD
from ..corpus.loader import Corpus, load_with_gaps
from ..corpus.provenance import Derivation
from ..corpus.requirement_coverage import Coverage, Proof, cover
from ..corpus.selection import of_systems
from ..corpus.specification_text import read_text
from ..corpus.text_changes import changes_of
from ..corpus.text_units import passages_like, passages_with
from ..errors import CorpusError, UsageError, one_line
from ..model import REFERENCE
from ..plan.chosen_cases import corpus_folder
from ..report.pages.coverage_page import as_json, render
from ..report.pages.text_changes_page import render_anchors
from .compare import whole_record
from .options import add_options, options_of, path_argument
from .streams import medium
from .text_option import add_text_option

T = TypeVar("T")


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
    add_text_option(parser, "lists what changed there")
    parser.add_argument(
        "--anchor",
        metavar="WORDS",
        help="with --text: print only the passages that contain these words, or that are most like a requirement with this "
        "id, each with the anchor to write into requirements.yaml",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default: text)")


def run(arguments: argparse.Namespace) -> int:
    corpus = load_with_gaps(corpus_folder(options_of(arguments)))
    if arguments.anchor is not None:
        return _print_anchors(arguments, corpus)
    coverage = _coverage(corpus, arguments)
    requirements = [row.requirement for row in coverage.rows]
    text = read_text(arguments.specification, requirements) if arguments.specification else None
    changes = changes_of(text, requirements, corpus.rulings.values(), corpus.cases) if text else None
    page = render(coverage, medium(), changes, str(arguments.specification))
    sys.stdout.write(as_json(coverage, changes) if arguments.format == "json" else page)
    if corpus.missing_evidence_problems:
        raise CorpusError(corpus.missing_evidence_problems)
    return 1 if coverage.uncovered_musts() or (changes and changes.lost) else 0


def _print_anchors(arguments: argparse.Namespace, corpus: Corpus) -> int:
    """Prints passages with their anchors. Raises `UsageError` without a text or without such a passage."""
    if arguments.specification is None:
        raise UsageError("--anchor searches the text of the specification. Name its folder: --text DIR.")
    words: str = arguments.anchor
    requirement = corpus.requirements.get(words)
    text = read_text(arguments.specification, corpus.requirements.values())
    found = list(passages_like(text, requirement) if requirement else passages_with(text, words))
    if not found:
        message = (
            f"No passage has the words {one_line(words, MAX_WORD)}. Write fewer of them, as they stand in the text."
        )
        raise UsageError(message)
    sys.stdout.write(render_anchors(found, medium()))
    return 0


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
    what = "an object with the members corpus and proven: a mutation score, as `make mutants` writes one"
    if named is None and not file.is_file():
        return None
    return _read(
        file, what, lambda score: Proof(frozenset(map(str, score["proven"])), score["corpus"] == corpus.digest)
    )


def _derivation(corpus: Corpus) -> Derivation | None:
    """The answers that `oracles/confirmed.json` of the corpus lists; None if nobody knows them, without this file."""
    file = corpus.root / "oracles" / "confirmed.json"
    if not file.is_file():
        return None
    what = "an object with the lists systems and except"
    return _read(
        file, what, lambda lists: Derivation(frozenset(map(str, lists["systems"])), tuple(map(str, lists["except"])))
    )


def _read(file: Path, what: str, made_of: Callable[[Any], T]) -> T:
    """What a file of JSON holds. Raises `UsageError` for another file."""
    try:
        return made_of(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{file}: expected {what}. Correct the file, or name another one.") from error
