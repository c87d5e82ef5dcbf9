"""A whole campaign: the operations that it covers, its units here or on workers, and what its requests reached."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from fnmatch import fnmatchcase
from functools import partial

from ..corpus.loader import Corpus
from ..corpus.paths import cache, shipped
from ..errors import ParityError, UsageError, one_line
from ..model import REFERENCE, Implementation, replace
from ..plan.setup import RunSetup
from ..transport.connect import ProcessConnection
from .campaign import Campaign
from .campaign_report import Limits, Report, merged
from .campaign_text import reached_text, rulings_text
from .exchange import generated_case
from .local_pool import IsStopped, local_pool
from .reached import reached, reached_rulings
from .store import ExampleStore
from .units import Pool, Unit, UnitPlan, run_units, whole_campaign
from .worker import CampaignPlan, run_unit

RULING_SAMPLE = 60
"""Requests of each operation that are searched for points of decision; each takes about 10 ms."""


def chosen_operations(
    corpus: Corpus, globs: Sequence[str], systems: Sequence[str], implementations: Collection[Implementation]
) -> list[str]:
    """The operations to fuzz, by system and name: the chosen ones that at least two implementations offer, or the only
    one. Raises `UsageError` if none is left."""
    for glob in globs:
        if not any(fnmatchcase(name, glob) for name in corpus.operations):
            raise UsageError(f"--operation: no operation is called {one_line(glob)}. `parity coverage` lists them.")
    least = min(2, len(implementations))
    chosen = [
        operation
        for operation in sorted(corpus.operations.values(), key=lambda operation: (operation.system, operation.name))
        if (not systems or operation.system in systems)
        and (not globs or any(fnmatchcase(operation.name, glob) for glob in globs))
        and sum(operation.name in implementation.operations for implementation in implementations) >= least
    ]
    if not chosen:
        raise UsageError("The implementations offer none of the chosen operations together; nothing was sent.")
    return [operation.name for operation in chosen]


def run_campaign(
    setup: RunSetup,
    plan: CampaignPlan,
    limits: Limits,
    first_round: int,
    scheduler: str,
    beat: Callable[[], None],
    show: Callable[[Campaign], None],
) -> Report:
    """Runs the campaign here, or in units by workers of this machine or of the cluster of a `scheduler`. A
    `KeyboardInterrupt` of `beat` ends it with what it has; `show` gets the campaign that runs here, again and again. Raises
    `ParityError` if no unit came to its end."""

    def run_here(unit: Unit, is_stopped: IsStopped) -> Report:
        def look(campaign: Campaign) -> None:
            beat()
            if is_stopped():
                raise KeyboardInterrupt
            if setup.options.jobs == 1:
                show(campaign)

        return run_unit(setup, plan, unit, look)

    if setup.options.jobs == 1 and not scheduler:
        return run_here(whole_campaign(limits, first_round), lambda: False)
    units = UnitPlan(len(plan.operations), limits, first_round)
    with _pool(setup, plan, scheduler, run_here) as pool:
        is_whole = run_units(units, pool, beat, partial(_give_up, setup))
    if not units.reports:
        if not is_whole:
            raise KeyboardInterrupt
        raise ParityError("No worker of the campaign came to its end. Run again with fewer workers.")
    report = merged(units.reports)
    if scheduler:  # a worker keeps its examples on its own machine
        store = ExampleStore(cache() / "fuzz")
        for finding in report.findings:
            store.save(finding.group.implementation, finding.group.operation, finding.case.request)
    return report if is_whole else replace(report, interrupted=True)


def _pool(
    setup: RunSetup, plan: CampaignPlan, scheduler: str, run_here: Callable[[Unit, IsStopped], Report]
) -> AbstractContextManager[Pool]:
    if not scheduler:
        return local_pool(run_here, setup.options.jobs)
    from .cluster import cluster_pool

    return cluster_pool(setup, scheduler, plan)


def _give_up(setup: RunSetup, unit: Unit) -> None:
    first = unit.rounds.start
    setup.notify(f"parity: the rounds from {first} are missing, because their workers ended unexpectedly.")


def reached_texts(setup: RunSetup, report: Report) -> Iterator[str]:
    """The parts of the reference that the requests of a campaign did not reach, and the points of decision."""
    connection = setup.connections.get(REFERENCE)
    found = reached(connection, shipped(), report.sample) if isinstance(connection, ProcessConnection) else None
    if found is None:
        setup.notify("parity: the coverage of the reference cannot be measured.")
        return
    yield reached_text(found)
    operations = setup.corpus.operations
    cases = [
        generated_case(operations[name], json.loads(text))
        for name, texts in report.sample.items()
        for text in texts[-RULING_SAMPLE:]
    ]
    cited = {case.ruling for case in setup.corpus.cases if case.operation in report.sample}
    rulings = {name: ruling for name, ruling in setup.corpus.rulings.items() if name in cited}
    with setup.alternatives() as source:
        if source is not None and rulings and (of_rulings := reached_rulings(source, cases, rulings)):
            yield rulings_text(of_rulings)
