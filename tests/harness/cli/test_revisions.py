"""Revisions of an SDK in a real repository: `parity history` judges them, `parity bisect` finds the changed answer."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import commands
import pytest

ROOT = Path(__file__).resolve().parents[3]
CASE = "jeffs_brain/languages/white_space/spaces-that-do-not-break.figure-space"
NORMALISE = "operation:query.normalise"
JOINED = 'strings.Join(strings.Fields(q), " ")'
MODULE = ROOT / "tests" / "adapters" / "go_module"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("go") is None, reason="go is not on PATH")]


@pytest.fixture(autouse=True, scope="module")
def no_explanations() -> Iterator[None]:
    """No failure is searched for the readings behind it: no test here is about them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.compare.attribution.MAX_SEARCHED", 0)
        yield


def git(repo: Path, *words: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", str(repo), *identity, *words], check=True, capture_output=True)


def commit(repo: Path, subject: str) -> None:
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--allow-empty", "--message", subject)
    git(repo, "tag", subject.replace(" ", "-"))


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


parity = partial(commands.parity, folder=ROOT)


def history(*words: object, select: str = "jeffs_brain/languages/white_space/*") -> subprocess.CompletedProcess[str]:
    return parity("history", "--select", select, *words)


def change(repository: Path, subject: str, old: str, new: str) -> None:
    """Commits a replacement in the SDK's source."""
    source = repository / "go" / "search" / "search.go"
    text = source.read_text("utf-8")
    assert old in text
    source.write_text(text.replace(old, new), "utf-8")
    commit(repository, subject)


def test_each_revision_is_a_row(repository: Path, tmp_path: Path) -> None:
    """A revision that does not build is named with the reason; the next one is compared with the last judged one."""
    kept = tmp_path / "kept"
    done = history("--adapter", "go", "--repo", repository, "--path", "go", "--keep", kept, "first", "broken", "mended")
    rows = [row.split(" | ") for row in done.stdout.splitlines() if row.startswith("| ") and ":---" not in row]
    assert [row[2] for row in rows] == ["subject", "first", "broken", "mended"]
    assert rows[2][3] == "not judged"
    assert {cell.strip(" |") for cell in rows[3][8:]} == {"0"}
    assert "syntax error" in done.stdout
    assert done.returncode == 3
    assert len(list(kept.glob("*.jsonl"))) == 2


def test_attributes_and_links_do_not_change_what_is_judged(repository: Path, tmp_path: Path) -> None:
    """The judged files have the bytes of the commit; a link that leads out of the folder is left out."""
    (repository / ".gitattributes").write_text("*.go export-ignore\n*.txt export-subst\n", "utf-8")
    (repository / "go" / "note.txt").write_text("$Format:%H$", "utf-8")
    (repository / "go" / "outside").symlink_to("/etc/hostname")
    (repository / "go" / "inside").symlink_to("note.txt")
    commit(repository, "odd")
    kept = tmp_path / "kept"
    done = history("--adapter", "go", "--repo", repository, "--path", "go", "--keep", kept, "odd")
    assert done.returncode == 0, done.stderr
    (note,) = kept.rglob("note.txt")
    assert note.read_text("utf-8") == "$Format:%H$"
    assert (note.parent / "inside").readlink() == Path("note.txt")
    assert not (note.parent / "outside").is_symlink()


def test_a_flaky_answer_is_no_change_and_equal_sources_are_marked(repository: Path) -> None:
    """A changed case runs again with few others: an answer that depends on earlier requests is flaky in `history`, and no
    change in `bisect`. The table marks a revision that has the files of an earlier one."""
    joined = f"a := AST{{Raw: {JOINED}}}"
    tired = 'served++\n\tif strings.Contains(q, "\\u2007") && served > 50 {\n\t\ta.Raw = "tired"\n\t}'
    change(repository, "tired", f"\t{joined}", f"\t{joined}\n\t{tired}")
    change(repository, "counted", "var current *AliasMap", "var served int\nvar current *AliasMap")
    done = history(
        "--adapter", "go", "--repo", repository, "--path", "go", "first", "mended", "counted", select=NORMALISE
    )
    rows = [
        row.strip("| ").split(" | ") for row in done.stdout.splitlines() if row.startswith("| ") and ":---" not in row
    ]
    head, first, mended, counted = ([cell.strip(" |") for cell in row] for row in rows)
    assert mended[0].endswith(f" (source = {first[0]})")
    changes = dict(zip(head, counted, strict=True))
    assert int(changes["flaky"]) >= 1, done.stdout
    assert changes["newly failing"] == "0"
    assert bisect(repository, "--good", "first", "--bad", "counted", NORMALISE).returncode == 1


def test_a_command_that_repeats_a_case_needs_the_folder(repository: Path, tmp_path: Path) -> None:
    """Without --keep the working copies are gone, so the text has no such command and names the option."""
    change(repository, "changed", JOINED, '"changed"')
    words = ("--adapter", "go", "--repo", repository, "--path", "go", "first", "changed")
    removed, kept = history(*words, select=CASE), history("--keep", tmp_path / "kept", *words, select=CASE)
    assert "newly failing" in removed.stdout
    assert ("repeat: " in removed.stdout, "repeat: " in kept.stdout) == (False, True)
    assert removed.stdout.endswith("--keep DIR\n")
    assert "--keep" not in kept.stdout


def test_a_revision_that_does_not_exist(repository: Path) -> None:
    """Nothing is judged before every revision is known."""
    done = history("--adapter", "go", "--repo", repository, "first", "second")
    assert (done.returncode, done.stdout) == (2, "")
    assert "git finds no revision second. Name a tag, a branch or a commit." in done.stderr


def test_a_path_that_no_revision_has(repository: Path) -> None:
    """One usage error names the folders that exist; nothing is judged."""
    ends = "--good", "first", "--bad", "mended", CASE
    for done in (
        history("--adapter", "go", "--repo", repository, "--path", "golang", "first", "mended"),
        bisect(repository, *ends, path="golang"),
    ):
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("parity: --path golang: no revision has this folder. ")
        assert done.stderr.endswith(" has go.\n")


def bisect(repository: Path, *words: object, path: str = "go") -> subprocess.CompletedProcess[str]:
    return parity("bisect", "--adapter", "go", "--repo", repository, "--path", path, *words)


def test_bisect_names_the_commit_and_skips_one_that_does_not_build(repository: Path) -> None:
    """The commit that changed the answer is named with both answers; a commit that does not build has its reason."""
    (repository / "note.txt").write_text("another folder", "utf-8")
    commit(repository, "outside")
    (repository / "go" / "search" / "broken.go").write_text("package search\n\nfunc (\n", "utf-8")
    change(repository, "culprit, does not build", JOINED, '"changed"')
    (repository / "go" / "search" / "broken.go").unlink()
    change(repository, "later", '"changed"', '"changed" + ""')
    done = bisect(repository, "--good", "mended", "--bad", "later", CASE)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "one of 2 commits, because some of them could not be judged:"
    assert [line.split(" ", 2)[2] for line in lines[1:3]] == ["culprit, does not build", "later"]
    assert f"  {CASE}: pass → fail" in lines[3]
    assert "1 commit could not be judged:" in lines
    assert "outside" not in done.stdout + done.stderr


def test_bisect_without_a_change(repository: Path) -> None:
    """Equal answers end with 1; nothing between the ends is built."""
    done = bisect(repository, "--good", "first", "--bad", "mended", CASE)
    assert (done.returncode, done.stderr.count("\n")) == (1, 2)
    assert "with the same answer in both revisions" in done.stdout


@pytest.mark.parametrize(
    ("good", "bad", "status", "message"),
    [
        ("mended", "first", 2, "--good mended is not in the history of --bad first. Name an ancestor."),
        ("first", "broken", 3, "cannot be judged: "),
        ("first", "nothing", 2, "git finds no revision nothing."),
    ],
)
def test_ends_that_cannot_be_used(repository: Path, good: str, bad: str, status: int, message: str) -> None:
    """An end that does not exist, is no ancestor or does not build is named; nothing is searched."""
    done = bisect(repository, "--good", good, "--bad", bad, "operation:query.normalise")
    assert (done.returncode, done.stdout) == (status, "")
    assert message in done.stderr


def test_an_adapter_without_working_copies(repository: Path) -> None:
    """The message lists the adapters that accept --sdk."""
    done = parity("bisect", "--adapter", "reference", "--repo", repository, "--good", "a", "--bad", "b", "case")
    assert done.returncode == 2
    assert "expected a shipped adapter that accepts --sdk: go, python, ts" in done.stderr
