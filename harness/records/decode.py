"""The JSON object of one line of a record → its value.

A line that parity did not write is a `KeyError`, `TypeError`, `ValueError` or `AttributeError` that names the member;
`reader` adds the place.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ..corpus.catalogue import BASES, SEVERITIES, TEXTS
from ..corpus.sharding import part_of
from ..errors import one_line
from ..model import (
    CaseEntry,
    Cause,
    ConformanceProfile,
    Documented,
    ErrorKind,
    Fixture,
    GateFile,
    Implementation,
    Incident,
    Listing,
    NotTested,
    NotTestedCode,
    Passes,
    RecordedImplementation,
    RecordedResult,
    Requirement,
    Ruling,
    RunMetadata,
    SdkState,
    response_leaves,
)
from .decode_outcome import read_cause, read_outcome, read_passes, read_response
from .encode import RECORD_VERSION
from .members import by_id, check_text, member, nonempty_text, numbers, objects, text, texts
from .run_options import decode_options


@dataclass(frozen=True, slots=True)
class Footer:
    """The last line of a complete record."""

    counts: Mapping[str, Mapping[str, int]]
    incidents: int
    seconds: float
    finished_at: str


def _constant(name: str) -> NoReturn:
    raise ValueError(name)


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


def _int(text: str) -> int:
    if len(text) > 300:
        _float(text)
    return int(text)


_DECODER = json.JSONDecoder(parse_constant=_constant, parse_float=_float, parse_int=_int)


def json_object(line: bytes) -> dict[str, Any]:
    """The object that a line states, whose numbers are all finite doubles."""
    value = _DECODER.decode(line.decode("utf-8"))
    if not isinstance(value, dict):
        raise TypeError("object")
    return value


def header(values: dict[str, Any]) -> RunMetadata:
    """The first line."""
    if values["recordVersion"] != RECORD_VERSION:
        raise ValueError(f"recordVersion: this parity reads version {RECORD_VERSION}")
    corpus = member(values, "corpus", dict)
    return RunMetadata(
        harness_version=text(member(values, "harness", dict), "version"),
        started_at=text(values, "startedAt"),
        corpus_digest=text(corpus, "digest"),
        cases=member(corpus, "cases", int),
        cases_digest=text(corpus, "casesDigest"),
        revisions=texts(corpus, "revisions"),
        selection=texts(values, "selection"),
        shard=_shard(values["shard"]) if "shard" in values else None,
        options=decode_options(member(values, "options", dict)),
        gate=_gate(member(values, "gate", dict)) if "gate" in values else None,
        implementations=tuple(map(_implementation, objects(values, "implementations"))),
        skipped=tuple(map(_not_tested, objects(values, "skipped"))),
        requirements={id_: _requirement(id_, one) for id_, one in by_id(values, "requirements")},
        rulings={id_: _ruling(id_, one) for id_, one in by_id(values, "rulings")},
        fixtures={
            digest: Fixture(text(one, "name"), digest, one["value"]) for digest, one in by_id(values, "fixtures")
        },
        profiles=tuple(map(_profile, objects(values, "profiles"))) if "profiles" in values else (),
        floors=numbers(member(values, "floors", dict), int | float) if "floors" in values else {},
    )


def _not_tested(value: dict[str, Any]) -> NotTested:
    name, code = text(value, "implementation"), NotTestedCode(text(value, "code"))
    return NotTested(name, code, text(value, "reason"), text(value, "log", ""), member(value, "error", bool))


def _profile(value: dict[str, Any]) -> ConformanceProfile:
    operations = numbers(member(value, "operations", dict), int)
    return ConformanceProfile(text(value, "system"), text(value, "name"), text(value, "title"), operations)


def _shard(value: Any) -> tuple[int, int]:
    part = part_of(value)
    if part is None:
        raise ValueError("shard: it is not an index from 1 and a number of shards")
    return part.index, part.of


def _gate(values: dict[str, Any]) -> GateFile:
    return GateFile(text(values, "known", ""), texts(values, "unmatched"), member(values, "withoutReason", int))


def _implementation(entry: dict[str, Any]) -> RecordedImplementation:
    name, adapter = text(entry, "name"), text(entry, "adapter")
    check_text(adapter, "adapter")
    return RecordedImplementation(
        name,
        adapter,
        identity=_identity(name, entry) if member(entry, "started", bool) else None,
        reason=text(entry, "reason", ""),
        log=text(entry, "log", ""),
        sdk=_sdk(member(entry, "sdk", dict)) if "sdk" in entry else None,
        causes=tuple(
            Cause(text(one, "name"), text(one, "reason"), text(one, "place", ""), one.get("flaky") is True)
            for one in objects(entry, "causes")
        )
        if "causes" in entry
        else (),
        known_unobservable=texts(entry, "knownUnobservable") if "knownUnobservable" in entry else (),
        flaky={case: texts(entry["flaky"], case) for case in member(entry, "flaky", dict)} if "flaky" in entry else {},
    )


def _identity(name: str, entry: dict[str, Any]) -> Implementation:
    unobservable, unsupported = member(entry, "unobservable", dict), member(entry, "unsupported", dict)
    return Implementation(
        name=name,
        implementation=text(entry, "implementation"),
        version=text(entry, "version"),
        language=text(entry, "language"),
        operations=frozenset(texts(entry, "operations")),
        runtime=text(entry, "runtime"),
        source=text(entry, "source"),
        unsupported={operation: text(unsupported, operation) for operation in unsupported},
        unobservable={operation: texts(unobservable, operation) for operation in unobservable},
        versions=member(entry, "versions", dict),
    )


def _sdk(values: dict[str, Any]) -> SdkState:
    return SdkState(
        text(values, "digest"),
        text(values, "revision", ""),
        values.get("changed") is True,
        text(values, "tag", ""),
        text(values, "manifest", ""),
    )


def _requirement(id_: str, values: dict[str, Any]) -> Requirement:
    return Requirement(
        id=id_,
        level=text(values, "level"),
        document=text(values, "document"),
        section=text(values, "section"),
        statement=text(values, "statement"),
        unobservable=text(values, "unobservable", ""),
        revision="",
    )


def _ruling(id_: str, values: dict[str, Any]) -> Ruling:
    for key, allowed in (("severity", SEVERITIES), ("basis", BASES)):
        if text(values, key) not in allowed:
            raise ValueError(key)
    if text(values, "text", "") not in ("", *TEXTS):
        raise ValueError("text")
    readings = member(values, "readings", dict)
    if values["adopted"] not in readings:
        raise ValueError("adopted")
    return Ruling(
        id=id_,
        title=text(values, "title"),
        requirements=texts(values, "requirements"),
        question=text(values, "question"),
        readings={reading: text(readings, reading) for reading in readings},
        adopted=text(values, "adopted"),
        basis=values["basis"],
        why=text(values, "why"),
        severity=values["severity"],
        evidence=texts(values, "evidence"),
        wording=text(values, "wording"),
        revision="",
        documented=_documented(values),
        text=text(values, "text", ""),
    )


def _documented(values: Mapping[str, Any]) -> Documented | None:
    if "documented" not in values:
        return None
    found = member(values, "documented", dict)
    return Documented(nonempty_text(found, "where"), nonempty_text(found, "says"))


def event(value: dict[str, Any]) -> tuple[str, Any]:
    """The kind of any later line, one of `KINDS`, and its value."""
    kind = value["type"]
    if kind not in _READERS:
        raise ValueError(f"the type {one_line(json.dumps(kind), 40)}")
    return kind, _READERS[kind](value)


def _footer(value: dict[str, Any]) -> Footer:
    counts = member(value, "counts", dict)
    return Footer(
        counts, member(value, "incidents", int), member(value, "seconds", int | float), text(value, "finishedAt")
    )


def result(value: Mapping[str, Any]) -> RecordedResult:
    """A result with all its members."""
    entry = case_entry(value)
    return RecordedResult(
        case=entry.case,
        at=entry.at,
        operation=entry.operation,
        implementation=text(value, "implementation"),
        request=value["request"],
        expected=read_response(value["expected"], "expected"),
        outcome=read_outcome(value),
        requirements=entry.requirements,
        ruling=entry.ruling,
        separates=entry.separates,
        cited_by_rulings=entry.cited_by_rulings,
        tags=entry.tags,
        note=text(value, "note", ""),
        stderr=text(value, "stderr", ""),
        ms=duration(value),
        flaky=passes(value),
        expectation=expectation(value),
        unobserved=unobserved(value),
    )


def case_entry(value: Mapping[str, Any]) -> CaseEntry:
    """The case of a result in short; request and expected response are checked and not kept."""
    expected = read_response(value["expected"], "expected")
    value["request"]
    return CaseEntry(
        case=_full_name(value),
        at=text(value, "at"),
        operation=text(value, "operation"),
        requirements=texts(value, "requirements"),
        ruling=text(value, "ruling", ""),
        separates=texts(value, "separates") if "separates" in value else (),
        cited_by_rulings=texts(value, "citedByRulings") if "citedByRulings" in value else (),
        tags=texts(value, "tags") if "tags" in value else (),
        leaves=response_leaves(expected),
    )


def unobserved(value: Mapping[str, Any]) -> int:
    """The number of leaves of the expected response that the implementation cannot report; 0 without the member."""
    return member(value, "unobserved", int) if "unobserved" in value else 0


def passes(value: Mapping[str, Any]) -> tuple[Passes, ...]:
    """The outcomes of a flaky result by pass."""
    return tuple(map(read_passes, objects(value, "flaky"))) if "flaky" in value else ()


def _full_name(value: Mapping[str, Any]) -> str:
    name = text(value, "case")
    if "/" not in name:
        raise ValueError("case")
    return name


def duration(value: Mapping[str, Any]) -> float | None:
    """Milliseconds; None without the member."""
    if "ms" not in value:
        return None
    ms = value["ms"]
    if isinstance(ms, bool) or not isinstance(ms, int | float) or ms < 0:
        raise TypeError("ms")
    return float(ms)


def expectation(value: Mapping[str, Any]) -> Listing | None:
    """The status in a gate; None without the member."""
    if "expectation" not in value:
        return None
    found = value["expectation"]
    return Listing(text(found, "status"), text(found, "reason", ""), _documented(found))


def _incident(value: Mapping[str, Any]) -> Incident:
    return Incident(
        implementation=text(value, "implementation"),
        cause=read_cause(ErrorKind(value["kind"]), member(value, "error", dict)),
        suspects=texts(value, "suspects"),
        stderr=text(value, "stderr"),
    )


_READERS: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "result": result,
    "incident": _incident,
    "suspicion": _incident,
    "footer": _footer,
}
KINDS = tuple(_READERS)
