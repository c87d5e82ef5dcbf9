"""Set-up that `history` and `bisect` share: the options, and the judgement of one revision of an SDK."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, field

from ..base.text_limits import MAX_NAME
from ..compare.run_diff import Change, Comparison, compare, confirmed
from ..corpus.paths import shipped
from ..errors import AdapterUnavailable, UsageError, one_line
from ..model import OPTIONS, RunOptions, RunRecord, replace
from ..plan.setup import RunSetup, prepare
from ..records import read_record
from ..runner.repeat import CHANGED
from ..transport.manifest import shipped_manifests
from ..transport.repository import Repository, Revision
from ..transport.temporary import TemporaryFolder
from .options import path_argument
from .recorded_run import execute_into_record
from .streams import notice

NO_CHANGE = (Change.ADDED, Change.REMOVED, Change.FLAKY)
"""The changes between two revisions that are no other answer to a case."""


def add_revision_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that name the repository and the adapter."""
    parser.add_argument(
        OPTIONS["adapters"].flag, required=True, metavar="NAME", help="a shipped adapter that accepts --sdk"
    )
    parser.add_argument(
        "--repo",
        required=True,
        type=path_argument,
        metavar="DIR",
        help="a clone of the SDK's repository; it is only read",
    )
    parser.add_argument(
        "--path", default=".", metavar="PATH", help="the folder of the SDK in the repository (default: its root)"
    )
    parser.add_argument(
        "--include",
        action="append",
        default=[],
        metavar="PATH",
        help="another path of the repository that the build needs; may be repeated",
    )
    parser.add_argument(
        "--keep", type=path_argument, metavar="DIR", help="keep the exported revisions and the records in this folder"
    )


def executed(setup: RunSetup, path: Path) -> RunRecord:
    """The record of a run."""
    execute_into_record(setup, path)
    return read_record(path)


class Judge(Struct):
    """Judges revisions of an SDK: exports a commit without the files `left_out`, builds it, runs it with the `options` and
    the set-up that `narrow` changes. `folder` has the exports and the records. A commit is judged once; `problems` are the
    reasons why a commit could not be judged, by commit.

    `here` is the folder of a revision in which its build and its command run, relative to the root; None: the current
    folder. `is_command`: the adapter is a command of the revision, not a shipped one that judges the SDK's folder `path`.
    """

    repository: Repository
    options: RunOptions
    path: str
    folder: Path
    problems: dict[str, str] = field(default_factory=dict)
    records: dict[str, RunRecord] = field(default_factory=dict)
    comparisons: dict[tuple[str, str], Comparison] = field(default_factory=dict)
    narrow: Callable[[RunSetup], None] = lambda _: None
    execute: Callable[[RunSetup, Path], RunRecord] = executed
    left_out: Collection[str] = ()
    here: Path | None = None
    is_command: bool = False

    def check_path(self, revisions: Sequence[Revision]) -> None:
        """Raises `UsageError` if none of the revisions has the folder of the SDK."""
        if not any(self.repository.folders(revision.commit, self.path) for revision in revisions):
            last = revisions[-1]
            found = one_line(", ".join(self.repository.folders(last.commit)), MAX_NAME) or "no folder"
            raise UsageError(f"--path {one_line(self.path)}: no revision has this folder. {last.short} has {found}.")

    def __call__(self, revision: Revision) -> RunRecord | None:
        """The record of this revision; None if it cannot be built or started, which `problems` then explains."""
        commit = revision.commit
        if commit not in self.records and commit not in self.problems:
            print(f"{revision.short} {revision.date} {one_line(revision.subject)}", file=sys.stderr, flush=True)
            try:
                record = self._judged(revision)
            except AdapterUnavailable as unavailable:
                self.problems[commit] = one_line(unavailable.text, MAX_NAME)
            else:
                (entry,) = record.metadata.implementations
                if entry.identity is None:
                    self.problems[commit] = one_line(entry.reason, MAX_NAME)
                else:
                    self.records[commit] = record
            if commit in self.problems:
                print(f"  not judged: {self.problems[commit]}", file=sys.stderr, flush=True)
        return self.records.get(commit)

    def changes(self, before: Revision, after: Revision) -> Comparison:
        """The changes between two judged revisions. Both run each changed case again, several times, so that a flaky answer
        counts as flaky and not as a change."""
        key = before.commit, after.commit
        if key not in self.comparisons:
            self.comparisons[key] = self._compared(before, after)
        return self.comparisons[key]

    def _compared(self, before: Revision, after: Revision) -> Comparison:
        found = compare(self.records[before.commit], self.records[after.commit])
        every = (change for changes in found.changes.values() for change in changes)
        cases = {change.result.case for change in every if change.change not in NO_CHANGE}
        if not cases:
            return found
        name = f"{before.short}-{after.short}"
        then, now = (self.again(revision, cases, f"{name}-{revision.short}") for revision in (before, after))
        return confirmed(found, then, now)

    def again(self, revision: Revision, cases: Collection[str], name: str) -> RunRecord:
        """The record of some cases in several rounds; the build of the revision is in the cache."""

        def narrow(setup: RunSetup) -> None:
            setup.cases = [case for case in setup.corpus.cases if case.name in cases]
            setup.options = replace(setup.options, repeat=CHANGED)

        with self._prepared(revision) as setup:
            narrow(setup)
            return executed(setup, self.folder / f"again-{name}.jsonl")

    def sdk(self, revision: Revision) -> Path:
        """The SDK's folder in the export of this revision."""
        return self.folder / revision.short / self.path

    def _judged(self, revision: Revision) -> RunRecord:
        self.repository.export(revision.commit, self.folder / revision.short, self.left_out)
        with self._prepared(revision) as setup:
            self.narrow(setup)
            return self.execute(setup, self.folder / f"{revision.short}.jsonl")

    def _prepared(self, revision: Revision) -> RunSetup:
        """The set-up of a run over the exported revision."""
        (adapter,) = self.options.adapters
        adapters = (adapter if self.is_command else f"{adapter}={self.sdk(revision)}",)
        folder = Path.cwd() if self.here is None else self.folder / revision.short / self.here
        with contextlib.redirect_stderr(io.StringIO()), contextlib.chdir(folder):
            return prepare(replace(self.options, adapters=adapters, sdk=""), notice)


@contextmanager
def opened(arguments: argparse.Namespace, options: RunOptions) -> Iterator[Judge]:
    """The judge of `--adapter` that runs with these options; its folder is removed at the end unless --keep names one.
    Raises `UsageError`."""
    manifest = shipped_manifests(shipped()).get(arguments.adapter)
    if manifest is None or manifest.sdk is None:
        able = ", ".join(name for name, manifest in shipped_manifests(shipped()).items() if manifest.sdk)
        raise UsageError(
            f"--adapter {one_line(arguments.adapter)}: expected a shipped adapter that accepts --sdk: {able}."
        )
    repository = Repository(arguments.repo, tuple(dict.fromkeys([arguments.path, *arguments.include])))
    with TemporaryFolder() as temporary:
        folder = (arguments.keep or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        yield Judge(repository, replace(options, adapters=(arguments.adapter,)), arguments.path, folder)
