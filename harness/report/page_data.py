"""RunRecord → what the HTML page's script shows: each case once, with the results of all implementations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from harness.compare.canonical import compact, equality_text
from harness.compare.known_divergences import Status
from harness.compare.run_diff import Comparison
from harness.compare.unobservable import drop_paths
from harness.model import (
    ABSENT,
    FAILING,
    Absent,
    Answered,
    Difference,
    Json,
    JsonObject,
    RecordedResult,
    RunMetadata,
    RunRecord,
    Verdict,
)
from harness.report.error_text import outcome_text
from harness.report.failure_groups import FailureGroup, first_difference
from harness.report.gate_summary import RED_STATUSES, expectation_text, has_unwritten_reason, status_of
from harness.report.suite_counts import section_of
from harness.report.summary import RunSummary
from harness.report.text import again, describe_passes, parting, response_json

_LONGEST = 60_000
"""Characters of JSON that a request or an answer may have to travel whole."""

_BEGINNING = 4_000
_MAX_DIFFERENCES = 100
_SIDE = 2_000
"""Characters shown of one side of a difference."""

UNSTABLE, _WAITING = "flaky", "without a reason"
MARKS = (*RED_STATUSES, _WAITING, UNSTABLE, Status.KNOWN)
"""What results are marked as, the most urgent first."""


def page_data(summary: RunSummary, changes: Comparison | None, found: Sequence[FailureGroup] = ()) -> JsonObject:
    """The value that page/*.js read; `found` are the kinds of failure that the page tells apart."""
    kind_of = {(one.case, one.implementation): kind.name for kind in found for one in kind.results}
    record, in_gate = summary.record, summary.gate is not None
    changed = {
        (one.result.case, name): one for name, found in (changes.changes if changes else {}).items() for one in found
    }
    entries = record.metadata.implementations
    unobservable = {entry.name: entry.identity.unobservable if entry.identity else {} for entry in entries}
    cases: dict[str, dict[str, Any]] = {}
    for result in record.results:
        case = cases.get(result.case)
        if case is None:
            case = cases[result.case] = _case(result)
        told = _result(result, unobservable[result.implementation].get(result.operation, ()))
        if (result.case, result.implementation) in changed:
            told["change"] = changed[result.case, result.implementation].change.value
        if (result.case, result.implementation) in kind_of:
            told["alike"] = kind_of[result.case, result.implementation]
        if marked := mark(result, in_gate):
            told["mark"] = marked
        case["results"][result.implementation] = told
    return {
        "implementations": list(record.implementations),
        "verdicts": [verdict.value for verdict in Verdict],
        "failing": [verdict.value for verdict in Verdict if verdict in FAILING],
        "kinds": [kind.name for kind in found],
        "marks": [*MARKS],
        "again": {**_commands(record)},
        **_catalogues(record.metadata),
        "cases": list(cases.values()),
    }


def _catalogues(metadata: RunMetadata) -> JsonObject:
    """The requirements, rulings and fixtures that the cases cite, by id or digest."""
    return {
        "requirements": {
            id_: {"level": one.level, "section": one.section, "statement": one.statement}
            for id_, one in metadata.requirements.items()
        },
        "rulings": {
            id_: {"title": one.title, "adopted": one.adopted, "readings": dict(one.readings), "why": one.why}
            for id_, one in metadata.rulings.items()
        },
        "fixtures": {digest: {"name": one.name, "value": one.value} for digest, one in metadata.fixtures.items()},
    }


def mark(result: RecordedResult, in_gate: bool) -> str:
    """What a reader looks for apart from the verdict: how a gate's result stands, or that the answer is flaky."""
    if result.flaky:
        return UNSTABLE
    if has_unwritten_reason(result):
        return _WAITING
    return status_of(result) or "" if in_gate else ""


def _case(result: RecordedResult) -> dict[str, Any]:
    return {
        "name": result.case,
        "section": section_of(result.suite),
        "at": result.at,
        "operation": result.operation,
        "requirements": list(result.requirements),
        **({"ruling": result.ruling} if result.ruling else {}),
        **({"tags": list(result.tags)} if result.tags else {}),
        **_bounded("request", result.request),
        **_bounded("expected", response_json(result.expected)),
        "results": {},
    }


def _result(result: RecordedResult, unobservable: Sequence[str]) -> dict[str, Any]:
    """What is known of one verdict; an answer that is as it was wanted does not travel."""
    told: dict[str, Any] = {"verdict": result.verdict.value}
    if result.kind:
        told["kind"] = result.kind.value
    if result.flaky:
        told["flaky"] = list(describe_passes(result, _SIDE))
    texts = {"reading": result.reading, "reason": outcome_text(result.outcome), "stage": result.stage}
    told |= {
        key: text for key, text in (texts | {"signature": result.signature, "stderr": result.stderr}).items() if text
    }
    if result.recovered:
        told["recovered"] = True
    if result.expectation is not None:
        told["expectation"] = f"{result.expectation[0]}: {expectation_text(result)}"
    if result.response is not None and not _as_wanted(result, unobservable):
        told |= _bounded("answer", response_json(result.response))
    if result.differences:
        told["differences"] = [_difference(part) for part in result.differences[:_MAX_DIFFERENCES]]
        told["count"] = len(result.differences)
        first = first_difference(result)
        if first is not None and first is not result.differences[0]:
            told["first"] = _difference(first)
    if result.engine:
        told["engine"] = [asdict(one) for one in result.engine]
    if unobservable:
        told["unobservable"] = list(unobservable)
    if result.ms is not None:
        told["ms"] = result.ms
    return told


def _as_wanted(result: RecordedResult, unobservable: Sequence[str]) -> bool:
    wanted, got = result.expected, result.response
    if result.verdict is not Verdict.PASS or not isinstance(wanted, Answered) or not isinstance(got, Answered):
        return False
    return wanted == got or equality_text(drop_paths(wanted.value, unobservable)) == equality_text(got.value)


def _bounded(key: str, value: Json) -> dict[str, Any]:
    """The value under its key; of one that is too long its beginning, as a text under another."""
    text = compact(value)
    if len(text) <= _LONGEST:
        return {key: value}
    return {f"{key}Cut": {"beginning": text[:_BEGINNING], "length": len(text)}}


def _difference(part: Difference) -> JsonObject:
    """Path and both sides as texts of JSON, cut around the place where they part; no text where there is nothing."""
    wanted, got = _json(part.wanted), _json(part.got)
    alike = next((at for at, pair in enumerate(zip(wanted, got, strict=False)) if pair[0] != pair[1]), 0)
    start = max(0, alike - _SIDE // 4) if max(len(wanted), len(got)) > _SIDE else 0
    told: JsonObject = {"path": part.path}
    if parted := parting(part.wanted, part.got):
        told["parting"] = parted
    for key, side, text in (("wanted", part.wanted, wanted), ("got", part.got, got)):
        if side is not ABSENT:
            told[key] = f"{'…' if start else ''}{text[start : start + _SIDE]}{'…' if len(text) > start + _SIDE else ''}"
    return told


def _json(side: Json | Absent) -> str:
    return "" if isinstance(side, Absent) else json.dumps(side, ensure_ascii=False)


def _commands(record: RunRecord) -> Mapping[str, str]:
    """For each implementation the command that asks it again, up to the name of the case."""
    first: dict[str, RecordedResult] = {}
    for result in record.results:
        first.setdefault(result.implementation, result)
    return {name: again(record, result).removesuffix(result.case) for name, result in first.items()}
