"""Provenance of the answers → lines for a terminal, or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..corpus.provenance import Provenance
from ..model import JsonObject

_INDEPENDENT = "independent"


def provenance_lines(systems: Sequence[Provenance]) -> Iterator[str]:
    """A table: a row for each system, the share of its cases by origin, and the share with independent confirmation, if that
    is known."""
    if not systems:
        return
    origins = sorted({origin for one in systems for origin in one.origins})
    first = max(len("system"), *(len(one.system) for one in systems))
    yield "Origins of the expected answers, in % of the cases; repository: facts that no text has;"
    yield "independent: confirmed without the reference and without such facts:"
    yield "  " + f"{'system':<{first}}  cases" + "".join(f"  {origin}" for origin in [*origins, _INDEPENDENT])
    for one in systems:
        shares = [*((origin, one.origins.get(origin, 0)) for origin in origins), (_INDEPENDENT, one.independent)]
        cells = "".join(f"  {_share(count, one.cases):>{len(origin)}}" for origin, count in shares)
        yield f"  {one.system:<{first}}  {one.cases:>5}{cells}"


def _share(count: int | None, of: int) -> str:
    if count is None:
        return "unknown"
    return f"{100 * count / of:.1f}" if count else "·"


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
