"""The benchmarks in tiny sizes: every row has its figure. No test asserts a time or an amount of memory."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.measure import Command, Cost, Sample, TooSlow, WrongStatus, cpu, in_turn, measure
from benchmarks.table import Row, keep, kept, show
from tools.shown import run_module

ROOT = Path(__file__).resolve().parents[2]


def python(program: str) -> Command:
    return Command((sys.executable, "-c", program), ROOT)


def shown(rows: list[Row], before: dict[str, float]) -> str:
    file = io.StringIO()
    show(rows, before, Console(file=file, width=200))
    return file.getvalue()


def test_a_command_has_its_cost() -> None:
    """CPU time, elapsed time, memory and output of a command; a child counts."""
    child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'sum(range(10**6)); print(7)'])"
    cost = measure(python(child))
    assert cost.output == "7\n"
    assert cost.cpu > 0 and cost.elapsed > 0 and cost.memory > 0


def test_a_command_with_another_status_gives_no_figure() -> None:
    with pytest.raises(WrongStatus) as wrong:
        measure(python("import sys; sys.exit('no')"))
    assert (wrong.value.status, wrong.value.output) == (1, "no\n")


@pytest.mark.slow
def test_a_slow_command_is_stopped() -> None:
    with pytest.raises(TooSlow):
        measure(python("while True: pass"), limit=1)


def test_commands_run_in_turn() -> None:
    """Each round runs every command once."""
    first, second = in_turn([python("print(1)"), python("print(2)")], 2)
    assert [cost.output for cost in first.costs] == ["1\n", "1\n"]
    assert [cost.output for cost in second.costs] == ["2\n", "2\n"]


def test_a_ratio_is_the_median_of_pairs_and_the_ratio_of_minima() -> None:
    mine = Sample(python(""), [Cost(2, 0, 0), Cost(6, 0, 0), Cost(9, 0, 0)])
    bare = Sample(python(""), [Cost(1, 0, 0), Cost(2, 0, 0), Cost(1, 0, 0)])
    assert mine.over(bare, cpu) == (3.0, 2.0)


def test_a_row_is_met_or_missed() -> None:
    assert Row("a", 1.0, goal=2).is_met is True
    assert Row("a", 3.0, goal=2).is_met is False
    assert Row("a", 3.0, goal=2, more_is_better=True).is_met is True
    assert Row("a", 3.0).is_met is None
    assert Row("a", goal=2, missing="not installed").is_met is None


def test_rows_are_kept_and_compared(tmp_path: Path) -> None:
    """A row without a figure is not kept as a figure; a large change is marked."""
    keep([Row("a", 1.0), Row("b", 1.0), Row("c", missing="not installed")], tmp_path / "kept.json")
    before = kept(tmp_path / "kept.json")
    assert before == {"a": 1.0, "b": 1.0}
    text = shown([Row("a", 2.0, goal=1.5), Row("b", 1.01), Row("c", missing="not installed")], before)
    assert "+100%" in text and "+1%" not in text
    assert "MISSED" in text and "not measured" in text and "not installed" in text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("group", "names"),
    [
        ("requests", {"send, judge, record 20", "the whole command, 20 cases"}),
        ("answers", {"explain an answer of 20 objects", "run 5 cases with 5 differences each"}),
        ("memory", {f"memory of {name}, 20 verdicts" for name in ("run", "report --html", "compare", "merge")}),
        ("fuzz", {"fuzz over Hypothesis"}),
        ("builds", {"edited Python copy built, over its first build", "edited Python copy built, over venv and pip"}),
    ],
)
def test_a_group_has_its_rows(group: str, names: set[str], tmp_path: Path) -> None:
    """Each row has a figure, or the reason why it has none; no command fails."""
    file = tmp_path / "kept.json"
    words = ["--tiny", "--times", "1", "--no-profiles", "--only", group, "--keep", str(file)]
    done = run_module("benchmarks", *words)
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in json.loads(file.read_text())}
    assert names <= rows.keys()
    assert not [row for row in rows.values() if "status" in row["missing"]], done.stderr
    assert all(row["value"] > 0 or row["missing"] for row in rows.values())
