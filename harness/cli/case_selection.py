"""The options that select cases, and the corpus with the selected cases."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..corpus.loader import Corpus, load_corpus
from ..corpus.paths import shipped
from ..corpus.profiles import profile_operations
from ..corpus.selection import alternatives, of_systems, select, with_profiles
from ..errors import EmptySelection
from ..model import Case, rows
from .options import add_corpus_folder
from .streams import notice


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of every verb that reads a corpus."""
    add_corpus_folder(parser)
    parser.add_argument(
        "--system", action="append", default=[], metavar="NAME", help="only the cases of this system; may be repeated"
    )
    parser.add_argument(
        "--profile",
        action="append",
        default=[],
        metavar="NAME",
        help="only the operations of this conformance profile; may be repeated",
    )
    parser.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="EXPR",
        help="which cases: a name, a glob over names, requirement: operation: origin: tag: ruling: revision: with a GLOB, "
        "profile:NAME, or verdict:V[:NAME]@RECORD; `!` negates, terms in one EXPR must all hold, several --select add up, "
        "and so do parts with commas between them",
    )


def read_corpus(arguments: argparse.Namespace) -> tuple[Corpus, Sequence[Case]]:
    """The corpus that the options name and the selected cases; nothing is checked against schemas yet."""
    corpus = load_corpus((arguments.corpus or shipped()).resolve())
    of_systems(corpus.cases, arguments.system)
    known = {"requirement": corpus.requirements, "ruling": corpus.rulings, "operation": corpus.operations}
    arguments.select, arguments.profile = with_profiles(alternatives(arguments.select), arguments.profile), []
    profiles = profile_operations(corpus) if any("profile:" in one for one in arguments.select) else {}
    selected = select(corpus.cases, arguments.select, recorded_verdicts, known, profiles, corpus.tags)
    systems = {*arguments.system}
    cases = [case for case in selected if not systems or case.system in systems]
    if not cases:
        raise EmptySelection(
            f"--select matches no case of --system {', '.join(arguments.system)}; nothing was run. Change one of the two."
        )
    return corpus, cases


def recorded_verdicts(record: str) -> Iterator[tuple[str, str, str]]:
    """(case, implementation, verdict) of a record, for `--select verdict:…@RECORD`."""
    from ..records import read_record

    read = read_record(Path(record))
    if not read.complete:
        notice(f"parity: {record} has no footer: its run did not end, so its later verdicts are missing.")
    for case, name, outcome in rows(read.results):
        yield case.case, name, outcome.verdict.value
