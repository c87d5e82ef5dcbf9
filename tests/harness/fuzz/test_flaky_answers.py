"""An adapter whose answers vary: a flaky cause of its known-divergence file explains them, and nothing else does."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.plan import run_plan, setup
from harness.transport.manifest import Manifest, StartPlan, shipped_manifests

pytestmark = pytest.mark.slow

_VARYING = """
import json, shlex, subprocess, sys

reference = subprocess.Popen(shlex.split(sys.argv[1]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
number = 0
for line in sys.stdin:
    reference.stdin.write(line)
    reference.stdin.flush()
    reply = reference.stdout.readline()
    message = json.loads(line)
    if message["method"] == "trigram.slugText" and "_" in message["params"]["path"]:
        number += 1
        if number % 2:
            reply = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"text": f"random {number}"}}) + "\\n"
    print(reply, end="", flush=True)
"""
"""The reference, which replies with another text to every second request with a low line in its path."""

_LISTED = """
divergences:
- reason: The slug of a path with a low line is random.
  model: low-line-in-slugs
  flaky: true
"""


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize(
    ("known", "status", "text"),
    [(_LISTED, 0, "mine explained by: low-line-in-slugs"), ("divergences: []\n", 1, ", flaky)")],
    ids=["listed", "unlisted"],
)
def test_only_a_listed_flaky_cause_explains_answers_that_vary(
    known: str, status: int, text: str, tmp_path: Path, run_parity: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No switch gives the random texts; the listed one changes the answers to the same requests."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "adapter.py").write_text(_VARYING, "utf-8")
    (folder / "known-divergences.yaml").write_text(known, "utf-8")
    reference = shlex.join([sys.executable, str(Path(sys.executable).with_name("parity")), "serve"])
    command = (sys.executable, str(folder / "adapter.py"), reference)
    mine = Manifest("mine", "Python", "mine", StartPlan(command), folder=folder)
    for module in (setup, run_plan):
        monkeypatch.setattr(module, "shipped_manifests", lambda root: {**shipped_manifests(root), "mine": mine})
    limits = ["--operation", "trigram.slugText", "--examples", "60", "--save", tmp_path]
    done = run_parity("fuzz", "--adapter", "mine", *limits)
    assert done.returncode == status, done.stdout + done.stderr
    assert text in done.stdout
