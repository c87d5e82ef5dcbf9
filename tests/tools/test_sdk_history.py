"""The history of an SDK: revisions of a real repository, built and judged, and the changes from each to the next."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "tests" / "adapters" / "go_module"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("go") is None, reason="go is not on PATH")]


def git(repo: Path, *words: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", str(repo), *identity, *words], check=True, capture_output=True)


def commit(repo: Path, subject: str) -> None:
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--allow-empty", "--message", subject)
    git(repo, "tag", subject)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Three revisions of a Go module: as it is, one that does not compile, one with another normalisation."""
    repo = tmp_path / "repo"
    shutil.copytree(MODULE, repo / "go")
    git(repo, "init", "--quiet")
    commit(repo, "first")
    files = sorted((repo / "go" / "search").glob("*.go"))
    (repo / "go" / "search" / "broken.go").write_text("package search\n\nfunc (\n", "utf-8")
    commit(repo, "broken")
    (repo / "go" / "search" / "broken.go").unlink()
    assert files
    commit(repo, "mended")
    return repo


def history(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "sdk_history.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_each_revision_is_a_row(repository: Path, tmp_path: Path) -> None:
    """A revision that does not build is named with the reason; the next one is compared with the last judged one."""
    kept = tmp_path / "kept"
    done = history("--adapter", "go", "--repo", repository, "--path", "go", "--keep", kept, "first", "broken", "mended")
    rows = [row.split(" | ") for row in done.stdout.splitlines() if row.startswith("| ")]
    assert [row[2] for row in rows] == ["subject", "first", "broken", "mended"]
    assert rows[2][3] == "not judged"
    assert {cell.strip(" |") for cell in rows[3][8:]} == {"0"}
    assert "syntax error" in done.stdout
    assert done.returncode == 3
    assert len(list(kept.glob("*.jsonl"))) == 3


def test_a_command_that_repeats_a_case_needs_the_folder(repository: Path, tmp_path: Path) -> None:
    """Without --keep the working copies are gone, so the text has no such command and names the option."""
    query = repository / "go" / "search" / "search.go"
    query.write_text(query.read_text("utf-8").replace('strings.Join(strings.Fields(q), " ")', '"changed"'), "utf-8")
    commit(repository, "changed")
    words = ("--adapter", "go", "--repo", repository, "--path", "go", "first", "changed")
    removed, kept = history(*words), history("--keep", tmp_path / "kept", *words)
    assert "newly failing" in removed.stdout
    assert ("repeat: " in removed.stdout, "repeat: " in kept.stdout) == (False, True)
    assert removed.stdout.endswith("--keep DIR\n")
    assert "--keep" not in kept.stdout


def test_a_revision_that_does_not_exist(repository: Path) -> None:
    """Nothing is judged before every revision is known."""
    done = history("--adapter", "go", "--repo", repository, "first", "second")
    assert (done.returncode, done.stdout) == (2, "")
    assert "git finds no revision second. Name a tag, a branch or a commit." in done.stderr
