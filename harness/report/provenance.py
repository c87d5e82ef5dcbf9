"""Provenance of the answers → lines for a terminal, or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..corpus.provenance import Provenance
from ..model import JsonObject
from .phrases import percentage
from .terminal import plain_table, table_lines

_INDEPENDENT = "independent"


def provenance_lines(systems: Sequence[Provenance]) -> Iterator[str]:
    """A table: a row for each system, the share of its cases by origin, and the share with independent confirmation, if that
    is known."""
    if not systems:
        return
    origins = sorted({origin for one in systems for origin in one.origins})
    yield "Origins of the expected answers; repository: facts that no text has;"
    yield "independent: confirmed without the reference and without such facts:"
    table = plain_table(["system"], ["cases", *origins, _INDEPENDENT])
    for one in systems:
        shares = [_share(one.origins.get(origin, 0), one.cases) for origin in origins]
        table.add_row(one.system, str(one.cases), *shares, _share(one.independent, one.cases))
    yield from (f"  {line}" for line in table_lines(table))


def _share(count: int | None, of: int) -> str:
    if count is None:
        return "unknown"
    return percentage(count, of) if count else "·"


def provenance_json(systems: Sequence[Provenance]) -> JsonObject:
    """The counts by system; null for what is not known."""
    return {
        one.system: {
            "cases": one.cases,
            "origins": dict(one.origins),
            "derived": one.derived,
            "independent": one.independent,
        }
        for one in systems
    }
