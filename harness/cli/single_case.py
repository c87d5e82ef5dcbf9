"""One case, run by every implementation at once: what `explain` and `ask` share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from ..corpus.checker import Checker
from ..corpus.loader import Corpus
from ..errors import UsageError
from ..gate.known_divergences import Divergence, KnownDivergences
from ..gate.known_reader import load_beside, load_known
from ..gate.listing import entry_of, has_other_signature
from ..model import (
    FAILING,
    Case,
    ErrorKind,
    Implementation,
    Incident,
    Operation,
    Result,
    RunOptions,
    option_words,
    replace,
)
from ..plan.run_plan import plan_of
from ..protocol import Connection
from ..records import line_of
from ..report.pages.explanation import Explanation
from ..report.terminal.event_text import Notices
from ..runner.attribute import Explanations
from ..runner.execute import batches
from ..scaffolding.sdk_tests import NoTest, sdk_test
from ..transport.adapter_spec import AdapterSpec, adapter_of
from ..transport.connect import ConnectionAttempt
from ..transport.manifest import Manifest
from ..transport.operation_support import read_declarations
from .interrupts import defer_interrupts, raise_pending_interrupt
from .options import ADAPTERS
from .streams import notice


class Executed(Struct, frozen=True):
    """What the run of one case gave: the results in the order of the connections, and all else by implementation."""

    results: Sequence[Result]
    implementations: Mapping[str, Implementation]
    incidents: Sequence[Incident]
    skipped: Mapping[str, str]

    @property
    def is_unstarted(self) -> bool:
        """Whether an implementation could not be built or started."""
        return bool(self.skipped) or any(result.kind is ErrorKind.START for result in self.results)


def execute_case(
    case: Case,
    corpus: Corpus,
    checker: Checker,
    reached: Sequence[ConnectionAttempt],
    options: RunOptions,
    probes: Mapping[str, str],
    explanations: Explanations | None,
    operation: Operation | None = None,
) -> Executed:
    """Runs the case on every implementation. `operation` replaces the one of the corpus."""
    connections: dict[str, Connection] = {attempt.name: attempt.connection for attempt in reached if attempt.connection}
    plan = plan_of(corpus, checker, [case], connections, options, explanations)
    if operation:
        plan = replace(plan, operations={**corpus.operations, case.operation: operation})
    notices = Notices(corpus.operations, probes, notice)
    events = []
    with defer_interrupts():
        for batch in batches(replace(plan, max_in_flight=1, recheck=False)):
            for event in batch:
                notices(event)
            events += batch
            raise_pending_interrupt()
    results = {event.implementation: event for event in events if isinstance(event, Result)}
    return Executed(
        results=[results[name] for name in connections if name in results],
        implementations={event.name: event for event in events if isinstance(event, Implementation)},
        incidents=[event for event in events if isinstance(event, Incident)],
        skipped={attempt.name: attempt.reason for attempt in reached if not attempt.connection},
    )


def explanation_of(
    case: Case,
    corpus: Corpus,
    executed: Executed,
    known: Mapping[str, KnownDivergences],
    manifests: Mapping[str, Manifest],
) -> Explanation:
    """The page's values that the corpus, the adapters and the known-divergence files have for a case, with its run."""
    results = executed.results
    return Explanation(
        case=case,
        operation=corpus.operations[case.operation],
        requirements=[corpus.requirements[id_] for id_ in case.requirements],
        ruling=corpus.rulings.get(case.ruling),
        rulings=corpus.rulings,
        cited_by_rulings=[corpus.rulings[id_] for id_ in case.cited_by_rulings],
        results=results,
        implementations=executed.implementations,
        incidents=executed.incidents,
        skipped=executed.skipped,
        calls=dict(_public_calls(case, corpus, results, manifests)),
        known=dict(_entries(results, known, otherwise=False)),
        known_otherwise=dict(_entries(results, known, otherwise=True)),
    )


def _public_calls(
    case: Case, corpus: Corpus, results: Sequence[Result], manifests: Mapping[str, Manifest]
) -> Iterator[tuple[str, str]]:
    """The calls of each SDK for the request, if its adapter has templates of tests."""
    for result in results:
        if manifest := manifests.get(adapter_of(result.implementation)):
            declared = read_declarations(manifest.folder, [case.operation])
            with suppress(NoTest):
                test = sdk_test(case, corpus, manifest, declared)
                yield result.implementation, str(test.calls)


def known_files(
    file: Path | None, specs: Sequence[AdapterSpec], manifests: Mapping[str, Manifest], *, judges_one: bool
) -> dict[str, KnownDivergences]:
    """The known-divergence file of each implementation: `file`, else that of the shipped adapter."""
    if file is not None:
        if not judges_one:
            raise UsageError("--known is the file of one implementation. Name it with one --adapter.")
        return {specs[0].name: load_known(file, allow_todo=True)}
    return {spec.name: load_beside(manifests[spec.adapter].folder) for spec in specs if spec.is_shipped}


def _entries(
    results: Sequence[Result], known: Mapping[str, KnownDivergences], *, otherwise: bool
) -> Iterator[tuple[str, Divergence]]:
    """The entries that explain exactly these failures; or those that list the case `otherwise`, with another signature."""
    for failure in (line_of(result) for result in results if result.verdict in FAILING):
        file = known.get(failure.implementation)
        entry = entry_of(file, failure) if file else None
        if file and entry and has_other_signature(file, failure) is otherwise:
            yield failure.implementation, entry


def repeat_options(options: RunOptions) -> list[str]:
    """The options with which `run` and `explain` run the same case."""
    return option_words(options, ADAPTERS)
