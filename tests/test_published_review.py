"""The published review: about the corpus that lies beside it, and fit to be shown to anybody."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REVIEW = ROOT / "reports" / "published" / "review.md"
NOTED = REVIEW.with_name("corpus.sha256")


def test_it_is_about_this_corpus() -> None:
    """The digest that was noted with the review is that of the system's files; after a change: make published."""
    noted = NOTED.read_text("ascii").strip() if NOTED.exists() else ""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "system_digest.py", "jeffs_brain"],
        capture_output=True,
        encoding="ascii",
        check=True,
    )
    assert noted == done.stdout.strip(), "the review is out of date; make it again: make published"


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
