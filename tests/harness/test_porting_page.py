"""docs/porting-an-sdk.md: its adapter works, and it names every skeleton."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.scaffolding.languages import language_names

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "porting-an-sdk.md").read_text("utf-8")
SDK = "__version__ = '1'\n\n\ndef normalise(query):\n    return ' '.join(query.split())\n"


def test_the_adapter_on_the_page_speaks_the_protocol(
    run_parity: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """A copy of it beside an SDK has no findings and answers a request."""
    (tmp_path / "my_sdk.py").write_text(SDK, "utf-8")
    adapter = tmp_path / "my_adapter.py"
    adapter.write_text(PAGE.split("```python\n")[1].split("```")[0], "utf-8")
    done = run_parity("probe", f"{sys.executable} {adapter}")
    assert done.returncode == 0, done.stdout
    assert "query.normalise  answered" in done.stdout


def test_the_page_names_every_skeleton() -> None:
    """The languages are in the order of the command's list."""
    *others, last = [f"`{name}`" for name in language_names()]
    assert f"There are skeletons for {', '.join(others)} and {last}:" in PAGE
