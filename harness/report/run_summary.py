"""RunRecord → RunSummary: counts, failures, doubts, gate and exit status, computed once for all reports. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from ..corpus.sharding import Shard
from ..gate.summary import GateSummary, gate_of, status_of
from ..model import (
    FAILING,
    REFERENCE,
    SETTLED,
    ErrorKind,
    RecordedResult,
    RunRecord,
    TallyKey,
    Verdict,
    is_generated,
    replace,
    supported,
    tally,
    where,
)
from ..model import in_corpus_order as corpus_order
from .conformance import (
    Conformance,
    OperationShare,
    conformance_of,
    corpus_cases,
    disputed_operations,
    operation_shares,
)

VerdictCounts: TypeAlias = "Counter[Verdict]"
CountsByName: TypeAlias = "Mapping[str, VerdictCounts]"
"""Number of each verdict, by implementation."""

_NOT_STARTED = 3
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
    NO_OPERATIONS = "no-operations"
    FEW_ANSWERED = "few-answered"


UNANSWERED = frozenset(
    (
        MissingCode.ALL_UNSUPPORTED,
        MissingCode.REFERENCE_UNSUPPORTED,
        MissingCode.NO_OPERATIONS,
        MissingCode.FEW_ANSWERED,
    )
)
"""Gaps of answers: every case has its verdict."""


class MissingVerdicts(Struct, frozen=True):
    """A gap that would look like success: `found` of `expected` verdicts. `implementation` is empty for the whole
    record. Unsupported cases do not count as found, except for `incomplete-record` and `some-missing`. `few-answered`
    counts the cases of the operations that the implementation lists."""

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


class RunSummary(Struct, frozen=True):
    """Everything that reports decide about a record.

    `record` has its results in corpus order. `cases` is the number of selected cases. `failing` are all results that
    fail. `not_started` gives the reason for each implementation that should have run and did not start, with the end of
    its output; one that could not be built has no verdict.
    `systems_not_implemented` has the systems for which an implementation offers no operation. `conformance` has the
    implementations that started; `operations` the operations that each answers, the worst first. `disputed` are the
    operations whose every case in the corpus is disputed. `unstable` are the flaky results that fail in an execution and
    that no known-divergence file lists. `gate` is None for the record of a run.
    """

    record: RunRecord
    cases: int
    totals: CountsByName
    suites: Mapping[str, CountsByName]
    failing: Sequence[RecordedResult]
    flaky: Mapping[str, Sequence[RecordedResult]]
    unstable: Sequence[RecordedResult]
    not_started: Mapping[str, str]
    systems_not_implemented: Mapping[str, frozenset[str]]
    conformance: Mapping[str, Conformance]
    operations: Mapping[str, Sequence[OperationShare]]
    disputed: frozenset[str]
    missing: tuple[MissingVerdicts, ...]
    doubts: tuple[Doubt, ...]
    gate: GateSummary | None
    exit_status: int

    @property
    def corpus_cases(self) -> Mapping[str, int]:
        """The number of cases of each operation in the corpus."""
        return corpus_cases(self.record)

    @property
    def trusted(self) -> bool:
        """Whether the run is complete, stable and undisturbed."""
        return not self.doubts

    @property
    def is_generated(self) -> bool:
        """Whether the record holds findings of a campaign: it has no profiles, no floors and no badge."""
        return bool(self.suites) and all(map(is_generated, self.suites))

    @property
    def is_clean(self) -> bool:
        """Whether nothing fails in a trusted run."""
        return self.trusted and not self.failing

    @property
    def failures(self) -> Sequence[RecordedResult]:
        """The failing results of implementations that started. A failed start is one failure, whatever it left open."""
        return where(self.failing, names={*self.record.implementations} - {*self.not_started})

    def failures_of(self, name: str) -> list[RecordedResult]:
        """The failures of one implementation."""
        return list(where(self.failures, names={name}))


def summarise(record: RunRecord) -> RunSummary:
    """The summary of a record."""
    record = in_corpus_order(record)
    counted = tally(record.results)
    counts, not_ready = _totals(record, counted), not_started(record)
    failing = where(record.results, lambda outcome: outcome.verdict in FAILING)
    flaky = _flaky(record)
    unstable = [
        result
        for results in flaky.values()
        for result in results
        if result.is_unstable and status_of(result) not in SETTLED
    ]
    disputed = disputed_operations(record, counted)
    conformance = conformance_of(record, counted, disputed)
    missing = tuple(_missing(record, counts, conformance))
    stopped = any(key.kind is ErrorKind.START for key in counted)
    doubts = {
        Doubt.NOT_STARTED: bool(not_ready) or stopped,
        Doubt.MISSING_VERDICTS: bool(missing),
        Doubt.INCIDENTS: bool(record.incidents),
        Doubt.FLAKY: bool(unstable),
    }
    gate = gate_of(record, trusted=not any(doubts.values()))
    is_failed = bool(failing) or any(doubts.values()) if gate is None else not gate.is_green
    return RunSummary(
        record=record,
        cases=_selected_cases(record),
        totals=counts,
        suites=_suites(record, counted),
        failing=failing,
        flaky=flaky,
        unstable=unstable,
        not_started=not_ready,
        systems_not_implemented=_systems_not_implemented(record, counted),
        conformance=conformance,
        operations={name: operation_shares(record, counted, name, disputed) for name in conformance},
        disputed=disputed,
        missing=missing,
        doubts=tuple(doubt for doubt, holds in doubts.items() if holds),
        gate=gate,
        exit_status=_NOT_STARTED
        if not_ready or any(gap.code is MissingCode.NO_OPERATIONS for gap in missing)
        else int(is_failed),
    )


def _totals(record: RunRecord, counted: Counter[TallyKey]) -> CountsByName:
    """Number of each verdict, by implementation."""
    counts: dict[str, VerdictCounts] = {name: Counter() for name in record.implementations}
    for key, count in counted.items():
        counts[key.implementation][key.verdict] += count
    return counts


def not_started(record: RunRecord) -> Mapping[str, str]:
    """The reason for each implementation that should have run and did not start, with the end of its output."""
    entries = (entry for entry in record.metadata.implementations if entry.identity is None and entry.reason)
    found = {entry.name: (entry.reason, entry.log) for entry in entries}
    found |= {entry.name: (entry.reason, entry.log) for entry in record.metadata.skipped if entry.is_error}
    return {name: f"{reason}\n{log}" if log else reason for name, (reason, log) in found.items()}


def in_corpus_order(record: RunRecord) -> RunRecord:
    """The record with its results in the order of the corpus: suites by name, cases by line, implementations as in the
    header. The reports of merged shards then equal those of one whole run, except for times."""
    return replace(record, results=corpus_order(record.results, record.implementations))


def urgency(result: RecordedResult) -> int:
    """The sort key of lists: crashes, timeouts, protocol errors, failed starts and raised errors before differences;
    cases that were not sent last."""
    return len(_URGENCY) if result.unsent_after else urgency_of(result.kind)


def urgency_of(kind: ErrorKind | None) -> int:
    """The place of a kind of error in lists; None is a difference."""
    return _URGENCY.index(kind)


def _suites(record: RunRecord, counted: Counter[TallyKey]) -> Mapping[str, CountsByName]:
    table: dict[str, dict[str, VerdictCounts]] = {}
    for key, count in sorted(counted.items(), key=lambda item: item[0].suite):
        row = table.setdefault(key.suite, {name: Counter() for name in record.implementations})
        row[key.implementation][key.verdict] += count
    return table


def _flaky(record: RunRecord) -> Mapping[str, Sequence[RecordedResult]]:
    found = {name: where(record.results, lambda one: one.is_flaky, {name}) for name in record.implementations}
    return {name: results for name, results in found.items() if results}


def _systems_not_implemented(record: RunRecord, counted: Counter[TallyKey]) -> Mapping[str, frozenset[str]]:
    selected: dict[str, set[str]] = {}
    for key in counted:
        selected.setdefault(key.suite.partition("/")[0], set()).add(key.operation)
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
    return Shard(*shard).size(selected) if shard else selected


def _missing(
    record: RunRecord, counts: CountsByName, conformance: Mapping[str, Conformance]
) -> Iterator[MissingVerdicts]:
    least = record.metadata.options.min_answered
    cases = _selected_cases(record)
    if not record.complete:
        expected = cases * len(record.implementations)
        yield MissingVerdicts(MissingCode.INCOMPLETE_RECORD, len(record.results), expected)
    for name, of_name in counts.items():
        total = of_name.total()
        unsupported = total - supported(of_name)
        if total == 0:
            yield MissingVerdicts(MissingCode.NO_VERDICTS, 0, cases, name)
        elif name in conformance and conformance[name].offers_nothing:
            yield MissingVerdicts(MissingCode.NO_OPERATIONS, 0, total, name)
        elif total == unsupported:
            yield MissingVerdicts(MissingCode.ALL_UNSUPPORTED, 0, total, name)
        elif name in conformance and 100 * (own := conformance[name].own).answered < least * own.cases:
            yield MissingVerdicts(MissingCode.FEW_ANSWERED, own.answered, own.cases, name)
        elif total != cases and record.complete:
            yield MissingVerdicts(MissingCode.SOME_MISSING, total, cases, name)
        if name == REFERENCE and 0 < unsupported < total:
            yield MissingVerdicts(MissingCode.REFERENCE_UNSUPPORTED, total - unsupported, total, name)
