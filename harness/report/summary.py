"""RunRecord → RunSummary: counts, failures, doubts, gate and exit status, computed once for all reports. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from ..compare.known_divergences import Status
from ..corpus.sharding import Part
from ..model import FAILING, ErrorKind, RecordedResult, RunRecord, Verdict
from .gate_summary import GateSummary, gate_of, status_of

REFERENCE = "reference"
"""The name of the shipped reference. It must support every case."""

VerdictCounts: TypeAlias = "Counter[Verdict]"
CountsByName: TypeAlias = "Mapping[str, VerdictCounts]"
"""Number of each verdict, by implementation."""

_NOT_STARTED = 3
_MAX_DIGITS = 9
_URGENCY = (
    ErrorKind.CRASH,
    ErrorKind.TIMEOUT,
    ErrorKind.PROTOCOL,
    ErrorKind.START,
    ErrorKind.IMPLEMENTATION,
    None,
)
"""Kinds of errors in the order of lists; `None` is a difference."""


class MissingCode(StrEnum):
    """Why verdicts are missing."""

    INCOMPLETE_RECORD = "incomplete-record"
    NO_VERDICTS = "no-verdicts"
    ALL_UNSUPPORTED = "all-unsupported"
    SOME_MISSING = "some-missing"
    REFERENCE_UNSUPPORTED = "reference-unsupported"


@dataclass(frozen=True, slots=True)
class MissingVerdicts:
    """A gap that would look like success: `found` of `expected` verdicts. `implementation` is empty for the whole
    record. Unsupported cases do not count as found, except for `incomplete-record` and `some-missing`."""

    code: MissingCode
    found: int
    expected: int
    implementation: str = ""


class Doubt(StrEnum):
    """Why a run is not trustworthy, whatever its verdicts are."""

    NOT_STARTED = "not-started"
    MISSING_VERDICTS = "missing-verdicts"
    INCIDENTS = "incidents"
    FLAKY = "flaky"


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Everything that reports decide about a record.

    `record` has its results in corpus order. `cases` is the number of selected cases. `failing` are all results that
    fail. `not_started` gives the reason for each implementation that did not start, with the end of its output.
    `systems_not_implemented` has the systems for which an implementation offers no operation. `gate` is None for the
    record of a run.
    """

    record: RunRecord
    cases: int
    totals: CountsByName
    suites: Mapping[str, CountsByName]
    failing: tuple[RecordedResult, ...]
    flaky: Mapping[str, tuple[RecordedResult, ...]]
    not_started: Mapping[str, str]
    systems_not_implemented: Mapping[str, frozenset[str]]
    missing: tuple[MissingVerdicts, ...]
    doubts: tuple[Doubt, ...]
    gate: GateSummary | None
    exit_status: int

    @property
    def trusted(self) -> bool:
        """Whether the run is complete, stable and undisturbed."""
        return not self.doubts

    @property
    def is_clean(self) -> bool:
        """Whether nothing fails in a trusted run."""
        return self.trusted and not self.failing

    @property
    def failures(self) -> tuple[RecordedResult, ...]:
        """The failing results of implementations that started. A failed start is one failure, whatever it left open."""
        return tuple(result for result in self.failing if result.implementation not in self.not_started)

    def failures_of(self, name: str) -> list[RecordedResult]:
        """The failures of one implementation."""
        return [result for result in self.failures if result.implementation == name]


def summarise(record: RunRecord) -> RunSummary:
    """The summary of a record."""
    record = in_corpus_order(record)
    counts, not_ready = totals(record), not_started(record)
    failing = tuple(result for result in record.results if result.verdict in FAILING)
    flaky = _flaky(record)
    missing = tuple(_missing(record, counts))
    stopped = any(result.kind is ErrorKind.START for result in failing)
    doubts = {
        Doubt.NOT_STARTED: bool(not_ready) or stopped,
        Doubt.MISSING_VERDICTS: bool(missing),
        Doubt.INCIDENTS: bool(record.incidents),
        Doubt.FLAKY: any(status_of(one) is not Status.KNOWN for results in flaky.values() for one in results),
    }
    return RunSummary(
        record=record,
        cases=_selected_cases(record),
        totals=counts,
        suites=_suites(record),
        failing=failing,
        flaky=flaky,
        not_started=not_ready,
        systems_not_implemented=_systems_not_implemented(record),
        missing=missing,
        doubts=tuple(doubt for doubt, holds in doubts.items() if holds),
        gate=gate_of(record, trusted=not any(doubts.values())),
        exit_status=_NOT_STARTED if not_ready else int(bool(failing) or any(doubts.values())),
    )


def totals(record: RunRecord) -> CountsByName:
    """Number of each verdict, by implementation."""
    counts: dict[str, VerdictCounts] = {name: Counter() for name in record.implementations}
    for result in record.results:
        counts[result.implementation][result.verdict] += 1
    return counts


def not_started(record: RunRecord) -> Mapping[str, str]:
    """The reason for each implementation that did not start, with the end of its output."""
    return {
        entry.name: f"{entry.reason}\n{entry.log}" if entry.log else entry.reason
        for entry in record.metadata.implementations
        if entry.identity is None and entry.reason
    }


def in_corpus_order(record: RunRecord) -> RunRecord:
    """The record with its results in the order of the corpus: suites by name, cases by line, implementations as in the
    header. The reports of merged shards then equal those of one whole run, except for times."""
    place = {name: number for number, name in enumerate(record.implementations)}

    def key(result: RecordedResult) -> tuple[str, int, str, int]:
        return result.suite, _line(result.at), result.case, place[result.implementation]

    return replace(record, results=tuple(sorted(record.results, key=key)))


def urgency(result: RecordedResult) -> int:
    """The sort key of lists: crashes, timeouts, protocol errors, failed starts and raised errors before differences;
    cases that were not sent last."""
    return len(_URGENCY) if result.unsent_after else _URGENCY.index(result.kind)


def _line(at: str) -> int:
    """The line of `file:line`; 0 for any other text."""
    line = at.rpartition(":")[2]
    return int(line) if line.isdecimal() and len(line) <= _MAX_DIGITS else 0


def _suites(record: RunRecord) -> Mapping[str, CountsByName]:
    table: dict[str, dict[str, VerdictCounts]] = {}
    for result in record.results:
        row = table.setdefault(result.suite, {name: Counter() for name in record.implementations})
        row[result.implementation][result.verdict] += 1
    return table


def _flaky(record: RunRecord) -> Mapping[str, tuple[RecordedResult, ...]]:
    found: dict[str, list[RecordedResult]] = {name: [] for name in record.implementations}
    for result in record.results:
        if result.flaky:
            found[result.implementation].append(result)
    return {name: tuple(results) for name, results in found.items() if results}


def _systems_not_implemented(record: RunRecord) -> Mapping[str, frozenset[str]]:
    selected: dict[str, set[str]] = {}
    for result in record.results:
        selected.setdefault(result.case.partition("/")[0], set()).add(result.operation)
    return {
        entry.name: frozenset(
            system for system, operations in selected.items() if operations.isdisjoint(entry.identity.operations)
        )
        for entry in record.metadata.implementations
        if entry.identity
    }


def _selected_cases(record: RunRecord) -> int:
    """The number of cases in this run: the selection, or the shard's part of it."""
    selected, shard = record.metadata.cases, record.metadata.shard
    return Part(*shard).size(selected) if shard else selected


def _missing(record: RunRecord, counts: CountsByName) -> Iterator[MissingVerdicts]:
    cases = _selected_cases(record)
    if not record.complete:
        expected = cases * len(record.implementations)
        yield MissingVerdicts(MissingCode.INCOMPLETE_RECORD, len(record.results), expected)
    for name, of_name in counts.items():
        total, unsupported = of_name.total(), of_name[Verdict.UNSUPPORTED]
        if total == 0:
            yield MissingVerdicts(MissingCode.NO_VERDICTS, 0, cases, name)
        elif total == unsupported:
            yield MissingVerdicts(MissingCode.ALL_UNSUPPORTED, 0, total, name)
        elif total != cases and record.complete:
            yield MissingVerdicts(MissingCode.SOME_MISSING, total, cases, name)
        if name == REFERENCE and 0 < unsupported < total:
            yield MissingVerdicts(MissingCode.REFERENCE_UNSUPPORTED, total - unsupported, total, name)
