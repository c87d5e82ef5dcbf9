"""`parity gate` over shipped adapters and the shipped corpus."""

from __future__ import annotations

import shutil

import pytest
from commands import Parity

pytestmark = pytest.mark.slow


def test_the_reference_has_nothing_to_explain(run_parity: Parity) -> None:
    """The reference passes a gate without a file over a system of its own."""
    assert run_parity("gate", "--adapter", "reference", "--system", "nexus").returncode == 0


@pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")), reason="node or npm is not on PATH")
def test_the_shipped_file_explains_the_published_typescript_sdk(run_parity: Parity) -> None:
    """Every failure of the published TypeScript SDK is explained by the shipped file, and every line of it holds."""
    done = run_parity("gate", "--adapter", "ts", timeout=300)
    if done.returncode == 3:
        pytest.skip(f"the SDK cannot be installed here: {done.stdout.splitlines()[0]}")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (0, "gate: green"), done.stdout


@pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")), reason="node or npm is not on PATH")
def test_explain_shows_the_known_divergence(run_parity: Parity) -> None:
    """`parity explain` shows the reason that the shipped file gives for exactly this failure, and its note."""
    case = "jeffs_brain/temporal/not_expanded/today-and-yesterday.today"
    done = run_parity("explain", case, "--adapter", "ts", timeout=300)
    if done.returncode == 3:
        pytest.skip(f"the SDK cannot be installed here: {done.stdout.splitlines()[0]}")
    section = done.stdout.partition("\nknown divergences\n")[2].partition("\n\n")[0]
    assert section.startswith("  ts: today and yesterday are expanded")
    assert "describes recognisers for today, yesterday and last week" in " ".join(section.split())


def test_a_gate_judges_one_implementation(run_parity: Parity) -> None:
    """Without an adapter, or with two, the command line is refused."""
    assert run_parity("gate").returncode == 2
    assert run_parity("gate", "--adapter", "reference", "--adapter", "ts").returncode == 2
