"""Findings of `parity probe`: the operation and the request, halves of surrogate pairs, and the checks after a finding."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Parity = Callable[..., "subprocess.CompletedProcess[str]"]

ADAPTER = """\
import json, os, sys

def say(text):
    {say}

for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message["params"]
    reply = {{"jsonrpc": "2.0", "id": message["id"], "result": {{}}}}
    if method == "initialize":
        reply["result"] = {{
            "protocolVersion": 1,
            "implementation": {{"name": "mine", "version": "1", "language": "Python"}},
            "operations": ["echo.say"],
        }}
    elif method == "echo.say" and list(params) == ["text"] and isinstance(params["text"], str):
        reply["result"] = {{"text": say(params["text"])}}
    elif method != "shutdown":
        del reply["result"]
        reply["error"] = {{"code": -32602 if method == "echo.say" else -32601, "message": "no"}}
    print(json.dumps(reply), flush=True)
    if method == "shutdown":
        sys.exit({status})
"""


@pytest.fixture
def probe(echo_corpus: Path, run_parity: Parity, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Probes an adapter with this body of `say` and this exit status."""

    def probed(say: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        script = tmp_path / "mine.py"
        script.write_text(ADAPTER.format(say=say, status=status), "utf-8")
        return run_parity("probe", "--corpus", echo_corpus, "--timeout", "5", f"{sys.executable} {script}")

    return probed


def test_a_half_that_a_language_cannot_write_is_no_mojibake(probe: Callable) -> None:
    """An operation that cuts a text leaves U+FFFD where the language has no halves; the whole character is intact."""
    done = probe("return text + ' ' + text[:1] + ('\\ufffd' if '\\U0001f600' in text else '')")
    assert (done.returncode, "no findings" in done.stdout) == (0, True), done.stdout


def test_a_lost_character_is_mojibake_and_names_its_request(probe: Callable) -> None:
    """The finding has the operation and the request that shows it."""
    done = probe("return text.replace('\\U0001f600', '\\ufffd')")
    first = done.stdout.splitlines()[0]
    assert first.startswith("garbled characters (mojibake): 😀 came back as "), done.stdout
    assert '(request echo.say {"text":" caf' in first


def test_a_crash_at_every_request_hides_no_other_finding(probe: Callable) -> None:
    """The adapter crashes at each request; the probe still finds that its exit status is wrong."""
    done = probe("os._exit(7)", status=3)
    titles = [line.partition(":")[0] for line in done.stdout.splitlines()]
    assert "crashes on a request" in titles
    assert "exit status is not 0" in titles
    assert "an unknown operation is not refused" not in titles


def test_a_toolchain_that_misses_its_home_gets_the_hint(echo_corpus: Path, run_parity: Parity, tmp_path: Path) -> None:
    """Output that looks for settings below HOME leads to the hint, in `probe` and in `run`."""
    script = tmp_path / "tool.py"
    text = "rustup could not choose a version of cargo to run, and no default is configured."
    script.write_text(f"import sys\nsys.exit({text!r})\n", "utf-8")
    command = f"tool={sys.executable} {script}"
    for words in (("probe", command), ("run", "--adapter", command)):
        done = run_parity(*words, "--corpus", echo_corpus)
        assert "--pass-env HOME" in done.stdout, done.stdout


def test_an_unreleased_sdk_needs_its_working_copy(run_parity: Parity, here: Path) -> None:
    """Nothing runs and no record is begun or replaced, for `run` and `gate`."""
    record = here / "parity-run.jsonl"
    record.write_text("kept", "utf-8")
    for verb in ("run", "gate"):
        done = run_parity(verb, "--adapter", "python", "--select", "jeffs_brain/fusion/order")
        assert (done.returncode, done.stdout) == (2, "")
        assert "--adapter python needs a working copy: --adapter python=DIR; nothing was run." in done.stderr
    assert record.read_text("utf-8") == "kept"
