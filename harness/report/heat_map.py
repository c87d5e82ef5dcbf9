"""RunSummary → values of the heat map on the page: a row for each section, a cell for each implementation."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from ..model import Verdict
from .phrases import share
from .suite_counts import by_section, failing, summed, supported
from .summary import CountsByName, RunSummary, VerdictCounts

_STEPS = (("clean", 0.0), ("mild", 0.02), ("warm", 0.1), ("hot", 0.4))
"""Classes of the style sheet, each with its largest share of failures."""

_SHORT = {Verdict.FAIL: "fail", Verdict.ERROR: "error", Verdict.VARIANT: "variant", Verdict.UNSUPPORTED: "unsupported"}


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One section and implementation: the class of its colour, the filters of its cases, its share, its other verdicts."""

    heat: str
    query: str
    share: str
    notes: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One section, or one system (`kind`)."""

    kind: str
    name: str
    cases: int
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The names of the implementations, and the rows of each system."""

    names: tuple[str, ...]
    systems: tuple[tuple[HeatRow, ...], ...]


def heat_map(summary: RunSummary) -> HeatMap:
    """The heat map of a run. Its colours show the share of failures."""
    table = by_section(summary)
    systems = []
    for system, sections in table.items():
        head = [_row(summary, system, summed(sections.values()), "system")]
        rows = [_row(summary, section, row, "section") for section, row in sections.items()]
        systems.append(tuple(head + rows if len(sections) > 1 or system not in sections else rows))
    if len(table) > 1:
        systems.append((_row(summary, "", summary.totals, "system"),))
    return HeatMap(summary.record.implementations, tuple(systems))


def _row(summary: RunSummary, name: str, row: CountsByName, kind: str) -> HeatRow:
    names = summary.record.implementations
    cells = [_cell(name, one, row[one], started=one not in summary.not_started) for one in names]
    shown = name.partition("/")[2] if kind == "section" and "/" in name else name
    most = max((counts.total() for counts in row.values()), default=0)
    return HeatRow(kind, shown or "all", most, tuple(cells))


def _cell(section: str, implementation: str, counts: VerdictCounts, *, started: bool) -> HeatCell:
    query = {"section": section, "implementation": implementation, "verdict": "fail,error" if failing(counts) else ""}
    link = urlencode({key: value for key, value in query.items() if value})
    if not started:
        return HeatCell("silent", link, "not started", "")
    if not supported(counts):
        return HeatCell("silent", link, share(counts), "")
    notes = ", ".join(f"{counts[verdict]} {word}" for verdict, word in _SHORT.items() if counts[verdict])
    return HeatCell(heat_of(counts), link, share(counts), notes)


def heat_of(counts: VerdictCounts) -> str:
    """The class of the colour for these verdicts; `silent` if no case is supported."""
    if not supported(counts):
        return "silent"
    part = failing(counts) / supported(counts)
    return next((name for name, most in _STEPS if part <= most), "burning")
