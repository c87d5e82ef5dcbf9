"""RunRecord → data of the HTML page's script: each case once, with the results of all implementations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import to_builtins

from ..compare.alignment import recorded_edits
from ..compare.canonical import compact, equality_text
from ..compare.edits import (
    MAX_ORDER,
    ByPosition,
    Changed,
    Edit,
    Missing,
    Reordered,
    Unexpected,
    in_order_of,
    marks,
)
from ..compare.error_text import outcome_text
from ..compare.known_divergences import Status
from ..compare.run_diff import Comparison
from ..compare.unobservable import drop_paths
from ..model import (
    ABSENT,
    FAILING,
    Absent,
    Answered,
    Json,
    JsonObject,
    OutcomeFacts,
    RecordedResult,
    Ruling,
    RunMetadata,
    RunRecord,
    Verdict,
    where,
)
from .choice_text import explained_by_text
from .description import parts
from .difference_text import character_difference, list_edit_text, list_edit_title, names_text
from .documented import documented_text, notes
from .failure_groups import FailureGroup, first_edit
from .gate_summary import RED_STATUSES, expectation_text, has_unwritten_reason, status_of
from .ruling_adherence import followed_readings
from .suite_counts import section_of
from .summary import RunSummary
from .text import describe_passes, rerun_command, response_json, stack_lines

_LONGEST = 60_000
"""Characters of JSON up to which a request or an answer is in the page whole."""

_BEGINNING = 4_000
_MAX_DIFFERENCES = 100
_SIDE = 2_000
"""Characters shown of one side of a difference."""

FLAKY, _WAITING = "flaky", "without a reason"
MARKS = (*RED_STATUSES, _WAITING, FLAKY, Status.KNOWN)
"""The marks of results, the most urgent first."""


def page_data(summary: RunSummary, changes: Comparison | None, groups: Sequence[FailureGroup] = ()) -> JsonObject:
    """The value that page/*.js read; `groups` are the failure groups that have a filter of their own."""
    return {**page_catalogues(summary, groups), "cases": list(page_cases(summary, changes, groups))}


def page_catalogues(summary: RunSummary, groups: Sequence[FailureGroup]) -> JsonObject:
    """The members of the page's value beside its cases."""
    record = summary.record
    return {
        "implementations": list(record.implementations),
        "verdicts": [verdict.value for verdict in Verdict],
        "failing": [verdict.value for verdict in Verdict if verdict in FAILING],
        "groups": [group.name for group in groups],
        "marks": [*MARKS],
        "repeat": {**_commands(record)},
        **_catalogues(record.metadata),
    }


def page_cases(
    summary: RunSummary, changes: Comparison | None, groups: Sequence[FailureGroup]
) -> Iterator[dict[str, Any]]:
    """The cases of the page's value, one after the other."""
    group_of = {(one.case, one.implementation): group.name for group in groups for one in group.results}
    record, in_gate = summary.record, summary.gate is not None
    changed = {
        (one.result.case, name): one.change
        for name, some in (changes.changes if changes else {}).items()
        for one in some
    }
    entries, rulings = record.metadata.implementations, record.metadata.rulings
    unobservable = {entry.name: entry.identity.unobservable if entry.identity else {} for entry in entries}
    for name, results in groupby(record.results, key=lambda one: one.case):
        case: dict[str, Any] = {}
        for result in results:
            whole, key = result.line, (name, result.implementation)
            case = case or case_entry(whole)
            shown = result_entry(whole, unobservable[result.implementation].get(result.operation, ()), rulings)
            if documented := notes(whole, record):
                shown["documented"] = documented
            if key in changed:
                shown["change"] = changed[key].value
            if key in group_of:
                shown["group"] = group_of[key]
            if counted := parts(whole, rulings):
                shown["parts"] = counted
            if marked := mark(whole, in_gate):
                shown["mark"] = marked
            case["results"][result.implementation] = shown
        yield case


def _catalogues(metadata: RunMetadata) -> JsonObject:
    """The requirements, rulings and fixtures that the cases cite, by id or digest."""
    return {
        "requirements": {
            id_: {"level": one.level, "section": one.section, "statement": one.statement}
            for id_, one in metadata.requirements.items()
        },
        "rulings": {
            id_: {
                "title": one.title,
                "adopted": one.adopted,
                "readings": dict(one.readings),
                "why": one.why,
                **({"documented": documented_text(one.documented)} if one.documented else {}),
            }
            for id_, one in metadata.rulings.items()
        },
        "fixtures": {digest: {"name": one.name, "value": one.value} for digest, one in metadata.fixtures.items()},
    }


def mark(result: OutcomeFacts, in_gate: bool) -> str:
    """The mark of a result beside its verdict: flaky, or its status in a gate."""
    if result.is_flaky:
        return FLAKY
    if has_unwritten_reason(result):
        return _WAITING
    return status_of(result) or "" if in_gate else ""


def case_entry(result: RecordedResult) -> dict[str, Any]:
    return {
        "name": result.case,
        "section": section_of(result.suite),
        "at": result.at,
        "operation": result.operation,
        "requirements": list(result.requirements),
        **({"ruling": result.ruling} if result.ruling else {}),
        **({"citedByRulings": list(result.cited_by_rulings)} if result.cited_by_rulings else {}),
        **({"tags": list(result.tags)} if result.tags else {}),
        **({"note": result.note} if result.note else {}),
        **_bounded("request", result.request),
        **_bounded("expected", response_json(result.expected)),
        "results": {},
    }


def result_entry(result: RecordedResult, unobservable: Sequence[str], rulings: Mapping[str, Ruling]) -> dict[str, Any]:
    """One result as values for a page; an answer equal to the expected one is not in it."""
    entry: dict[str, Any] = {"verdict": result.verdict.value}
    if result.kind:
        entry["kind"] = result.kind.value
    if result.flaky:
        entry["flaky"] = list(describe_passes(result, _SIDE))
    texts = {
        "explainedBy": explained_by_text(result, rulings),
        "reason": outcome_text(result.outcome),
        "stage": result.stage,
        "signature": result.signature,
        "stack": "\n".join(stack_lines(result.stack)),
        "stderr": result.stderr,
    }
    entry |= {key: text for key, text in texts.items() if text}
    if followed := followed_readings(result):
        entry["readings"] = dict(followed)
    if result.recovered:
        entry["recovered"] = True
    if result.expectation is not None:
        entry["expectation"] = f"{result.expectation.status}: {expectation_text(result)}"
    if result.response is not None and not _is_expected(result, unobservable):
        entry |= _bounded("answer", in_order_of(response_json(result.expected), response_json(result.response)))
    if result.differences:
        entry |= _differences(result, unobservable)
    if result.engine:
        entry["engine"] = to_builtins(result.engine)
    if unobservable:
        entry["unobservable"] = list(unobservable)
    if result.ms is not None:
        entry["ms"] = result.ms
    return entry


def _is_expected(result: RecordedResult, unobservable: Sequence[str]) -> bool:
    wanted, got = result.expected, result.response
    if result.verdict is not Verdict.PASS or not isinstance(wanted, Answered) or not isinstance(got, Answered):
        return False
    return wanted == got or equality_text(drop_paths(wanted.value, unobservable)) == equality_text(got.value)


def _differences(result: RecordedResult, unobservable: Sequence[str]) -> dict[str, Any]:
    """The edits that the page shows, their number, the first one in the first stage that differs, and marked paths."""
    edits = recorded_edits(result, unobservable)
    shown = edits[:_MAX_DIFFERENCES]
    entry: dict[str, Any] = {"differences": [_edit(edit) for edit in shown], "count": len(edits)}
    first = first_edit(edits, result.stage)
    if first is not edits[0]:
        entry["first"] = _edit(first)
    for side, one in zip(("wanted", "got"), marks(shown), strict=True):
        entry.setdefault("marks", {})[side] = {"differing": sorted(one.differing), "lacking": sorted(one.lacking)}
    return entry


def _bounded(key: str, value: Json) -> dict[str, Any]:
    """The value under its key; if it is too long, its beginning as text under another key."""
    text = compact(value)
    if len(text) <= _LONGEST:
        return {key: value}
    return {f"{key}Cut": {"beginning": text[:_BEGINNING], "length": len(text)}}


def _edit(edit: Edit) -> JsonObject:
    """An edit as its kind, its path, a note and both sides as texts; an absent side has no member."""
    match edit:
        case Changed(path, wanted, got, got_path):
            note = f"{got_path} in the answer" if got_path else character_difference(wanted, got)
            return {**_head("changed", path, note), **_sides(wanted, got)}
        case Missing(path, _, value):
            return {**_head("missing", path, list_edit_title(edit)), **_sides(value, ABSENT)}
        case Unexpected(path, _, value):
            return {**_head("unexpected", path, list_edit_title(edit)), **_sides(ABSENT, value)}
        case Reordered(path, wanted, got) if len(wanted) <= MAX_ORDER:
            return {**_head("order", path, "order"), "wanted": names_text(wanted), "got": names_text(got)}
        case Reordered(path) | ByPosition(path):
            return _head("note", path, list_edit_text(edit))


def _head(kind: str, path: str, note: str) -> JsonObject:
    return {"edit": kind, "path": path, **({"note": note} if note else {})}


def _sides(wanted: Json | Absent, got: Json | Absent) -> JsonObject:
    """Both sides as JSON texts, cut around the first character that differs."""
    texts = _json(wanted), _json(got)
    alike = next((at for at, pair in enumerate(zip(*texts, strict=False)) if pair[0] != pair[1]), 0)
    start = max(0, alike - _SIDE // 4) if max(map(len, texts)) > _SIDE else 0
    sides: JsonObject = {}
    for key, side, text in zip(("wanted", "got"), (wanted, got), texts, strict=True):
        if side is not ABSENT:
            sides[key] = (
                f"{'…' if start else ''}{text[start : start + _SIDE]}{'…' if len(text) > start + _SIDE else ''}"
            )
    return sides


def _json(side: Json | Absent) -> str:
    return "" if isinstance(side, Absent) else json.dumps(side, ensure_ascii=False)


def _commands(record: RunRecord) -> Mapping[str, str]:
    """For each implementation the command that repeats a case, up to the name of the case."""
    first = {name: next(iter(where(record.results, names={name})), None) for name in record.implementations}
    return {name: rerun_command(record, one).removesuffix(one.case) for name, one in first.items() if one}
