"""What a run says while it goes on, to whoever waits for it."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import ROOT

pytestmark = pytest.mark.slow

_ADAPTER = """\
import json, os, sys, time
time.sleep(float(sys.argv[1]))
delay = float(os.environ.get("DELAY", 0))
said = {"name": "late", "version": "1", "language": "Python"}
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "initialize":
        result = {"protocolVersion": 1, "implementation": said, "operations": sys.argv[2:]}
    else:
        time.sleep(delay if message["method"] != "shutdown" else 0)
        result = message["params"]
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if message["method"] == "shutdown":
        break
"""


@pytest.fixture(autouse=True)
def short_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The notice comes after one second instead of five, in this process."""
    monkeypatch.setattr("harness.runner.stall.STALL_NOTICE_AFTER", 1.0)


def seconds(text: str) -> str:
    """The text with `N` for the seconds that had passed: a busy machine adds some."""
    return re.sub(r"\((\d+) s of", lambda found: "(N s of" if int(found[1]) else found[0], text)


@pytest.fixture
def asking(echo_corpus: Path) -> Any:
    """Gives the arguments of a run that asks an adapter with this delay at its start, which offers these operations."""
    script = echo_corpus / "late.py"
    script.write_text(_ADAPTER, "utf-8")

    def arguments(delay: float, *operations: str, verb: str = "run") -> list[Any]:
        command = shlex.join([sys.executable, str(script), str(delay), *operations])
        return [verb, "--corpus", echo_corpus, "--select", "echo/said", "--adapter", f"late={command}"]

    return arguments


def test_an_adapter_that_is_long_in_starting(run_parity: Any, asking: Any) -> None:
    """After some seconds one sentence tells whom the run waits for and how long, and the run goes on."""
    arguments = [*asking(1.5, "echo.say"), "--pass-env", "DELAY"]
    done = run_parity(*arguments)
    assert done.returncode == 0
    assert seconds(done.stderr) == (
        f"parity: late has not replied to initialize (N s of 60 s). To diagnose it: {probing(arguments)}\n"
    )


def probing(arguments: list[Any]) -> str:
    """The command that tells why the adapter of these arguments is silent."""
    after = {option: arguments[at + 1] for at, option in enumerate(arguments) if str(option).startswith("--")}
    options = ["--corpus", str(after["--corpus"]), after["--adapter"], "--pass-env", after["--pass-env"]]
    return shlex.join(["parity", "probe", *options])


def test_an_adapter_that_is_silent_about_what_it_is_asked(run_parity: Any, asking: Any) -> None:
    """It is told after some seconds, once, then at the 1st, the 10th, … case that it falls silent at how many are left."""
    arguments = [*asking(0, "echo.say"), "--pass-env", "DELAY", "--timeout", "2"]
    done = run_parity(*arguments, env={"DELAY": "600"}, timeout=120)
    assert done.returncode == 1
    assert seconds(done.stderr) == (
        f"parity: late has not replied to 2 requests (N s of 2 s). To diagnose it: {probing(arguments)}\n"
        "parity: late timed out at 1 case so far, 2 s each; 1 case remaining.\n"
    )


@pytest.mark.parametrize(("timeout", "told"), [("60", 1), ("1", 0)])
def test_one_case_that_takes_long(run_parity: Any, asking: Any, timeout: str, told: int) -> None:
    """A case that is alone in flight is named, unless the adapter is given up before there is anything to tell."""
    arguments = asking(0, "echo.say")
    arguments[arguments.index("echo/said")] = "echo/said/word"
    done = run_parity(*arguments, "--pass-env", "DELAY", "--timeout", timeout, env={"DELAY": "1.8"}, timeout=60)
    assert done.returncode == 1 - told
    notice = "parity: late has not replied to echo/said/word (N s of 60 s). To diagnose it: parity"
    assert seconds(done.stderr).count(notice) == told
    assert done.stderr.count("\n") == told


def test_the_bar_counts_verdicts(asking: Any, tmp_path: Path) -> None:
    """The progress bar on a terminal counts verdicts alone, so that it never shows more than there are to come."""
    ours, theirs = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "harness",
        *map(str, asking(0, "echo.say")),
        "--pass-env",
        "DELAY",
        "--timeout",
        "0.5",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DELAY": "600", "TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # which is the end of a terminal
        while piece := os.read(ours, 4096):
            shown += piece
    os.close(ours)
    assert process.wait(30) == 1
    counts = [int(count) for count in re.findall(rb"(\d+)/2\b", shown)]
    assert (counts[0], max(counts), counts[-1]) == (0, 2, 2)


def test_an_operation_whose_name_is_misspelt(run_parity: Any, asking: Any) -> None:
    """An operation that is offered and that the corpus does not know is told if a known one is near, else not."""
    done = run_parity(*asking(0, "echo.say", "echo.shuot", "wholly.another"))
    assert done.returncode == 0
    assert done.stderr == ("parity: late offers echo.shuot, which no case uses. Did you mean echo.shout?\n")


def test_an_adapter_that_a_gate_waits_for_before_its_run(run_parity: Any, asking: Any) -> None:
    """A gate, which looks first what is offered, tells of that waiting as well as of the run's."""
    done = run_parity(*asking(1.5, "echo.say", verb="gate"))
    assert done.returncode == 0, done.stdout
    assert done.stderr.count("parity: late has not replied to initialize") == 2
