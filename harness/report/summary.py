"""Counting a record: what a matrix shows and what an exit status says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from harness.corpus.sharding import Part
from harness.model import FAILING, RecordedResult, RunRecord, Verdict

REFERENCE = "reference"
"""The name of the shipped reference; it has to answer every case."""

_NOT_STARTED = 3


def by_suite(record: RunRecord) -> Mapping[str, Mapping[str, Counter[Verdict]]]:
    """How many of each verdict, by suite and implementation, in the order of the suites' names."""
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


def cases(record: RunRecord) -> int:
    """How many cases were asked: those selected, or a shard's part of them."""
    selected, shard = record.metadata.cases, record.metadata.shard
    return Part(*shard).size(selected) if shard else selected


def not_started(record: RunRecord) -> Mapping[str, str]:
    """Why each of the implementations that could not be built or started was not; the end of their output behind it."""
    return {
        entry.name: f"{entry.reason}\n{entry.log}" if entry.log else entry.reason
        for entry in record.metadata.implementations
        if entry.identity is None and entry.reason
    }


def unoffered(record: RunRecord) -> Mapping[str, frozenset[str]]:
    """The systems among the cases asked of which an implementation offers no operation, by implementation."""
    asked: dict[str, set[str]] = {}
    for result in record.results:
        asked.setdefault(result.case.partition("/")[0], set()).add(result.operation)
    return {
        entry.name: frozenset(
            system for system, operations in asked.items() if operations.isdisjoint(entry.identity.operations)
        )
        for entry in record.metadata.implementations
        if entry.identity is not None
    }


def unanswered_implementations(record: RunRecord) -> list[str]:
    """A sentence for everything that could pass for success although nothing was judged."""
    found = []
    if not record.complete:
        verdicts = f"{len(record.results)} of {cases(record) * len(record.implementations)} verdicts"
        found.append(f"This record has no footer: its run did not come to its end. It holds {verdicts}.")
    for name, counts in totals(record).items():
        missing = cases(record) - counts.total()
        if counts.total() == 0:
            found.append(f"{name} has no verdict at all.")
        elif counts.total() == counts[Verdict.UNSUPPORTED]:
            found.append(f"{name} answered none of the {counts.total()} cases, so nothing is known of it.")
        elif missing and record.complete:
            found.append(f"{name} has no verdict on {missing} of the {cases(record)} cases.")
        if name == REFERENCE and 0 < counts[Verdict.UNSUPPORTED] < counts.total():
            found.append(f"The reference does not answer {counts[Verdict.UNSUPPORTED]} cases; it has to answer each.")
    return found


def exit_status(record: RunRecord) -> int:
    """0; 1 for a fail, an error, an flaky answer, an incident or a silence; 3 if an implementation did not start."""
    if not_started(record):
        return _NOT_STARTED
    failing = any(result.verdict in FAILING or result.flaky for result in record.results)
    return 1 if failing or record.incidents or unanswered_implementations(record) else 0


def flaky(record: RunRecord) -> Mapping[str, Sequence[RecordedResult]]:
    """What implementations answer otherwise when asked again, by implementation; only those that do."""
    found: dict[str, list[RecordedResult]] = {}
    for result in record.results:
        if result.flaky:
            found.setdefault(result.implementation, []).append(result)
    return {name: found[name] for name in record.implementations if name in found}
