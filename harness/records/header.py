"""The first and the last line of a record ↔ their values. Errors are those of `lines`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta, convert, to_builtins
from msgspec.structs import asdict

from ..corpus.catalogue import BASES, SEVERITIES, TEXTS
from ..corpus.sharding import shard_of
from ..model import GateFile, JsonObject, NotTested, RecordedImplementation, RunMetadata, Value
from .run_options import check_text, decode_options, encode_options

RECORD_VERSION = 1
_REQUIREMENT = ("level", "document", "section", "statement", "unobservable")
_RULING = (
    *("title", "severity", "question", "readings", "adopted", "text", "basis", "why"),
    *("requirements", "evidence", "wording", "documented"),
)
_IDENTITY = (
    *("implementation", "version", "language", "runtime", "source"),
    *("versions", "operations", "unsupported", "unobservable"),
)
_OPTIONAL = frozenset({"unobservable", "text", "documented"})


class Footer(Value, frozen=True, tag_field="type", tag="footer"):
    """The last line of a complete record. `seconds` is how long the run took, or its last part if it was resumed."""

    finished_at: str
    seconds: Annotated[float, Meta(ge=0, le=1e9)]
    counts: Mapping[str, Mapping[str, int]]
    incidents: int
    resumed_at: str = ""


def footer_members(footer: Footer) -> JsonObject:
    """The members of the last line."""
    found = to_builtins(footer)
    order = ("type", "finishedAt", "seconds", "resumedAt", "counts", "incidents")
    return {name: found[name] for name in order if name in found}


def header_members(run: RunMetadata) -> JsonObject:
    """The members of the first line."""
    corpus = {"digest": run.corpus_digest, "cases": run.cases, "casesDigest": run.cases_digest}
    return {
        "type": "header",
        "recordVersion": RECORD_VERSION,
        "harness": {"name": "parity", "version": run.harness_version},
        "startedAt": run.started_at,
        "corpus": {**corpus, "revisions": [*run.revisions]},
        "selection": [*run.selection],
        **({"shard": {"index": run.shard[0], "of": run.shard[1]}} if run.shard else {}),
        "options": encode_options(run.options),
        **({} if run.gate is None else {"gate": _gate_members(run.gate)}),
        "implementations": [implementation_members(entry) for entry in run.implementations],
        "skipped": [_not_tested_members(skipped) for skipped in run.skipped],
        "profiles": to_builtins(run.profiles),
        "floors": {**run.floors},
        "requirements": {id_: _picked(requirement, _REQUIREMENT) for id_, requirement in run.requirements.items()},
        "rulings": {id_: _picked(ruling, _RULING) for id_, ruling in run.rulings.items()},
        "fixtures": {
            digest: {"name": fixture.name, "value": fixture.value} for digest, fixture in run.fixtures.items()
        },
    }


def _picked(value: object, names: tuple[str, ...]) -> JsonObject:
    """These members of a value, without optional ones that it lacks."""
    found = {name: getattr(value, name) for name in names}
    picked: JsonObject = to_builtins(
        {name: member for name, member in found.items() if member or name not in _OPTIONAL}
    )
    return picked


def _gate_members(gate: GateFile) -> JsonObject:
    digest: JsonObject = {"known": gate.digest} if gate.digest else {}
    places: JsonObject = {"places": {**gate.places}} if gate.places else {}
    return {**digest, "unmatched": [*gate.unmatched], "withoutReason": gate.without_reason, **places}


def _not_tested_members(absent: NotTested) -> JsonObject:
    found: JsonObject = {"implementation": absent.name, "code": absent.code.value, "reason": absent.reason}
    return {**found, "error": absent.is_error, **({"log": absent.log} if absent.log else {})}


def implementation_members(recorded: RecordedImplementation) -> JsonObject:
    """The header's entry for an implementation."""
    found = {
        "reason": recorded.reason,
        "log": recorded.log,
        "sdk": _sdk_members(recorded),
        "causes": to_builtins(recorded.causes),
        "knownUnobservable": [*recorded.known_unobservable],
        "flaky": to_builtins(recorded.flaky),
    }
    entry: JsonObject = {"name": recorded.name, "adapter": recorded.adapter, "started": recorded.identity is not None}
    entry |= {name: value for name, value in found.items() if value}
    if (own := recorded.identity) is not None:
        entry |= {name: to_builtins(getattr(own, name)) for name in _IDENTITY}
        entry["operations"] = [*sorted(own.operations)]
    return entry


def _sdk_members(entry: RecordedImplementation) -> JsonObject:
    found = asdict(entry.sdk) if entry.sdk else {}
    return {name: value for name, value in found.items() if value or (name == "changed" and found["revision"])}


def read_header(values: dict[str, Any]) -> RunMetadata:
    """The metadata of the first line."""
    if values["recordVersion"] != RECORD_VERSION:
        raise ValueError(f"recordVersion: this parity reads version {RECORD_VERSION}")
    corpus = values["corpus"]
    found = {
        **values,
        **{name: corpus[name] for name in ("cases", "casesDigest", "revisions")},
        "harnessVersion": values["harness"]["version"],
        "corpusDigest": corpus["digest"],
        "shard": _shard(values["shard"]) if "shard" in values else None,
        "options": decode_options(values["options"]),
        "implementations": [
            {**entry, "identity": entry if entry["started"] else None}
            for _, entry in _objects(values, "implementations")
        ],
        "requirements": {id_: {**value, "id": id_, "revision": ""} for id_, value in _objects(values, "requirements")},
        "rulings": {id_: {**ruling, "id": id_, "revision": ""} for id_, ruling in _objects(values, "rulings")},
        "fixtures": {digest: {**fixture, "digest": digest} for digest, fixture in _objects(values, "fixtures")},
    }
    metadata = convert(found, RunMetadata)
    datetime.fromisoformat(metadata.started_at)
    for entry in metadata.implementations:
        check_text(entry.adapter, "adapter")
    for ruling in metadata.rulings.values():
        allowed = (("severity", SEVERITIES), ("basis", BASES), ("text", ("", *TEXTS)), ("adopted", ruling.readings))
        for name, values_ in allowed:
            if getattr(ruling, name) not in values_:
                raise ValueError(f"rulings.{ruling.id}.{name}")
    return metadata


def _shard(value: Any) -> tuple[int, int]:
    part = shard_of(value)
    if part is None:
        raise ValueError("shard: it is not an index from 1 and a number of shards")
    return part.index, part.of


def _objects(values: Mapping[str, Any], name: str) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The objects of an object or of a list, by their name or number."""
    found = values[name]
    for key, value in found.items() if isinstance(found, dict) else enumerate(found):
        if not isinstance(value, dict):
            raise TypeError(f"{name}.{key}: it is no object")
        yield key, value
