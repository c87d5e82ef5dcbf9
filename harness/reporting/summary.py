"""Counting a record: what a matrix shows and what an exit status says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from harness.model import FAILING, RunRecord, Verdict

REFERENCE = "reference"
"""The name of the shipped reference; it has to answer every case."""


def by_suite(record: RunRecord) -> Mapping[str, Mapping[str, Counter[Verdict]]]:
    """How many of each verdict, by suite and implementation, in the order of the record's cases."""
    table: dict[str, dict[str, Counter[Verdict]]] = {}
    for result in sorted(record.results, key=lambda result: result.suite):
        row = table.setdefault(result.suite, {name: Counter() for name in record.implementations})
        row[result.implementation][result.verdict] += 1
    return table


def totals(record: RunRecord) -> Mapping[str, Counter[Verdict]]:
    """How many of each verdict, by implementation."""
    counts: dict[str, Counter[Verdict]] = {name: Counter() for name in record.implementations}
    for result in record.results:
        counts[result.implementation][result.verdict] += 1
    return counts


def silences(record: RunRecord) -> list[str]:
    """A sentence for everything that could pass for success although nothing was judged."""
    found = []
    for name, counts in totals(record).items():
        if counts.total() == 0:
            found.append(f"{name} has no verdict at all.")
        elif counts.total() == counts[Verdict.UNSUPPORTED]:
            found.append(f"{name} answered none of the {counts.total()} cases, so nothing is known of it.")
        elif name == REFERENCE and counts[Verdict.UNSUPPORTED]:
            found.append(f"The reference does not answer {counts[Verdict.UNSUPPORTED]} cases; it has to answer each.")
    if not record.complete:
        found.append("The record has no footer: the run did not come to its end.")
    return found


def exit_status(record: RunRecord) -> int:
    """0, or 1 for a fail, an error, an incident, or a silence."""
    failing = any(result.verdict in FAILING for result in record.results)
    return 1 if failing or record.incidents or silences(record) else 0
