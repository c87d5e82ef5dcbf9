"""The file that a record is read from: its lines in order, and single lines by their offset."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from ..errors import RecordError

_BLOCK = 1 << 20
"""Bytes that are read at once."""


def _copy(path: Path) -> BinaryIO:
    """A nameless copy of the file."""
    copy = cast("BinaryIO", tempfile.TemporaryFile(buffering=_BLOCK))  # noqa: SIM115 - it lives as long as its source
    with path.open("rb") as file:
        shutil.copyfileobj(file, copy, _BLOCK)
    copy.flush()
    return copy


class RecordSource:
    """An open record. `copied`: it is read from a copy, because the file is about to change.

    Raises `RecordError` if the file cannot be read or is no regular file.
    """

    def __init__(self, path: Path, *, copied: bool = False) -> None:
        self.path = path
        try:
            mode = path.stat().st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a pipe would be waited for
                raise RecordError(f"{path}: this is no regular file, so no record can be read from it. Name a file.")
            self._file: BinaryIO = _copy(path) if copied else path.open("rb", buffering=_BLOCK)
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
