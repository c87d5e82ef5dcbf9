"""The readings that an implementation follows: what a run records, and that every report shows the same."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from commands import ROOT, Parity
from recording import lines

RULING, SEPARATING, OTHER = (
    "RUL-B137",
    "jeffs_brain/retrieval/rerank/runs-in-bm25-mode-beside-an-embedder",
    "jeffs_brain/retrieval/rerank/tail-is-not-reranked-by-its-scores",
)
"""A ruling that the text decides, a plain case in which its readings differ, and one in which they do not."""


def test_a_run_records_the_reading_of_a_plain_pass(run_parity: Parity, tmp_path: Path) -> None:
    """A pass names the adopted reading where the other reading predicts another answer, and no reading elsewhere."""
    record = tmp_path / "run.jsonl"
    select = [word for case in (SEPARATING, OTHER) for word in ("--select", case)]
    done = run_parity("run", "--adapter", "reference", *select, "--record", record)
    assert done.returncode == 0, done.stderr
    found = {one["case"]: one for one in lines(record) if one["type"] == "result"}
    assert RULING in found[OTHER]["citedByRulings"]
    assert (found[SEPARATING].get("readings"), found[OTHER].get("readings")) == ({RULING: "a"}, None)


@pytest.mark.slow
def test_every_report_shows_the_same_followers(run_parity: Parity, tmp_path: Path) -> None:
    """An implementation of the other reading follows it alone: a pass that separates no readings makes it mixed nowhere."""
    record, summary = tmp_path / "run.jsonl", tmp_path / "summary.json"
    adapter = f"hybrid=env PYTHONPATH={ROOT} {sys.executable} -m harness serve --reading {RULING}=b"
    select = [word for case in (SEPARATING, OTHER) for word in ("--select", case)]
    run_parity("run", "--adapter", adapter, *select, "--record", record)
    explained = run_parity("explain", RULING, "--record", record).stdout
    assert "    followed by none\n  b: " in explained
    assert "    hybrid: 1 case, 1 of them fails\n" in explained
    assert "  hybrid passes 1 case that separates no readings.\n" in explained
    run_parity("report", record, "--json", summary, "--review", tmp_path / "review.md")
    described = json.loads(summary.read_text("utf-8"))["descriptions"]["hybrid"]
    assert (described["mixed"], described["readings"]) == (
        [],
        [{"ruling": RULING, "reading": "b", "adopted": False, "cases": 1, "failing": 1}],
    )
    review = (tmp_path / "review.md").read_text("utf-8")
    assert f"  - {RULING}=b (`hybrid` 1): " in review
