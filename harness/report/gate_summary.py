"""RunRecord → what a gate made of it: green or red, and how many results are known, new, stale or expired. Pure.

A run's record has nothing of this. A gate says to each result how it stands to the known-divergence file, and in the
header what is wrong with that file whatever the answers are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from harness.compare.known_divergences import Status, is_unwritten
from harness.model import FAILING, ErrorKind, RecordedResult, RunRecord, Verdict
from harness.report.summary import flaky, not_started, unanswered_implementations
from harness.report.text import plural

RED = (Status.NEW, Status.EXPIRED, Status.STALE)
"""The statuses of a result that fail a gate, the most urgent first."""


@dataclass(frozen=True, slots=True)
class GateSummary:
    """How many results have each status. `known` are failing ones, `unsupported` those known not to be askable; `stale`
    are explained in vain. Of the file, `unwritten` reasons are still to be written, and `unmatched` lines name nothing.
    `trusted` tells whether the run can be believed at all."""

    known: int
    unsupported: int
    unwritten: int
    unmatched: tuple[str, ...]
    stale: tuple[RecordedResult, ...]
    red: Counter[Status]
    trusted: bool

    @property
    def green(self) -> bool:
        """Whether nothing that the record tells fails the gate."""
        return not self.amiss()

    def amiss(self) -> list[str]:
        """What makes it red: `2 new`, …"""
        found = [f"{self.red[status]} {status}" for status in RED if self.red[status]]
        found += [f"{len(self.unmatched)} {Status.UNMATCHED}"] if self.unmatched else []
        found += [f"{plural(self.unwritten, 'reason')} to write"] if self.unwritten else []
        return found + ([] if self.trusted else ["the run cannot be trusted"])

    def explained(self) -> list[str]:
        """What is known: `214 known divergences`, …"""
        return explained(self.known, self.unsupported)

    def sentence(self) -> str:
        """`gate: green, 214 known divergences` or `gate: red (2 new), 212 known divergences`."""
        verdict = "green" if self.green else f"red ({', '.join(self.amiss())})"
        return f"gate: {', '.join([verdict, *self.explained()])}"


def explained(failing: int, unsupported: int) -> list[str]:
    """How many results are known: `214 known divergences`, and `78 known to be unsupported` if there are such."""
    others = [f"{unsupported} known to be unsupported"] if unsupported else []
    return [plural(failing, "known divergence"), *others]


def gated(record: RunRecord) -> GateSummary | None:
    """What a gate made of the record; None of a run's record."""
    stated = record.metadata.gate
    if stated is None and not any(result.expectation for result in record.results):
        return None
    stands = [(result, status) for result in record.results if (status := status_of(result)) is not None]
    known = [result for result, status in stands if status is Status.KNOWN]
    return GateSummary(
        known=sum(result.verdict in FAILING for result in known),
        unsupported=sum(result.verdict is Verdict.UNSUPPORTED for result in known),
        unwritten=stated.without_reason if stated else sum(map(is_waiting, record.results)),
        unmatched=stated.unmatched if stated else (),
        stale=tuple(result for result, status in stands if status is Status.STALE),
        red=Counter(status for _, status in stands if status in RED),
        trusted=not (record.incidents or unanswered_implementations(record) or not_started(record) or flaky(record)),
    )


def status_of(result: RecordedResult) -> Status | None:
    """How a result of a gate's record stands; None of a pass that nobody explained away, and of what was never asked.

    What the gate did not say anything of is new if it does not pass.
    """
    if result.kind is ErrorKind.START:
        return None
    if result.expectation is None:
        return Status.NEW if result.verdict in FAILING or result.verdict is Verdict.UNSUPPORTED else None
    return next((status for status in (Status.KNOWN, *RED) if status == result.expectation[0]), Status.NEW)


def is_waiting(result: RecordedResult) -> bool:
    """Whether a result is known for a reason that a person still has to write."""
    return status_of(result) is Status.KNOWN and result.expectation is not None and is_unwritten(result.expectation[1])
