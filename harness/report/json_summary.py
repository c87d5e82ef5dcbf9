"""RunRecord → a compact summary for programs, and the endpoint JSON that shields.io draws a badge from."""

from __future__ import annotations

import json
from collections import Counter

from harness.compare.run_diff import Change, Comparison
from harness.model import (
    FAILING,
    Errored,
    Failed,
    Json,
    JsonObject,
    Outcome,
    Passed,
    RecordedResult,
    RunRecord,
    Variant,
    Verdict,
)
from harness.report.case_order import in_corpus_order
from harness.report.gate_summary import RED, GateSummary, gated
from harness.report.suite_counts import Row, by_section, failing, judged, share, summed
from harness.report.summary import (
    REFERENCE,
    by_suite,
    cases,
    exit_status,
    flaky,
    not_started,
    totals,
    unanswered_implementations,
)
from harness.report.text import plural

_SCHEMA_VERSION = 1
_MOST_NAMED = 4
"""Implementations that a badge names; of more it gives the number."""


def render(record: RunRecord, changes: Comparison | None = None) -> str:
    """The summary; with what changed if there is an older record to compare with."""
    return json.dumps(summary(record, changes), indent=1) + "\n"


def render_badge(record: RunRecord) -> str:
    """The badge's endpoint JSON."""
    return json.dumps(badge(record)) + "\n"


def summary(record: RunRecord, changes: Comparison | None = None) -> JsonObject:
    """The same as a value."""
    record = in_corpus_order(record)
    gate = gated(record)
    started = record.metadata.started_at
    systems = {system: summed(sections, record) for system, sections in by_section(record).items()}
    value: JsonObject = {
        "schemaVersion": _SCHEMA_VERSION,
        "startedAt": started,
        "seconds": record.seconds,
        "complete": record.complete,
        "exitStatus": exit_status(record),
        **({"gate": _gate(gate)} if gate else {}),
        "cases": cases(record),
        "implementations": {name: _implementation(record, name) for name in record.implementations},
        "skipped": dict(record.skipped),
        "systems": {system: _row(row) for system, row in systems.items()},
        "suites": {suite: _row(row) for suite, row in by_suite(record).items()},
        "failing": [_failure(result) for result in record.results if result.verdict in FAILING],
        "flaky": [_unstable(result) for found in flaky(record).values() for result in found],
        "incidents": [
            {"implementation": one.implementation, "kind": one.kind.value, "suspects": list(one.suspects)}
            for one in record.incidents
        ],
        "unanswered_implementations": list(unanswered_implementations(record)),
        "badge": badge(record),
    }
    if changes is not None:
        value["changes"] = {name: _changed(changes, name) for name in changes.changes}
        value["addedImplementations"] = list(changes.added)
        value["removedImplementations"] = list(changes.removed)
    return value


def _gate(gate: GateSummary) -> JsonObject:
    return {
        "verdict": "green" if gate.green else "red",
        "known": gate.known,
        "knownUnsupported": gate.unsupported,
        "withoutReason": gate.unwritten,
        "unmatched": list(gate.unmatched),
        "staleCases": {result.case: result.expectation[1] for result in gate.stale if result.expectation},
        **{status.value: gate.red[status] for status in RED},
    }


def _implementation(record: RunRecord, name: str) -> JsonObject:
    entry = record.metadata.implementation(name)
    own = entry.identity if entry else None
    keys = ("implementation", "version", "language", "runtime") if own else ()
    said: JsonObject = {key: getattr(own, key) for key in keys}
    return {**said, "started": name not in not_started(record), "counts": _counts(totals(record)[name])}


def _row(row: Row) -> JsonObject:
    return {name: _counts(counts) for name, counts in row.items() if counts}


def _counts(counts: Counter[Verdict]) -> JsonObject:
    return {verdict.value: counts[verdict] for verdict in Verdict if counts[verdict]}


def _failure(result: RecordedResult) -> JsonObject:
    value: JsonObject = {
        "case": result.case,
        "implementation": result.implementation,
        "verdict": result.verdict.value,
        "requirements": list(result.requirements),
    }
    if result.kind:
        value["kind"] = result.kind.value
    for key, text in (("signature", result.signature), ("stage", result.stage), ("ruling", result.ruling)):
        if text:
            value[key] = text
    if result.expectation is not None:
        value["expectation"] = {"status": result.expectation[0], "reason": result.expectation[1]}
    return value


def _unstable(result: RecordedResult) -> JsonObject:
    """A case that is answered otherwise when asked again: what names each of the answers, and when it came."""
    told: list[Json] = [{"passes": list(one.passes), **_outcome(one.outcome)} for one in result.flaky]
    return {"case": result.case, "implementation": result.implementation, "answers": told}


def _outcome(outcome: Outcome) -> JsonObject:
    """The members that name an outcome."""
    named: JsonObject = {"verdict": outcome.verdict.value}
    match outcome:
        case Errored():
            named |= {"kind": outcome.kind.value, "signature": outcome.signature}
        case Failed():
            named["signature"] = outcome.signature
        case Passed() | Variant() if outcome.reading:
            named["reading"] = outcome.reading
        case _:
            pass
    return named


def _changed(changes: Comparison, name: str) -> JsonObject:
    """The names of the cases, by the sort of change."""
    return {
        change.value: [one.result.case for one in changes.changes[name] if one.change is change] for change in Change
    }


def badge(record: RunRecord) -> JsonObject:
    """`ts 95.6% of 4931 cases` in the colour of the worst; a run that cannot be trusted is never green.

    Of a gate it is `gate green, 214 known divergences`, in the gate's own colour.
    """
    counts = {name: one for name, one in totals(record).items() if name != REFERENCE} or totals(record)
    gate = gated(record)
    if unanswered_implementations(record) or record.incidents:
        message, color = "not trustworthy" if record.incidents else "incomplete", "critical"
    elif flaky(record):
        message, color = "flaky", "critical"
    elif gate is not None:
        told = ["green", *gate.explained()[:1]] if gate.green else ["red", *gate.amiss()]
        message, color = f"gate {', '.join(told)}", "brightgreen" if gate.green else "red"
    else:
        message, color = " · ".join(_message(record, name, one) for name, one in counts.items()), _color(record, counts)
        if len(counts) > _MOST_NAMED:
            clean = sum(not failing(one) for one in counts.values())
            message = f"{clean} of {len(counts)} implementations conform"
    return {"schemaVersion": 1, "label": "parity", "message": message, "color": color}


def _message(record: RunRecord, name: str, counts: Counter[Verdict]) -> str:
    if name in not_started(record):
        return f"{name} not started"
    return f"{name} {share(counts)} of {plural(judged(counts), 'case')}"


def _color(record: RunRecord, counts: Row) -> str:
    if not_started(record):
        return "critical"
    worst = max((failing(one) / max(1, one.total()) for one in counts.values()), default=1.0)
    steps = ((0.0, "brightgreen"), (0.02, "green"), (0.1, "yellow"), (0.3, "orange"))
    return next((color for most, color in steps if worst <= most), "red")
