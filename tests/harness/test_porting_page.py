"""docs/porting-an-sdk.md: its adapter works, and it names every skeleton."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import ROOT, Session
from pytest_sessions import counts

from harness.scaffolding.languages import language_names

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "porting-an-sdk.md").read_text("utf-8")
ADAPTER = PAGE.split("```python\n")[1].split("```")[0]
SDK = "__version__ = '1'\n\n\ndef normalise(query):\n    return ' '.join(query.split())\n"


def test_the_adapter_on_the_page_speaks_the_protocol(
    run_parity: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """A copy of it beside an SDK has no findings and answers a request."""
    (tmp_path / "my_sdk.py").write_text(SDK, "utf-8")
    adapter = tmp_path / "my_adapter.py"
    adapter.write_text(ADAPTER, "utf-8")
    done = run_parity("probe", f"{sys.executable} {adapter}")
    assert done.returncode == 0, done.stdout
    assert "query.normalise  answered" in done.stdout


def test_the_counts_on_the_page_are_those_of_the_sdk(run_pytest: Session, tmp_path: Path) -> None:
    """An SDK that only splits at white space has the failures and the passes that the page prints."""
    (tmp_path / "my_sdk.py").write_text(SDK, "utf-8")
    (tmp_path / "my_adapter.py").write_text(ADAPTER, "utf-8")
    file = ROOT / "cases/jeffs_brain/query_dsl/normalise.yaml"
    done = run_pytest(str(file), "--adapter", f"{sys.executable} {tmp_path / 'my_adapter.py'}", "-q")
    assert f"{counts(done)['failed']} failed, {counts(done)['passed']} passed" in PAGE
    (failure,) = re.findall(r"^    (cases/.*)  \(my-adapter\)$", PAGE, re.MULTILINE)
    assert failure in done.stdout


def test_the_page_names_every_skeleton() -> None:
    """The languages are in the order of the command's list."""
    *others, last = [f"`{name}`" for name in language_names()]
    assert f"There are skeletons for {', '.join(others)} and {last}:" in " ".join(PAGE.split())
