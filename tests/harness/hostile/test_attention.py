"""Time in which the harness does not listen is nobody's silence."""

from __future__ import annotations

import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.model import Incident, Json, Operation, Result, RunOptions, replace
from harness.plan.setup import prepare
from harness.runner.adapter_session import Timeouts
from harness.runner.execute import execute

pytestmark = pytest.mark.slow

SCRIPT = f"""\
import json, sys, time
sys.path.insert(0, {str(Path(__file__).resolve().parents[1] / "adapters")!r})
from loop import envelope, reply, serve, write

def costly(message):
    if message["method"] == "initialize":
        time.sleep(0.5)
    write(envelope(message, result={{"text": "other"}}) if "text" in message["params"] else reply(message))

def long(message):
    time.sleep(0.1)
    write(json.dumps(reply(message)) + " " * 1500000)

serve(globals()[sys.argv[1]], when=lambda message: message["method"] != "shutdown")
"""


def think(operation: Operation, answer: Json) -> None:  # noqa: ARG001
    """Costs the harness longer than an adapter may be silent."""
    time.sleep(0.4)


def test_nobody_is_blamed_while_the_harness_thinks(echo_corpus: Path, tmp_path: Path, say: Callable) -> None:
    """Beside an adapter whose answers take long to judge, neither it nor another one is found silent."""
    say([f"word-{n}" for n in range(2)])
    script = tmp_path / "attention.py"
    script.write_text(SCRIPT, "utf-8")
    ways = ("costly", "long")
    commands = tuple(f"{way}={shlex.join([sys.executable, str(script), way])}" for way in ways)
    with prepare(RunOptions(corpus=str(echo_corpus), adapters=commands), print) as setup:
        plan = replace(setup.plan(), answer_error=think, timeouts=Timeouts(reply=0.3))
        events = list(execute(plan))
    verdicts = Counter((one.implementation, str(one.verdict)) for one in events if isinstance(one, Result))
    assert verdicts == {("costly", "fail"): 6, ("long", "pass"): 6}
    assert [one for one in events if isinstance(one, Incident)] == []
