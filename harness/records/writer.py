"""Writes a record while a run goes on."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from msgspec import to_builtins

from ..compare.canonical import compact
from ..compare.error_text import outcome_text
from ..compare.unobservable import unobserved_leaves
from ..errors import RecordError, one_line
from ..model import (
    ErrorKind,
    Implementation,
    Incident,
    JsonObject,
    Listing,
    RecordedImplementation,
    Result,
    ResultLine,
    RunMetadata,
    RunRecord,
    replace,
    tally,
)
from ..runner.case_execution import AdapterBroke
from ..runner.events import Event
from .file import RecordFile
from .header import Footer, header_members, implementation_members, read_header
from .lines import incident_members, json_object, line_of, line_text, read_incident, result_members
from .reader import read_record, result_at
from .resume import Unfinished
from .run_metadata import now
from .source import RecordSource
from .stored import ResultIndex

_LOG_KEPT = 4000
"""Characters of an adapter's output that the header keeps."""

_LINES_AT_ONCE = 1000
"""Lines that are written together, so that many held lines are not copied as one text."""

Expect: TypeAlias = "Callable[[ResultLine], Listing | None]"
"""The status of a result in a gate; None for a pass without an entry."""


class Recorder:
    """Writes one run's record, or continues an unfinished one. Each call to `write` leaves its lines in the file.

    The header holds every implementation's reply to `initialize`, so lines are held back until each has started or failed
    to start. `expect` adds the status in a gate to each result.
    """

    def __init__(
        self, path: Path, run: RunMetadata, unfinished: Unfinished | None = None, expect: Expect | None = None
    ) -> None:
        self._run = run
        self._expect = expect
        self._unfinished = unfinished
        self._start = time.monotonic()
        self._entries: dict[str, RecordedImplementation] = unfinished.binding() if unfinished else {}
        self._lines = _WrittenLines()
        self._index = ResultIndex(self._lines)
        self._added_incidents: list[Incident] = []
        self._size = 0
        self._header = self._footer = ""
        self._counts: dict[str, Counter[str]] = {entry.name: Counter() for entry in run.implementations}
        self._gave_up: set[str] = set()
        self._incidents = 0
        self._held: list[str] | None = [] if self._pending() else None
        self._file = RecordFile(path, create=unfinished is None)
        try:
            self._begin()
        except BaseException:
            self._file.close()
            raise

    def _begin(self) -> None:
        if self._unfinished is None:
            self._file.cut(0)
            return
        self._unfinished.check(self._run)
        if self._file.size() != self._unfinished.size:
            raise RecordError(f"{self._file.path}: another run has just written this record. Read it first.")
        self._file.cut(self._unfinished.scanned.size)
        self._incidents = len(self._unfinished.record.incidents)
        for key, count in tally(self._unfinished.record.results).items():
            self._counts[key.implementation][key.verdict.value] += count
        self._add([line_text(incident_members(incident)) for incident in self._unfinished.scanned.unsettled])

    def write(self, events: Iterable[Event]) -> None:
        """Adds a line for each event. Raises `RecordError` if the file cannot be written."""
        self._add([line for event in events for line in self._line(event)])
        if self._held is not None and not self._pending():
            self._release()

    def _add(self, added: Sequence[str]) -> None:
        if self._held is None:
            self._append(added)
        else:
            self._held += added

    def close(self, *, complete: bool) -> None:
        """Ends the record; with a footer if the run came to its end."""
        try:
            if self._held is not None:
                self._release()
            if complete:
                resumed = self._run.started_at if self._unfinished else ""
                seconds = time.monotonic() - self._start
                footer = Footer(
                    finished_at=now(),
                    seconds=round(seconds, 3),
                    resumed_at=resumed,
                    counts=self._counts,
                    incidents=self._incidents,
                )
                self._footer = line_text(to_builtins(footer))
                self._append([self._footer])
        finally:
            self._file.close()

    def record(self) -> RunRecord:
        """The record, after `close`. Only a record that was resumed or cut short is read back from the file."""
        if self._unfinished or not self._footer:
            return read_record(self._file.path)
        self._lines.source, self._lines.start = RecordSource(self._file.path), len(self._header) + 1
        return RunRecord(
            metadata=read_header(json_object(self._header.encode("ascii"))),
            results=self._index.results,
            incidents=tuple(self._added_incidents),
            complete=True,
            seconds=json_object(self._footer.encode("ascii"))["seconds"],
        )

    def _pending(self) -> list[str]:
        """The implementations that have neither started nor failed to start."""
        return [entry.name for entry in self._run.implementations if entry.name not in self._entries]

    def _line(self, event: Event) -> Iterator[str]:
        match event:
            case Implementation():
                self._started(event)
            case Result():
                yield self._result(event)
            case Incident():
                self._incidents += 1
                line = self._added(incident_members(event))
                self._added_incidents.append(read_incident(json_object(line.encode("ascii"))))
                yield line
            case AdapterBroke():
                yield self._added(incident_members(event.incident, "suspicion"))

    def _added(self, members: JsonObject) -> str:
        line = line_text(members)
        self._size += len(line) + 1
        return line

    def _started(self, identity: Implementation) -> None:
        name = identity.name
        entry = replace(self._entry(name), identity=identity)
        before = implementation_members(self._entries.setdefault(name, entry))
        after = implementation_members(entry)
        changed = [key for key in after if key != "adapter" and before.get(key) != after[key]]
        if changed:
            then, found = before.get(changed[0]), after[changed[0]]
            raise RecordError(
                f"{self._file.path}: {name} is no longer the implementation that this record was begun with. "
                f"Its {changed[0]} was {one_line(compact(then))} and is {one_line(compact(found))}. "
                "Run again without --resume."
            )

    def _result(self, result: Result) -> str:
        name, case = result.implementation, result.case
        if name not in self._entries:
            self._entries[name] = self._unstarted(result)
        stderr = result.stderr
        if result.kind is ErrorKind.START:  # all cases that are left have the same standard error, which is kept once
            stderr = "" if name in self._gave_up else stderr
            self._gave_up.add(name)
        self._counts[name][result.verdict.value] += 1
        identity = self._entries[name].identity
        hidden = identity.unobservable.get(case.operation, ()) if identity else ()
        line = line_of(result, stderr, unobserved_leaves(case.expected, hidden))
        if self._expect:
            line = replace(line, expectation=self._expect(line))
        text = line_text(result_members(line))
        if not self._unfinished:
            self._index.add(line, self._size, len(text) + 1)
            self._size += len(text) + 1
        return text

    def _unstarted(self, result: Result) -> RecordedImplementation:
        name = result.implementation
        self._gave_up.add(name)  # the header has its standard error
        log = result.stderr.strip()[-_LOG_KEPT:]
        return replace(self._entry(name), reason=outcome_text(result.outcome), log=log)

    def _entry(self, name: str) -> RecordedImplementation:
        """The header's entry for an implementation without a reply to `initialize`."""
        return self._run.implementation(name) or RecordedImplementation(name, name)

    def _release(self) -> None:
        """Writes the header and the lines held back."""
        held, self._held = self._held or [], None
        entries = tuple(self._entries.get(entry.name, entry) for entry in self._run.implementations)
        begun = self._unfinished.record.metadata if self._unfinished else self._run
        self._header = line_text(header_members(replace(begun, implementations=entries)))
        if self._unfinished is None:
            self._append([self._header, *held])
        else:
            header = _bytes([self._header])
            self._file.replace(chain([header], self._unfinished.lines(), [_bytes(held)]))

    def _append(self, added: Sequence[str]) -> None:
        for start in range(0, len(added), _LINES_AT_ONCE):
            self._file.append(_bytes(added[start : start + _LINES_AT_ONCE]))


def relist(path: Path, listings: Mapping[str, Listing | None]) -> RunRecord:
    """Gives these cases of the complete record of a gate another status. Raises `RecordError`."""
    file = RecordFile(path, create=False)
    try:
        file.replace([_relisted(line, listings) for line in path.read_bytes().splitlines(keepends=True)])
    finally:
        file.close()
    return read_record(path)


def _relisted(line: bytes, listings: Mapping[str, Listing | None]) -> bytes:
    members = json_object(line)
    if members["type"] != "result" or members["case"] not in listings:
        return line
    listing = listings[members["case"]]
    members = {name: value for name, value in members.items() if name != "expectation"}
    return _bytes([line_text({**members, **({"expectation": to_builtins(listing)} if listing else {})})])


def _bytes(added: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in added).encode("ascii")


class _WrittenLines:
    """Reads the lines of a run's results, by their offset behind the header, when the record is complete."""

    source: RecordSource | None = None
    start = 0

    def __call__(self, offset: int, length: int) -> ResultLine:
        assert self.source is not None, "the record is not complete"
        return result_at(self.source, self.start + offset, length)
