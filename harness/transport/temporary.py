"""Temporary folders of this process, and the removal of those that a killed process left.

Each folder holds a file that its process keeps locked; the lock ends with the process, however it ends. A process that was
killed before it had the lock, or after it had removed it, leaves a folder without one.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import TracebackType

from ..base.files import replace_locked, take_lock

_PREFIX, _LOCK = "parity-", ".parity-lock"
_MADE = re.compile(rf"{_PREFIX}[a-z0-9_]{{8}}")
"""The names that `mkdtemp` gives."""

_UNLOCKED_SECONDS = 24 * 60 * 60
"""The age at which a folder without a lock is a leftover. On a file system without locks a living process has one too."""


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
    """Inside, this process has the lock of the folder, or the folder has none for a day. Raises `OSError` if another process
    has the lock, or if the folder or its lock is a link or another user's."""
    with contextlib.ExitStack() as stack:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        stack.callback(os.close, opened)
        _check_own(opened)
        try:
            lock = os.open(_LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=opened)
        except FileNotFoundError:
            _check_abandoned(Path(folder).name, os.fstat(opened))
            yield
            return
        stack.callback(os.close, lock)
        _check_own(lock)
        if not stat.S_ISREG(os.fstat(lock).st_mode) or not take_lock(lock):
            raise BlockingIOError(folder)
        yield


def _check_own(descriptor: int) -> None:
    if os.fstat(descriptor).st_uid != os.geteuid():
        raise PermissionError


def _check_abandoned(name: str, folder: os.stat_result) -> None:
    """Raises `BlockingIOError` for a folder without a lock that `mkdtemp` did not make, or that changed within a day."""
    is_made = _MADE.fullmatch(name) and stat.S_IMODE(folder.st_mode) == stat.S_IRWXU
    if not is_made or time.time() - folder.st_mtime < _UNLOCKED_SECONDS:
        raise BlockingIOError(name)


def _remove(folder: Path) -> None:
    """Removes a folder of any depth; files that cannot be removed stay."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):  # too deep for Python's recursion, or replaced by a link
        with contextlib.suppress(OSError):
            subprocess.run(["rm", "-rf", "--", folder], stderr=subprocess.DEVNULL, start_new_session=True, check=False)
