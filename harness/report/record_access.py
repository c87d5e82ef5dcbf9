"""Access to members of a recorded result and of a record's header: the only place here that knows their layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness.corpus.sharding import part_of
from harness.model import (
    Difference,
    ErrorKind,
    Incident,
    Json,
    JsonObject,
    Outcome,
    RecordedResult,
    Result,
    RunRecord,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An expression that a live engine rejects, with the engine's message."""

    engine: str
    match: str
    message: str


@dataclass(frozen=True, slots=True)
class GateDefects:
    """The defects of the known-divergence file: the number of unwritten reasons, the names without a case."""

    unwritten_reasons: int
    unmatched: tuple[str, ...]


# Results


def error_kind(result: RecordedResult) -> ErrorKind | None:
    """The kind of an error; None for every other verdict."""
    return result.kind


def reason(result: RecordedResult) -> str:
    """The reason of an error or of an unsupported case."""
    return result.reason


def reading(result: RecordedResult) -> str:
    """The reading that a pass or a variant follows."""
    return result.reading


def stage(result: RecordedResult) -> str:
    """The first stage that differs."""
    return result.stage


def signature(result: RecordedResult) -> str:
    """The signature of a failure or an error."""
    return result.signature


def differences(result: RecordedResult) -> tuple[Difference, ...]:
    """The recorded differences."""
    return result.difference


def with_differences(result: RecordedResult, parts: tuple[Difference, ...]) -> RecordedResult:
    """The same failing result with only these differences."""
    return replace(result, difference=parts)


def engine_refusals(result: RecordedResult) -> Sequence[Refusal]:
    """The expressions of a result that the live engine rejects."""
    return [Refusal(str(one.get("engine")), str(one.get("match")), str(one.get("message"))) for one in result.engine]


def flaky_answers(result: RecordedResult) -> Sequence[JsonObject]:
    """The different outcomes of a repeated case, each with its passes; empty for a stable case."""
    keys = ("passes", "verdict", "kind", "reading", "signature")
    return [{key: one[key] for key in keys if key in one} for one in result.flaky]


def response(result: Result) -> Outcome | None:
    """The response of an implementation in a run of this process; None without one."""
    return result.judgement.outcome


def response_differences(result: Result) -> tuple[Difference, ...]:
    """The differences of a result in a run of this process."""
    return result.judgement.difference


def incident_text(incident: Incident) -> str:
    """The cause of an incident, in words."""
    return incident.seen


# Header


def selected_cases(record: RunRecord) -> int:
    """The number of cases in this run: the selection, or the shard's part of it."""
    corpus = record.header["corpus"]
    selected = corpus["cases"] if isinstance(corpus, dict) else 0
    assert isinstance(selected, int)
    part = part_of(record.header.get("shard"))
    return part.size(selected) if part else selected


def start_problems(record: RunRecord) -> Mapping[str, str]:
    """The reason for each implementation that did not start, with the end of its output."""
    entries = _implementations(record)
    return {entry["name"]: str(entry["reason"]) for entry in entries if not entry["started"] and "reason" in entry}


def offered_operations(record: RunRecord) -> Mapping[str, frozenset[str]]:
    """The operations of each implementation that started."""
    entries = _implementations(record)
    return {entry["name"]: frozenset(entry["operations"]) for entry in entries if "operations" in entry}


def unobservable_paths(record: RunRecord) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The members that an implementation does not report, by operation."""
    return {
        entry["name"]: {
            operation: [str(path) for path in paths]
            for operation, paths in _object(entry.get("unobservable")).items()
            if isinstance(paths, list)
        }
        for entry in _implementations(record)
    }


def identity(record: RunRecord, name: str) -> JsonObject:
    """The name, version, language and runtime that an implementation reports; empty if it did not start."""
    keys = ("implementation", "version", "language", "runtime")
    (entry,) = (entry for entry in _implementations(record) if entry["name"] == name)
    return {key: entry[key] for key in keys if key in entry}


def corpus_option(record: RunRecord) -> str:
    """The value of --corpus; empty for the shipped corpus."""
    options = record.header.get("options")
    return str(options["corpus"]) if isinstance(options, dict) and "corpus" in options else ""


def started_at(record: RunRecord) -> str:
    """The time at which the run began, in RFC 3339."""
    return str(record.header.get("startedAt") or "")


def gate_defects(record: RunRecord) -> GateDefects | None:
    """The header's entry of a gate; None for the record of a run."""
    entry: Any = record.header.get("gate")
    return GateDefects(entry["withoutReason"], tuple(entry["unmatched"])) if entry else None


def requirement_ids(record: RunRecord) -> Sequence[str]:
    """The requirements in the header, in catalogue order."""
    return list(_object(record.header["requirements"]))


def ruling_entries(record: RunRecord) -> Mapping[str, Any]:
    """The rulings in the header, by name."""
    return _object(record.header["rulings"])


def _implementations(record: RunRecord) -> Sequence[dict[str, Any]]:
    entries = record.header["implementations"]
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
