"""A file → its run record. A line that parity did not write is a `RecordError` with its place."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ..errors import RecordError, one_line
from ..model import ErrorKind, Incident, RecordedResult, RunRecord
from . import decode

HEADER_BEGINS = b'{"type":"header",'


def read_record(path: Path) -> RunRecord:
    """The record in the file at `path`, without a last line that is cut short. Raises `RecordError`."""
    return parse_record(path, read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """The bytes of the file."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a pipe would be waited for
            raise RecordError(f"{path}: this is no regular file, so no record can be read from it. Name a file.")
        return path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: the record cannot be read: {error.strerror}. Name a readable file.") from None


def parse_record(path: Path, data: bytes) -> RunRecord:
    """The record in `data`, which comes from `path`. `complete` is true only with a footer."""
    return parse_with_suspicions(path, data)[0]


def parse_with_suspicions(path: Path, data: bytes) -> tuple[RunRecord, Sequence[Incident]]:
    """The record, and those of its incidents that are suspicions without a verdict on every suspect."""
    whole = data.split(b"\n")[:-1]
    values = [_line(path, number, line) for number, line in enumerate(whole, 1)]
    if not values or values[0].get("type") != "header":
        raise RecordError(f"{path}: {_no_header(data)}")
    metadata = _placed(path, 1, decode.header, values[0])
    found: dict[str, list[Any]] = {kind: [] for kind in decode.KINDS}
    for number, value in enumerate(values[1:], 2):
        kind, one = _placed(path, number, decode.event, value)
        found[kind].append(one)
    complete = values[-1].get("type") == "footer"
    unsettled = [] if complete else _unsettled(found["suspicion"], found["incident"], found["result"])
    record = RunRecord(
        metadata=metadata,
        results=tuple(found["result"]),
        incidents=(*found["incident"], *unsettled),
        complete=complete,
        seconds=found["footer"][-1].seconds if complete else None,
    )
    _placed(path, len(values), _check, (record, found["footer"]))
    return record, unsettled


def _unsettled(
    suspicions: Sequence[Incident], incidents: Sequence[Incident], results: Sequence[RecordedResult]
) -> Sequence[Incident]:
    """The suspicions with a suspect that has no verdict, and the failed starts that led neither to `error/start` nor to a
    successful start; each once, without those recorded as incidents."""
    judged = {(result.implementation, result.case) for result in results}
    given_up = {result.implementation for result in results if result.kind is ErrorKind.START}

    def is_settled(one: Incident) -> bool:
        if one.suspects:
            return all((one.implementation, case) in judged for case in one.suspects)
        return one.implementation in given_up

    recorded = {*incidents}
    return [one for one in dict.fromkeys(suspicions) if one not in recorded and not is_settled(one)]


_From = TypeVar("_From")
_To = TypeVar("_To")


def _placed(path: Path, number: int, read: Callable[[_From], _To], value: _From) -> _To:
    """The value that `read` gives; its errors get the line."""
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
    try:
        return decode.json_object(line)
    except (TypeError, ValueError, RecursionError):
        raise RecordError(
            f"{path}:{number}: this line of the record is not a JSON object. Run again to make a whole one."
        ) from None


def _check(found: tuple[RunRecord, list[decode.Footer]]) -> None:
    """Raises `ValueError` if the lines do not belong together."""
    record, footers = found
    counts = Counter((result.implementation, result.verdict.value) for result in record.results)
    verdicts = {(result.case, result.implementation) for result in record.results}
    if not {name for name, _ in counts} <= set(record.implementations):
        raise ValueError("implementation: one has verdicts that the header does not name")
    if len(verdicts) < len(record.results):
        raise ValueError("verdict: there are two of one implementation on one case")
    if len(footers) != record.complete:
        raise ValueError("footer: expected one, at the end of the record")
    for footer in footers:
        stated = {(name, verdict): number for name, each in footer.counts.items() for verdict, number in each.items()}
        if stated != counts or footer.incidents != len(record.incidents):
            raise ValueError("counts: those of the footer are not those of the lines")
