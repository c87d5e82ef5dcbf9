"""The corpus with the selected cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..corpus.loader import Corpus, load_corpus
from ..corpus.profiles import profile_operations
from ..corpus.selection import alternatives, of_systems, select, with_profiles
from ..errors import EmptySelection
from ..model import Case, RunOptions, rows
from .options import corpus_folder
from .streams import notice


def read_corpus(options: RunOptions) -> tuple[Corpus, Sequence[Case], RunOptions]:
    """The corpus that the options name, the selected cases, and the options with every selection as an expression; nothing
    is checked against schemas yet."""
    corpus = load_corpus(corpus_folder(options))
    of_systems(corpus.heads, options.systems)
    known = {"requirement": corpus.requirements, "ruling": corpus.rulings, "operation": corpus.operations}
    expressions = with_profiles(alternatives(options.selection), options.profiles)
    profiles = profile_operations(corpus) if any("profile:" in expression for expression in expressions) else {}
    selected = select(corpus.heads, expressions, recorded_verdicts, known, profiles)
    cases = corpus.pick(case for case in selected if not options.systems or case.system in options.systems)
    if not cases:
        systems = ", ".join(options.systems)
        raise EmptySelection(f"--select matches no case of --system {systems}; nothing was run. Change one of the two.")
    return corpus, cases, replace(options, selection=tuple(expressions), profiles=())


def recorded_verdicts(record: str) -> Iterator[tuple[str, str, str]]:
    """(case, implementation, verdict) of a record, for `--select verdict:…@RECORD`."""
    from ..records import read_record

    read = read_record(Path(record))
    if not read.complete:
        notice(f"parity: {record} has no footer: its run did not end, so its later verdicts are missing.")
    for case, name, outcome in rows(read.results):
        yield case.case, name, outcome.verdict.value
