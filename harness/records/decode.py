"""The JSON object of one line of a record → its value.

A line that parity did not write is a `KeyError`, `TypeError`, `ValueError` or `AttributeError` that names the member;
`reader` adds the place.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, NoReturn

from ..corpus.catalogue import BASES, SEVERITIES
from ..corpus.sharding import part_of
from ..errors import one_line
from ..model import (
    ABSENT,
    Answered,
    Breach,
    BreachCode,
    BreakContext,
    Crash,
    Difference,
    EarlierStartFailure,
    EngineRefusal,
    ErrorCause,
    Errored,
    ErrorKind,
    Failed,
    Fixture,
    GateFile,
    Implementation,
    ImplementationError,
    Incident,
    NothingObservable,
    NotOffered,
    Outcome,
    OutOfReach,
    Passed,
    Passes,
    Phase,
    Raised,
    RecordedImplementation,
    RecordedResult,
    Requirement,
    Response,
    Ruling,
    RunMetadata,
    RunOptions,
    SdkState,
    StartFailure,
    TimedOut,
    Unavailable,
    Unsupported,
    UnsupportedReason,
    Variant,
    Verdict,
)
from .encode import RECORD_VERSION


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
    corpus = _is(values, "corpus", dict)
    return RunMetadata(
        harness_version=_text(_is(values, "harness", dict), "version"),
        started_at=_text(values, "startedAt"),
        corpus_digest=_text(corpus, "digest"),
        cases=_is(corpus, "cases", int),
        cases_digest=_text(corpus, "casesDigest"),
        revisions=_texts(corpus, "revisions"),
        selection=_texts(values, "selection"),
        shard=_shard(values["shard"]) if "shard" in values else None,
        options=_options(_is(values, "options", dict)),
        gate=_gate(_is(values, "gate", dict)) if "gate" in values else None,
        implementations=tuple(map(_implementation, _objects(values, "implementations"))),
        skipped=tuple((_text(one, "implementation"), _text(one, "reason")) for one in _objects(values, "skipped")),
        requirements={id_: _requirement(id_, one) for id_, one in _by_id(values, "requirements")},
        rulings={id_: _ruling(id_, one) for id_, one in _by_id(values, "rulings")},
        fixtures={
            digest: Fixture(_text(one, "name"), digest, one["value"]) for digest, one in _by_id(values, "fixtures")
        },
    )


def _shard(value: Any) -> tuple[int, int]:
    part = part_of(value)
    if part is None:
        raise ValueError("shard: it is not an index from 1 and a number of shards")
    return part.index, part.of


def _gate(values: dict[str, Any]) -> GateFile:
    return GateFile(_text(values, "known", ""), _texts(values, "unmatched"), _is(values, "withoutReason", int))


def _implementation(entry: dict[str, Any]) -> RecordedImplementation:
    name, adapter = _text(entry, "name"), _text(entry, "adapter")
    _given(adapter, "adapter")
    return RecordedImplementation(
        name,
        adapter,
        identity=_identity(name, entry) if _is(entry, "started", bool) else None,
        reason=_text(entry, "reason", ""),
        log=_text(entry, "log", ""),
        sdk=_sdk(_is(entry, "sdk", dict)) if "sdk" in entry else None,
    )


def _identity(name: str, entry: dict[str, Any]) -> Implementation:
    unobservable, unsupported = _is(entry, "unobservable", dict), _is(entry, "unsupported", dict)
    return Implementation(
        name=name,
        implementation=_text(entry, "implementation"),
        version=_text(entry, "version"),
        language=_text(entry, "language"),
        operations=frozenset(_texts(entry, "operations")),
        runtime=_text(entry, "runtime"),
        source=_text(entry, "source"),
        unsupported={operation: _text(unsupported, operation) for operation in unsupported},
        unobservable={operation: _texts(unobservable, operation) for operation in unobservable},
        versions=_is(entry, "versions", dict),
    )


def _sdk(values: dict[str, Any]) -> SdkState:
    return SdkState(_text(values, "digest"), _text(values, "revision", ""), values.get("changed") is True)


def _requirement(id_: str, values: dict[str, Any]) -> Requirement:
    return Requirement(
        id=id_,
        level=_text(values, "level"),
        document=_text(values, "document"),
        section=_text(values, "section"),
        statement=_text(values, "statement"),
        unobservable=_text(values, "unobservable", ""),
        revision="",
    )


def _ruling(id_: str, values: dict[str, Any]) -> Ruling:
    for key, allowed in (("severity", SEVERITIES), ("basis", BASES)):
        if _text(values, key) not in allowed:
            raise ValueError(key)
    readings = _is(values, "readings", dict)
    if values["adopted"] not in readings:
        raise ValueError("adopted")
    return Ruling(
        id=id_,
        title=_text(values, "title"),
        requirements=_texts(values, "requirements"),
        question=_text(values, "question"),
        readings={reading: _text(readings, reading) for reading in readings},
        adopted=_text(values, "adopted"),
        basis=values["basis"],
        why=_text(values, "why"),
        severity=values["severity"],
        evidence=_texts(values, "evidence"),
        wording=_text(values, "wording"),
        revision="",
    )


def _options(values: dict[str, Any]) -> RunOptions:
    """The options that `--resume` takes over. Raises `TypeError` or `ValueError` for one that no command line can give."""
    options = RunOptions(
        corpus=_text(values, "corpus", ""),
        systems=_texts(values, "systems") if "systems" in values else (),
        timeout=_is(values, "timeout", int | float) if "timeout" in values else None,
        pass_env=_texts(values, "passEnv") if "passEnv" in values else (),
        sdk=_text(values, "sdk", ""),
        repeat=_is(values, "repeat", int) if "repeat" in values else None,
    )
    texts = {"corpus": [options.corpus], "systems": options.systems, "passEnv": options.pass_env, "sdk": [options.sdk]}
    for key, given in texts.items():
        for text in given:
            _given(text, key)
    if options.timeout is not None and not 0.001 <= options.timeout < 86400:
        raise ValueError("timeout")
    if options.repeat is not None and not 2 <= options.repeat <= 1000:
        raise ValueError("repeat")
    return options


def _given(text: str, key: str) -> None:
    """Raises `ValueError` for a text that the operating system cannot take: a lone surrogate, a zero character."""
    try:
        usable = "\0" not in text and bool(os.fsencode(text)) == bool(text)
    except UnicodeEncodeError:
        usable = False
    if not usable:
        raise ValueError(key)


def event(value: dict[str, Any]) -> tuple[str, Any]:
    """The kind of any later line, one of `KINDS`, and its value."""
    kind = value["type"]
    if kind not in _READERS:
        raise ValueError(f"the type {one_line(json.dumps(kind), 40)}")
    return kind, _READERS[kind](value)


def _footer(value: dict[str, Any]) -> Footer:
    counts = _is(value, "counts", dict)
    return Footer(counts, _is(value, "incidents", int), _is(value, "seconds", int | float), _text(value, "finishedAt"))


def _result(value: Mapping[str, Any]) -> RecordedResult:
    return RecordedResult(
        case=_full_name(value),
        at=_text(value, "at"),
        operation=_text(value, "operation"),
        implementation=_text(value, "implementation"),
        request=value["request"],
        expected=_response(value["expected"], "expected"),
        outcome=_outcome(value),
        requirements=_texts(value, "requirements"),
        ruling=_text(value, "ruling", ""),
        cited_by_rulings=_texts(value, "citedByRulings") if "citedByRulings" in value else (),
        tags=_texts(value, "tags") if "tags" in value else (),
        stderr=_text(value, "stderr", ""),
        ms=_duration(value["ms"]) if "ms" in value else None,
        flaky=tuple(map(_passes, _objects(value, "flaky"))) if "flaky" in value else (),
        expectation=_expectation(value["expectation"]) if "expectation" in value else None,
    )


_ONLY = {
    "kind": {Verdict.ERROR},
    "error": {Verdict.ERROR},
    "unsupported": {Verdict.UNSUPPORTED},
    "signature": {Verdict.FAIL, Verdict.ERROR},
    "stage": {Verdict.FAIL},
    "difference": {Verdict.VARIANT, Verdict.FAIL},
}
"""Members that only results of these verdicts have."""


def _outcome(value: Mapping[str, Any]) -> Outcome:
    """The outcome of a result, or of a pass (which has no differences)."""
    verdict = Verdict(value["verdict"])
    for key, verdicts in _ONLY.items():
        if key in value and verdict not in verdicts:
            raise ValueError(f"{key}: a result with the verdict {verdict} has none")
    engine = tuple(map(_refusal, _objects(value, "engine"))) if "engine" in value else ()
    differences = tuple(map(_difference, _objects(value, "difference"))) if "difference" in value else ()
    match verdict:
        case Verdict.PASS:
            return Passed(_response(value["answer"], "answer"), engine, reading=_text(value, "reading", ""))
        case Verdict.VARIANT:
            return Variant(_response(value["answer"], "answer"), _some(value, "reading"), differences, engine)
        case Verdict.FAIL:
            return Failed(
                _response(value["answer"], "answer"),
                differences,
                signature=_some(value, "signature"),
                stage=_text(value, "stage", ""),
                recovered=value.get("recovered") is True,
                engine=engine,
            )
        case Verdict.ERROR:
            return Errored(_cause(ErrorKind(value["kind"]), _is(value, "error", dict)), _some(value, "signature"))
        case Verdict.UNSUPPORTED:
            return Unsupported(_unsupported(_is(value, "unsupported", dict)))


def _response(value: Any, key: str) -> Response:
    match value:
        case {"answer": dict(answer)}:
            return Answered(answer)
        case {"error": dict(error)}:
            return Raised(_text(error, "type"), _text(error, "message", ""))
    raise TypeError(key)


def _cause(kind: ErrorKind, value: dict[str, Any]) -> ErrorCause:
    """The cause that a member `error` states."""
    match kind:
        case ErrorKind.CRASH | ErrorKind.TIMEOUT | ErrorKind.PROTOCOL:
            return _break(kind, value)
        case ErrorKind.IMPLEMENTATION:
            return ImplementationError(_text(value, "type"), _text(value, "message", ""))
        case ErrorKind.START:
            return _start_failure(value)


def _break(kind: ErrorKind, value: dict[str, Any]) -> Crash | TimedOut | Breach:
    context = BreakContext(
        Phase(value.get("phase", Phase.REQUESTS)), _text(value, "lastAnswered", ""), value.get("afterReply") is True
    )
    match kind:
        case ErrorKind.CRASH:
            status = _is(value, "status", int) if "status" in value else None
            half = _is(value, "partialLine", int) if "partialLine" in value else 0
            return Crash(status, _text(value, "signal", ""), half, context)
        case ErrorKind.TIMEOUT:
            return TimedOut(_is(value, "seconds", int | float), _text(value, "method", ""), context)
        case ErrorKind.PROTOCOL:
            parts = {key: _text(value, key, "") for key in ("path", "expected", "found", "schema")}
            return Breach(BreachCode(value["code"]), **parts, context=context)
    raise ValueError("kind")


def _start_failure(value: dict[str, Any]) -> StartFailure:
    start = _text(value, "start")
    if start == "unavailable":
        return StartFailure(Unavailable(_text(value, "adapter", ""), _text(value, "message")))
    if start == "earlier":
        return StartFailure(EarlierStartFailure(_text(value, "implementation"), _text(value, "case")))
    return StartFailure(_break(ErrorKind(start), value))


def _unsupported(value: dict[str, Any]) -> UnsupportedReason:
    match value["cause"]:
        case "not-offered":
            return NotOffered(_text(value, "reason", ""))
        case "out-of-reach":
            return OutOfReach(_text(value, "reason"))
        case "nothing-observable":
            return NothingObservable(_texts(value, "paths"))
    raise ValueError("cause")


def _refusal(value: Mapping[str, Any]) -> EngineRefusal:
    return EngineRefusal(*(_text(value, key) for key in ("path", "side", "engine", "match", "message")))


def _full_name(value: Mapping[str, Any]) -> str:
    name = _text(value, "case")
    if "/" not in name:
        raise ValueError("case")
    return name


def _duration(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise TypeError("ms")
    return float(value)


def _expectation(value: Mapping[str, Any]) -> tuple[str, str]:
    return _text(value, "status"), _text(value, "reason", "")


def _difference(part: Mapping[str, Any]) -> Difference:
    wanted, got = part.get("wanted", ABSENT), part.get("got", ABSENT)
    return Difference(_text(part, "path"), wanted, got, part.get("undisputed") is True)


def _passes(value: dict[str, Any]) -> Passes:
    numbers = _is(value, "passes", list)
    if not all(isinstance(number, int) for number in numbers):
        raise TypeError("passes")
    return Passes(tuple(numbers), _outcome(value))


def _incident(value: Mapping[str, Any]) -> Incident:
    return Incident(
        implementation=_text(value, "implementation"),
        cause=_cause(ErrorKind(value["kind"]), _is(value, "error", dict)),
        suspects=_texts(value, "suspects"),
        stderr=_text(value, "stderr"),
    )


_READERS: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "result": _result,
    "incident": _incident,
    "suspicion": _incident,
    "footer": _footer,
}
KINDS = tuple(_READERS)


def _is(value: Mapping[str, Any], key: str, kind: type | UnionType) -> Any:
    found = value[key]
    if not isinstance(found, kind):
        raise TypeError(key)
    return found


def _some(value: Mapping[str, Any], key: str) -> str:
    """A text that is not empty."""
    if not _text(value, key):
        raise ValueError(key)
    return str(value[key])


def _text(value: Mapping[str, Any], key: str, absent: str | None = None) -> str:
    found = value[key] if absent is None else value.get(key, absent)
    if not isinstance(found, str):
        raise TypeError(key)
    return found


def _texts(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = value[key]
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise TypeError(key)
    return tuple(found)


def _objects(value: Mapping[str, Any], key: str) -> Sequence[dict[str, Any]]:
    found = value[key]
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise TypeError(key)
    return found


def _by_id(value: Mapping[str, Any], key: str) -> list[tuple[str, dict[str, Any]]]:
    found = _is(value, key, dict)
    return [(id_, _is(found, id_, dict)) for id_ in found]
