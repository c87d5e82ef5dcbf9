"""Files that several processes use: a lock that ends with its process, and a file that is replaced as a whole."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


def relative_here(path: Path) -> str:
    """The path relative to the current folder if it lies there, so that a command with it also works in a copy of the
    folder; else the absolute path."""
    whole, here = path.resolve(), Path.cwd()
    return str(whole.relative_to(here) if whole.is_relative_to(here) else whole)


def make_folder_of(file: Path) -> None:
    """Creates the parent folder of an output file if it does not exist. Raises `OSError`."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(file.parent)) from None


def take_lock(descriptor: int, *, waits: bool = False) -> bool:
    """Locks an open file or folder until its descriptor is closed; False if another process has the lock and nobody
    `waits`. Raises `OSError`."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def locked(path: Path, *, waits: bool = True) -> Iterator[bool]:
    """Whether this process has the lock of a path until the end of the block. The lock is the file `PATH.lock`, which
    stays."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(f"{path}.lock", flags, 0o644)
    try:
        yield take_lock(descriptor, waits=waits)
    finally:
        os.close(descriptor)


def replace_locked(path: Path, blocks: Iterable[bytes]) -> int:
    """Replaces a file, which then holds either all blocks or what it held before; it keeps its permissions. Returns a
    descriptor that appends to the new file and has its lock from the moment that others can see it. Raises `OSError`."""
    beside = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL
    descriptor = os.open(beside, flags, 0o666 if mode is None else mode)
    try:
        if mode is not None:
            os.fchmod(descriptor, mode)
        with os.fdopen(descriptor, "ab", closefd=False) as file:
            file.writelines(blocks)
        take_lock(descriptor)
        beside.replace(path)
    except BaseException:
        os.close(descriptor)
        beside.unlink(missing_ok=True)
        raise
    return descriptor


def replace_file(path: Path, blocks: Iterable[bytes]) -> None:
    """Replaces a file, which then holds either all blocks or what it held before. Raises `OSError`."""
    os.close(replace_locked(path, blocks))
