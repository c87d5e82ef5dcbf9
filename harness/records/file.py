"""The file that a record is written to: one writer at a time; every failure is a `RecordError`."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..base.files import make_folder_of, replace_locked, take_lock
from ..errors import RecordError

_REMEDIES = {
    errno.EISDIR: "Name a file: --record FILE.",
    errno.ENOSPC: "Make room there, or name another --record.",
    errno.EDQUOT: "Make room there, or name another --record.",
    errno.EFBIG: "Make room there, or name another --record.",
}


_RECORD_BEGINS = b"{"
"""First byte of every record, and of one that was cut short."""


class RecordFile:
    """An open file under a lock that ends with the process, however it ends.

    `create`: an absent file is made. A file that holds something else than a record is refused. Raises `RecordError`, as
    all its methods do.
    """

    def __init__(self, path: Path, *, create: bool) -> None:
        self.path = path
        self._target = path.resolve()
        with self._writing():
            if create:
                make_folder_of(self._target)
            # O_NONBLOCK: a named pipe that nobody reads fails here, and does not wait.
            flags = os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK | (os.O_CREAT if create else 0)
            self._descriptor = os.open(self._target, flags, 0o644)
        try:
            self._lock()
            self._refuse_other_files()
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            raise self._irregular()
        with self._writing():
            is_ours = take_lock(self._descriptor)
            if is_ours:  # unless another run replaced the file meanwhile
                is_ours = os.path.samestat(os.fstat(self._descriptor), self._target.stat())
        if not is_ours:
            raise RecordError(
                f"{self.path}: another run is writing this record. Wait for it, or name another --record."
            )

    def _refuse_other_files(self) -> None:
        with self._writing(), self._target.open("rb") as file:
            begin = file.read(1)
        if begin not in (b"", _RECORD_BEGINS):
            raise RecordError(
                f"{self.path}: this file is no record of parity and stays as it is. Name another --record."
            )

    def size(self) -> int:
        """Bytes."""
        return os.fstat(self._descriptor).st_size

    def cut(self, size: int) -> None:
        """Drops all behind the first `size` bytes."""
        with self._writing():
            os.ftruncate(self._descriptor, size)

    def append(self, data: bytes) -> None:
        """Adds the bytes at the end."""
        rest = memoryview(data)
        with self._writing():
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]

    def replace(self, data: Iterable[bytes]) -> None:
        """Replaces all that the file holds by these blocks of bytes; after a kill it holds either all of them or none."""
        with self._writing():
            descriptor = replace_locked(self._target, data)
        os.close(self._descriptor)
        self._descriptor = descriptor

    def close(self) -> None:
        """Gives the file, and the lock, back."""
        with contextlib.suppress(OSError):
            os.close(self._descriptor)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """An `OSError` inside is a `RecordError`."""
        try:
            yield
        except OSError as error:
            raise self._cannot(error) from None

    def _irregular(self) -> RecordError:
        return RecordError(f"{self.path}: this is no regular file, so no record can be read back from it. Name one.")

    def _cannot(self, error: OSError) -> RecordError:
        if error.errno == errno.ENXIO:  # a pipe that nobody reads
            return self._irregular()
        remedy = _REMEDIES.get(error.errno or 0, "Name another --record.")
        return RecordError(f"{self.path}: the record cannot be written: {error.strerror}. {remedy}")
