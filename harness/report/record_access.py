"""Access to members of a recorded result and of a record's metadata that need more than an attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.corpus.sharding import Part
from harness.model import (
    Difference,
    EngineRefusal,
    Errored,
    ErrorKind,
    Failed,
    GateFile,
    Incident,
    JsonObject,
    Outcome,
    Passed,
    RecordedResult,
    Response,
    Result,
    Ruling,
    RunRecord,
    Variant,
)
from harness.report import error_text

# Results


def error_kind(result: RecordedResult) -> ErrorKind | None:
    """The kind of an error; None for every other verdict."""
    return result.kind


def reason(result: RecordedResult) -> str:
    """The reason of an error or of an unsupported case."""
    return error_text.outcome_text(result.outcome)


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
    return result.differences


def with_differences(result: RecordedResult, parts: tuple[Difference, ...]) -> RecordedResult:
    """The same failing result with only these differences."""
    if not isinstance(result.outcome, Failed):
        return result
    return replace(result, outcome=replace(result.outcome, differences=parts))


def engine_refusals(result: RecordedResult) -> Sequence[EngineRefusal]:
    """The expressions of a result that the live engine rejects."""
    return result.engine


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


def response(result: Result) -> Response | None:
    """The response of an implementation in a run of this process; None without one."""
    return result.response


def response_differences(result: Result) -> tuple[Difference, ...]:
    """The differences of a result in a run of this process."""
    return result.differences


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


def corpus_option(record: RunRecord) -> str:
    """The value of --corpus; empty for the shipped corpus."""
    return record.metadata.options.corpus


def started_at(record: RunRecord) -> str:
    """The time at which the run began, in RFC 3339."""
    return record.metadata.started_at


def gate_defects(record: RunRecord) -> GateFile | None:
    """The header's entry of a gate; None for the record of a run."""
    return record.metadata.gate


def requirement_ids(record: RunRecord) -> Sequence[str]:
    """The requirements in the header, in catalogue order."""
    return list(record.metadata.requirements)


def ruling_entries(record: RunRecord) -> Mapping[str, Ruling]:
    """The rulings in the header, by name."""
    return record.metadata.rulings
