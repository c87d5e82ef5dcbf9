"""The review that `make published` writes: complete, linked to its cases, and without a trace of the machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.model import Implementation, RecordedImplementation, RunMetadata, RunRecord
from tools import publish_review
from tools.shown import run_module

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_links_of_a_review_lead_to_lines_of_the_corpus(tmp_path: Path) -> None:
    """A review below the checkout links cases by relative paths. It has no absolute path and no address."""
    record, review = tmp_path / "run.jsonl", ROOT / "reports" / "local" / "review-of-a-test.md"
    run_module("harness", "run", "--adapter", "reference", "--select", "ruling:RUL-B0*", "--record", record)
    run_module("harness", "report", record, "--review", review)
    text = review.read_text("utf-8")
    review.unlink()
    links = re.findall(r"\]\(([^)#]+)#L(\d+)\)", text)
    assert links
    lines = {path: len((review.parent / path).read_text("utf-8").splitlines()) for path, _ in links}
    assert [(path, line) for path, line in links if int(line) > lines[path]] == []
    assert [found for found in (str(ROOT), str(tmp_path)) if found in text] == []
    assert re.findall(r"https?://|/(?:tmp|home|root)/", text) == []


@pytest.mark.parametrize(
    ("started", "without", "names"),
    [
        (("reference", "ts", "go"), (), []),
        (("reference", "go"), (), ["ts"]),
        (("reference",), ("go",), ["ts"]),
        (("reference", "ts"), ("go",), []),
    ],
)
def test_a_published_sdk_that_did_not_run_is_found(
    started: Sequence[str], without: Sequence[str], names: list[str]
) -> None:
    """An SDK without a release may be absent, and so may one that the caller names."""
    entries = tuple(
        RecordedImplementation(
            name,
            name,
            Implementation(name=name, implementation=name, version="1", language="Any", operations=frozenset()),
        )
        for name in started
    )
    metadata = RunMetadata(started_at="2026-11-21T10:00:00Z", corpus_digest="d", cases=1, implementations=entries)
    made = RunRecord(metadata=metadata, results=(), incidents=(), complete=True)
    assert [*publish_review.absent([made], ("reference", "ts", "go"), without)] == names
