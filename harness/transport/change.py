"""The change that a working copy holds: the commit that it began at, and the files and lines that differ from it.

It is what git says of tracked files. A place outside them is in no diff that a reviewer sees.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ..model import ChangedFile
from .repository import git_text

MAX_FILES = 300
MAX_RANGES = 100
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_FILE = "+++ b/"


def base_of(folder: Path) -> str:
    """The commit at which the checked-out branch left the base branch of the pull request (`GITHUB_BASE_REF`), else its
    upstream; empty if there is neither. The first parent of a merge that GitHub made stands for the base branch."""
    target = os.environ.get("GITHUB_BASE_REF", "")
    names = [f"refs/remotes/origin/{target}", f"refs/heads/{target}"] if target else []
    if target and git_text(folder, "rev-parse", "--verify", "--quiet", "HEAD^2") is not None:
        names.append("HEAD^1")
    common = (git_text(folder, "merge-base", "HEAD", name) for name in (*names, "@{upstream}"))
    return next((commit.strip() for commit in common if commit), "")


def changed_files(root: Path, base: str) -> tuple[ChangedFile, ...]:
    """The files below `root` that git tracks and that differ from the commit `base`, in the order of their paths; the first
    `MAX_FILES`. A file without a line, such as a deleted one, is left out."""
    options = ("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--diff-filter=AM")
    prefixes = ("--src-prefix=a/", "--dst-prefix=b/", "--no-relative", "--ignore-submodules")
    settings = ("-c", "core.quotePath=false", "-c", "diff.autoRefreshIndex=false")  # the checkout stays as it is
    text = git_text(root, *settings, "diff", *options, *prefixes, base, "--", ".") or ""
    return tuple(islice(_files(iter(text.split("\n"))), MAX_FILES))


def _files(rows: Iterator[str]) -> Iterator[ChangedFile]:
    path, ranges = "", list[tuple[int, int]]()
    for row in rows:
        if hunk := _HUNK.match(row):
            removed, start, added = int(hunk[1] or 1), int(hunk[2]), int(hunk[3] or 1)
            if start and len(ranges) < MAX_RANGES:
                ranges.append((start, start + max(added, 1) - 1))
            # The rows of a hunk can look like a head. A note on a missing end of line begins with a backslash.
            for _ in islice((row for row in rows if not row.startswith("\\")), removed + added):
                pass
        elif row.startswith(("diff --git ", _FILE)):
            if path and ranges:
                yield ChangedFile(path, tuple(ranges))
            path, ranges = row.removeprefix(_FILE).rstrip("\t") if row.startswith(_FILE) else "", []
    if path and ranges:
        yield ChangedFile(path, tuple(ranges))


def path_in_repository(file: Path, folder: Path) -> str:
    """The path of a file in the repository around `folder`; empty if git does not track it there."""
    top = (git_text(folder, "rev-parse", "--show-toplevel") or "").removesuffix("\n")
    listed = (
        git_text(Path(top), "--literal-pathspecs", "ls-files", "--full-name", "-z", "--", str(file.resolve()))
        if top
        else None
    )
    return (listed or "").partition("\0")[0]
