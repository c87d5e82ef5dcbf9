"""What a release is checked for before its tag."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from harness import VERSION
from harness.cli.main import VERBS
from harness.corpus.corpus_files import REVISION
from tools import release_check


def test_every_verb_is_tried() -> None:
    """A verb that an installed wheel cannot run is noticed before its release."""
    assert {trial.words[0] for trial in release_check.TRIALS} >= {*VERBS}


def test_a_corpus_is_no_older_than_its_last_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A date before the last commit that changed the corpus is refused."""
    (tmp_path / "cases").mkdir()
    (tmp_path / REVISION).write_text("2026-01-02\n")
    monkeypatch.setattr(release_check, "ROOT", tmp_path)
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(
            ["git", *words], cwd=tmp_path, check=True, env={**os.environ, "GIT_COMMITTER_DATE": "2026-01-02T12:00:00Z"}
        )
    assert [*release_check.dated()] == []
    (tmp_path / REVISION).write_text("2026-01-01\n")
    assert [*release_check.dated()] == [
        "cases/REVISION is 2026-01-01, and a commit of 2026-01-02 changed cases/ or schemas/. Write a date not before it."
    ]


def test_a_tag_is_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag of another version makes no release."""
    monkeypatch.setenv("GITHUB_REF_TYPE", "tag")
    monkeypatch.setenv("GITHUB_REF_NAME", f"v{VERSION}")
    assert [*release_check.named()] == []
    monkeypatch.setenv("GITHUB_REF_NAME", "v99.0.0")
    assert "v99.0.0" in "".join(release_check.named())
