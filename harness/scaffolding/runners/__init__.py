"""Small runners that read an exported corpus in the test framework of a language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...corpus.exported import ExportedFile

RUNNERS = {
    "go": "conformance_test.go",
    "vitest": "conformance.test.mjs",
    "rust": "conformance.rs",
    "junit": "ConformanceTest.java",
}
"""The file of each runner."""


def runner_files(name: str) -> Iterator[ExportedFile]:
    """The file of a runner."""
    yield ExportedFile(RUNNERS[name], (Path(__file__).parent / RUNNERS[name]).read_text("utf-8"))
