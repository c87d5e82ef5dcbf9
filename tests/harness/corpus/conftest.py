"""Fixtures of the compiled corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.corpus import compiled
from harness.corpus.corpus_files import Stamp, read_text
from harness.errors import Problem


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the compiled corpora: of this test alone, and small corpora are stored too."""
    monkeypatch.setattr(compiled, "cache", lambda: tmp_path / "cache")
    monkeypatch.setattr(compiled, "_MIN_BYTES", 0)
    return tmp_path / "cache" / "corpora"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that loadings have read as text, in order."""
    names: list[str] = []

    def noting(path: Path, shown: str, problems: list[Problem], stamps: dict[str, Stamp] | None = None) -> str | None:
        names.append(shown)
        return read_text(path, shown, problems, stamps)

    monkeypatch.setattr("harness.corpus.foundation.read_text", noting)
    return names
