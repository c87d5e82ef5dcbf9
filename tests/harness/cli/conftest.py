"""Gates over the echo corpus, and known-divergence files for them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from gating import MUMBLED, SIGNATURE, Gate, singer


@pytest.fixture
def gate(echo_corpus: Path, run_parity: Gate) -> Gate:
    """Gates a singer with these flaws; further arguments are those of the command."""

    def gated(flaws: str = "", *arguments: object) -> subprocess.CompletedProcess[str]:
        return run_parity("gate", "--adapter", singer(flaws), "--corpus", echo_corpus, *arguments)

    return gated


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "known.yaml"


@pytest.fixture
def explained(file: Path) -> Path:
    """A file that explains a mumbling singer on line 4."""
    text = f"""\
divergences:
- reason: It swallows the end of a word.
  cases:
    {MUMBLED}: "{SIGNATURE}"
"""
    file.write_text(text, "utf-8")
    return file
