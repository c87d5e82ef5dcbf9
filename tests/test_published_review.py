"""The published review: about the corpus that lies beside it, and fit to be shown to anybody."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.model import Implementation, RecordedImplementation, RunMetadata, RunRecord
from tools import publish_review
from tools.system_digest import system_digest

ROOT = Path(__file__).resolve().parents[1]
REVIEW = ROOT / "reports" / "published" / "review.md"
NOTED = REVIEW.with_name("corpus.sha256")


def test_it_is_about_this_corpus() -> None:
    """The digest that was noted with the review is that of the system's files; after a change: make published."""
    noted = NOTED.read_text("ascii").strip() if NOTED.exists() else ""
    assert noted == system_digest(ROOT, "jeffs_brain"), "the review is out of date; make it again: make published"


def test_every_case_that_it_names_is_linked_to_its_place() -> None:
    """Links lead to lines that there are in files that there are."""
    links = re.findall(r"\]\(([^)#]+)#L(\d+)\)", REVIEW.read_text("utf-8"))
    assert links
    lines = {path: len((REVIEW.parent / path).read_text("utf-8").splitlines()) for path in {path for path, _ in links}}
    assert [(path, line) for path, line in links if int(line) > lines[path]] == []


def test_it_tells_nothing_of_the_machine_that_made_it() -> None:
    """No absolute path and no address stands in it."""
    text = REVIEW.read_text("utf-8")
    assert str(ROOT) not in text
    assert re.findall(r"https?://|/(?:tmp|home|root)/", text) == []


def test_it_tells_who_was_asked() -> None:
    """At least one SDK was asked, and whoever was not is named."""
    head = REVIEW.read_text("utf-8").partition("## Decisions")[0]
    assert re.search(r"^- `ts`: `@jeffs-brain/memory ", head, re.MULTILINE)
    assert "`go`" in head


def written_headings() -> list[re.Pattern[str]]:
    """The headings of level 2 that the code of the review can write; a part that is computed matches any text."""
    found = []
    for path in sorted((ROOT / "harness" / "report" / "review").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="Heading"), args=[ast.Constant(value=2), text, *_]):
                    found.append(re.compile("".join(_pattern(part) for part in getattr(text, "values", [text]))))
    return found


def _pattern(part: ast.expr) -> str:
    return re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*"


def test_its_headings_are_those_of_the_code() -> None:
    """A heading that the code no longer writes shows that the review is older than the code; then: make published."""
    headings, kept = written_headings(), re.findall(r"^## (.*)$", REVIEW.read_text("utf-8"), re.MULTILINE)
    assert kept
    assert [one for one in kept if not any(heading.fullmatch(one) for heading in headings)] == []


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
