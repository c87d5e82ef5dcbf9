"""A known-divergence file without the lines that do not hold. Pure."""

from __future__ import annotations

from collections.abc import Collection

from ..model import Status, replace
from .findings import GateFinding
from .known_divergences import Divergence, KnownDivergences, ListedNames


def is_deleted(finding: GateFinding) -> bool:
    """Whether the remedy is to delete the line: it is stale or unmatched. A model that predicts too much is no line to
    delete."""
    return finding.status in (Status.STALE, Status.UNMATCHED) and not finding.off_model


def without_lines(known: KnownDivergences, gone: Collection[str]) -> KnownDivergences:
    """The file without these names, and without the entries of which nothing is left. Nothing is added."""
    return replace(
        known,
        divergences=tuple(
            entry for entry in (_without(entry, gone) for entry in known.divergences) if entry.cases or entry.model
        ),
        unsupported=_with_names(known.unsupported, gone),
        unobservable=_with_names(known.unobservable, gone),
        readings=known.readings
        and tuple(
            replace(entry, cases=cases)
            for entry in known.readings
            if (cases := tuple(name for name in entry.cases if name not in gone))
        ),
        follows=tuple(reading for reading in known.follows if "=".join(reading) not in gone),
    )


def _without(entry: Divergence, gone: Collection[str]) -> Divergence:
    model = "" if entry.model in gone else entry.model
    return replace(
        entry,
        model=model,
        name="" if entry.name in gone else entry.name,
        requirements=tuple(id_ for id_ in entry.requirements if id_ not in gone) if model or entry.name else (),
        cases={case: signatures for case, signatures in entry.cases.items() if case not in gone},
    )


def _with_names(entries: tuple[ListedNames, ...], gone: Collection[str]) -> tuple[ListedNames, ...]:
    left = (replace(entry, names=tuple(name for name in entry.names if name not in gone)) for entry in entries)
    return tuple(entry for entry in left if entry.names)
