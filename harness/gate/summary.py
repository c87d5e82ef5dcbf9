"""RunRecord → the state of a gate and the number of known, new, stale and expired results. Pure.

The record of a gate holds a listing for each result, and in its header the defects of the known-divergence file.
The record of a run has neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from ..compare.unobservable import unobserved_leaves
from ..model import (
    FAILING,
    ErrorKind,
    GateFile,
    RecordedImplementation,
    RecordedResult,
    RunRecord,
    Status,
    Verdict,
)
from .known_divergences import is_unwritten
from .listing import NewReason

RED_STATUSES = (Status.NEW, Status.READING, Status.EXPIRED, Status.STALE)
"""The statuses of a result that fail a gate, the most urgent first."""


class GateState(StrEnum):
    """The state of a gate. `untrusted`: no finding fails it, but the run is incomplete, flaky or disturbed."""

    GREEN = "green"
    RED = "red"
    UNTRUSTED = "untrusted"


class GateSummary(Struct, frozen=True, kw_only=True):
    """The results by status. `unwritten_reasons` and `unmatched` are defects of the known-divergence file; `lost` are names
    that only the older corpus had for which it was written. `trusted` is False for a run that has doubts.

    `new_paths` are unobservable paths that hide expected values and that the file does not list; `stale_paths` are those of
    the file that the implementation does not declare. Each is an operation and a JSON Pointer: `song.sing/tune`. `base` is
    the commit that the results are compared with in place of a file; what is known is as there.
    """

    listed: Mapping[Status, Sequence[RecordedResult]]
    trusted: bool
    unwritten_reasons: int = 0
    unmatched: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    new_paths: tuple[str, ...] = ()
    stale_paths: tuple[str, ...] = ()
    base: str = ""

    @property
    def known(self) -> int:
        """The number of known failures."""
        return sum(result.verdict in FAILING for result in self.listed[Status.KNOWN])

    @property
    def known_unsupported(self) -> int:
        """The number of known unsupported cases."""
        return sum(result.verdict is Verdict.UNSUPPORTED for result in self.listed[Status.KNOWN])

    @property
    def red(self) -> Counter[Status]:
        """The number of results by each status that fails the gate."""
        return Counter({status: len(self.listed[status]) for status in RED_STATUSES if self.listed[status]})

    @property
    def state(self) -> GateState:
        """Findings come first: a red gate stays red, trusted or not."""
        if self.red or self.unmatched or self.unwritten_reasons or self.new_paths or self.stale_paths:
            return GateState.RED
        return GateState.GREEN if self.trusted else GateState.UNTRUSTED

    @property
    def is_green(self) -> bool:
        """Whether the gate passes."""
        return self.state is GateState.GREEN


def gate_of(record: RunRecord, *, trusted: bool) -> GateSummary | None:
    """The gate of a record; None for the record of a run."""
    defects = record.metadata.gate
    if defects is None:
        return None
    return GateSummary(
        listed=by_status((status_of(result), result) for result in record.results),
        trusted=trusted,
        unwritten_reasons=defects.without_reason,
        unmatched=defects.unmatched,
        lost=defects.lost,
        new_paths=tuple(dict.fromkeys(_new_paths(record))),
        stale_paths=() if defects.base else tuple(dict.fromkeys(_stale_paths(record, defects))),
        base=defects.base,
    )


def by_status(
    results: Iterable[tuple[Status | None, RecordedResult]],
) -> Mapping[Status, Sequence[RecordedResult]]:
    """The results by each status, also by one that none has."""
    found: dict[Status, list[RecordedResult]] = {status: [] for status in Status}
    for status, result in results:
        if status:
            found[status].append(result)
    return found


def _new_paths(record: RunRecord) -> Iterator[str]:
    """The unobservable paths that no known-divergence file lists, if they hide a value that a case of the record expects."""
    for entry in record.metadata.implementations:
        unlisted: dict[str, set[str]] = {}
        for path in {*_declared(entry)} - {*entry.known_unobservable}:
            unlisted.setdefault(path.partition("/")[0], set()).add(path)
        for result in record.results if unlisted else ():
            waiting = unlisted.get(result.operation)
            if waiting and result.unobserved and result.implementation == entry.name:
                expected, start = result.expected, len(result.operation)
                hiding = {path for path in waiting if unobserved_leaves(expected, [path[start:]])}
                waiting -= hiding
                yield from sorted(hiding)


def _stale_paths(record: RunRecord, defects: GateFile) -> Iterator[str]:
    """The listed paths of operations of the corpus that the implementation, which started, does not declare."""
    for entry in record.metadata.implementations:
        if entry.identity is not None:
            gone = {*entry.known_unobservable} - {*_declared(entry)} - {*defects.unmatched}
            yield from (path for path in entry.known_unobservable if path in gone)


def _declared(entry: RecordedImplementation) -> Iterator[str]:
    own = entry.identity.unobservable if entry.identity else {}
    return (f"{operation}{path}" for operation, paths in own.items() for path in paths)


def status_of(result: RecordedResult) -> Status | None:
    """The status of one result in a gate; None for a pass without an entry and for a case that never ran.

    A failing or unsupported result without a listing is new.
    """
    if result.kind is ErrorKind.START:
        return None
    if result.expectation is None:
        return Status.NEW if result.verdict in FAILING or result.verdict is Verdict.UNSUPPORTED else None
    return result.expectation.status


def new_reason(result: RecordedResult) -> NewReason | None:
    """The reason for which a result is new, also in the corpus; None for every other status."""
    if result.expectation is None or status_of(result) not in (Status.NEW, Status.NEW_IN_CORPUS):
        return None
    recorded = result.expectation.reason
    return NewReason(recorded) if recorded in [*NewReason] else None


def has_unwritten_reason(result: RecordedResult) -> bool:
    """Whether a result is known, but its reason is still TODO."""
    expectation = result.expectation
    return expectation is not None and status_of(result) is Status.KNOWN and is_unwritten(expectation.reason)
