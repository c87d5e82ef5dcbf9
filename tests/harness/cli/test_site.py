"""`parity site`: which folder it writes to, and what stays there."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import Any

import pytest
from recording import record


@pytest.fixture
def run_record(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> Path:
    """A run in which `deaf` differs in one word."""
    return record(run_parity, echo_corpus, tmp_path / "run.jsonl", good={}, deaf={"answers": {"hello": "hallo"}})


def test_a_site(run_parity: Any, echo_corpus: Path, run_record: Path, tmp_path: Path) -> None:
    """The command prints the front page and the number of files; each listed file exists."""
    folder = tmp_path / "new" / "site"
    done = run_parity("site", folder, run_record, "--corpus", echo_corpus)
    assert (done.returncode, done.stderr) == (0, "")
    listed = json.loads((folder / "parity-site.json").read_text("utf-8"))
    assert done.stdout.startswith(f"site: {folder / 'index.html'} ({len(listed)} files, ")
    assert f"\nrecord: {run_record}, of 20" in done.stdout
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.*") if path.is_file()} == {
        *listed,
        "parity-site.json",
    }
    assert "text: string" in (folder / "operations/echo.say.html").read_text("utf-8")


def test_a_second_site_removes_what_is_left_over(
    run_parity: Any, echo_corpus: Path, run_record: Path, tmp_path: Path
) -> None:
    """Pages of an older site go; a file that parity did not write stays; a listed path outside the folder is not touched."""
    folder = tmp_path / "site"
    (folder / "cases").mkdir(parents=True)
    (tmp_path / "kept.txt").write_text("kept")
    for name in ("cases/old.html", "CNAME"):
        (folder / name).write_text("x")
    (folder / "parity-site.json").write_text(json.dumps(["cases/old.html", "../kept.txt", str(tmp_path / "kept.txt")]))
    done = run_parity("site", folder, run_record, "--corpus", echo_corpus)
    assert done.returncode == 0
    assert not (folder / "cases/old.html").exists()
    assert (folder / "CNAME").read_text() == "x"
    assert (tmp_path / "kept.txt").read_text() == "kept"


@pytest.mark.parametrize("listed", [None, "{}", "not json", "[1]"])
def test_a_folder_with_other_files(
    run_parity: Any, echo_corpus: Path, run_record: Path, tmp_path: Path, listed: str | None
) -> None:
    """A folder that is no site is refused, and nothing in it changes."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "mine.html").write_text("mine")
    if listed is not None:
        (folder / "parity-site.json").write_text(listed)
    done = run_parity("site", folder, run_record, "--corpus", echo_corpus)
    assert done.returncode == 2
    assert done.stderr == (
        f"parity: {folder}: the folder has other files and no site of parity. Name a new or an empty folder.\n"
    )
    assert not (folder / "index.html").exists()


def test_two_commands_write_one_site(run_parity: Any, echo_corpus: Path, run_record: Path, tmp_path: Path) -> None:
    """The second one is refused, since the pages of both would mix."""
    folder = tmp_path / "site"
    folder.mkdir()
    held = os.open(folder, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    done = run_parity("site", folder, run_record, "--corpus", echo_corpus)
    os.close(held)
    assert done.returncode == 2
    assert "another command is writing this site" in done.stderr


def test_a_file_is_no_folder(run_parity: Any, echo_corpus: Path, run_record: Path) -> None:
    """A file in place of the folder is refused."""
    done = run_parity("site", run_record, run_record, "--corpus", echo_corpus)
    assert done.returncode == 2
    assert done.stderr == f"parity: {run_record}: this is a file. Name a folder for the site.\n"


def test_a_record_without_a_footer(run_parity: Any, echo_corpus: Path, run_record: Path, tmp_path: Path) -> None:
    """The site is written and marks the run; the exit status is 2, as for reports."""
    lines = run_record.read_bytes().splitlines(keepends=True)
    run_record.write_bytes(b"".join(lines[:-1]))
    done = run_parity("site", tmp_path / "site", run_record, "--corpus", echo_corpus)
    assert done.returncode == 2
    assert "this record has no footer" in done.stderr
    assert "incomplete" in (tmp_path / "site/index.html").read_text("utf-8")
