"""A file → its run record. A line that parity did not write is a `RecordError` with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, ValidationError, convert, field

from .. import VERSION
from ..base.strict_json import JsonFault, StrictJsonError
from ..corpus.sharding import Shard
from ..errors import RecordError, one_line
from ..model import ErrorKind, Incident, RecordedResult, ResultLine, RunMetadata, RunRecord, StoredResult
from .contradictions import check_pass, check_result, is_doubtful, operations_of
from .header import Footer, read_header
from .lines import json_object, read_incident, read_result
from .source import RecordSource
from .stored import ResultIndex

HEADER_BEGINS = b'{"type":"header",'
_WRONG = (LookupError, TypeError, ValueError, AttributeError, ValidationError)


class ScannedRecord(Struct):
    """A record, and what a program that continues or merges it needs from its file.

    `size` counts the bytes of its complete lines, `header_size` those of the first line. `incidents` has the offset and the
    length of each line about an incident; `footer` is None without one.
    `unsettled` are incidents of the record without a line of their own.
    """

    source: RecordSource
    record: RunRecord
    results: Sequence[StoredResult]
    unsettled: Sequence[Incident] = ()
    incidents: list[tuple[int, int]] = field(default_factory=list)
    footer: Footer | None = None
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


def result_at(source: RecordSource, offset: int, length: int) -> ResultLine:
    """The result in the line at an offset, in bytes."""
    line = source.read(offset, length)
    try:
        return read_result(json_object(line))
    except _WRONG:
        raise RecordError(
            f"{source.path}: another program changed this record while it was read. Read it again."
        ) from None


_From = TypeVar("_From")
_To = TypeVar("_To")


class _Reading:
    """One pass over the lines of a record."""

    def __init__(self, source: RecordSource) -> None:
        self._path, self._source = source.path, source
        self._index = ResultIndex(lambda offset, length: result_at(source, offset, length))
        self._incidents: list[Incident] = []
        self._suspicions: list[Incident] = []
        self._footers: list[Footer] = []
        self._incident_places: list[tuple[int, int]] = []
        self._doubtful: dict[int, ResultLine] = {}
        self._written_by = ""
        self._causes: dict[str, set[str]] = {}

    def scanned(self) -> ScannedRecord:
        """The record of all complete lines."""
        lines = takewhile(lambda line: line.endswith(b"\n"), self._source.lines())
        metadata, header_size = self._header(next(lines, b""))
        self._causes = {entry.name: {cause.name for cause in entry.causes} for entry in metadata.implementations}
        number, offset, kind = 1, header_size, ""
        for number, line in enumerate(lines, 2):
            kind = self._event(number, line, offset)
            offset += len(line)
        footer = self._footers[-1] if kind == "footer" else None
        return self._checked(metadata, number, footer, header_size, offset)

    def _header(self, line: bytes) -> tuple[RunMetadata, int]:
        """The metadata of the first line, and its length; the line is empty if it is not complete."""
        values = self._object(1, line) if line else {}
        if values.get("type") != "header":
            beginning = line or self._source.read(0, len(HEADER_BEGINS))
            raise RecordError(f"{self._path}: {_no_header(beginning)}")
        match values.get("harness"):
            case {"version": str(version)}:
                self._written_by = version
        return self._placed(1, read_header, values), len(line)

    def _event(self, number: int, line: bytes, offset: int) -> str:
        """The kind of a line after the header; its value is kept."""
        values = self._object(number, line)
        kind = values.get("type")
        match kind:
            case "result":
                self._add(number, self._placed(number, read_result, values), offset, len(line))
            case "incident":
                self._incidents.append(self._placed(number, read_incident, values))
                self._incident_places.append((offset, len(line)))
            case "suspicion":
                self._suspicions.append(self._placed(number, read_incident, values))
            case "footer":
                self._footers.append(self._placed(number, lambda found: convert(found, Footer), values))
            case "header":
                raise RecordError(
                    f"{self._path}:{number}: a second header. Join records with `parity merge`, which keeps one header."
                )
            case _:
                raise self._wrong(number, f"the type {kind!r} is unknown")
        return str(kind)

    def _add(self, number: int, line: ResultLine, offset: int, length: int) -> None:
        def add(line: ResultLine) -> None:
            self._index.add(line, offset, length)
            check_result(line, self._index.results[-1].leaves, self._causes.get(line.implementation, ()))
            if is_doubtful(line):
                self._doubtful[number] = line

        self._placed(number, add, line)

    def _checked(
        self, metadata: RunMetadata, lines: int, footer: Footer | None, header_size: int, size: int
    ) -> ScannedRecord:
        operations = operations_of(metadata) if self._doubtful else {}
        for number, line in self._doubtful.items():
            self._placed(number, lambda found: check_pass(found, operations), line)
        results = self._index.results
        unsettled = [] if footer else _unsettled(self._suspicions, self._incidents, results)
        record = RunRecord(
            metadata=metadata,
            results=results,
            incidents=(*self._incidents, *unsettled),
            complete=footer is not None,
            seconds=footer.seconds if footer else None,
        )
        self._placed(lines, lambda found: _check(found, self._footers), record)
        self._placed(1, lambda found: _check_cases(found, self._index.cases), record)
        return ScannedRecord(self._source, record, results, unsettled, self._incident_places, footer, header_size, size)

    def _placed(self, number: int, read: Callable[[_From], _To], value: _From) -> _To:
        """The value that `read` gives; its errors get the line."""
        try:
            return read(value)
        except KeyError as error:
            raise self._wrong(number, f"it has no {error}") from None
        except _WRONG as error:
            raise self._wrong(number, str(error)) from None

    def _wrong(self, number: int, text: str) -> RecordError:
        cause = "Another program wrote or changed it. Run again."
        if self._written_by not in ("", VERSION):
            cause = f"parity {one_line(self._written_by)} wrote it; this is parity {VERSION}. Read it with that one."
        return RecordError(f"{self._path}:{number}: this line of the record is wrong: {one_line(text)}. {cause}")

    def _object(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            return json_object(line)
        except (TypeError, ValueError, RecursionError) as error:
            if isinstance(error, StrictJsonError) and error.fault is JsonFault.DUPLICATE_KEY:
                raise self._wrong(number, f"{error.path}: it has this member twice") from None
            place = f"{self._path}:{number}"
            raise RecordError(
                f"{place}: this line of the record is not a JSON object. Run again to make a whole one."
            ) from None


def _unsettled(
    suspicions: Sequence[Incident], incidents: Sequence[Incident], results: Sequence[RecordedResult]
) -> Sequence[Incident]:
    """The suspicions with a suspect that has no verdict, and the failed starts that led neither to `error/start` nor to a
    successful start; each once, without those recorded as incidents."""
    suspects = {(incident.implementation, case) for incident in suspicions for case in incident.suspects}
    judged = suspects and {key for result in results if (key := (result.implementation, result.case)) in suspects}
    given_up = {result.implementation for result in results if result.kind is ErrorKind.START}

    def is_settled(incident: Incident) -> bool:
        if incident.suspects:
            return all((incident.implementation, case) in judged for case in incident.suspects)
        return incident.implementation in given_up

    recorded = {*incidents}
    return [incident for incident in dict.fromkeys(suspicions) if incident not in recorded and not is_settled(incident)]


def _no_header(data: bytes) -> str:
    if HEADER_BEGINS.startswith(data[: len(HEADER_BEGINS)]):
        return "this record was cut short before its first verdict. Run again."
    return "this is no run record: its first line is no header. `parity run` writes records."


def _check(record: RunRecord, footers: Sequence[Footer]) -> None:
    """Raises `ValueError` if the lines do not belong together, or have a name that nothing can be called."""
    for what, name in (
        *(("name", name) for name in record.implementations),
        *(("case", case) for case in dict.fromkeys(result.case for result in record.results)),
    ):
        if not name.isprintable():
            raise ValueError(f"{what}: {one_line(name)} has characters that no name has")
    counts = Counter((result.implementation, result.verdict.value) for result in record.results)
    if not {name for name, _ in counts} <= set(record.implementations):
        raise ValueError("implementation: one has verdicts that the header does not name")
    if len({(result.implementation, result.case) for result in record.results}) != len(record.results):
        raise ValueError("verdict: there are two of one implementation on one case")
    if len(footers) != record.complete:
        raise ValueError("footer: expected one, at the end of the record")
    for footer in footers:
        stated = {(name, verdict): number for name, each in footer.counts.items() for verdict, number in each.items()}
        if stated != counts or footer.incidents != len(record.incidents):
            raise ValueError("counts: those of the footer are not those of the lines")


def _check_cases(record: RunRecord, found: int) -> None:
    """Raises `ValueError` if the `found` cases are more or, at the end of a run, fewer than the header says."""
    run = record.metadata
    expected = Shard(*run.shard).size(run.cases) if run.shard else run.cases
    if found > expected or (record.complete and found < expected):
        shard = f", with shard {Shard(*run.shard)}" if run.shard else ""
        raise ValueError(f"corpus.cases: {run.cases}{shard} makes {expected} cases, and the lines have {found}")
