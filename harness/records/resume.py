"""A record that an interruption cut short → the cases that are left, or why it cannot be resumed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from msgspec import Struct

from .. import VERSION
from ..corpus.sharding import Shard
from ..errors import RecordError, one_line
from ..model import RecordedImplementation, RunMetadata, RunRecord, Scope, path_word
from .reader import HEADER_BEGINS, ScannedRecord, scan_record
from .run_options import different_texts
from .source import RecordSource


class Unfinished(Struct, frozen=True):
    """A record without its footer. `size` counts all bytes of the file, a last line that is cut short included."""

    path: Path
    scanned: ScannedRecord
    size: int

    @property
    def record(self) -> RunRecord:
        """The record of the complete lines."""
        return self.scanned.record

    def lines(self) -> Iterator[bytes]:
        """The bytes of the complete lines after the header, in blocks."""
        return self.scanned.source.blocks(self.scanned.header_size, self.scanned.size)

    def binding(self) -> dict[str, RecordedImplementation]:
        """The implementations that started or have a verdict, by name; these must stay the same."""
        judged = {result.implementation for result in self.record.results}
        entries = self.record.metadata.implementations
        return {entry.name: entry for entry in entries if entry.identity is not None or entry.name in judged}

    def completed(self) -> frozenset[tuple[str, str]]:
        """The cases, each with an implementation, that have a verdict."""
        return frozenset((result.case, result.implementation) for result in self.record.results)

    def check(self, run: RunMetadata) -> None:
        """Raises `RecordError` if `run` is another run than the one that was cut short."""
        begun = self.record.metadata
        if begun.harness_version != VERSION:
            self._refuse(f"parity {one_line(begun.harness_version)} began it, and this is parity {VERSION}")
        if begun.corpus_digest != run.corpus_digest:
            self._refuse("the corpus is not the one that it was begun with")
        if begun.cases_digest != run.cases_digest:
            self._refuse(f"it was begun with {begun.cases} cases, and this selection gives other ones")
        if begun.shard != run.shard:
            self._refuse(f"it was begun as {_shown(begun.shard)}, and this is {_shown(run.shard)}")
        ours, theirs = ([entry.name for entry in header.implementations] for header in (begun, run))
        if {*ours} != {*theirs}:
            self._refuse(f"it was begun with {', '.join(ours)}, and this command names {', '.join(theirs)}")
        for flag, then, now in different_texts(begun.options, run.options, Scope.ONE_RUN):
            self._refuse(f"it was begun {then}, and this is {now}", f"Leave {flag} out, or run again")

    def _refuse(self, why: str, remedy: str = "Run again") -> NoReturn:
        reason = one_line(why, 400)
        raise RecordError(f"{self.path}: this record cannot be resumed: {reason}. {remedy} without --resume.")


def _shown(shard: tuple[int, int] | None) -> str:
    return f"shard {Shard(*shard)}" if shard else "a whole run"


def going_on(path: Path, record: RunRecord) -> str:
    """The command that continues a record that was cut short."""
    if record.metadata.gate:
        return "Run the gate again: parity gate, with the same options."
    return f"Go on with: parity run --resume {shlex.quote(path_word(str(path)))}"


def read_unfinished(path: Path) -> Unfinished | None:
    """The record to resume; None if the run was cut short before its first line.

    Raises `RecordError` for a complete record, a record of a gate, and any other file.
    """
    source = RecordSource(path)
    beginning, size = source.read(0, len(HEADER_BEGINS)), source.size()
    if HEADER_BEGINS.startswith(beginning) and not source.has_line():
        return None
    scanned = scan_record(path)
    record = scanned.record
    if record.complete:
        raise RecordError(f"{path}: this record is complete; there is nothing to resume.")
    if record.metadata.gate:
        raise RecordError(
            f"{path}: this is the record of a gate, and a run does not compare with what is known. {going_on(path, record)}"
        )
    return Unfinished(path, scanned, size)
