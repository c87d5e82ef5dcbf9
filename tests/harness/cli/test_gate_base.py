"""`parity gate --base REV` in a real repository: what became worse since the base fails, and nothing else does."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import commands
import pytest
from gating import MUMBLED, SHOUTED

from harness.gate.summary import status_of
from harness.model import Status
from harness.records import read_record
from harness.transport.repository import Repository, checkout_of

ROOT = Path(__file__).resolve().parents[3]
MODULE = ROOT / "tests" / "adapters" / "go_module"
SINGER = f"singer={sys.executable} -S singer.py"
JOINED = 'strings.Join(strings.Fields(q), " ")'

Gate = Callable[..., "subprocess.CompletedProcess[str]"]


def git(repo: Path, *words: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    done = subprocess.run(["git", "-C", str(repo), *identity, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def sings(repo: Path, *flaws: str) -> None:
    """The singer in the working copy has these flaws."""
    text = (Path(__file__).parent / "adapters" / "singer.py").read_text("utf-8")
    (repo / "singer.py").write_text(text.replace("set(sys.argv[1:])", repr({*flaws})), "utf-8")


def committed(repo: Path, subject: str) -> None:
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message", subject)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A singer that mumbles, on the branch `main`, and the branch `change` from there."""
    repo = tmp_path / "repo"
    repo.mkdir()
    git(repo, "init", "--quiet", "--initial-branch", "main")
    sings(repo, "mumbling")
    committed(repo, "first")
    git(repo, "checkout", "--quiet", "-b", "change")
    return repo


@pytest.fixture
def gate(repository: Path, echo_corpus: Path, tmp_path: Path) -> Gate:
    words = ["gate", "--adapter", SINGER, "--corpus", echo_corpus, "--record", tmp_path / "gate.jsonl"]
    return partial(commands.parity, *words, folder=repository)


def statuses(tmp_path: Path) -> dict[str, Status | None]:
    return {seen.case: status_of(seen) for seen in read_record(tmp_path / "gate.jsonl").results}


def test_failures_of_the_base_are_known(gate: Gate, repository: Path, tmp_path: Path) -> None:
    """A change that makes nothing worse is green without any file; the text names the commit."""
    done = gate("--base", "main")
    commit = git(repository, "rev-parse", "main")
    short, day = git(repository, "log", "-1", "--format=%h %as", "main").split()
    assert done.returncode == 0
    assert done.stdout.splitlines()[2:-1] == [
        "singer: 3 pass, 1 fail; 1 failure as at the base",
        f"base: {short} {day} first (where HEAD left main)",
        "gate: green",
    ]
    assert statuses(tmp_path)[MUMBLED] is Status.KNOWN
    metadata = read_record(tmp_path / "gate.jsonl").metadata
    assert metadata.gate is not None
    assert (metadata.gate.base, metadata.gate.digest) == (commit, "")


def test_what_became_worse_fails(gate: Gate, repository: Path, tmp_path: Path) -> None:
    """A new failure and another failure than before are new; the text offers no file."""
    sings(repository, "lisping", "hoarse")
    done = gate("--base", "main")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (1, "gate: RED (2 new)")
    assert "Fix or explain 2 cases: worse than at the base (new)\n" in done.stdout
    assert f"{MUMBLED}: fail, another failure at the base (signature " in done.stdout
    assert f"{SHOUTED}: fail, no failure at the base (signature " in done.stdout
    assert "--write-known" not in done.stdout
    assert statuses(tmp_path)[SHOUTED] is Status.NEW


def test_what_became_better_is_told(gate: Gate, repository: Path) -> None:
    """A fixed failure makes no line stale."""
    sings(repository)
    done = gate("--base", "main")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (0, "gate: green")
    assert "singer, fixed: 1 case\n" in done.stdout


def test_a_lost_operation_is_worse(gate: Gate, repository: Path) -> None:
    """An answer that the change no longer gives fails."""
    sings(repository, "mumbling", "mute")
    done = gate("--base", "main")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (1, "gate: RED (2 new)")
    assert "echo.shout: 2 cases unsupported, answered at the base (it has no voice)" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("go") is None, reason="go is not on PATH")
def test_a_working_copy_of_a_shipped_sdk(tmp_path: Path) -> None:
    """The base of a folder of the repository is built as the folder is; its record is kept."""
    repo, file = tmp_path / "repo", tmp_path / "repo" / "go" / "search" / "search.go"
    shutil.copytree(MODULE, repo / "go")
    git(repo, "init", "--quiet", "--initial-branch", "main")
    committed(repo, "first")
    file.write_text(file.read_text("utf-8").replace(JOINED, f'strings.ReplaceAll({JOINED}, "a", "b")'), "utf-8")
    words = ["gate", "--adapter", "go", "--sdk", repo / "go", "--select", "jeffs_brain/languages/white_space/*"]
    done = commands.parity(*words, "--base", "HEAD", "--record", tmp_path / "gate.jsonl", folder=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "cases: worse than at the base (new)\n" in done.stdout
    assert "failures as at the base" in done.stdout


REFUSED = {
    "no revision": (["--base", "gone"], "git finds no revision gone. Name the branch that the change starts from."),
    "another list": (["--base", "main", "--known", "k.yaml"], "--base and --known exclude each other"),
    "writing": (["--base", "main", "--write-known", "k.yaml"], "--base and --write-known exclude each other"),
    "no common commit": (["--base", "orphan"], "git finds no common commit of HEAD and orphan."),
}


@pytest.mark.parametrize(("words", "message"), REFUSED.values(), ids=REFUSED)
def test_a_base_that_cannot_be_used(gate: Gate, repository: Path, words: list[str], message: str) -> None:
    """Nothing is judged without a base."""
    git(repository, "branch", "orphan", git(repository, "commit-tree", "-m", "orphan", "HEAD^{tree}"))
    done = gate(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def refused(adapter: str, folder: Path, *words: object) -> str:
    """The message of a gate that judges nothing."""
    done = commands.parity("gate", "--adapter", adapter, "--base", "main", *words, folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def test_a_shallow_clone_names_the_remedy(repository: Path, tmp_path: Path) -> None:
    """A clone of depth 1 has neither the branch nor the common commit: the message names `fetch-depth: 0`."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", repository.as_uri(), str(clone)], check=True)
    message = "the clone is shallow, and has no revision main. Fetch the history: `fetch-depth: 0`"
    assert message in refused(SINGER, clone)


def test_an_adapter_without_a_base(repository: Path, tmp_path: Path) -> None:
    """A folder outside git, a release, and a command with a path of the change have no base."""
    assert "this folder is in no git checkout" in refused(SINGER, tmp_path)
    assert "ts is no working copy" in refused("ts", repository)
    (tmp_path / "link").symlink_to(repository)
    singer, linked = repository / "singer.py", tmp_path / "link" / "singer.py"
    for words in (
        f"-S {singer}",
        f"-S {linked}",
        f"-S x.py --song={linked}",
        f"-c 'import os; os.chdir(\"{repository}\")'",
    ):
        assert "the base would run the change" in refused(f"singer={sys.executable} {words}", repository)


def test_a_base_that_does_not_start(gate: Gate, repository: Path) -> None:
    """The exit status is 3, and the message says that the fault is the base's."""
    git(repository, "rm", "--quiet", "singer.py")
    committed(repository, "gone")
    sings(repository)
    done = gate("--base", "HEAD")
    assert (done.returncode, done.stdout) == (3, "")
    assert "cannot be judged: " in done.stderr
    assert "build there what git does not track: --build COMMAND." in done.stderr


def test_the_base_is_built_in_its_own_folder(gate: Gate, repository: Path) -> None:
    """`--build` makes what git does not track, in the copy of the base too."""
    git(repository, "mv", "singer.py", "singer.txt")
    committed(repository, "built")
    done = gate("--base", "HEAD", "--build", "cp singer.txt singer.py")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (0, "gate: green"), done.stderr


def test_a_branch_of_the_server_alone(repository: Path, tmp_path: Path) -> None:
    """`main` means `origin/main` where the clone has no such branch."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--branch", "change", str(repository), str(clone)], check=True)
    assert checkout_of(clone)[0].merge_base("main").name == "origin/main"


def test_a_sparse_checkout_stays_sparse(repository: Path) -> None:
    """Files that the checkout leaves out are not needed from the base either."""
    (repository / "large").mkdir()
    (repository / "large" / "file").touch()
    committed(repository, "large")
    git(repository, "sparse-checkout", "set", "--no-cone", "/*", "!/large/")
    assert checkout_of(repository) == (Repository(repository), ".")
    assert {*Repository(repository).left_out()} == {"large/file"}


def test_a_state_leak_is_no_chance(gate: Gate, repository: Path) -> None:
    """An answer that depends on earlier requests has both answers in the text, and no advice to run the gate again."""
    sings(repository, "mumbling", "leaking")
    done = gate("--base", "main")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-2].endswith("1 state leak)")
    assert "Fix 1 state leak: the answer depends on what was asked before (flaky)\n" in done.stdout
    assert f"  {SHOUTED}\n    execution" in done.stdout
    assert "un the gate again" not in done.stdout
