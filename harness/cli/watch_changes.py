"""Changes of files below the watched folders, without files that tools write."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from watchfiles import Change, DefaultFilter, watch

from ..errors import UsageError

IGNORED_FOLDERS = (*DefaultFilter.ignore_dirs, "target", "dist", ".ruff_cache", ".gradle", ".direnv")
"""Names of folders whose files are never watched: caches, installed packages, products of builds."""

_POLL_MS = 60
"""Milliseconds that one look at the changes takes at most if nothing changes."""

_MAX_BATCH_MS = 1000
"""Milliseconds in which changes that follow each other closely are one change."""


class Changes:
    """Collects the changed files below `paths`. `ignored` are files that never count, such as the run's record.

    Files that git ignores do not count either, where git is installed, nor a file that this process prints to.
    """

    def __init__(self, paths: Sequence[Path], ignored: Collection[Path]) -> None:
        self._ignored = {str(path.resolve()) for path in ignored}
        self._outputs = {_identity(stream.fileno()) for stream in (sys.stdout, sys.stderr)} - {None}
        self._products: set[str] = set()
        self._paths = [path.resolve() for path in paths]
        self._found: dict[str, None] = {}
        self._root = Path.cwd()
        self._stream: Iterator[set[tuple[Change, str]]] = watch(
            *self._paths,
            watch_filter=DefaultFilter(ignore_dirs=IGNORED_FOLDERS),
            debounce=_MAX_BATCH_MS,
            rust_timeout=_POLL_MS,
            yield_on_timeout=True,
            ignore_permission_denied=True,
        )
        self.poll()

    def poll(self) -> bool:
        """Looks for changes for a moment; whether any was found since the last `take`. Raises `UsageError`."""
        try:
            new = {path for _, path in next(self._stream)} - self._ignored - self._products
        except OSError as error:
            raise UsageError(f"The folder cannot be watched: {error}. Name a smaller one with --path.") from None
        if new:
            new = {path for path in new if _identity(path) not in self._outputs}
            self._found |= dict.fromkeys(sorted(new - _ignored_by_git(sorted(new))))
        return bool(self._found)

    def wait(self) -> None:
        """Returns after the next change."""
        while not self.poll():
            pass

    def take(self) -> list[str]:
        """The changed files since the last call, relative to the current folder where they are below it."""
        found, self._found = [*self._found], {}
        return [self._shown(path) for path in found]

    def files(self) -> frozenset[str]:
        """The files that are watched, named as `take` names them."""
        found = {str(path) for path in self._paths if path.is_file()}
        for path in self._paths:
            for folder, folders, names in os.walk(path):
                folders[:] = [name for name in folders if name not in IGNORED_FOLDERS]
                found.update(os.path.join(folder, name) for name in names)  # noqa: PTH118 - there can be many
        return frozenset(map(self._shown, found))

    def ignore(self, shown: Collection[str]) -> None:
        """Stops watching these files."""
        self._products |= {str(self._root / path) for path in shown}

    def _shown(self, path: str) -> str:
        return str(Path(path).relative_to(self._root)) if Path(path).is_relative_to(self._root) else path


def _identity(file: str | int) -> tuple[int, int] | None:
    """Device and inode of a file; None if it does not exist."""
    try:
        found = os.stat(file)  # noqa: PTH116
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _ignored_by_git(paths: Sequence[str]) -> set[str]:
    """The paths that git ignores; each is looked up from its own folder, since several repositories can be watched."""
    ignored: set[str] = set()
    folders: dict[Path, list[str]] = {}
    for path in paths:
        folder = next((parent for parent in Path(path).parents if parent.is_dir()), Path("/"))
        folders.setdefault(folder, []).append(path)
    for folder, inside in folders.items():
        try:
            done = subprocess.run(
                ["git", "check-ignore", "-z", "--stdin"],
                cwd=folder,
                input="\0".join(inside).encode(),
                capture_output=True,
                check=False,
            )
        except OSError:  # no git
            return ignored
        ignored |= {name for name in done.stdout.decode("utf-8", "surrogateescape").split("\0") if name}
    return ignored
