"""Access to members of a recorded result and of a record's metadata that need more than an attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..corpus.sharding import Part
from ..model import (
    Difference,
    Errored,
    Failed,
    Incident,
    JsonObject,
    Outcome,
    Passed,
    RecordedResult,
    RunRecord,
    Variant,
)
from . import error_text

# Results


def reason(result: RecordedResult) -> str:
    """The reason of an error or of an unsupported case."""
    return error_text.outcome_text(result.outcome)


def with_differences(result: RecordedResult, parts: tuple[Difference, ...]) -> RecordedResult:
    """The same failing result with only these differences."""
    if not isinstance(result.outcome, Failed):
        return result
    return replace(result, outcome=replace(result.outcome, differences=parts))


def flaky_answers(result: RecordedResult) -> Sequence[JsonObject]:
    """The different outcomes of a repeated case, each with its passes; empty for a stable case."""
    return [{"passes": list(one.passes), **_outcome(one.outcome)} for one in result.flaky]


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


def incident_text(incident: Incident) -> str:
    """The cause of an incident, in words."""
    return error_text.incident_text(incident.cause)


# Metadata


def selected_cases(record: RunRecord) -> int:
    """The number of cases in this run: the selection, or the shard's part of it."""
    selected, shard = record.metadata.cases, record.metadata.shard
    return Part(*shard).size(selected) if shard else selected


def start_problems(record: RunRecord) -> Mapping[str, str]:
    """The reason for each implementation that did not start, with the end of its output."""
    return {
        entry.name: f"{entry.reason}\n{entry.log}" if entry.log else entry.reason
        for entry in record.metadata.implementations
        if entry.identity is None and entry.reason
    }


def offered_operations(record: RunRecord) -> Mapping[str, frozenset[str]]:
    """The operations of each implementation that started."""
    return {entry.name: entry.identity.operations for entry in record.metadata.implementations if entry.identity}


def unobservable_paths(record: RunRecord) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The members that an implementation does not report, by operation."""
    return {entry.name: entry.identity.unobservable for entry in record.metadata.implementations if entry.identity}


def identity(record: RunRecord, name: str) -> JsonObject:
    """The name, version, language and runtime that an implementation reports; empty if it did not start."""
    entry = record.metadata.implementation(name)
    own = entry.identity if entry else None
    keys = ("implementation", "version", "language", "runtime") if own else ()
    return {key: getattr(own, key) for key in keys}
