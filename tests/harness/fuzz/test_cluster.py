"""A campaign on a Dask cluster: a scheduler and two workers on the loopback address."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import psutil
import pytest

from harness.records import read_record

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")

Fuzz = Callable[..., Any]


class Cluster:
    """A scheduler with two workers, each a process; `address` is the scheduler's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "worker-cache")}
        file = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
        self._processes = [self._start("dask_scheduler", *options)]
        self.workers = [self._worker(file) for _ in range(2)]
        self._processes += self.workers
        self.address = self._address()

    def _start(self, program: str, *options: str) -> subprocess.Popen[bytes]:
        log = (self._folder / f"{program}.log").open("ab")
        command = [sys.executable, "-m", f"distributed.cli.{program}", *options]
        with log:
            return subprocess.Popen(command, cwd=self._folder, env=self._environment, stdout=log, stderr=log)

    def _worker(self, file: Path) -> subprocess.Popen[bytes]:
        options = [
            "--scheduler-file",
            str(file),
            "--host",
            "127.0.0.1",
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
        ]
        return self._start("dask_worker", *options)

    def _address(self) -> str:
        distributed: Any = import_module("distributed")
        file = self._folder / "scheduler.json"
        wait_until(file.exists)
        with distributed.Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=300)
            return str(client.scheduler.address)

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 300
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    found = Cluster(folder)
    yield found
    found.close()


def adapters_of(worker: subprocess.Popen[bytes]) -> int:
    """Running adapters of a worker."""
    try:
        below = psutil.Process(worker.pid).children(recursive=True)
        return sum("echoes.py" in " ".join(one.cmdline()) for one in below)
    except psutil.Error:  # one of them ends at this moment
        return 0


def counts(stdout: str) -> list[list[str]]:
    """The rows of the table, without the rates."""
    rows = (line.split() for line in stdout.splitlines() if line.startswith("echo."))
    return [[*row[:2], *row[3:]] for row in rows]


@pytest.mark.slow
def test_a_lost_worker_changes_nothing(fuzz: Fuzz, cluster: Cluster, tmp_path: Path) -> None:
    """One of two workers is killed in the middle of its unit; counts and findings are those of two local workers."""
    local = fuzz("--jobs", "2", examples=600, mine="lengthens")
    expected = [one.request for one in read_record(tmp_path / "out" / "fuzz.jsonl").results]
    killed: list[int] = []

    def kill() -> None:
        busy: list[subprocess.Popen[bytes]] = []

        def is_under_way() -> bool:
            busy[:] = [one for one in cluster.workers if adapters_of(one) == 2]
            return bool(busy)

        wait_until(is_under_way)
        busy[0].kill()
        killed.append(busy[0].wait())

    killer = Thread(target=kill)
    killer.start()
    done = fuzz("--scheduler", cluster.address, examples=600, mine="lengthens")
    killer.join()
    assert killed == [-9]
    assert done.returncode == local.returncode == 1, done.stdout + done.stderr
    assert "600 requests in" in done.stdout
    assert counts(done.stdout) == counts(local.stdout)
    assert [one.request for one in read_record(tmp_path / "out" / "fuzz.jsonl").results] == expected


@pytest.mark.slow
def test_an_adapter_that_a_worker_cannot_start_is_named(fuzz: Fuzz, cluster: Cluster, tmp_path: Path) -> None:
    """The command exists in the folder of this process only."""
    (tmp_path / "here" / "only-here.py").write_text((Path(__file__).parent / "echoes.py").read_text("utf-8"), "utf-8")
    done = fuzz("--scheduler", cluster.address, "--adapter", f"local={sys.executable} only-here.py none")
    assert done.returncode == 2
    assert "local does not start here" in done.stderr


def test_a_scheduler_that_does_not_reply_is_a_mistake(fuzz: Fuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit status 2, with the address."""
    monkeypatch.setattr("harness.fuzz.cluster._CONNECT_SECONDS", 0.5)
    done = fuzz("--scheduler", "tcp://127.0.0.1:9", mine="none")
    assert done.returncode == 2
    assert "--scheduler tcp://127.0.0.1:9: no reply" in done.stderr
