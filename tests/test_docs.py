"""The pages' own commands: every block that begins with ```sh run is run, page by page, in the order in which it stands.

`ADAPTER` is what the pages call the reader's adapter; here it is the reference under another name. `parity` and `python`
are those of this environment. A page has a folder of its own, which is empty at its beginning.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_BLOCK = re.compile(r"^```sh run\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def scripts(page: Path) -> list[str]:
    return _BLOCK.findall(page.read_text("utf-8"))


@pytest.mark.parametrize("page", [page for page in PAGES if scripts(page)], ids=lambda page: page.stem)
def test_the_commands_of_a_page_work(page: Path, tmp_path: Path) -> None:
    """Every command of a block that is marked to be run ends with status 0."""
    for number, script in enumerate(scripts(page), 1):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=tmp_path,
            env={
                **os.environ,
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
                "ADAPTER": "mine=parity serve",
            },
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, f"block {number} of {page.name}:\n{script}\n{done.stdout}{done.stderr}"


def test_no_block_is_marked_in_vain() -> None:
    """A fence that is written otherwise, and so would never be run, is found."""
    marked = re.compile(r"^[ \t]*[`~]{3,}.*\brun\b", re.MULTILINE)
    assert {page.name: len(marked.findall(page.read_text("utf-8"))) for page in PAGES} == {
        page.name: len(scripts(page)) for page in PAGES
    }
