"""The public API: load a corpus, execute a plan, read and summarise a run record. docs/library.md shows it at work.

corpus = load_corpus(select=["jeffs_brain/query_dsl/operators"])
with open_adapters(["reference"]) as connections:
    for event in execute(corpus.plan(connections)):
        if isinstance(event, Result):
            print(event.case.name, event.implementation, event.verdict)
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from .corpus.checker import Checker
from .corpus.loader import Corpus, check_corpus
from .corpus.paths import cache, shipped
from .errors import AdapterUnavailable, CorpusError, ParityError, UsageError
from .model import (
    DEFAULT_OPTIONS,
    Case,
    Implementation,
    Incident,
    Result,
    RunOptions,
    RunRecord,
    Verdict,
    replace,
)
from .plan.chosen_cases import read_corpus
from .plan.run_plan import explanations_of, known_of, plan_of
from .protocol import Connection
from .records import read_record
from .report.run_summary import RunSummary, summarise
from .runner.adapter_session import Timeouts
from .runner.breaker import CircuitOpened
from .runner.case_execution import AdapterBroke
from .runner.events import Event
from .runner.execute import RunPlan, execute
from .runner.stall import Stalled, TimeoutsCounted
from .transport.adapter_spec import released_specs
from .transport.connect import connect
from .transport.manifest import shipped_manifests
from .transport.sandbox import Sandbox

__all__ = [
    "AdapterBroke",
    "AdapterUnavailable",
    "CheckedCorpus",
    "CircuitOpened",
    "CorpusError",
    "Event",
    "Implementation",
    "Incident",
    "ParityError",
    "Result",
    "RunPlan",
    "RunRecord",
    "RunSummary",
    "Stalled",
    "Timeouts",
    "TimeoutsCounted",
    "UsageError",
    "Verdict",
    "execute",
    "load_corpus",
    "open_adapters",
    "read_record",
    "summarise",
]


class CheckedCorpus(Struct, frozen=True):
    """A corpus whose cases are checked against its schemas; `cases` are the selected ones, each decoded at its first use."""

    corpus: Corpus
    cases: Sequence[Case]
    checker: Checker

    def plan(self, connections: Mapping[str, Connection], timeouts: Timeouts | None = None) -> RunPlan:
        """A plan that runs the selected cases on these implementations, with the verdicts of `parity run`."""
        explanations = explanations_of(self.corpus, known_of(connections), warnings.warn)
        plan = plan_of(self.corpus, self.checker, self.cases, connections, DEFAULT_OPTIONS, explanations)
        return plan if timeouts is None else replace(plan, timeouts=timeouts)


def load_corpus(root: Path | None = None, select: Sequence[str] = ()) -> CheckedCorpus:
    """The corpus below `root` (default: the shipped one), with the cases that the `--select` expressions match (default:
    all). Raises `CorpusError` with every problem, `EmptySelection`, or `UsageError` for an expression."""
    options = RunOptions(corpus=str(root or ""), selection=tuple(select))
    corpus, cases, _ = read_corpus(options, warnings.warn)
    return CheckedCorpus(corpus, cases, check_corpus(corpus))


@contextmanager
def open_adapters(adapters: Sequence[str], pass_env: Sequence[str] = ()) -> Iterator[dict[str, Connection]]:
    """Connections by name, for `--adapter` values: a shipped name, `NAME@VERSION`, `NAME[@LABEL]=DIR` with a working copy,
    or `[LABEL=]COMMAND`. Builds what has to be built.

    The adapters share a temporary HOME, which is removed at the end. Raises `UsageError` and `AdapterUnavailable`.
    """
    manifests = shipped_manifests(shipped())
    with Sandbox() as sandbox:
        yield {
            spec.name: connect(spec, manifests, cache(), sandbox, pass_env)
            for spec in released_specs(adapters, manifests)
        }
