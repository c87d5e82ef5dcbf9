"""The systems that a gate judges: those of which the adapter implements an operation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import closing

from ..errors import EmptySelection, ParityError, one_line
from ..gate.known_divergences import KnownDivergences
from ..model import DEFAULT_OPTIONS, Implementation, RunRecord, replace
from ..plan.setup import RunSetup
from ..report.terminal.event_text import Notices
from ..runner.execute import batches
from ..runner.stall import Stalled
from .interrupts import defer_interrupts, raise_pending_interrupt


def introduction(setup: RunSetup) -> Implementation | None:
    """The adapter's reply to `initialize`; None if it does not start, which the run then reports."""
    plan = replace(setup.plan(), cases=setup.cases[:1], options=DEFAULT_OPTIONS)
    notices = Notices.of(setup)
    with defer_interrupts(), closing(batches(plan)) as stream:
        for batch in stream:
            raise_pending_interrupt()
            for event in batch:
                if isinstance(event, Stalled):
                    notices(event)
                else:  # the reply to initialize, or the first failure
                    return event if isinstance(event, Implementation) else None
    return None


def skip_systems(
    setup: RunSetup, known: KnownDivergences, introduced: Implementation | None, others: Collection[str] = ()
) -> Sequence[str]:
    """Removes the cases of systems that the adapter does not implement, and returns the names of these systems.

    A system that the known-divergence file mentions stays, and so do the `others`, so that losing all of it is reported.
    """
    operations = setup.corpus.operations
    implemented = introduced.operations if introduced else frozenset()
    offered = {operations[operation].system for operation in implemented if operation in operations}
    judged = (
        offered
        | {*others}
        | {
            case.system
            for case in setup.corpus.cases
            if known.unsupported_name(case.name, case.operation) or known.divergence(case.name)
        }
    )
    skipped_systems = sorted({case.system for case in setup.cases} - judged)
    if not offered or not skipped_systems:
        return ()
    setup.cases = [case for case in setup.cases if case.system in judged]
    if not setup.cases:
        raise EmptySelection(
            f"{one_line(next(iter(setup.connections)))} offers no operation of {', '.join(skipped_systems)}, "
            "and all selected cases belong there. Select other cases, or name the system with --system."
        )
    systems = tuple(sorted({case.system for case in setup.cases}))
    setup.options = replace(setup.options, systems=systems)
    return skipped_systems


def check_offer(record: RunRecord, skipped_systems: Sequence[str], setup: RunSetup) -> None:
    """Raises `ParityError` if the adapter offered operations of a skipped system during the run."""
    operations, (entry,) = setup.corpus.operations, record.metadata.implementations
    offered = entry.identity.operations if entry.identity else ()
    late = {operations[name].system for name in offered if name in operations} & {*skipped_systems}
    if late:
        raise ParityError(
            f"{entry.name} offered no operation of {', '.join(sorted(late))} at its first start and offered one later, "
            "so that system was not judged. An adapter must offer the same operations at every start."
        )
