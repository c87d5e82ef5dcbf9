"""Lines of a record → values; whatever is no line that parity wrote is a `RecordError` with its place."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar

from harness.errors import RecordError, one_line
from harness.model import (
    ABSENT,
    Absent,
    Difference,
    ErrorKind,
    Incident,
    Json,
    JsonObject,
    RecordedResult,
    RunRecord,
    Verdict,
)
from harness.records.lines import RECORD_VERSION

HEADER_BEGINS = b'{"type":"header",'


def read_record(path: Path) -> RunRecord:
    """The record in the file at `path`. Raises `RecordError` if it is none; a last line cut short is left out."""
    return parse_record(path, read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """All that the file holds."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a pipe would be waited for
            raise RecordError(f"{path}: this is no regular file, so no record can be read from it.")
        return path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: the record cannot be read: {error.strerror}.") from None


def parse_record(path: Path, data: bytes) -> RunRecord:
    """The record that the bytes hold; `path` is where they came from. `complete` is true only of one with its footer."""
    return parse_with_suspicions(path, data)[0]


def parse_with_suspicions(path: Path, data: bytes) -> tuple[RunRecord, Sequence[Incident]]:
    """The same, and which of its incidents are suspicions that the run did not get to settle."""
    whole = data.split(b"\n")[:-1]
    values = [_line(path, number, line) for number, line in enumerate(whole, 1)]
    if not values or values[0].get("type") != "header":
        raise RecordError(f"{path}: {_no_header(data)}")
    header = _placed(path, 1, _header, values[0])
    found: dict[str, list[Any]] = {kind: [] for kind in _READERS}
    for number, value in enumerate(values[1:], 2):
        kind, one = _placed(path, number, _event, value)
        found[kind].append(one)
    complete = values[-1].get("type") == "footer"
    unsettled = [] if complete else _unsettled(found["suspicion"], found["incident"], found["result"])
    record = RunRecord(
        header=header,
        implementations=tuple(one["name"] for one in values[0]["implementations"]),
        skipped=tuple((one["implementation"], one["reason"]) for one in values[0]["skipped"]),
        results=tuple(found["result"]),
        incidents=(*found["incident"], *unsettled),
        complete=complete,
        seconds=found["footer"][-1]["seconds"] if complete else None,
    )
    _placed(path, len(values), _check, (record, found["footer"]))
    return record, unsettled


def _unsettled(
    suspicions: Sequence[Incident], incidents: Sequence[Incident], results: Sequence[RecordedResult]
) -> Sequence[Incident]:
    """The suspicions of which not all suspects were judged, and the failed starts that neither led to giving up nor were
    overcome; each once, and none that is told as an incident."""
    judged = {(result.implementation, result.case) for result in results}
    given_up = {result.implementation for result in results if result.kind is ErrorKind.START}

    def is_settled(one: Incident) -> bool:
        if one.suspects:
            return all((one.implementation, case) in judged for case in one.suspects)
        return one.implementation in given_up

    told = {*incidents}
    return [one for one in dict.fromkeys(suspicions) if one not in told and not is_settled(one)]


_From = TypeVar("_From")
_To = TypeVar("_To")


def _placed(path: Path, number: int, read: Callable[[_From], _To], value: _From) -> _To:
    """What `read` makes of the value; what it cannot read is told with its line."""
    try:
        return read(value)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(
            f"{path}:{number}: the record lacks or misuses {one_line(str(error))}. Another program wrote or changed it."
        ) from None


def _no_header(data: bytes) -> str:
    if HEADER_BEGINS.startswith(data[: len(HEADER_BEGINS)]):
        return "this record was cut short before its first verdict. Run again."
    return "this is no run record: its first line is no header. `parity run` writes records."


def _line(path: Path, number: int, line: bytes) -> dict[str, Any]:
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(line)
        if isinstance(value, dict):
            return value
    raise RecordError(f"{path}:{number}: this line of the record is not a JSON object. Run again to make a whole one.")


def _header(header: dict[str, Any]) -> JsonObject:
    if header["recordVersion"] != RECORD_VERSION:
        raise ValueError(f"recordVersion: this parity reads version {RECORD_VERSION}")
    for entry in _objects(header, "implementations"):
        _text(entry, "name")
        _text(entry, "adapter")
        _given(entry["adapter"], "adapter")
        for key in ("implementation", "version", "language", "runtime") if _is(entry, "started", bool) else ():
            _text(entry, key)
        _is({"facts": {}, **entry}, "facts", dict)
        untold = _is({"untold": {}, **entry}, "untold", dict)
        for operation in untold:
            _texts(untold, operation)
    for entry in _objects(header, "skipped"):
        _text(entry, "implementation")
        _text(entry, "reason")
    for key in ("requirements", "rulings", "fixtures"):
        for id_ in _is(header, key, dict):
            _is(header[key], id_, dict)
    _text(_is(header, "corpus", dict), "digest")
    _is(header["corpus"], "cases", int)
    _texts(header, "selection")
    _options(_is(header, "options", dict))
    if "gate" in header:
        _texts(_is(header, "gate", dict), "unmatched")
        _is(header["gate"], "withoutReason", int)
    return header


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


def _event(value: dict[str, Any]) -> tuple[str, Any]:
    kind = value["type"]
    if kind not in _READERS:
        raise ValueError(f"the type {one_line(json.dumps(kind), 40)}")
    return kind, _READERS[kind](value)


def _check(found: tuple[RunRecord, list[dict[str, Any]]]) -> None:
    """Raises `ValueError` if the lines do not belong together."""
    record, footers = found
    counts = Counter((result.implementation, result.verdict.value) for result in record.results)
    verdicts = {(result.case, result.implementation) for result in record.results}
    if not {name for name, _ in counts} <= set(record.implementations):
        raise ValueError("implementation: one has verdicts that the header does not name")
    if len(verdicts) < len(record.results):
        raise ValueError("verdict: there are two of one implementation on one case")
    if len(footers) != record.complete:
        raise ValueError("footer: it does not stand at the end, or not alone")
    for footer in footers:
        said = {(name, verdict): number for name, each in footer["counts"].items() for verdict, number in each.items()}
        if said != counts or footer["incidents"] != len(record.incidents):
            raise ValueError("counts: those of the footer are not those of the lines")


def _footer(value: dict[str, Any]) -> dict[str, Any]:
    _is(value, "counts", dict)
    _is(value, "incidents", int)
    _is(value, "seconds", int | float)
    return value


def _result(value: Mapping[str, Any]) -> RecordedResult:
    return RecordedResult(
        case=_text(value, "case"),
        at=_text(value, "at"),
        operation=_text(value, "operation"),
        implementation=_text(value, "implementation"),
        verdict=Verdict(value["verdict"]),
        request=value["request"],
        expected=value["expected"],
        requirements=_texts(value, "requirements"),
        ruling=_text(value, "ruling", ""),
        discussed=_texts(value, "discussed") if "discussed" in value else (),
        tags=_texts(value, "tags") if "tags" in value else (),
        kind=ErrorKind(value["kind"]) if "kind" in value else None,
        reading=_text(value, "reading", ""),
        reason=_text(value, "reason", ""),
        stage=_text(value, "stage", ""),
        healed=value.get("healed") is True,
        signature=_text(value, "signature", ""),
        answer=value.get("answer"),
        difference=tuple(map(_difference, _objects(value, "difference"))) if "difference" in value else (),
        engine=tuple(_objects(value, "engine")) if "engine" in value else (),
        stderr=_text(value, "stderr", ""),
        ms=_duration(value["ms"]) if "ms" in value else None,
        unstable=tuple(map(_passes, _objects(value, "unstable"))) if "unstable" in value else (),
        expectation=_expectation(value["expectation"]) if "expectation" in value else None,
    )


def _duration(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise TypeError("ms")
    return float(value)


def _expectation(value: Mapping[str, Any]) -> tuple[str, str]:
    return _text(value, "status"), _text(value, "reason", "")


def _difference(part: Mapping[str, Any]) -> Difference:
    wanted: Json | Absent = part.get("wanted", ABSENT)
    got: Json | Absent = part.get("got", ABSENT)
    return Difference(_text(part, "path"), wanted, got)


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
