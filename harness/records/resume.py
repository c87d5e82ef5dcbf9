"""A record that an interruption cut short → the cases that are left, or why it cannot be resumed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from .. import VERSION
from ..corpus.sharding import Shard
from ..errors import RecordError, one_line
from ..model import RecordedImplementation, RunRecord, Scope, path_word
from .reader import HEADER_BEGINS, ScannedRecord, scan_record
from .run import Run
from .run_options import different_texts
from .source import RecordSource


@dataclass(frozen=True, slots=True)
class Unfinished:
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

    @property
    def part(self) -> Shard | None:
        """The shard that it was begun as; None for a whole run."""
        shard = self.record.metadata.shard
        return Shard(*shard) if shard else None

    def completed(self) -> frozenset[tuple[str, str]]:
        """The cases, each with an implementation, that have a verdict."""
        return frozenset((result.case, result.implementation) for result in self.record.results)

    def check(self, run: Run) -> None:
        """Raises `RecordError` if `run` is another run than the one that was cut short."""
        begun = self.record.metadata
        if begun.harness_version != VERSION:
            self._refuse(f"parity {one_line(begun.harness_version)} began it, and this is parity {VERSION}")
        if begun.corpus_digest != run.corpus.digest:
            self._refuse("the corpus is not the one that it was begun with")
        if begun.cases_digest != run.cases_digest():
            self._refuse(f"it was begun with {begun.cases} cases, and this selection gives other ones")
        if self.part != run.part:
            self._refuse(f"it was begun as {_shown(self.part)}, and this is {_shown(run.part)}")
        if set(self.record.implementations) != set(run.names):
            then, now = ", ".join(self.record.implementations), ", ".join(run.names)
            self._refuse(f"it was begun with {then}, and this command names {now}")
        for flag, then, now in different_texts(begun.options, run.options, Scope.ONE_RUN):
            self._refuse(f"it was begun {then}, and this is {now}", f"Leave {flag} out, or run again")

    def _refuse(self, why: str, remedy: str = "Run again") -> NoReturn:
        reason = one_line(why, 400)
        raise RecordError(f"{self.path}: this record cannot be resumed: {reason}. {remedy} without --resume.")


def _shown(part: Shard | None) -> str:
    return f"shard {part}" if part else "a whole run"


def is_of_gate(record: RunRecord) -> bool:
    """Whether a gate began it."""
    return record.metadata.gate is not None


def going_on(path: Path, record: RunRecord) -> str:
    """The command that continues a record that was cut short."""
    if is_of_gate(record):
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
    if is_of_gate(record):
        raise RecordError(
            f"{path}: this is the record of a gate, and a run does not compare with what is known. {going_on(path, record)}"
        )
    return Unfinished(path, scanned, size)
