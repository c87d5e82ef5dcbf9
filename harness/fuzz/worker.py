"""The part of a campaign that one process does: a unit, with adapters of its own."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from msgspec import Struct

from ..corpus.paths import cache, shipped
from ..errors import UsageError
from ..model import REFERENCE, Implementation
from ..plan.setup import RunSetup, add_adapter
from ..report.terminal.event_text import Notices
from ..runner.events import Event
from ..transport.adapter_spec import AdapterSpec
from ..transport.manifest import shipped_manifests
from .campaign import Campaign
from .campaign_report import Report
from .classify import Classifier
from .exchange import Exchanges
from .generation import sources
from .store import ExampleStore
from .units import Unit


class CampaignPlan(Struct, frozen=True):
    """What all units of a campaign have in common. `implementations` are those that started, by name."""

    operations: Sequence[str]
    implementations: Mapping[str, Implementation]
    seed: int


def connect_reference(setup: RunSetup) -> None:
    """Adds the reference, in front of the others: it gives the expected answers."""
    if not setup.options.adapters and set(setup.connections) == {REFERENCE}:
        raise UsageError("No adapter besides the reference can run here. `parity doctor` lists what to install.")
    if REFERENCE not in setup.connections and REFERENCE in (manifests := shipped_manifests(shipped())):
        add_adapter(setup, AdapterSpec(REFERENCE), manifests, named=False)
        setup.probes = {**setup.probes, REFERENCE: shlex.join(["parity", "probe", REFERENCE])}
    setup.connections = {
        name: setup.connections[name] for name in sorted(setup.connections, key=lambda name: name != REFERENCE)
    }


def run_unit(
    setup: RunSetup, plan: CampaignPlan, unit: Unit, beat: Callable[[Campaign], None], *, with_stored: bool = True
) -> Report:
    """Runs one unit. With `with_stored`, the first unit begins with the findings of earlier campaigns on this machine.
    `beat` is called before each look at the adapters; its `KeyboardInterrupt` ends the unit with what it has."""
    notices = Notices.of(setup)
    campaign: Campaign | None = None

    def listen(event: Event) -> None:
        if not isinstance(event, Implementation):
            notices(event)

    def look() -> None:
        if campaign is not None:
            beat(campaign)

    with ExitStack() as stack:
        exchanges: Exchanges = stack.enter_context(
            Exchanges(
                setup.connections,
                plan.implementations,
                setup.corpus.operations,
                setup.checker.answer_error,
                setup.timeouts,
                listen,
                look,
            )
        )
        classifier = Classifier(
            operations=setup.corpus.operations,
            rulings=setup.corpus.rulings,
            explanations=setup.explanations(),
            source=stack.enter_context(setup.alternatives()),
            implementations=plan.implementations,
            known=setup.known,
            case_operations={case.name: case.operation for case in setup.corpus.cases},
        )
        store = ExampleStore(cache() / "fuzz")
        campaign = Campaign(
            sources(setup.corpus, plan.operations), setup.checker, exchanges, classifier, store, plan.seed
        )
        report = campaign.run(unit, with_stored=with_stored and unit.index == 0)
        if not report.interrupted:
            exchanges.close()
    return report
