"""RunSummary → sentences: the headline, missing verdicts, doubts and the state of the gate."""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from ..compare.known_divergences import Status
from ..errors import one_line
from ..model import FAILING, Verdict
from .gate_summary import RED_STATUSES, GateSummary
from .summary import Doubt, MissingCode, MissingVerdicts, RunSummary
from .text import plural


def headline(summary: RunSummary) -> str:
    """The outcome of the run in one sentence without its full stop."""
    if not summary.record.complete:
        return "the run is incomplete"
    sums: Counter[Verdict] = Counter()
    for name, counts in summary.totals.items():
        sums.update(counts if name not in summary.not_started else {})
    bad = sum(sums[verdict] for verdict in FAILING)
    parts = [f"{bad} of {plural(sums.total(), 'verdict')} {'fails' if bad == 1 else 'fail'}"] if bad else []
    return ", ".join([*parts, *doubt_texts(summary)]) or "no failures"


def missing_texts(summary: RunSummary) -> list[str]:
    """A sentence for each gap in the verdicts."""
    return [missing_text(missing) for missing in summary.missing]


def missing_text(missing: MissingVerdicts) -> str:
    """A sentence for one gap in the verdicts."""
    name, found, expected = missing.implementation, missing.found, missing.expected
    match missing.code:
        case MissingCode.INCOMPLETE_RECORD:
            return f"The record is incomplete (no footer): {found} of {plural(expected, 'verdict')}."
        case MissingCode.NO_VERDICTS:
            return f"{name} has no verdicts."
        case MissingCode.ALL_UNSUPPORTED:
            return f"{name} supports none of the {plural(expected, 'case')}."
        case MissingCode.SOME_MISSING:
            return f"{name} has no verdict for {expected - found} of {plural(expected, 'case')}."
        case MissingCode.REFERENCE_UNSUPPORTED:
            return f"{name} does not support {plural(expected - found, 'case')}. The reference must support every case."
        case _:
            assert_never(missing.code)


def doubt_texts(summary: RunSummary) -> list[str]:
    """Why the run is not trustworthy, in a few words each."""
    return [_doubt_text(doubt, summary) for doubt in summary.doubts]


def _doubt_text(doubt: Doubt, summary: RunSummary) -> str:
    match doubt:
        case Doubt.NOT_STARTED:
            names = ", ".join(map(one_line, summary.not_started))
            return (
                f"{plural(len(summary.not_started), 'adapter')} did not start ({names})" if names else "a start failed"
            )
        case Doubt.MISSING_VERDICTS:
            return "verdicts are missing"
        case Doubt.INCIDENTS:
            return plural(len(summary.record.incidents), "incident")
        case Doubt.FLAKY:
            count = sum(map(len, summary.flaky.values()))
            return f"{plural(count, 'verdict')} {'is' if count == 1 else 'are'} flaky"
        case _:
            assert_never(doubt)


def known_texts(failing: int, unsupported: int) -> list[str]:
    """Number of known results: `214 known divergences`, and `78 known unsupported cases` if there are any."""
    others = [plural(unsupported, "known unsupported case")] if unsupported else []
    return [plural(failing, "known divergence"), *others]


def red_reasons(summary: RunSummary, gate: GateSummary) -> list[str]:
    """Why the gate is red: `2 new`, …, and the doubts about the run."""
    parts = [f"{gate.red[status]} {status}" for status in RED_STATUSES if gate.red[status]]
    parts += [f"{len(gate.unmatched)} {Status.UNMATCHED}"] if gate.unmatched else []
    parts += [plural(gate.unwritten_reasons, "unwritten reason")] if gate.unwritten_reasons else []
    return parts + doubt_texts(summary)


def gate_sentence(summary: RunSummary, gate: GateSummary) -> str:
    """`gate: green, 214 known divergences` or `gate: red (2 new), 212 known divergences`."""
    state = "green" if gate.is_green else f"red ({', '.join(red_reasons(summary, gate))})"
    return f"gate: {', '.join([state, *known_texts(gate.known, gate.known_unsupported)])}"


def title(summary: RunSummary) -> str:
    """The gate's sentence, or the headline of a run."""
    return gate_sentence(summary, summary.gate) if summary.gate else headline(summary)
