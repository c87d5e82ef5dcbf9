"""However much an adapter writes, the harness holds little of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.records import read_record

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]

FLOODS = {
    "short-lines": (96, "error"),
    "endless-line": (96, "error"),
    "blank-lines": (16, "pass"),
    "stderr": (96, "pass"),
}
"""MiB that are written, and what comes of it. Measured by hand with 1024 MiB each (2026-11-21): 14 MiB at most stay."""


def peak(corpus: Path, adapter: str, record: Path) -> int:
    """The largest resident size, in MiB, of a run of this adapter."""
    command = [sys.executable, "-m", "harness", "run", "--corpus", str(corpus), "--adapter", f"fake={adapter}"]
    running = subprocess.Popen(
        [*command, "--record", str(record)], stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    _, _, usage = os.wait4(running.pid, 0)
    running.returncode = 0
    return usage.ru_maxrss // 1024


@pytest.mark.parametrize("way", FLOODS)
def test_a_flood_is_not_kept(
    echo_corpus: Path, say: Callable, adapter_command: Callable, tmp_path: Path, way: str
) -> None:
    """A flood on either stream costs less than two thirds of its size, and is judged like a drop of the same."""
    flood, verdict = FLOODS[way]
    say(["one", "guilty", "three"])
    quiet = peak(echo_corpus, adapter_command("floods.py", way, 0), tmp_path / "quiet.jsonl")
    flooded = peak(echo_corpus, adapter_command("floods.py", way, flood), tmp_path / "flooded.jsonl")
    assert flooded - quiet < flood * 2 // 3
    verdicts = {result.case: result.verdict.value for result in read_record(tmp_path / "flooded.jsonl").results}
    assert verdicts.pop("echo/more/guilty") == verdict
    assert set(verdicts.values()) == {"pass"}


def test_of_standard_error_the_last_is_kept(ask: Callable) -> None:
    """64 KiB of what was said stand with the result of a request alone in flight."""
    stderr = ask("guilty.py", "floods-stderr-and-exits", words=["guilty"]).results["more/guilty"].stderr
    assert len(stderr) == 64 * 1024
    assert stderr.endswith("the end\n")
