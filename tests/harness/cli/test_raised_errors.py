"""An error that an SDK raises: its type, its stack trace and what it printed, in each place that shows a failure."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Session

pytestmark = pytest.mark.slow

Parity = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def raising(echo_corpus: Path, run_parity: Parity, here: Path) -> str:
    """The command of a Python skeleton whose SDK prints and then raises a KeyError."""
    written = run_parity("new-adapter", "python", here / "mine", "--corpus", echo_corpus)
    assert written.returncode == 0, written.stderr
    path = here / "mine" / "adapter.py"
    source = path.read_text("utf-8")
    broken = source.replace("raise OutOfReach(NOT_YET)", 'print("dbg"); raise KeyError("x")')
    assert broken != source
    path.write_text(broken, "utf-8")
    return f"python3 {path}"


def test_a_raised_error_in_a_run(echo_corpus: Path, run_parity: Parity, here: Path, raising: str) -> None:
    """The message has the type; the stack trace is in the text, the record and the page."""
    record, page = here / "run.jsonl", here / "page.html"
    done = run_parity("run", "--corpus", echo_corpus, "--adapter", raising, "--record", record)
    assert "  error/implementation: KeyError: 'x'\n" in done.stdout
    assert 'raise KeyError("x")\n' in done.stdout
    assert "\n    | KeyError: 'x'\n" in done.stdout
    results = [one for one in map(json.loads, record.read_text("utf-8").splitlines()) if one["type"] == "result"]
    raised = [one["error"] for one in results if one["verdict"] == "error"]
    assert {(one["type"], one["message"]) for one in raised} == {("unclassified", "KeyError: 'x'")}
    assert all(one["stack"].endswith("KeyError: 'x'\n") for one in raised)
    assert run_parity("report", record, "--html", page).returncode == 0
    assert '<pre tabindex="0">Traceback' in page.read_text("utf-8")


def test_a_raised_error_in_an_explanation(echo_corpus: Path, run_parity: Parity, raising: str) -> None:
    """`parity explain` shows the stack trace in a part of its own."""
    page = run_parity("explain", "echo/said/word", "--corpus", echo_corpus, "--adapter", raising).stdout
    assert "KeyError: 'x'" in page.partition("\nstack\n")[0]
    assert "  | KeyError: 'x'\n" in page.partition("\nstack\n")[2]


def test_a_raised_error_in_pytest(run_pytest: Session, raising: str) -> None:
    """A failing item shows the stack trace and what the SDK printed."""
    shown = run_pytest("cases/echo/said.yaml", "--adapter", raising, "-x").stdout
    assert "error/implementation: KeyError: 'x'" in shown
    assert "    | KeyError: 'x'\n" in shown
    assert "    | dbg\n" in shown
