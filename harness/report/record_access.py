"""Access to members of a recorded result and of a record's header: the only place here that knows their layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.corpus.sharding import part_of
from harness.model import Difference, ErrorKind, Json, JsonObject, RecordedResult, RunRecord


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


def engine_refusals(result: RecordedResult) -> Sequence[JsonObject]:
    """The expressions that the live engine rejects."""
    return result.engine


def flaky_answers(result: RecordedResult) -> Sequence[JsonObject]:
    """The different outcomes of a repeated case, each with its passes; empty for a stable case."""
    return result.flaky


def implementation_entries(record: RunRecord) -> Sequence[JsonObject]:
    """The header's entry of each implementation."""
    return _objects(record.header["implementations"])


def selected_cases(record: RunRecord) -> int:
    """The number of cases in this run: the selection, or the shard's part of it."""
    corpus = record.header["corpus"]
    selected = corpus["cases"] if isinstance(corpus, dict) else 0
    assert isinstance(selected, int)
    part = part_of(record.header.get("shard"))
    return part.size(selected) if part else selected


def run_options(record: RunRecord) -> JsonObject:
    """The options of the command line that made the record."""
    return _object(record.header.get("options"))


def started_at(record: RunRecord) -> Json:
    """The time at which the run began, in RFC 3339."""
    return record.header.get("startedAt")


def gate_entry(record: RunRecord) -> JsonObject | None:
    """The header's entry of a gate; None for the record of a run."""
    entry = record.header.get("gate")
    return entry if isinstance(entry, dict) else None


def requirement_ids(record: RunRecord) -> Sequence[str]:
    """The requirements in the header, in catalogue order."""
    return list(_object(record.header["requirements"]))


def ruling_entries(record: RunRecord) -> Mapping[str, JsonObject]:
    """The rulings in the header, by name."""
    return {name: _object(entry) for name, entry in _object(record.header["rulings"]).items()}


def texts(value: Json) -> list[str]:
    """The items of a list as texts; empty for every other value."""
    return [str(item) for item in value] if isinstance(value, list) else []


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
