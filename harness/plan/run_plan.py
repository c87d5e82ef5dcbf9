"""The one way from a corpus, connections and options to a plan: what a run, a gate, `explain`, `fuzz`, pytest and the
library have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache

from ..base.near_names import name_remedy
from ..compare.alternatives import choice_of
from ..compare.causes import is_refuted
from ..compare.charged import KnownCauses
from ..compare.error_text import alternatives_text
from ..corpus.checker import Checker
from ..corpus.loader import Corpus, OpenCorpus
from ..corpus.paths import shipped
from ..errors import ParityError, UsageError, one_line
from ..gate.known_divergences import KnownDivergences
from ..gate.known_reader import load_beside
from ..model import REFERENCE, Case, Choice, Ruling, RunOptions, replace
from ..protocol import Connection
from ..runner.adapter_session import Timeouts
from ..runner.attribute import Explanations
from ..runner.execute import RunPlan
from ..transport.answer_under import AlternativesAdapter, shipped_alternatives
from ..transport.connect import ProcessConnection
from ..transport.manifest import shipped_manifests
from ..transport.operation_support import OperationSupport, read_declarations


def plan_of(
    corpus: Corpus,
    checker: Checker,
    cases: Sequence[Case],
    connections: Mapping[str, Connection],
    options: RunOptions,
    explanations: Explanations | None,
) -> RunPlan:
    """The plan that runs these cases on these implementations, with everything on which a verdict depends."""
    return RunPlan(
        cases=cases,
        operations=corpus.operations,
        connections=connections,
        answer_error=checker.answer_error,
        options=options,
        timeouts=Timeouts.of(options.timeout),
        recheck=True,
        explanations=explanations,
    )


def explanations_of(
    corpus: Corpus | OpenCorpus,
    known: Mapping[str, KnownDivergences],
    notify: Callable[[str], None],
) -> Explanations:
    """How failing answers are explained: by the readings of the corpus, and by what is `known` of each implementation."""
    rulings = corpus.rulings
    common = KnownCauses(
        rulings,
        {
            f"{ruling.id}={reading}": [id_ for id_ in ruling.requirements if not corpus.requirements[id_].is_fact]
            for ruling in rulings.values()
            for reading in ruling.readings
            if is_refuted((ruling.id, reading), rulings)
        },
        elsewhere=_shipped_requirements,
    )
    return Explanations(
        lambda: reference_answers(notify),
        rulings,
        common,
        models={name: file.model for name, file in known.items()},
        causes={name: file.predicted for name, file in known.items()},
        known={
            name: replace(
                common,
                requirements={**common.requirements, **file.broken_requirements},
                listed=file.listed_causes,
            )
            for name, file in known.items()
        },
    )


@cache
def _shipped_requirements() -> Mapping[str, Sequence[str]]:
    """What the models of the shipped adapters break, by the name of the cause."""
    files = [load_beside(manifest.folder) for manifest in shipped_manifests(shipped()).values()]
    return {
        entry.model: entry.requirements
        for file in files
        for entry in file.divergences
        if entry.model and entry.requirements
    }


def reference_answers(notify: Callable[[str], None]) -> AbstractContextManager[AlternativesAdapter | None]:
    """Starts the reference, which gives answers under other readings; None where no reference is shipped. `notify` gets a
    line if it fails."""
    manifests = shipped_manifests(shipped())
    return shipped_alternatives(REFERENCE, manifests, lambda cause: notify(alternatives_text(cause)))


@contextmanager
def required_answers(proposal: Choice, rulings: Mapping[str, Ruling]) -> Iterator[AlternativesAdapter]:
    """Starts the reference, which must answer under a proposal. Raises `ParityError` if it gives no answers, and
    `UsageError` if it does not know a part of the proposal."""

    def fail(message: str) -> None:
        raise ParityError(message.removeprefix("parity: "))

    with reference_answers(fail) as source:
        if source is None:
            raise ParityError("No reference is shipped here, so nothing gives answers under other readings.")
        known = choice_of(source.accepted() or ())
        for ruling, reading in proposal.readings:
            if (ruling, reading) not in known.readings and reading != rulings[ruling].adopted:
                raise UsageError(
                    f"{ruling}={reading}: the reference has no answers by this reading. No case can show it."
                )
        for name in proposal.deviations:
            if name not in known.deviations:
                raise UsageError(f"{one_line(name)}: no such deviation. {name_remedy(name, known.deviations)}")
        yield source


def declared_support(connection: Connection, operations: Iterable[str]) -> Mapping[str, OperationSupport]:
    """How a shipped adapter supports these operations, as it declares; nothing of another command."""
    if not (isinstance(connection, ProcessConnection) and connection.adapter):
        return {}
    return read_declarations(shipped_manifests(shipped())[connection.adapter].folder, operations)


def known_of(connections: Mapping[str, Connection]) -> dict[str, KnownDivergences]:
    """The known-divergence file beside each shipped adapter; a command has none."""
    manifests = shipped_manifests(shipped())
    return {
        name: load_beside(manifests[connection.adapter].folder)
        for name, connection in connections.items()
        if isinstance(connection, ProcessConnection) and connection.adapter
    }
