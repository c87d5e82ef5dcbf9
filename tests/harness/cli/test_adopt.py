"""`parity adopt`: the edit of a corpus, what it prints, and what it refuses."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from commands import ROOT, Parity

pytestmark = pytest.mark.slow


@pytest.fixture
def nexus(tmp_path: Path) -> Path:
    """A corpus of one shipped system."""
    for name in ("cases", "schemas"):
        shutil.copytree(ROOT / name / "nexus", tmp_path / name / "nexus")
    return tmp_path


def test_a_reading_is_shown_and_then_written(nexus: Path, run_parity: Parity) -> None:
    """Without `--write` nothing changes; with it the corpus can be read, and computed answers are marked."""
    file = nexus / "cases" / "nexus" / "fusion" / "weights.yaml"
    before = file.read_bytes()
    shown = run_parity("adopt", "RUL-NEXUS-01=b", "--corpus", nexus)
    assert (shown.returncode, file.read_bytes()) == (0, before), shown.stderr
    assert f"parity adopt RUL-NEXUS-01=b --corpus {nexus} --write" in shown.stdout
    assert f"git -C {nexus} diff cases" in shown.stdout
    assert re.search(rf"parity run .* --corpus {re.escape(str(nexus))} --select", shown.stdout)
    done = run_parity("adopt", "RUL-NEXUS-01=b", "--corpus", nexus, "--write")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "problems of the corpus" not in done.stdout
    assert file.read_text("utf-8").count("  # unconfirmed: by the reference under RUL-NEXUS-01=b\n") == 5
    again = run_parity("adopt", "RUL-NEXUS-01=b", "--corpus", nexus)
    assert (again.returncode, "adopted already. Other readings: RUL-NEXUS-01=a" in again.stderr) == (2, True)


def test_an_installed_corpus_is_refused(nexus: Path, run_parity: Parity, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next installation would replace it: the message says what to name."""
    monkeypatch.setattr("harness.cli.adopt.shipped", lambda: nexus)
    done = run_parity("adopt", "RUL-NEXUS-01=b", "--corpus", nexus)
    assert (done.returncode, "--corpus DIR" in done.stderr) == (2, True)


def test_another_corpus_than_the_one_here_is_refused(nexus: Path, run_parity: Parity) -> None:
    """Who stands in a copy of the corpus and names no folder would change the corpus of the installed parity."""
    done = run_parity("adopt", "RUL-NEXUS-01=b", folder=nexus)
    assert (done.returncode, "--corpus ." in done.stderr) == (2, True)
