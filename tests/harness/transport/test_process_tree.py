"""Process trees: each of the two searches finds the processes that the other one misses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from harness.transport.process_tree import kill_marked, kill_process_tree

_CHILD = """\
import os, subprocess, sys, time
environment = dict(os.environ, TMPDIR=sys.argv[1])
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], env=environment, start_new_session=True)
print(child.pid, flush=True)
if sys.argv[2] == "stays":
    time.sleep(600)
"""


@pytest.fixture
def family() -> Iterator[list[psutil.Process]]:
    """The processes of a test, ended after it."""
    started: list[psutil.Process] = []
    yield started
    for process in started:
        if process.is_running():
            process.kill()


def start(tmpdir: Path, way: str, family: list[psutil.Process]) -> tuple[subprocess.Popen[str], psutil.Process]:
    """A process that starts a child in a session of its own with this TMPDIR, then stays or exits."""
    parent = subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(tmpdir), way], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert parent.stdout is not None
    with parent.stdout as lines:
        child = psutil.Process(int(lines.readline()))
    family.append(child)
    if way == "exits":
        parent.wait(30)
    return parent, child


def has_ended(process: psutil.Process) -> bool:
    """Whether the process ends within ten seconds; nobody has to collect its exit status."""
    try:
        process.wait(10)
    except psutil.TimeoutExpired:
        return process.status() == psutil.STATUS_ZOMBIE
    return True


def test_a_descendant_without_the_mark_is_killed(tmp_path: Path, family: list[psutil.Process]) -> None:
    """A child that left the session and has another TMPDIR is found through its parent."""
    parent, child = start(tmp_path / "other", "stays", family)
    kill_process_tree(parent.pid, str(tmp_path / "own"), reaped=False)
    assert parent.wait(30) == -9
    assert has_ended(child)


def test_an_orphan_with_the_mark_is_killed(tmp_path: Path, family: list[psutil.Process]) -> None:
    """A child whose parent has exited is found through its TMPDIR; the same call spares any other process."""
    _, marked = start(tmp_path / "own", "exits", family)
    _, other = start(tmp_path / "other", "exits", family)
    kill_marked(str(tmp_path / "own"))
    assert has_ended(marked)
    assert other.is_running()
    assert other.status() != psutil.STATUS_ZOMBIE
