"""The JSON object of one line of a record → what it stands for.

What is no line that parity wrote is a `KeyError`, `TypeError`, `ValueError` or `AttributeError` that names the member;
`reading` tells it with its place.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from types import UnionType
from typing import Any, NoReturn

from harness.corpus.catalogue import BASES, SEVERITIES
from harness.errors import one_line
from harness.model import (
    ABSENT,
    Absent,
    Difference,
    ErrorKind,
    Incident,
    Json,
    JsonObject,
    RecordedResult,
    Verdict,
)
from harness.records.encode import RECORD_VERSION


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


def header(values: dict[str, Any]) -> JsonObject:
    """The first line, whose members are as they were written."""
    if values["recordVersion"] != RECORD_VERSION:
        raise ValueError(f"recordVersion: this parity reads version {RECORD_VERSION}")
    for entry in _objects(values, "implementations"):
        _entry(entry)
    for entry in _objects(values, "skipped"):
        _text(entry, "implementation")
        _text(entry, "reason")
    for one in _by_id(values, "requirements"):
        _requirement(one)
    for one in _by_id(values, "rulings"):
        _ruling(one)
    _by_id(values, "fixtures")
    corpus = _is(values, "corpus", dict)
    _text(corpus, "digest")
    _is(corpus, "cases", int)
    _texts(corpus, "revisions")
    _text(values, "startedAt")
    _texts(values, "selection")
    _options(_is(values, "options", dict))
    if "gate" in values:
        _texts(_is(values, "gate", dict), "unmatched")
        _is(values["gate"], "withoutReason", int)
    return values


def _entry(entry: dict[str, Any]) -> None:
    """What the header says of one implementation."""
    _text(entry, "name")
    _given(_text(entry, "adapter"), "adapter")
    for key in ("implementation", "version", "language", "runtime") if _is(entry, "started", bool) else ():
        _text(entry, key)
    _is({"versions": {}, **entry}, "versions", dict)
    unobservable = _is({"unobservable": {}, **entry}, "unobservable", dict)
    for operation in unobservable:
        _texts(unobservable, operation)


def _requirement(values: dict[str, Any]) -> None:
    for key in ("level", "document", "section", "statement"):
        _text(values, key)
    _text(values, "unobservable", "")


def _ruling(values: dict[str, Any]) -> None:
    for key in ("title", "question", "adopted", "why", "wording"):
        _text(values, key)
    for key, allowed in (("severity", SEVERITIES), ("basis", BASES)):
        if _text(values, key) not in allowed:
            raise ValueError(key)
    for key in ("requirements", "evidence"):
        _texts(values, key)
    readings = _is(values, "readings", dict)
    for reading in readings:
        _text(readings, reading)
    if values["adopted"] not in readings:
        raise ValueError("adopted")


def _options(options: dict[str, Any]) -> None:
    """Raises `TypeError` or `ValueError` for what no command line can have given: `--resume` takes it from here."""
    for key in ("systems", "passEnv"):
        for text in _texts(options, key) if key in options else ():
            _given(text, key)
    for key in ("corpus", "sdk"):
        if key in options:
            _given(_text(options, key), key)
    if "timeout" in options and not 0.001 <= _is(options, "timeout", int | float) < 86400:
        raise ValueError("timeout")
    if "repeat" in options and not 2 <= _is(options, "repeat", int) <= 1000:
        raise ValueError("repeat")


def _given(text: str, key: str) -> None:
    """Raises `ValueError` for a text that cannot be handed to the system: a lone surrogate, a zero character."""
    try:
        usable = "\0" not in text and bool(os.fsencode(text))
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


def _footer(value: dict[str, Any]) -> dict[str, Any]:
    _is(value, "counts", dict)
    _is(value, "incidents", int)
    _is(value, "seconds", int | float)
    _text(value, "finishedAt")
    return value


def _result(value: Mapping[str, Any]) -> RecordedResult:
    result = _read_result(value)
    is_fitting = {
        Verdict.PASS: not (result.kind or result.signature or result.difference),
        Verdict.VARIANT: bool(result.reading) and not (result.kind or result.signature),
        Verdict.FAIL: bool(result.signature) and not result.kind,
        Verdict.ERROR: result.kind is not None,
        Verdict.UNSUPPORTED: not (result.kind or result.signature or result.difference),
    }
    if not is_fitting[result.verdict]:
        raise ValueError("verdict")
    return result


def _read_result(value: Mapping[str, Any]) -> RecordedResult:
    return RecordedResult(
        case=_full_name(value),
        at=_text(value, "at"),
        operation=_text(value, "operation"),
        implementation=_text(value, "implementation"),
        verdict=Verdict(value["verdict"]),
        request=value["request"],
        expected=value["expected"],
        requirements=_texts(value, "requirements"),
        ruling=_text(value, "ruling", ""),
        cited_by_rulings=_texts(value, "citedByRulings") if "citedByRulings" in value else (),
        tags=_texts(value, "tags") if "tags" in value else (),
        kind=ErrorKind(value["kind"]) if "kind" in value else None,
        reading=_text(value, "reading", ""),
        reason=_text(value, "reason", ""),
        stage=_text(value, "stage", ""),
        recovered=value.get("recovered") is True,
        signature=_text(value, "signature", ""),
        answer=value.get("answer"),
        difference=tuple(map(_difference, _objects(value, "difference"))) if "difference" in value else (),
        engine=tuple(_objects(value, "engine")) if "engine" in value else (),
        stderr=_text(value, "stderr", ""),
        ms=_duration(value["ms"]) if "ms" in value else None,
        flaky=tuple(map(_passes, _objects(value, "flaky"))) if "flaky" in value else (),
        expectation=_expectation(value["expectation"]) if "expectation" in value else None,
    )


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
    wanted: Json | Absent = part.get("wanted", ABSENT)
    got: Json | Absent = part.get("got", ABSENT)
    return Difference(_text(part, "path"), wanted, got, part.get("undisputed") is True)


def _passes(value: dict[str, Any]) -> JsonObject:
    Verdict(_text(value, "verdict"))
    if not all(isinstance(number, int) for number in _is(value, "passes", list)):
        raise TypeError("passes")
    return value


def _incident(value: Mapping[str, Any]) -> Incident:
    return Incident(
        implementation=_text(value, "implementation"),
        kind=ErrorKind(value["kind"]),
        suspects=_texts(value, "suspects"),
        seen=_text(value, "seen"),
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


def _by_id(value: Mapping[str, Any], key: str) -> Sequence[dict[str, Any]]:
    found = _is(value, key, dict)
    return [_is(found, id_, dict) for id_ in found]
