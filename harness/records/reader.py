"""A file → its run record. A line that parity did not write is a `RecordError` with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ..errors import RecordError, one_line
from ..model import ErrorKind, Incident, RecordedResult, RunMetadata, RunRecord, rows, tally
from . import decode
from .scan import Scanner
from .source import RecordSource
from .stored import StoredResults
from .table import ResultTable

HEADER_BEGINS = b'{"type":"header",'


@dataclass(slots=True)
class ScannedRecord:
    """A record, and what a program that continues or merges it needs from its file.

    `size` counts the bytes of its complete lines, `header_size` those of the first line. `incidents` has the offset and the
    length of each line about an incident, `footer` of the last line; None without one.
    `unsettled` are incidents of the record without a line of their own.
    """

    source: RecordSource
    record: RunRecord
    table: ResultTable
    unsettled: Sequence[Incident] = ()
    incidents: list[tuple[int, int]] = field(default_factory=list)
    footer: tuple[int, int] | None = None
    header_size: int = 0
    size: int = 0


def read_record(path: Path, *, copied: bool = False) -> RunRecord:
    """The record in the file at `path`, without a last line that is cut short. Raises `RecordError`.

    The results stay in the file, or with `copied` in a copy of it; each is read when it is needed.
    """
    return scan_record(path, copied=copied).record


def scan_record(path: Path, *, copied: bool = False) -> ScannedRecord:
    """The record at `path` with the places of its lines. Raises `RecordError`."""
    return _Reading(RecordSource(path, copied=copied)).scanned()


def read_result(source: RecordSource, offset: int, length: int) -> RecordedResult:
    """The result in the line at an offset, in bytes."""
    try:
        return decode.result(decode.json_object(source.read(offset, length)))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise RecordError(
            f"{source.path}: another program changed this record while it was read. Read it again."
        ) from None


class _Reading:
    """One pass over the lines of a record."""

    def __init__(self, source: RecordSource) -> None:
        self._path, self._source = source.path, source
        self._table = ResultTable(partial(read_result, source))
        self._scanner = Scanner(self._table)
        self._found: dict[str, list[Any]] = {"incident": [], "suspicion": [], "footer": []}
        self._incidents: list[tuple[int, int]] = []

    def scanned(self) -> ScannedRecord:
        """The record of all complete lines."""
        metadata: RunMetadata | None = None
        offset = number = header_size = 0
        footer: tuple[int, int] | None = None
        beginning = b""
        for line in self._source.lines():
            if not offset:
                beginning = line[: len(HEADER_BEGINS)]
            if not line.endswith(b"\n"):
                break
            number += 1
            if metadata is None:
                metadata, header_size = self._header(line), len(line)
            else:
                is_footer = self._event(number, line, offset) == "footer"
                footer = (offset, len(line)) if is_footer else None
            offset += len(line)
        if metadata is None:
            raise RecordError(f"{self._path}: {_no_header(beginning)}")
        return self._checked(metadata, number, footer, header_size, offset)

    def _header(self, line: bytes) -> RunMetadata:
        value = _line(self._path, 1, line)
        if value.get("type") != "header":
            raise RecordError(f"{self._path}: {_no_header(line)}")
        return _placed(self._path, 1, decode.header, value)

    def _event(self, number: int, line: bytes, offset: int) -> str:
        """The kind of a line after the header; its value is kept."""
        if _placed(self._path, number, lambda one: self._scanner.add(one, offset), line):
            return "result"
        if line.startswith(HEADER_BEGINS):
            raise RecordError(
                f"{self._path}:{number}: a second header. Join records with `parity merge`, which keeps one header."
            )
        kind, value = _placed(self._path, number, decode.event, _line(self._path, number, line))
        if kind == "result":
            self._scanner.add_whole(value, offset, len(line))
        else:
            self._found[kind].append(value)
        if kind == "incident":
            self._incidents.append((offset, len(line)))
        return str(kind)

    def _checked(
        self, metadata: RunMetadata, lines: int, footer: tuple[int, int] | None, header_size: int, size: int
    ) -> ScannedRecord:
        results, found = StoredResults(self._table, range(len(self._table))), self._found
        unsettled = [] if footer else _unsettled(found["suspicion"], found["incident"], results)
        record = RunRecord(
            metadata=metadata,
            results=results,
            incidents=(*found["incident"], *unsettled),
            complete=footer is not None,
            seconds=found["footer"][-1].seconds if footer else None,
        )
        _placed(self._path, lines, lambda one: _check(one, self._table, found["footer"]), record)
        return ScannedRecord(self._source, record, self._table, unsettled, self._incidents, footer, header_size, size)


def _unsettled(
    suspicions: Sequence[Incident], incidents: Sequence[Incident], results: Sequence[RecordedResult]
) -> Sequence[Incident]:
    """The suspicions with a suspect that has no verdict, and the failed starts that led neither to `error/start` nor to a
    successful start; each once, without those recorded as incidents."""
    suspects = {(one.implementation, case) for one in suspicions for case in one.suspects}
    judged = suspects and {key for case, name, _ in rows(results) if (key := (name, case.case)) in suspects}
    given_up = {key.implementation for key in tally(results) if key.kind is ErrorKind.START}

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


def _check(record: RunRecord, table: ResultTable, footers: Sequence[decode.Footer]) -> None:
    """Raises `ValueError` if the lines do not belong together."""
    counts: Counter[tuple[str, str]] = Counter()
    for key, count in tally(record.results).items():
        counts[key.implementation, key.verdict.value] += count
    if not {name for name, _ in counts} <= set(record.implementations):
        raise ValueError("implementation: one has verdicts that the header does not name")
    if table.has_double():
        raise ValueError("verdict: there are two of one implementation on one case")
    if len(footers) != record.complete:
        raise ValueError("footer: expected one, at the end of the record")
    for footer in footers:
        stated = {(name, verdict): number for name, each in footer.counts.items() for verdict, number in each.items()}
        if stated != counts or footer.incidents != len(record.incidents):
            raise ValueError("counts: those of the footer are not those of the lines")
