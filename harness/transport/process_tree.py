"""Ending a process and everything it started, including processes that left its group or its session.

A process group is not the whole tree: a grandchild can start a session of its own and keep pipes, files and ports open.
Two searches find such processes, on every system that psutil supports: by parent, and by the variable TMPDIR, which every
descendant inherits and whose value belongs to one sandbox.
"""

from __future__ import annotations

import contextlib
import os
import signal

import psutil

_MAX_SWEEPS = 5
"""Searches for marked processes; one search can miss a process that starts while another is being killed."""


def kill_process_tree(pid: int, temporary: str, *, reaped: bool) -> None:
    """Kills `pid`, its group, its descendants, and every process whose TMPDIR is `temporary`.

    `reaped` means that the harness has collected the exit status of `pid`: the number can belong to another process now.
    An empty `temporary` marks no process.
    """
    descendants = [] if reaped else _descendants(pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    _kill(descendants)
    if temporary:
        kill_marked(temporary)


def kill_marked(temporary: str) -> None:
    """Kills every process whose TMPDIR is `temporary`."""
    for _ in range(_MAX_SWEEPS):
        marked = _marked(temporary)
        if not marked:
            return
        _kill(marked)


def _kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()


def _descendants(pid: int) -> list[psutil.Process]:
    """Children, their children, and so on, up to the first parent that has ended."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def _marked(temporary: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get("TMPDIR") == temporary:
                found.append(process)
    return found
