"""Finished builds in the cache folder, and the removal of those that were used least recently.

A build has a folder that its key names. A mark file in it names the folder of the finished attempt, so that an interrupted
attempt is never used.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from ..base.files import locked

MARK = ".built"

_ALWAYS_KEPT = 600
"""Seconds since its last use in which a build is not removed: its adapter may not have started yet."""


@dataclass(frozen=True, slots=True)
class Build:
    """A finished build.

    `folder` is relative to the folder of all builds, `size` in bytes. `base` is the folder of the build that it needs, if it
    needs one. `removable`: it holds a working copy, or is the base of one.
    """

    folder: str
    size: int
    removable: bool
    base: str = ""


def finished(keyed: Path) -> Path | None:
    """The folder of the finished build with this key; None if there is none, or if its base is gone."""
    found = _read(keyed / MARK)
    builds = keyed.parent
    if found is None or not (builds / found.folder).is_dir() or not (builds / found.base).is_dir():
        return None
    return builds / found.folder


def fresh(keyed: Path) -> Path:
    """A new folder for each attempt: a process that a killed build left running can still write into the old one."""
    for left in keyed.iterdir():
        shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix="build-", dir=keyed))


def finish(folder: Path, *, removable: bool, base: Path | None = None) -> None:
    """Marks a build as finished."""
    builds = folder.parents[1]
    build = Build(
        folder.relative_to(builds).as_posix(),
        sum(_sizes(folder)),
        removable,
        base.relative_to(builds).as_posix() if base else "",
    )
    (folder.parent / MARK).write_text(json.dumps(asdict(build)), "utf-8")


def use(folder: Path) -> None:
    """Notes that a build is in use now."""
    os.utime(folder.parent / MARK)


def removable_size(builds: Path) -> int:
    """The bytes of all builds that can be removed."""
    return sum(build.size for _, _, build in _removable(builds))


def remove_old(builds: Path, limit: int) -> None:
    """Removes the builds of working copies that were used least recently until they take at most `limit` bytes.

    It keeps those in use, and those that were used in the last minutes.
    """
    left = sorted(_removable(builds), key=lambda build: build[0])
    total = sum(build.size for _, _, build in left)
    for used, keyed, build in [*left]:
        if total <= limit:
            return
        if time.time() - used < _ALWAYS_KEPT or build.folder in {other.base for _, _, other in left} or _runs_in(keyed):
            continue
        with locked(keyed, waits=False) as is_ours:
            if not is_ours:
                continue
            (keyed / MARK).unlink(missing_ok=True)
            shutil.rmtree(keyed, ignore_errors=True)
            left.remove((used, keyed, build))
            total -= build.size


def _removable(builds: Path) -> Iterator[tuple[float, Path, Build]]:
    """Each build that can be removed, with the time of its last use and the folder of its key."""
    for mark in builds.glob(f"*/{MARK}"):
        build = _read(mark)
        if build and build.removable:
            with contextlib.suppress(FileNotFoundError):  # another run removes it at the same time
                yield mark.stat().st_mtime, mark.parent, build


def _read(mark: Path) -> Build | None:
    try:
        return Build(**json.loads(mark.read_text("utf-8")))
    except (FileNotFoundError, NotADirectoryError, ValueError, TypeError):
        return None


def _sizes(folder: Path) -> Iterator[int]:
    for here, _, names in os.walk(folder):
        yield from (Path(here, name).lstat().st_size for name in names)


def _runs_in(folder: Path) -> bool:
    """Whether a process of this user works in the folder."""
    import psutil

    def cwds() -> Iterable[str]:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                yield process.cwd()

    return any(Path(cwd).is_relative_to(folder) for cwd in cwds())
