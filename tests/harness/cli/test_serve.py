"""`parity serve`: the reference on standard input and output."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys

from commands import ROOT, Parity


def test_the_example_of_the_help_is_answered(run_parity: Parity) -> None:
    """What `--help` shows can be pasted, and nothing but the reply is written where the input is no terminal."""
    request = re.search(r"echo '(.*)' \| parity serve", run_parity("serve", "--help").stdout)
    assert request is not None
    done = _served(request[1] + "\n")
    assert json.loads(done.stdout)["result"] == {"text": "two words"}
    assert done.stderr == ""


def test_a_terminal_gets_an_example_request() -> None:
    """One line on standard error has an example request, and standard output stays for replies."""
    ours, theirs = pty.openpty()
    os.write(ours, b"\x04")
    done = _served(None, theirs)
    os.close(ours)
    os.close(theirs)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("parity: type one request a line")
    assert json.loads(line[line.index("{") :])["method"] == "query.normalise"


def test_an_adopted_reading_is_named_so(run_parity: Parity) -> None:
    """The adopted reading and an unknown one have different messages, both with the readings to choose from."""
    adopted, unknown = (run_parity("serve", "--reading", f"RUL-B03={one}") for one in "az")
    assert (adopted.returncode, unknown.returncode) == (2, 2)
    assert "RUL-B03=a: this reading is adopted" in adopted.stderr
    assert "RUL-B03 has no such reading. Its readings: RUL-B03=b; RUL-B03=a is adopted." in unknown.stderr


def _served(text: str | None, stdin: int | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "harness", "serve"],
        cwd=ROOT,
        input=text,
        stdin=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )
