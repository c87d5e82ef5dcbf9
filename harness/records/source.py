"""The file that a record is read from: its lines in order, and single lines by their offset."""

from __future__ import annotations

import os
import stat
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ..errors import RecordError

_BLOCK = 1 << 20
"""Bytes that are read at once."""


class RecordSource:
    """An open record. Raises `RecordError` if the file cannot be read or is no regular file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            mode = path.stat().st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a pipe would be waited for
                raise RecordError(f"{path}: this is no regular file, so no record can be read from it. Name a file.")
            self._file: BinaryIO = path.open("rb", buffering=_BLOCK)
        except OSError as error:
            raise self._unreadable(error) from None
        weakref.finalize(self, self._file.close)

    def lines(self) -> Iterator[bytes]:
        """All lines, each with its end; the last may lack it."""
        try:
            self._file.seek(0)
            yield from iter(self._file.readline, b"")
        except OSError as error:
            raise self._unreadable(error) from None

    def read(self, offset: int, length: int) -> bytes:
        """`length` bytes from `offset`; fewer at the end of the file."""
        try:
            return os.pread(self._file.fileno(), length, offset)
        except OSError as error:
            raise self._unreadable(error) from None

    def blocks(self, start: int, end: int) -> Iterator[bytes]:
        """The bytes from `start` up to `end`."""
        while start < end and (block := self.read(start, min(_BLOCK, end - start))):
            yield block
            start += len(block)

    def size(self) -> int:
        """Bytes."""
        return os.fstat(self._file.fileno()).st_size

    def has_line(self) -> bool:
        """Whether the first line is complete."""
        return next(self.lines(), b"").endswith(b"\n")

    def _unreadable(self, error: OSError) -> RecordError:
        return RecordError(f"{self.path}: the record cannot be read: {error.strerror}. Name a readable file.")
