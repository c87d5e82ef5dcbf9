"""The first and the last line of a record ↔ their values. Errors are those of `lines`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta, convert, to_builtins

from ..corpus.catalogue import BASES, SEVERITIES, STATES, TEXTS
from ..corpus.sharding import shard_of
from ..model import JsonObject, RecordedImplementation, RunMetadata, Value, replace
from .run_options import check_text, decode_options, encode_options

RECORD_VERSION = 1
_CORPUS = {
    "corpusDate": "date",
    "corpusDigest": "digest",
    "cases": "cases",
    "casesDigest": "casesDigest",
    "revisions": "revisions",
}
"""The members of a run that stand below `corpus`, with their names there."""

_UNKEPT = frozenset({"id", "revision", "positive_only", "unanchored", "text_note", "at", "digest", "capabilities"})
"""The members of requirements, rulings, fixtures and replies to `initialize` that a header leaves out, or has as a key."""

_RULING = ("title", "severity", "question", "readings", "adopted", "text", "basis", "why")
"""The first members of a ruling, in order."""


class Footer(Value, frozen=True, kw_only=True, tag_field="type", tag="footer"):
    """The last line of a complete record. `seconds` is how long the run took, or its last part if it was resumed."""

    finished_at: str
    seconds: Annotated[float, Meta(ge=0, le=1e9)]
    resumed_at: str = ""
    counts: Mapping[str, Mapping[str, int]]
    incidents: int


def header_members(run: RunMetadata) -> JsonObject:
    """The members of the first line."""
    found = to_builtins(replace(run, implementations=()))
    header = {
        "type": "header",
        "recordVersion": RECORD_VERSION,
        "harness": {"name": "parity", "version": found.pop("harnessVersion")},
        "startedAt": found.pop("startedAt"),
        "corpus": {name: value for member, name in _CORPUS.items() if (value := found.pop(member)) or name != "date"},
        **found,
        "shard": {"index": run.shard[0], "of": run.shard[1]} if run.shard else None,
        "options": encode_options(run.options),
        "implementations": [implementation_members(entry) for entry in run.implementations],
        "requirements": {id_: _kept(requirement) for id_, requirement in found["requirements"].items()},
        "rulings": {id_: _kept(ruling, _RULING) for id_, ruling in found["rulings"].items()},
        "fixtures": {digest: _kept(fixture) for digest, fixture in found["fixtures"].items()},
    }
    return {name: value for name, value in header.items() if value is not None}


def _kept(members: Mapping[str, Any], first: Sequence[str] = ()) -> JsonObject:
    """The members that a header keeps; the `first` ones before the others."""
    return {name: members[name] for name in (*first, *members) if name in members.keys() - _UNKEPT}


def implementation_members(recorded: RecordedImplementation) -> JsonObject:
    """The header's entry for an implementation."""
    found = to_builtins(replace(recorded, identity=None))
    if recorded.sdk and not recorded.sdk.revision:  # nobody knows whether a file changed
        del found["sdk"]["changed"]
    own = recorded.identity
    entry = {"name": found.pop("name"), "adapter": found.pop("adapter"), "started": own is not None}
    identity = {**_kept(to_builtins(own)), "operations": sorted(own.operations)} if own else {}
    return {**entry, **found, **identity, "name": recorded.name}


def read_header(values: dict[str, Any]) -> RunMetadata:
    """The metadata of the first line."""
    if values["recordVersion"] is True or values["recordVersion"] != RECORD_VERSION:
        raise ValueError(f"recordVersion: this parity reads version {RECORD_VERSION}")
    corpus = values["corpus"]
    found = {
        **values,
        **{member: corpus[name] for member, name in _CORPUS.items() if name != "date" or name in corpus},
        "harnessVersion": values["harness"]["version"],
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
    if unknown := unknown_member(values, header_members(metadata)):
        raise ValueError(f"{unknown}: unknown member")
    datetime.fromisoformat(metadata.started_at)
    names = [entry.name for entry in metadata.implementations]
    for entry in metadata.implementations:
        check_text(entry.adapter, "adapter")
        if names.count(entry.name) > 1:
            raise ValueError(f"implementations: {entry.name} is there twice")
    for ruling in metadata.rulings.values():
        allowed = (
            ("severity", SEVERITIES),
            ("basis", BASES),
            ("text", ("", *TEXTS)),
            ("state", STATES),
            ("adopted", ruling.readings),
        )
        for name, values_ in allowed:
            if getattr(ruling, name) not in values_:
                raise ValueError(f"rulings.{ruling.id}.{name}")
    return metadata


def unknown_member(values: Any, known: Any) -> str:
    """The path of the first member that is not among the known ones, which stand at the same places; else empty."""
    if isinstance(values, list) and isinstance(known, list):
        values, known = dict(enumerate(values)), dict(enumerate(known))
    if not (isinstance(values, dict) and isinstance(known, dict)):
        return ""
    for name, value in values.items():
        if name not in known:
            return str(name)
        if inner := unknown_member(value, known[name]):
            return f"{name}.{inner}"
    return ""


def _shard(value: Any) -> tuple[int, int]:
    shard = shard_of(value)
    if shard is None:
        raise ValueError("shard: it is not an index from 1 and a number of shards")
    return shard.index, shard.of


def _objects(values: Mapping[str, Any], name: str) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The objects of an object or of a list, by their name or number."""
    found = values[name]
    for key, value in found.items() if isinstance(found, dict) else enumerate(found):
        if not isinstance(value, dict):
            raise TypeError(f"{name}.{key}: it is no object")
        yield key, value
