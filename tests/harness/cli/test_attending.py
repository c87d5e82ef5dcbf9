"""What a run says while it goes on, to whoever waits for it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

_ADAPTER = """\
import json, sys, time
time.sleep(float(sys.argv[1]))
said = {"name": "late", "version": "1", "language": "Python"}
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "initialize":
        result = {"protocolVersion": 1, "implementation": said, "operations": sys.argv[2:]}
    else:
        result = message["params"]
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if message["method"] == "shutdown":
        break
"""


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
    """After five seconds one sentence tells whom the run waits for and how long, and the run goes on."""
    done = run_parity(*asking(5.5, "echo.say"))
    assert done.returncode == 0
    assert done.stderr == (
        "parity: still waiting for late to answer initialize (5 s of 60 s). "
        "`parity probe` tells why an adapter is silent.\n"
    )


def test_an_operation_whose_name_is_misspelt(run_parity: Any, asking: Any) -> None:
    """An operation that is offered and that the corpus does not know is told if a known one is near, else not."""
    done = run_parity(*asking(0, "echo.say", "echo.shuot", "wholly.another"))
    assert done.returncode == 0
    assert done.stderr == ("parity: late offers echo.shuot, which the corpus does not know; echo.shout may be meant.\n")


def test_an_adapter_that_a_gate_waits_for_before_its_run(run_parity: Any, asking: Any) -> None:
    """A gate, which looks first what is offered, tells of that waiting as well as of the run's."""
    done = run_parity(*asking(5.5, "echo.say", verb="gate"))
    assert done.returncode == 0, done.stdout
    assert done.stderr.count("parity: still waiting for late to answer initialize") == 2
