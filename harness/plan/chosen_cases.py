"""The corpus with the selected cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from ..corpus.loader import Corpus, load_corpus
from ..corpus.paths import shipped
from ..corpus.profiles import profile_operations
from ..corpus.selection import of_systems, select, split_expressions, with_profiles
from ..errors import EmptySelection
from ..gate.summary import status_of
from ..model import Case, RunOptions, replace
from ..records import read_record


def corpus_folder(options: RunOptions) -> Path:
    """The folder of the corpus."""
    return Path(options.corpus or shipped()).resolve()


def read_corpus(options: RunOptions, notify: Callable[[str], None]) -> tuple[Corpus, Sequence[Case], RunOptions]:
    """The corpus that the options name, the selected cases, and the options with every selection as an expression; nothing
    is checked against schemas yet. `notify` gets a doubt about a record that the selection names."""
    corpus = load_corpus(corpus_folder(options))
    of_systems(corpus.cases, options.systems)
    declared = {"requirement": corpus.requirements, "ruling": corpus.rulings, "operation": corpus.operations}
    expressions = with_profiles(split_expressions(options.selection), options.profiles)
    profiles = profile_operations(corpus) if any("profile:" in expression for expression in expressions) else {}
    verdicts = partial(_recorded_verdicts, notify)
    selected = select(corpus.cases, expressions, verdicts, declared, profiles, corpus.tags)
    cases = [case for case in selected if not options.systems or case.system in options.systems]
    if not cases:
        systems = ", ".join(options.systems)
        raise EmptySelection(f"--select matches no case of --system {systems}; nothing was run. Change one of the two.")
    return corpus, cases, replace(options, selection=tuple(expressions), profiles=())


def _recorded_verdicts(notify: Callable[[str], None], record: str) -> Iterator[tuple[str, str, str]]:
    """(case, implementation, verdict or status in a gate) of a record, for `--select verdict:…@RECORD`."""
    read = read_record(Path(record))
    if not read.complete:
        notify(f"parity: {record} has no footer: its run did not end, so its later verdicts are missing.")
    for result in read.results:
        yield result.case, result.implementation, result.verdict.value
        if read.metadata.gate and (status := status_of(result)):
            yield result.case, result.implementation, status.value
