"""A git repository with revisions of an SDK: names, exports, and the order of a bisection. It is only read.

An export is `git archive`, not a worktree: a worktree adds files to the repository.
"""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import AdapterUnavailable, ParityError, one_line


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit: its full hash, the short one, date (YYYY-MM-DD) and subject. `name` is the name that the user gave."""

    commit: str
    short: str
    date: str
    subject: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Repository:
    """A clone in `folder`. `paths` are the folders and files that a build needs; commits that change nothing in them are
    not candidates."""

    folder: Path
    paths: tuple[str, ...] = (".",)

    def revision(self, name: str) -> Revision:
        """The commit that a tag, a branch or a hash stands for. Raises `ParityError` if there is none."""
        found = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
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

    def export(self, commit: str, target: Path) -> None:
        """Writes `paths` of a commit into the folder `target`. A path that the commit does not have is left out. Raises
        `AdapterUnavailable` if the commit has none of them, or if objects are missing."""
        listed = self._read("ls-tree", "--name-only", commit, "--", *self.paths) if self.paths != (".",) else "."
        if not listed:
            raise AdapterUnavailable(f"The commit has none of {', '.join(self.paths)}.")
        done = self._git("archive", "--format=tar", commit, "--", *listed.splitlines())
        if done.returncode:
            reason = one_line(done.stderr.decode("utf-8", "replace").strip(), 300)
            raise AdapterUnavailable(
                f"git cannot export the commit: {reason}. Name the folders that it needs: --include."
            )
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile() as file:
            file.write(done.stdout)
            file.seek(0)
            with tarfile.open(fileobj=file) as archive:
                archive.extractall(target, filter="data")

    def _read(self, *words: str) -> str:
        done = self._git(*words)
        if done.returncode:
            raise ParityError(f"{self.folder}: {one_line(done.stderr.decode('utf-8', 'replace').strip(), 300)}")
        return done.stdout.decode("utf-8", "replace")

    def _git(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(["git", "-C", str(self.folder), *words], capture_output=True, check=False)
        except OSError as error:
            raise ParityError(f"git cannot be started: {error.strerror}. Install git.") from None


def paths_of(path: str, included: Sequence[str]) -> tuple[str, ...]:
    """The paths of a build: the SDK's folder, and what is included besides."""
    return tuple(dict.fromkeys([path, *included]))
