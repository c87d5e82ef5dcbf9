"""`parity report --review`: where it is written, in which form, and where its cases lead."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from recording import record


@pytest.fixture
def run_record(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> Path:
    """A run in which `deaf` hears one word wrong."""
    return record(run_parity, echo_corpus, tmp_path / "run.jsonl", deaf={"answers": {"hello": "hallo"}})


def test_cases_are_linked_inside_a_checkout(
    run_parity: Any, echo_corpus: Path, run_record: Path, tmp_path: Path
) -> None:
    """In a folder below one that has the cases, a case leads to its line; the path is relative."""
    checkout = tmp_path / "check out"
    shutil.copytree(echo_corpus, checkout)
    file = checkout / "reports" / "review.md"
    done = run_parity("report", run_record, "--review", file)
    assert (done.returncode, done.stdout) == (0, f"review: {file}\n")
    assert "[echo/said/word](../cases/echo/said.yaml#L4)" in file.read_text("utf-8")


def test_cases_are_named_elsewhere(run_parity: Any, run_record: Path) -> None:
    """On standard output a case is named and leads nowhere."""
    done = run_parity("report", run_record, "--review", "-")
    assert "echo/said/word: `$.text` wanted `" in done.stdout
    assert "](" not in done.stdout


@pytest.mark.parametrize("name", ["review.html", "review.HTM"])
def test_a_page_by_the_ending_of_the_file(run_parity: Any, run_record: Path, tmp_path: Path, name: str) -> None:
    """A file that ends in .html is a page."""
    done = run_parity("report", run_record, "--review", tmp_path / name)
    assert done.returncode == 0
    assert (tmp_path / name).read_text("utf-8").startswith("<!DOCTYPE html>")
