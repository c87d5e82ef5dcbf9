"""Ending a process and all that came of it, also what has left its group or its session.

A process's group is not the whole of it: a grandchild can start a session of its own and hold pipes, files and ports for
ever. Where there is a `/proc`, such processes are found by descent, and by a variable that every process started by the
adapter inherits.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path

_SWEEPS = 5
"""How often what bears the mark is looked for, since a process can be started while others are being ended."""


def kill_process_tree(pid: int, mark: str, *, awaited: bool) -> None:
    """Kills `pid`, its group, its descendants, and every process in whose environment `mark` (`NAME=value`) stands.

    A process that was `awaited` already has no descendants any more, and its number may be another's.
    """
    descendants = [] if awaited else _descendants(pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    _kill(descendants)
    kill_marked(mark)


def kill_marked(mark: str) -> None:
    """Kills every process in whose environment `mark` (`NAME=value`) stands."""
    for _ in range(_SWEEPS):
        marked = list(_marked(mark.encode()))
        if not marked:
            return
        _kill(marked)


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _descendants(pid: int) -> list[int]:
    """Children, their children, and so on, as far as none of their parents has ended."""
    children: dict[int, list[int]] = {}
    for one in _processes():
        with contextlib.suppress(OSError, IndexError, ValueError):
            parent = int(Path(f"/proc/{one}/stat").read_bytes().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(one)
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found[1:]


def _marked(mark: bytes) -> Iterator[int]:
    for one in _processes():
        with contextlib.suppress(OSError):
            if mark in Path(f"/proc/{one}/environ").read_bytes().split(b"\0"):
                yield one


def _processes() -> Iterator[int]:
    with contextlib.suppress(OSError), os.scandir("/proc") as entries:
        yield from (int(entry.name) for entry in entries if entry.name.isdigit())
