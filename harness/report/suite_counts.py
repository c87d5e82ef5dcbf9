"""Counts by system and section. A case is named `<system>/<section>/…/<id>`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from .run_summary import CountsByName, RunSummary, VerdictCounts


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
