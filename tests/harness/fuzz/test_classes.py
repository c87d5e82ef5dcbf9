"""The classes of differences from the reference: readings explain, and a cause must be known of the implementation."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]

Fuzzed = Callable[..., Any]

pytestmark = pytest.mark.slow


@pytest.fixture
def fuzzed(tmp_path: Path, run_parity: Any, own_cache: None) -> Fuzzed:  # noqa: ARG001
    """Fuzzes one operation of the reference that follows a switch."""

    def run(operation: str, *switch: str, options: Sequence[str] = ()) -> Any:
        serve = shlex.join([sys.executable, str(Path(sys.executable).with_name("parity")), "serve", *switch])
        limits = ["--operation", operation, "--examples", "100", "--save", tmp_path]
        return run_parity("fuzz", "--adapter", f"mine={serve}", *limits, *options)

    return run


def test_an_open_reading_explains(fuzzed: Fuzzed) -> None:
    """Nothing is new, and the reading is named."""
    done = fuzzed("query.parse", "--reading", "RUL-B04=b")
    assert done.returncode == 0, done.stdout
    assert "mine explained by: RUL-B04=b" in done.stdout


def test_a_deviation_of_others_is_new_and_named(fuzzed: Fuzzed) -> None:
    """Only an implementation whose known-divergence file names the deviation has it explained."""
    done = fuzzed("trigram.slugText", "--deviation", "low-line-in-slugs")
    assert done.returncode == 1, done.stdout
    assert "explained by: low-line-in-slugs, which is not known of mine" in done.stdout
    assert 'request:  {"path":"_"}' in done.stdout


def test_the_coverage_has_branches_and_points_of_decision(fuzzed: Fuzzed) -> None:
    """The reference marks the points of decision of rulings."""
    done = fuzzed("query.parse", options=["--coverage"])
    assert "branches and" in done.stdout
    assert "of the rulings of these operations" in done.stdout
    assert "points of decision" in done.stdout


@pytest.mark.usefixtures("own_cache")
def test_one_cause_is_one_finding(tmp_path: Path, run_parity: Any) -> None:
    """A bug planted in the reference changes most answers of `retrieval.search`, at several places of one stage."""
    shutil.copytree(ROOT / "reference_impl", tmp_path / "reference_impl")
    shutil.copytree(ROOT / "adapters" / "reference", tmp_path / "adapters" / "reference")
    (tmp_path / "schemas").symlink_to(ROOT / "schemas")
    path = tmp_path / "reference_impl" / "jeffs_brain" / "fusion.py"
    text, right = path.read_text("utf-8"), "safe_k = rule.k_in_use(k)"
    assert text.count(right) == 1
    path.write_text(text.replace(right, f"{right} + 1"), "utf-8")
    program = shlex.join([sys.executable, str(tmp_path / "adapters" / "reference" / "adapter.py")])
    limits = ["--operation", "retrieval.search", "--examples", "30", "--save", tmp_path]
    done = run_parity("fuzz", "--adapter", f"planted={program}", *limits)
    assert done.returncode == 1
    assert "1 new finding\n" in done.stdout
