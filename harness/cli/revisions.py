"""Set-up that `history` and `bisect` share: the options, and the judgement of one revision of an SDK."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from ..corpus.paths import shipped
from ..errors import AdapterUnavailable, UsageError, one_line
from ..model import RunRecord
from ..records import read_record
from ..transport.manifest import shipped_manifests
from ..transport.repository import Repository, Revision, paths_of
from .options import path_argument
from .run_setup import add_run_arguments, execute_into_record, prepare


def add_revision_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that name the repository and the adapter."""
    parser.add_argument("--adapter", required=True, metavar="NAME", help="a shipped adapter that accepts --sdk")
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


@dataclass(slots=True)
class Judge:
    """Judges revisions of an SDK: exports a commit, builds it, runs the `selection` of cases. `folder` has the exports and
    the records. A commit is judged once; `problems` are the reasons why a commit could not be judged, by commit."""

    repository: Repository
    adapter: str
    path: str
    folder: Path
    selection: Sequence[str]
    problems: dict[str, str] = field(default_factory=dict)
    records: dict[str, RunRecord] = field(default_factory=dict)

    def __call__(self, revision: Revision) -> RunRecord | None:
        """The record of this revision; None if it cannot be built or started, which `problems` then explains."""
        commit = revision.commit
        if commit not in self.records and commit not in self.problems:
            print(f"{revision.short} {revision.date} {one_line(revision.subject, 80)}", file=sys.stderr, flush=True)
            try:
                record = self._judged(revision)
            except AdapterUnavailable as unavailable:
                self.problems[commit] = one_line(unavailable.text, 400)
            else:
                (entry,) = record.metadata.implementations
                if entry.identity is None:
                    self.problems[commit] = one_line(entry.reason, 400)
                else:
                    self.records[commit] = record
            if commit in self.problems:
                print(f"  not judged: {self.problems[commit]}", file=sys.stderr, flush=True)
        return self.records.get(commit)

    def sdk(self, revision: Revision) -> Path:
        """The SDK's folder in the export of this revision."""
        return self.folder / revision.short / self.path

    def _judged(self, revision: Revision) -> RunRecord:
        self.repository.export(revision.commit, self.folder / revision.short)
        parser = argparse.ArgumentParser()
        add_run_arguments(parser)
        words = ["--adapter", self.adapter, "--sdk", str(self.sdk(revision)), *self.selection]
        record = self.folder / f"{revision.short}.jsonl"
        with contextlib.redirect_stderr(io.StringIO()):
            setup = prepare(parser.parse_args(words))
        with setup:
            execute_into_record(setup, record)
        return read_record(record)


@contextmanager
def opened(arguments: argparse.Namespace, selection: Sequence[str]) -> Iterator[Judge]:
    """The judge for these options; its folder is removed at the end unless --keep names one. Raises `UsageError`."""
    manifest = shipped_manifests(shipped()).get(arguments.adapter)
    if manifest is None or manifest.sdk is None:
        able = ", ".join(name for name, one in shipped_manifests(shipped()).items() if one.sdk)
        raise UsageError(
            f"--adapter {one_line(arguments.adapter)}: expected a shipped adapter that accepts --sdk: {able}."
        )
    repository = Repository(arguments.repo, paths_of(arguments.path, arguments.include))
    with TemporaryDirectory(prefix="parity-revisions-") as temporary:
        folder = (arguments.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        yield Judge(repository, arguments.adapter, arguments.path, folder, selection)
