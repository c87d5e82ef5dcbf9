"""`parity gate --base REV` in a real repository: what became worse since the base fails, and nothing else does."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import commands
import pytest

from harness.gate.summary import status_of
from harness.model import Status
from harness.records import read_record
from harness.transport.repository import Repository, checkout_of

ROOT = Path(__file__).resolve().parents[3]
MODULE = ROOT / "tests" / "adapters" / "go_module"
CASES = "jeffs_brain/languages/white_space/*"
JOINED = 'strings.Join(strings.Fields(q), " ")'

Gate = Callable[..., "subprocess.CompletedProcess[str]"]


def git(repo: Path, *words: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", str(repo), *identity, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A Go module on the branch `main`, and the branch `change` from there."""
    repo = tmp_path / "repo"
    shutil.copytree(MODULE, repo / "go")
    git(repo, "init", "--quiet", "--initial-branch", "main")
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message", "first")
    git(repo, "checkout", "--quiet", "-b", "change")
    return repo


def replaced(repo: Path, old: str, new: str) -> None:
    source = repo / "go" / "search" / "search.go"
    text = source.read_text("utf-8")
    assert old in text
    source.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def gate(repository: Path, tmp_path: Path) -> Gate:
    words = ["gate", "--adapter", "go", "--select", CASES, "--record", tmp_path / "gate.jsonl"]
    return partial(commands.parity, *words, "--sdk", repository / "go", folder=ROOT)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("go") is None, reason="go is not on PATH")
def test_only_what_became_worse_fails(gate: Gate, repository: Path, tmp_path: Path) -> None:
    """Failures of the base are known as such; a failure of the change alone is new, in the text and in the record. What is
    better is told. The same base is not judged twice."""
    same = gate("--base", "main")
    assert (same.returncode, same.stdout.splitlines()[-2]) == (0, "gate: green"), same.stdout
    assert "failures as at the base" in same.stdout
    assert same.stdout.splitlines()[-3].startswith("base: ")
    assert same.stdout.splitlines()[-3].endswith(" first (where HEAD left main)")
    replaced(repository, JOINED, f'strings.ReplaceAll({JOINED}, "a", "b")')
    worse = gate("--base", "main")
    assert worse.returncode == 1
    assert "cases: worse than at the base (new)\n" in worse.stdout
    assert "fail, no failure at the base (signature " in worse.stdout
    assert "--write-known" not in worse.stdout
    record = read_record(tmp_path / "gate.jsonl")
    assert record.metadata.gate is not None
    assert len(record.metadata.gate.base) == 40
    assert {status_of(seen) for seen in record.results} >= {Status.NEW, Status.KNOWN}
    git(repository, "commit", "--all", "--quiet", "--message", "worse")
    replaced(repository, f'strings.ReplaceAll({JOINED}, "a", "b")', JOINED)
    better = gate("--base", "HEAD")
    assert (better.returncode, better.stdout.splitlines()[-2]) == (0, "gate: green"), better.stdout
    assert "go, fixed: " in better.stdout


REFUSED = {
    "no revision": (["--base", "gone"], "git finds no revision gone. Name the branch that the change starts from."),
    "another list": (["--base", "main", "--known", "k.yaml"], "--base and --known exclude each other"),
    "writing": (["--base", "main", "--write-known", "k.yaml"], "--base and --write-known exclude each other"),
    "no common commit": (["--base", "orphan"], "git finds no common commit of HEAD and orphan."),
}


@pytest.mark.parametrize(("words", "message"), REFUSED.values(), ids=REFUSED)
def test_a_base_that_cannot_be_used(gate: Gate, repository: Path, words: list[str], message: str) -> None:
    """Nothing is built or judged without a base."""
    git(repository, "branch", "orphan", _orphan(repository))
    done = gate(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def _orphan(repository: Path) -> str:
    tree = subprocess.run(["git", "-C", str(repository), "write-tree"], check=True, capture_output=True, text=True)
    words = [
        "git",
        "-C",
        str(repository),
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
        "commit-tree",
        "-m",
        "o",
    ]
    done = subprocess.run([*words, tree.stdout.strip()], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_shallow_clone_names_the_remedy(repository: Path, tmp_path: Path) -> None:
    """A clone of depth 1 has neither the branch nor the common commit: the message names `fetch-depth: 0`."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", repository.as_uri(), str(clone)], check=True)
    done = commands.parity("gate", "--adapter", "go", "--sdk", clone / "go", "--base", "main", folder=ROOT)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the clone is shallow, and has no revision main. Fetch the history: `fetch-depth: 0`" in done.stderr


def test_a_folder_outside_git(tmp_path: Path) -> None:
    """A base needs a checkout."""
    shutil.copytree(MODULE, tmp_path / "go")
    done = commands.parity("gate", "--adapter", "go", "--sdk", tmp_path / "go", "--base", "main", folder=ROOT)
    assert (done.returncode, done.stdout) == (2, "")
    assert "this folder is in no git checkout" in done.stderr


def test_a_base_on_the_server_only(repository: Path, tmp_path: Path) -> None:
    """`main` means `origin/main` where the clone has no such branch."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--branch", "change", str(repository), str(clone)], check=True)
    assert checkout_of(clone / "go")[0].merge_base("main").name == "origin/main"


def test_a_sparse_checkout_stays_sparse(repository: Path) -> None:
    """Files that the checkout leaves out are not needed from the base either."""
    (repository / "large").mkdir()
    (repository / "large" / "file").touch()
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "large")
    git(repository, "sparse-checkout", "set", "--no-cone", "/*", "!/large/")
    assert checkout_of(repository / "go") == (Repository(repository), "go")
    assert {*Repository(repository).left_out()} == {"large/file"}
