"""Counts by system and section. A case is named `<system>/<section>/…/<id>`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ..model import FAILING, Verdict
from .summary import CountsByName, RunSummary, VerdictCounts


def system_of(name: str) -> str:
    """The system of a case or a suite."""
    return name.partition("/")[0]


def section_of(suite: str) -> str:
    """The section of a suite, as `system/section`."""
    return "/".join(suite.split("/")[:2])


def by_section(summary: RunSummary) -> Mapping[str, Mapping[str, CountsByName]]:
    """The counts of each section, by system, in the order of their names."""
    suites: dict[str, dict[str, list[CountsByName]]] = {}
    for suite, counts in summary.suites.items():
        suites.setdefault(system_of(suite), {}).setdefault(section_of(suite), []).append(counts)
    return {
        system: {section: summed(rows) for section, rows in sections.items()} for system, sections in suites.items()
    }


def summed(rows: Iterable[CountsByName]) -> CountsByName:
    """The sum of several counts."""
    sums: dict[str, VerdictCounts] = {}
    for row in rows:
        for name, counts in row.items():
            sums.setdefault(name, Counter()).update(counts)
    return sums


def supported(counts: VerdictCounts) -> int:
    """Number of supported cases."""
    return counts.total() - counts[Verdict.UNSUPPORTED]


def failing(counts: VerdictCounts) -> int:
    """Number of failing cases."""
    return sum(counts[verdict] for verdict in FAILING)


def share(counts: VerdictCounts) -> str:
    """The share of supported cases that do not fail, as `98.4%`: 100% only if none fails, 0% only if all do."""
    cases, bad = supported(counts), failing(counts)
    if not cases:
        return "unsupported" if counts else "no verdict"
    return percentage(cases - bad, cases)


def floor_text(passed: float, cases: int = 1) -> str:
    """The share of `cases` that a constant answer passes, as `14.7%`; `passed` is their number, or the share itself."""
    return percentage(round(1000 * passed / cases), 1000) if cases else ""


def percentage(part: int, whole: int) -> str:
    """`part` of `whole` as `98.4%`, rounded down: 100% only for the whole, 0% only for nothing."""
    tenths = 1000 * part // whole if whole else 0
    if 0 < part < whole:
        tenths = max(tenths, 1)
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths / 10:.1f}%"
