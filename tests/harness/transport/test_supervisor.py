"""A harness that is killed leaves no process of an adapter behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import ROOT, adapter, processes

pytestmark = pytest.mark.slow


def soon(holds: Callable[[], bool], seconds: float) -> bool:
    """Whether the condition holds within so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


@pytest.mark.parametrize("way", ["hangs", "hangs-unmoved", "hangs-with-a-grandchild", "hangs-with-a-session"])
def test_a_killed_run_leaves_no_process_and_no_folder(echo_corpus: Path, tmp_path: Path, way: str) -> None:
    """After SIGKILL every process of the adapter ends, in its group or in a session of its own, and its folder goes."""
    mark = f"mark-{uuid.uuid4().hex}"
    temporary = tmp_path / "a folder with spaces"
    temporary.mkdir()
    (echo_corpus / "cases" / "echo" / "more.yaml").write_text(
        "suite: echo/more\noperation: echo.say\ncases:\n"
        "  - {id: guilty, requirements: [ECHO-01], origin: spec-text, request: {text: guilty}, answer: {text: guilty}}\n",
        "utf-8",
    )
    command = ["run", "--corpus", str(echo_corpus), "--adapter", f"fake={adapter('guilty.py', way, mark)}"]
    run = subprocess.Popen(
        [sys.executable, "-m", "harness", *command, "--record", str(tmp_path / "run.jsonl")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    expected = 2 if way.startswith("hangs-with") else 1
    try:
        assert soon(lambda: len(adapters(mark)) >= expected, 30)
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()
    assert soon(lambda: not adapters(mark), 30)
    assert soon(lambda: len([*temporary.iterdir()]) == 1, 30)  # the folder for builds, which no process uses


def adapters(mark: str) -> list[str]:
    """The command lines with the mark, without that of the run."""
    return [line for line in processes(mark) if "-m harness" not in line]
