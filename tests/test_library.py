"""The public API: the example of the documentation runs, and every exported name exists."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness import api

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
def test_the_example_runs_a_suite() -> None:
    """The example prints a line for each case of the suite, and the totals."""
    script = ROOT / "docs" / "examples" / "run_corpus.py"
    command = [sys.executable, str(script), "reference", "--select", "jeffs_brain/query_dsl/worked_examples"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    *verdicts, totals = done.stdout.splitlines()
    assert verdicts and all(line.startswith("pass ") for line in verdicts)
    assert totals == f"{len(verdicts)} pass"


def test_every_exported_name_exists() -> None:
    """`__all__` lists names of the module, sorted."""
    assert [name for name in api.__all__ if not hasattr(api, name)] == []
    assert sorted(api.__all__) == list(api.__all__)
