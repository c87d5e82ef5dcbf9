"""Temporary folders: a killed process leaves one, and the next start removes it and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import ROOT

MAKE = "from harness.transport.temporary import TemporaryFolder as T; t = T(); (t.path / 'kept').touch(); "


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    """The folder that these processes use as TMPDIR."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    return folder


@pytest.fixture
def killed(temporary: Path) -> Path:
    """The folder that a killed process left."""
    kill = f"import os, signal; os.kill(os.getpid(), {signal.SIGKILL})"
    assert start(temporary, MAKE + kill).wait() == -signal.SIGKILL
    [left] = temporary.iterdir()
    return left


@pytest.fixture
def living(temporary: Path) -> Iterator[Path]:
    """The folder of a living process."""
    process = start(temporary, MAKE + "print(t.path, flush=True); input()")
    assert process.stdin and process.stdout
    yield Path(process.stdout.readline().strip())
    process.communicate("\n")


def start(temporary: Path, program: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_the_folder_of_a_killed_process_is_removed(temporary: Path, killed: Path, living: Path) -> None:
    """The next start removes it with all that it holds; the folder of a living process stays."""
    assert not killed.exists()
    assert [*temporary.iterdir()] == [living]
    assert start(temporary, MAKE + "t.close()").wait() == 0
    assert [*temporary.iterdir()] == [living]


def test_what_is_not_of_a_dead_process_stays(temporary: Path, killed: Path, tmp_path: Path) -> None:
    """A fresh folder without a lock, a link to a folder with one, and a folder whose lock is a link are no leftovers."""
    elsewhere = killed.rename(tmp_path / "elsewhere")
    (temporary / "parity-link").symlink_to(elsewhere)
    for name in ("parity-plain", "parity-linked-lock", "other"):
        (temporary / name).mkdir()
    [lock] = elsewhere.glob(".*")
    (temporary / "parity-linked-lock" / lock.name).symlink_to(lock)
    (temporary / "other" / lock.name).touch()
    before = {*temporary.iterdir()}
    assert start(temporary, MAKE + "t.close()").wait() == 0
    assert {*temporary.iterdir()} == before
    assert (elsewhere / "kept").exists()


def test_a_folder_without_a_lock_is_removed_after_a_day(temporary: Path) -> None:
    """A process that was killed before it had the lock leaves one. A folder that the user has made stays, however old."""
    day_before = time.time() - 25 * 60 * 60
    modes = {
        "parity-a1b2c3d4": 0o700,
        "parity-notes_23": 0o755,
        "parity-reports-of-may": 0o700,
        "parity-00000000": 0o700,
    }
    for name, mode in modes.items():
        folder = temporary / name
        folder.mkdir(mode)
        (folder / "home").mkdir()
        if name != "parity-00000000":
            os.utime(folder, (day_before, day_before))
    assert start(temporary, MAKE + "t.close()").wait() == 0
    assert {path.name for path in temporary.iterdir()} == modes.keys() - {"parity-a1b2c3d4"}
