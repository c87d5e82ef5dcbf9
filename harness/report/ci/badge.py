"""RunSummary → the endpoint JSON of a shields.io badge."""

from __future__ import annotations

from collections import Counter

from ...errors import plural
from ...gate.summary import GateSummary
from ...model import REFERENCE, JsonObject, Verdict, failing, supported
from ..conformance import AnsweredShare
from ..phrases import n_of_m, observed_text, share, verb
from ..run_summary import CountsByName, Doubt, MissingCode, RunSummary, VerdictCounts
from ..summary_text import known_texts, red_reasons

_MAX_NAMED = 4
"""Implementations that a badge names; of more, it gives the number."""

_INCOMPLETE = "lightgrey"
"""The colour of a run without failures in which too few cases were answered, or too little of them was observed."""

_COLORS = ((0.0, "brightgreen"), (0.05, "yellow"), (0.3, "orange"))
"""The largest share of failures with each colour; red above."""


def badge(summary: RunSummary) -> JsonObject:
    """`ts 95.6% of 4931 cases` in the colour of the worst implementation; bright green only without a failure, and only if
    each implementation answers 95% of the cases of its systems, or of the selected profiles, and reports 95% of the leaves
    of their expected answers.

    For a gate, `gate green, 214 known divergences` in the gate's own colour.
    """
    message, color = _badge(summary)
    return {"schemaVersion": 1, "label": "parity", "message": message, "color": color}


def _badge(summary: RunSummary) -> tuple[str, str]:
    if Doubt.INCIDENTS in summary.doubts:
        return "not trustworthy", "critical"
    if Doubt.MISSING_VERDICTS in summary.doubts:
        return ", ".join(["incomplete", *_few(summary)]), "critical"
    if Doubt.FLAKY in summary.doubts:
        return "flaky", "critical"
    if summary.gate is not None:
        return _of_gate(summary, summary.gate)
    counts = {name: verdicts for name, verdicts in summary.totals.items() if name != REFERENCE} or summary.totals
    color = _color(summary, counts)
    if len(counts) > _MAX_NAMED:
        clean = sum(not failing(verdicts) and _is_observed(summary, name) for name, verdicts in counts.items())
        return f"{clean} of {len(counts)} implementations conform", color
    absent = {name: Counter[Verdict]() for name in summary.not_started if name not in counts}
    return " · ".join(_message(summary, name, verdicts) for name, verdicts in {**counts, **absent}.items()), color


def _few(summary: RunSummary) -> list[str]:
    """`5 of 5,384 answered` if that is why verdicts are missing."""
    few = [gap for gap in summary.missing if gap.code is MissingCode.FEW_ANSWERED]
    return [f"{n_of_m(gap.found, gap.expected)} answered" for gap in few]


def _of_gate(summary: RunSummary, gate: GateSummary) -> tuple[str, str]:
    if not gate.is_green:
        return f"gate {', '.join(['red', *red_reasons(summary, gate)])}", "red"
    open_ = [_answered(own.share) for own in summary.conformance.values() if not own.share.is_complete]
    texts = ", ".join(["green", known_texts(gate)[0], *(f"incomplete: {text}" for text in open_)])
    return f"gate {texts}", _INCOMPLETE if open_ else "green" if gate.known else "brightgreen"


def _message(summary: RunSummary, name: str, counts: VerdictCounts) -> str:
    if name in summary.not_started:
        return f"{name} not started"
    count = supported(counts)
    of = f" {verb(count, 'does', 'do')} not fail" if count else ""
    rate = f"{share(counts)} of {plural(count, 'case')}{of}"
    own = _share(summary, name)
    if own.is_complete:
        return f"{name} {rate}{'' if own.observed.is_whole else f', {observed_text(own.observed)}'}"
    failed = f", {failing(counts):,} failing" if failing(counts) else ""
    return f"{name} incomplete: {_answered(own)}{failed}"


def _answered(own: AnsweredShare) -> str:
    return n_of_m(own.answered, own.cases)


def _share(summary: RunSummary, name: str) -> AnsweredShare:
    """What an implementation answered; generated cases have no share that could be incomplete."""
    own = summary.conformance.get(name)
    return own.share if own else AnsweredShare(0, 0, 0)


def _is_observed(summary: RunSummary, name: str) -> bool:
    """Whether it answers enough cases, and reports enough of their answers."""
    own = _share(summary, name)
    return own.is_complete and own.observed.is_complete


def _color(summary: RunSummary, counts: CountsByName) -> str:
    if Doubt.NOT_STARTED in summary.doubts:
        return "critical"
    worst = max((failing(verdicts) / max(1, supported(verdicts)) for verdicts in counts.values()), default=1.0)
    color = next((color for most, color in _COLORS if worst <= most), "red")
    return color if worst or all(_is_observed(summary, name) for name in counts) else _INCOMPLETE
