"""Builds that run at once, that are broken off, and that are kept: none of them can spoil another."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from made_up import MANIFEST, Installation

from harness.transport.build import build
from harness.transport.manifest import read_manifest
from harness.transport.sandbox import Sandbox
from harness.transport.working_copy import inspect_working_copy

pytestmark = pytest.mark.slow


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


@pytest.fixture
def sandbox(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    monkeypatch.setenv("BUILDS", str(installation.folder / "builds.txt"))
    with Sandbox() as opened:
        yield opened


def begun(installation: Installation, count: int = 1) -> None:
    """Waits until so many builds have begun."""
    deadline = time.monotonic() + 30
    while installation.builds().count("begun") < count:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_two_runs_of_one_working_copy_build_it_once(installation: Installation) -> None:
    """The second run waits for the first one's build and uses it."""
    folder = installation.working_copy()
    running = [
        installation.start("run", "--adapter", "mine", "--sdk", folder, "--record", f"r{n}.jsonl", SLOW="0.5")
        for n in range(2)
    ]
    assert [process.wait(60) for process in running] == [0, 0]
    assert installation.builds() == ["begun", "built"]


def test_two_working_copies_at_once(installation: Installation) -> None:
    """Each run judges its own folder, and the release beside them stays what it is."""
    folders = [installation.working_copy(f"copy{n}", version=f"{n}.0") for n in range(2)]
    running = [
        installation.start("run", "-v", "--adapter", "mine", "--sdk", folder, "--record", f"r{n}.jsonl", SLOW="0.2")
        for n, folder in enumerate(folders)
    ]
    released = installation.start("run", "--adapter", "mine", "--record", "r.jsonl")
    outputs = [process.communicate(timeout=60)[0] for process in (*running, released)]
    assert [process.returncode for process in (*running, released)] == [0, 0, 1]
    assert ["mine: echo 0.0" in outputs[0], "mine: echo 1.0" in outputs[1]] == [True, True]
    assert sorted(installation.builds()) == ["begun", "begun", "built", "built", "release"]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_a_build_that_is_broken_off_is_never_used(
    installation: Installation, number: signal.Signals, status: int
) -> None:
    """After a kill, or an interruption, in the middle of a build the next run builds anew and judges."""
    folder = installation.working_copy()
    running = installation.start("run", "--adapter", "mine", "--sdk", folder, SLOW="60")
    begun(installation)
    os.kill(running.pid, number)
    try:
        assert running.wait(30) == status
        done = installation.run("run", "--adapter", "mine", "--sdk", folder)
        assert done.returncode == 0, done.stderr
        assert installation.builds() == ["begun", "begun", "built"]
    finally:
        kill_group(running)


def kill_group(process: subprocess.Popen[str]) -> None:
    """Ends what a killed build has left running."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def test_what_a_killed_build_left_running_cannot_spoil_the_next(installation: Installation) -> None:
    """A step that outlives its run ends in a folder that nobody uses."""
    folder = installation.working_copy()
    late = MANIFEST.replace("sleep ${SLOW:-0}", "sleep ${SLOW:-0}; echo 'raise SystemExit(9)' > $PWD/sdk.py", 1)
    (installation.adapter / "adapter.toml").write_text(late, "utf-8")
    running = installation.start("run", "--adapter", "mine", "--sdk", folder, SLOW="2")
    begun(installation)
    os.kill(running.pid, signal.SIGKILL)
    assert running.wait(30) == -9
    assert installation.run("run", "--adapter", "mine", "--sdk", folder).returncode == 0
    time.sleep(2.2)  # by now the step that was left running has written
    try:
        assert installation.run("run", "--adapter", "mine", "--sdk", folder).returncode == 0
    finally:
        kill_group(running)


def built(installation: Installation, cache: Path, sandbox: Sandbox, name: str, *, hours_ago: float = 2) -> Path:
    """A build of a new working copy that was used some hours ago."""
    manifest = read_manifest(installation.adapter / "adapter.toml")
    folder = installation.folder / name
    sdk = inspect_working_copy(manifest, folder if folder.exists() else installation.working_copy(name, version=name))
    found = build(manifest, cache, sandbox, sdk)
    used = time.time() - 3600 * hours_ago
    os.utime(found.parent / ".built", (used, used))
    return found


def test_builds_of_old_working_copies_are_removed(
    installation: Installation, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above the limit the builds used least recently go; those in use, those just used and the release's stay."""
    cache = installation.folder / "cache"
    released = build(read_manifest(installation.adapter / "adapter.toml"), cache, sandbox)
    names = ["1", "2", "3", "4"]
    folders = [built(installation, cache, sandbox, name, hours_ago=9 - int(name)) for name in names]
    monkeypatch.setenv("PARITY_CACHE_MB", "0")
    running = subprocess.Popen(["sleep", "60"], cwd=folders[1])
    try:
        last = built(installation, cache, sandbox, "5", hours_ago=0)
        assert [folder.exists() for folder in folders] == [False, True, False, False]
    finally:
        running.kill()
        running.wait()
    assert released.exists()
    again = built(installation, cache, sandbox, "6", hours_ago=0)
    assert [folder.exists() for folder in (folders[1], last, again)] == [False, True, True]


def test_a_limit_that_is_no_number(installation: Installation) -> None:
    """It is a usage error that names the variable."""
    done = installation.run("run", "--adapter", "mine", "--sdk", installation.working_copy(), PARITY_CACHE_MB="1 GB")
    assert done.returncode == 2
    assert "PARITY_CACHE_MB: expected a whole number of megabytes, found 1 GB" in done.stderr


WITH_BASE = MANIFEST.replace(
    "[release]",
    """[sdk.base]
files = ["sdk.json"]
steps = [["sh", "-c", "echo base >> $BUILDS; cp {sdk}/sdk.json dependencies"]]

[release]""",
).replace("cp {sdk}/sdk.py sdk.py;", "cp {base}/dependencies .; cp {sdk}/sdk.py sdk.py;")


def test_working_copies_share_what_their_files_decide(installation: Installation) -> None:
    """A change of the source builds the upper part alone; a change of a deciding file builds the base again."""
    (installation.adapter / "adapter.toml").write_text(WITH_BASE, "utf-8")
    folder = installation.working_copy(version="1.0")
    for change in ("1.0", "2.0"):
        (folder / "sdk.py").write_text((folder / "sdk.py").read_text().replace("1.0", change))
        assert f"mine: echo {change}" in installation.run("run", "-v", "--adapter", "mine", "--sdk", folder).stdout
    assert installation.builds() == ["base", "begun", "built", "begun", "built"]
    (folder / "sdk.json").write_text('{"name": "echo-sdk", "needs": []}')
    assert installation.run("run", "--adapter", "mine", "--sdk", folder).returncode == 0
    assert installation.builds()[5:] == ["base", "begun", "built"]


def test_a_base_stays_as_long_as_a_build_needs_it(
    installation: Installation, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A base that was used least recently is kept for a newer build; a build without its base is built again."""
    (installation.adapter / "adapter.toml").write_text(WITH_BASE, "utf-8")
    cache = installation.folder / "cache"
    first = built(installation, cache, sandbox, "1")
    [base] = (cache / "builds").glob("mine-base-*/")
    os.utime(base / ".built", (0, 0))
    monkeypatch.setenv("PARITY_CACHE_MB", "0")
    second = built(installation, cache, sandbox, "2", hours_ago=0)
    assert [base.exists(), first.exists(), second.exists()] == [True, False, True]
    shutil.rmtree(base)
    assert (built(installation, cache, sandbox, "2") / "dependencies").exists()
    assert base.exists()


def test_output_that_is_not_utf_8_is_shown_and_kept(installation: Installation) -> None:
    """A byte that no UTF-8 text holds is replaced; the lines after it stand in the output and in the reason."""
    folder = installation.working_copy()
    (folder / "broken").touch()
    manifest = MANIFEST.replace("echo 'lacks: say'", "printf 'caf\\\\351\\\\n'; echo 'lacks: say'", 1)
    (installation.adapter / "adapter.toml").write_text(manifest, "utf-8")
    done = installation.run("run", "--adapter", "mine", "--sdk", folder)
    assert done.returncode == 3
    assert "caf\ufffd\nlacks: say\n" in done.stderr
    assert f"the working copy {folder} does not build: say. " in done.stderr


def test_an_interrupted_build_leaves_no_process(installation: Installation) -> None:
    """SIGTERM ends the step, and a process of its own session that the step started."""
    folder = installation.working_copy()
    pid = installation.folder / "pid"
    manifest = MANIFEST.replace("sleep ${SLOW:-0}", f"setsid sh -c 'echo $$ >{pid}; exec sleep 600' & sleep 600", 1)
    (installation.adapter / "adapter.toml").write_text(manifest, "utf-8")
    running = installation.start("run", "--adapter", "mine", "--sdk", folder)
    deadline = time.monotonic() + 30
    while not (pid.exists() and pid.read_text("utf-8").strip()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    running.send_signal(signal.SIGTERM)
    try:
        assert running.wait(30) == 130
        assert not runs(int(pid.read_text("utf-8")))
    finally:
        kill_group(running)


def runs(pid: int) -> bool:
    """Whether the process exists and has not ended; an ended one whose parent has not collected it is a zombie."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
