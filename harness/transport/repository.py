"""A git repository with revisions of an SDK: names, exports, and the order of a bisection. It is only read.

An export has the bytes of the commit: a worktree adds files to the repository, and `git archive` follows attributes that
leave out or change files.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import IO, Any

from msgspec import Struct

from ..errors import AdapterUnavailable, ParityError, one_line
from ..model import replace

_GIT_SECONDS = 60
_PROGRAM = "100755"
_LINK = "120000"
_FILES = frozenset({"100644", _PROGRAM, _LINK})
"""Modes of a tree's entries that an export has; a submodule has another one."""

_OUTSIDE = frozenset({"..", ".git", "/"})
"""Steps that no path of an export has."""


_DEEPEN = "Fetch the history: `fetch-depth: 0` of actions/checkout, or `git fetch --unshallow`."


class Revision(Struct, frozen=True):
    """A commit: its full hash, the short one, date (YYYY-MM-DD) and subject. `name` is the name that the user gave."""

    commit: str
    short: str
    date: str
    subject: str
    name: str = ""


class Repository(Struct, frozen=True):
    """A clone in `folder`. `paths` are the folders and files that a build needs; commits that change nothing in them are
    not candidates."""

    folder: Path
    paths: tuple[str, ...] = (".",)

    def revision(self, name: str) -> Revision:
        """The commit that a tag, a branch or a hash stands for. Raises `ParityError` if there is none."""
        found = self._commit(name)
        if found.returncode:
            reason = found.stderr.decode("utf-8", "replace").strip()
            raise ParityError(
                f"{self.folder}: {one_line(reason, 300)}. Name a clone with --repo."
                if reason
                else f"{self.folder}: git finds no revision {one_line(name, 80)}. Name a tag, a branch or a commit."
            )
        form = "--format=%H%x00%h%x00%as%x00%s"
        text = self._read("log", "-1", form, found.stdout.decode("ascii", "replace").strip(), "--")
        commit, short, date, subject = text.strip().split("\0")
        return Revision(commit, short, date, subject, name)

    def merge_base(self, name: str) -> Revision:
        """The newest commit that HEAD and a revision have in common; `origin/NAME` stands in for a NAME that git does not
        find. Raises `ParityError`."""
        there = next((given for given in (name, f"origin/{name}") if self._commit(given).returncode == 0), "")
        found = self._git("merge-base", "HEAD", there)
        if there and found.returncode == 0:
            return replace(self.revision(found.stdout.split()[0].decode("ascii")), name=there)
        lacking = f"{'common commit of HEAD and' if there else 'revision'} {one_line(name, 80)}"
        if self._git("rev-parse", "--is-shallow-repository").stdout.strip() == b"true":
            raise ParityError(f"{self.folder}: the clone is shallow, and has no {lacking}. {_DEEPEN}")
        raise ParityError(f"{self.folder}: git finds no {lacking}. Name the branch that the change starts from.")

    def left_out(self) -> Collection[str]:
        """The paths that a sparse checkout leaves out."""
        listed = self._read("ls-files", "-t", "-z").split("\0")
        return {line[2:] for line in listed if line.startswith("S ")}

    def folders(self, commit: str, path: str = "") -> list[str]:
        """The folders at the root of a commit; or `path`, if the commit has this folder."""
        if path in ("", "."):
            return self._read("ls-tree", "-d", "--name-only", commit).splitlines() or [path]
        return [path] if self._git("cat-file", "-e", f"{commit}:{path}").returncode == 0 else []

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether the commit `old` is in the history of `new`."""
        return self._git("merge-base", "--is-ancestor", old, new).returncode == 0

    def candidates(self, good: Collection[str], bad: str) -> list[str]:
        """The commits that can be the first bad one: in the history of `bad`, in that of no `good` commit, and with a change
        in `paths`. The first one divides the rest into the most equal halves, as `git bisect` does."""
        excluded = [f"^{commit}" for commit in good]
        listed = self._read("rev-list", "--bisect-all", bad, *excluded, "--", *self.paths)
        return [line.split(" ", 1)[0] for line in listed.splitlines() if line]

    def between(self, good: str, bad: str) -> list[str]:
        """The commits after `good` up to `bad` with a change in `paths`, parents first."""
        return self._read("rev-list", "--topo-order", "--reverse", bad, f"^{good}", "--", *self.paths).splitlines()

    def export(self, commit: str, target: Path, without: Collection[str] = ()) -> None:
        """Writes `paths` of a commit into the folder `target`. A path that the commit does not have is left out, and so are
        the files `without`, submodules and links that lead out of the folder. Raises `AdapterUnavailable` if the commit has
        none of the paths, or if objects are missing."""
        done = self._git("ls-tree", "-r", "-z", commit, "--", *self.paths)
        if done.returncode:
            raise _not_exported(done.stderr.decode("utf-8", "replace"))
        entries = [_Entry.of(line) for line in done.stdout.split(b"\0") if line]
        entries = [entry for entry in entries if entry.path.as_posix() not in without]
        files = [entry for entry in entries if entry.mode in _FILES and not _OUTSIDE.intersection(entry.path.parts)]
        if not files:
            raise AdapterUnavailable(f"The commit has none of {', '.join(self.paths)}.")
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile() as blobs:
            wanted = "".join(f"{entry.blob}\n" for entry in files).encode("ascii")
            done = self._git("cat-file", "--batch", given=wanted, output=blobs)
            if done.returncode:
                raise _not_exported(done.stderr.decode("utf-8", "replace"))
            blobs.seek(0)
            for entry in files:
                _write(target, entry, _blob(blobs))

    def _commit(self, name: str) -> subprocess.CompletedProcess[bytes]:
        return self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")

    def _read(self, *words: str) -> str:
        done = self._git(*words)
        if done.returncode:
            raise ParityError(f"{self.folder}: {one_line(done.stderr.decode('utf-8', 'replace').strip(), 300)}")
        return done.stdout.decode("utf-8", "replace")

    def _git(
        self, *words: str, given: bytes = b"", output: IO[bytes] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        try:
            return git(self.folder, *words, input=given, stdout=output or subprocess.PIPE)
        except OSError as error:
            raise ParityError(f"git cannot be started: {error.strerror}. Install git.") from None


def checkout_of(folder: Path) -> tuple[Repository, str]:
    """The repository around a folder that git tracks, and the path of the folder in it. Raises `ParityError`."""
    found = git(folder, "rev-parse", "--show-toplevel", "--show-prefix")
    if found.returncode:
        raise ParityError(f"{folder}: this folder is in no git checkout. Name a folder of one.")
    top, prefix = os.fsdecode(found.stdout).split("\n")[:2]
    return Repository(Path(top)), prefix.rstrip("/") or "."


def git(folder: Path, *words: str, **how: Any) -> subprocess.CompletedProcess[bytes]:
    """What git says about a folder, to which it does not write; the caller's variables for git do not reach it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    how = {
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "env": {**environment, "GIT_OPTIONAL_LOCKS": "0"},
        **how,
    }
    return subprocess.run(["git", "-C", str(folder), *words], check=False, **how)


def git_text(folder: Path, *words: str) -> str | None:
    """The output of git; None if git is missing or fails."""
    try:
        done = git(folder, *words, timeout=_GIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return os.fsdecode(done.stdout) if done.returncode == 0 else None


class _Entry(Struct, frozen=True):
    """A file or a link of a tree. `mode` is git's, such as `100755`."""

    mode: str
    blob: str
    path: Path

    @classmethod
    def of(cls, line: bytes) -> _Entry:
        """An entry as `git ls-tree -z` prints it."""
        facts, _, path = line.partition(b"\t")
        mode, _, blob = facts.decode("ascii").split(" ")
        return cls(mode, blob, Path(os.fsdecode(path)))


def _blob(blobs: IO[bytes]) -> bytes:
    """The next object of `git cat-file --batch`. Raises `AdapterUnavailable` if the repository does not have it."""
    blob, *facts = blobs.readline().split()
    if len(facts) != 2:
        raise _not_exported(f"the object {blob.decode('ascii', 'replace')} is missing")
    return blobs.read(int(facts[1]) + 1)[:-1]


def _write(target: Path, entry: _Entry, content: bytes) -> None:
    path = target / entry.path
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.parent.resolve().is_relative_to(target.resolve()):
        return
    if entry.mode == _LINK:
        linked = path.parent / os.fsdecode(content)
        if linked.resolve().is_relative_to(target.resolve()):
            path.symlink_to(os.fsdecode(content))
        return
    path.write_bytes(content)
    if entry.mode == _PROGRAM:
        path.chmod(0o755)


def _not_exported(reason: str) -> AdapterUnavailable:
    return AdapterUnavailable(
        f"git cannot export the commit: {one_line(reason.strip(), 300)}. Name the folders that it needs: --include."
    )
