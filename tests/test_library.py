"""The public API: the example of the documentation runs, and every exported name exists."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harness import api
from tools.shown import run

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
def test_the_example_runs_a_suite() -> None:
    """The example prints a line for each case of the suite, and the totals."""
    script = ROOT / "docs" / "examples" / "run_corpus.py"
    done = run(sys.executable, script, "reference", "--select", "jeffs_brain/query_dsl/worked_examples")
    assert done.returncode == 0, done.stderr
    *verdicts, totals = done.stdout.splitlines()
    assert verdicts and all(line.startswith("pass ") for line in verdicts)
    assert totals == f"{len(verdicts)} pass"


def test_every_exported_name_exists() -> None:
    """`__all__` lists names of the module, sorted."""
    assert [name for name in api.__all__ if not hasattr(api, name)] == []
    assert sorted(api.__all__) == list(api.__all__)
