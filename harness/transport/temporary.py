"""Temporary folders of this process, and the removal of those that a killed process left.

Each folder holds a file that its process keeps locked; the lock ends with the process, however it ends.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import TracebackType

from ..base.files import replace_locked, take_lock

_PREFIX, _LOCK = "parity-", ".parity-lock"


class TemporaryFolder:
    """A new folder below TMPDIR. A context manager, or call `close`; both remove the folder."""

    def __init__(self) -> None:
        _remove_leftovers(tempfile.gettempdir())
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._lock = -1
        with contextlib.suppress(OSError):  # a file system without locks
            self._lock = replace_locked(self.path / _LOCK, [])

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Removes the folder."""
        _remove(self.path)
        lock, self._lock = self._lock, -1
        if lock >= 0:
            os.close(lock)


@cache
def _remove_leftovers(parent: str) -> None:
    """Removes the folders of this user's dead processes, once in a process."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError), _unused(entry.path):
                    _remove(Path(entry.path))


@contextlib.contextmanager
def _unused(folder: str) -> Iterator[None]:
    """Inside, this process has the lock of the folder. Raises `OSError` if another process has it, there is none, or the
    folder is a link or another user's."""
    with contextlib.ExitStack() as stack:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        stack.callback(os.close, opened)
        lock = os.open(_LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=opened)
        stack.callback(os.close, lock)
        found = os.fstat(lock)
        if os.fstat(opened).st_uid != os.geteuid() or found.st_uid != os.geteuid() or not stat.S_ISREG(found.st_mode):
            raise PermissionError(folder)
        if not take_lock(lock):
            raise BlockingIOError(folder)
        yield


def _remove(folder: Path) -> None:
    """Removes a folder of any depth; files that cannot be removed stay."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):  # too deep for Python's recursion, or replaced by a link
        with contextlib.suppress(OSError):
            subprocess.run(["rm", "-rf", "--", folder], stderr=subprocess.DEVNULL, start_new_session=True, check=False)
