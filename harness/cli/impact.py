"""Shows what a proposal for the specification costs: if the text stated this reading of a ruling, which expected answers
would change, and which implementations of recorded runs would pass or fail by them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..compare.proposal import Assessment, RecordedAnswers
from ..corpus.loader import Corpus, load_corpus
from ..corpus.paths import default_record
from ..corpus.reading_names import named_readings
from ..errors import UsageError
from ..model import REFERENCE, Choice, RunRecord, where
from ..plan.chosen_cases import corpus_folder
from ..plan.run_plan import required_answers
from ..records import read_record
from ..report.document_terminal import Medium
from ..report.pages.impact_page import ImpactPage, as_json, render
from .options import add_options, check_each_once, options_of, path_argument
from .streams import medium

IS_INTERMIXED = True
"""Readings and records can stand on both sides of an option."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "given",
        nargs="*",
        metavar="RULING=READING | RECORD",
        help="readings that the text would state, such as RUL-B65=b; run records that have the answers (default: the record "
        "that `parity run` writes)",
    )
    parser.add_argument(
        "--deviation",
        action="append",
        default=[],
        metavar="NAME",
        help="also a known deviation of an SDK, as if the text asked for what it does",
    )
    add_options(parser, ["corpus"])
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print the page as Markdown, for an issue")
    form.add_argument("--format", choices=("text", "json"), default="text", help="text (default), or json: all values")


def run(arguments: argparse.Namespace) -> int:
    corpus = load_corpus(corpus_folder(options_of(arguments)))
    names = [given for given in arguments.given if "=" in given and not Path(given).exists()]
    paths = [_path(given) for given in arguments.given if given not in names] or [_default_record()]
    proposal = Choice(named_readings(names, corpus.rulings), tuple(sorted({*arguments.deviation})))
    if not proposal:
        raise UsageError("Nothing is proposed. Name a reading, such as RUL-B65=b, or a deviation: --deviation NAME.")
    records = list(map(read_record, paths))
    check_each_once(paths)
    recorded = _answers(paths, records)
    judged = {result.case for answers in recorded.values() for result in answers.results}
    cases = [case for case in corpus.cases if case.name in judged]
    for system in {corpus.rulings[id_].system for id_, _ in proposal.readings} - {case.system for case in cases}:
        raise UsageError(f"The records have no case of {system}, so they cannot show what the proposal does to it.")
    with required_answers(proposal, corpus.rulings) as source:
        impact = Assessment(proposal, source, corpus.rulings, corpus.operations).impact(cases, recorded)
    if arguments.format == "json":
        print(json.dumps(as_json(impact), indent=1))
        return 0
    page = ImpactPage(
        impact=impact,
        rulings=corpus.rulings,
        requirements=corpus.requirements,
        reasons={
            cause.name: cause.reason
            for record in records
            for entry in record.metadata.implementations
            for cause in entry.causes
        },
        notes=_notes(corpus, records),
        corpus=str(arguments.corpus or ""),
    )
    sys.stdout.write(render(page, Medium(is_markdown=True) if arguments.markdown else medium()))
    return 0


def _path(text: str) -> Path:
    try:
        return path_argument(text)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"RECORD: {error}. Name a record.") from None


def _default_record() -> Path:
    """The record of the last run. Raises `UsageError` if there is none."""
    if not default_record().exists():
        raise UsageError(f"No record is named, and there is no {default_record()}. Name a record, or run `parity run`.")
    return default_record()


def _answers(paths: Sequence[Path], records: Sequence[RunRecord]) -> Mapping[str, RecordedAnswers]:
    """The answers of the implementations besides the reference, each by its name, or by name and file if two have it."""
    found = [
        (entry, path, record)
        for path, record in zip(paths, records, strict=True)
        for entry in record.metadata.implementations
        if entry.name != REFERENCE
    ]
    if not found:
        raise UsageError(
            "The records have only the reference, which follows every text. Name a record of an SDK: parity run --adapter ts"
        )
    names = [entry.name for entry, _, _ in found]
    return {
        entry.name if names.count(entry.name) == 1 else f"{entry.name} ({path})": RecordedAnswers(
            where(record.results, names={entry.name}), entry.identity.unobservable if entry.identity else {}
        )
        for entry, path, record in found
    }


def _notes(corpus: Corpus, records: Sequence[RunRecord]) -> list[str]:
    notes = []
    if any(record.metadata.corpus_digest != corpus.digest for record in records):
        notes.append("The corpus has changed since a record was made.")
    if not all(record.complete for record in records):
        notes.append("A record has no footer: its run did not end, so answers are missing.")
    return notes
