"""One unit of a campaign, run in this process: its adapters, its rounds, and its report."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..corpus.paths import cache, shipped
from ..errors import UsageError
from ..model import REFERENCE, Implementation
from ..runner.events import Event
from ..transport.adapter_spec import AdapterSpec
from ..transport.manifest import shipped_manifests
from .fuzz_jobs import raise_if_stopped
from .run_setup import RunSetup, add_adapter

if TYPE_CHECKING:
    from ..fuzz.campaign import Campaign
    from ..fuzz.exchange import Exchanges
    from ..fuzz.findings import Report
    from ..fuzz.units import Unit

_PROGRESS_INTERVAL = 0.2


@dataclass(frozen=True, slots=True)
class CampaignPlan:
    """What all units of a campaign have in common. `implementations` are those that started, by name."""

    operations: Sequence[str]
    implementations: Mapping[str, Implementation]
    seed: int


def connect_reference(setup: RunSetup) -> None:
    """Adds the reference, in front of the others: it gives the expected answers."""
    others = dict(setup.connections)
    if not setup.options.adapters and set(others) == {REFERENCE}:
        raise UsageError("No adapter besides the reference can run here. `parity doctor` lists what to install.")
    if REFERENCE not in others and REFERENCE in (manifests := shipped_manifests(shipped())):
        add_adapter(setup, AdapterSpec(REFERENCE), manifests, named=False)
        setup.probes = {**setup.probes, REFERENCE: shlex.join(["parity", "probe", REFERENCE])}
    setup.connections = {
        name: setup.connections[name] for name in sorted(setup.connections, key=lambda name: name != REFERENCE)
    }


def run_unit(
    setup: RunSetup, plan: CampaignPlan, unit: Unit, *, with_progress: bool = False, with_stored: bool = True
) -> Report:
    """Runs one unit. With `with_stored`, the first unit begins with the findings of earlier campaigns on this machine."""
    from ..fuzz.campaign import Campaign
    from ..fuzz.classify import Classifier
    from ..fuzz.exchange import Exchanges
    from ..fuzz.generation import sources
    from ..fuzz.store import ExampleStore

    notices = setup.notices()
    campaign: Campaign | None = None

    def listen(event: Event) -> None:
        if not isinstance(event, Implementation):
            notices(event)

    with ExitStack() as stack:
        show = stack.enter_context(_progress(is_shown=with_progress and sys.stderr.isatty()))

        def beat() -> None:
            raise_if_stopped()
            if campaign is not None:
                show(campaign)

        exchanges: Exchanges = stack.enter_context(
            Exchanges(
                setup.connections,
                plan.implementations,
                setup.corpus.operations,
                setup.checker.answer_error,
                setup.timeouts,
                listen,
                beat,
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
        campaign = Campaign(
            sources(setup.corpus, plan.operations),
            dict(setup.corpus.operations),
            setup.checker,
            exchanges,
            classifier,
            ExampleStore(cache() / "fuzz"),
            plan.seed,
        )
        report = campaign.run(unit, with_stored=with_stored and unit.index == 0)
        if not report.interrupted:
            exchanges.close()
    return report


@contextmanager
def _progress(*, is_shown: bool) -> Iterator[Callable[[Campaign], None]]:
    """Shows the progress of a campaign on one line of standard error."""
    from ..fuzz.text import progress_text

    started, shown_at = time.monotonic(), 0.0

    def show(campaign: Campaign) -> None:
        nonlocal shown_at
        now = time.monotonic()
        if now - shown_at > _PROGRESS_INTERVAL:
            shown_at = now
            line = progress_text(campaign.tally, campaign.found, now - started)
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)

    if not is_shown:
        yield lambda _: None
        return
    yield show
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)
