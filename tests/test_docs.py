"""The commands of the pages: every block that starts with ```sh run is executed, page by page, in order.

`ADAPTER` is the reader's adapter on the pages; here it is the reference with another name. `parity` and `python`
come from this environment. Each page starts in an empty folder of its own.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from in_process import call

from harness.cli.main import main

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]

_BLOCK = re.compile(r"^```sh run\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SHELL = re.compile(r"[|&;<>()`$~\\]")
TIME_LIMIT = 300


def scripts(page: Path) -> list[str]:
    return _BLOCK.findall(page.read_text("utf-8"))


@pytest.mark.parametrize("page", [page for page in PAGES if scripts(page)], ids=lambda page: page.stem)
def test_the_commands_of_a_page_work(page: Path, tmp_path: Path) -> None:
    """Every command of a block with the mark `run` exits with status 0."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    environment = {**os.environ, "PATH": path, "ADAPTER": "mine=parity serve"}
    for number, script in enumerate(scripts(page), 1):
        for done in run(script, tmp_path, environment):
            assert done.returncode == 0, f"block {number} of {page.name}:\n{script}\n{done.stdout}{done.stderr}"


def run(script: str, folder: Path, environment: dict[str, str]) -> Iterator[subprocess.CompletedProcess[str]]:
    """Runs a script: plain `parity` commands one by one in this process, everything else by bash."""
    commands = [shlex.split(line.replace("$ADAPTER", environment["ADAPTER"]), comments=True) for line in plain(script)]
    for words in commands:
        yield call(main, words, folder, environment, TIME_LIMIT)
    if not commands:
        yield subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=TIME_LIMIT,
        )


def plain(script: str) -> list[str]:
    """The lines of a script of `parity` commands without operators and other variables; of any other script none."""
    lines = script.splitlines()
    known = (line.replace('"$ADAPTER"', "") for line in lines)
    return lines if all(line.startswith("parity ") and not _SHELL.search(line) for line in known) else []


def test_every_marked_block_is_run() -> None:
    """A block with the mark `run` in another form, which would never run, fails this test."""
    marked = re.compile(r"^[ \t]*[`~]{3,}.*\brun\b", re.MULTILINE)
    assert {page.name: len(marked.findall(page.read_text("utf-8"))) for page in PAGES} == {
        page.name: len(scripts(page)) for page in PAGES
    }
