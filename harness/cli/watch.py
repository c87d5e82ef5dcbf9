"""Builds and runs again whenever a file changes: first the cases that failed, then all selected cases. Ctrl-C ends it."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

from ..errors import RecordError, UsageError, one_line, plural
from ..model import FAILING, RunOptions, Verdict, option_words, replace
from ..plan.chosen_cases import read_corpus
from ..plan.setup import chosen_specs
from ..records import read_record
from ..transport.temporary import TemporaryFolder
from ..transport.user_build import BuildFailed, build_words, run_build
from .options import RUN, add_options, options_of, path_argument, record_path
from .streams import notice
from .watch_changes import Changes

_MAX_SHOWN = 5
"""Changed files that a line names."""

_STOP_SECONDS = 10.0
"""Seconds that a stopped run has to end its adapters before it is killed."""

_NOT_STARTED = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    judged = "the implementation to run: a shipped adapter by name, or [LABEL=]COMMAND; required"
    add_options(parser, [*RUN, "record"], adapters=judged)
    parser.add_argument(
        "--path",
        type=path_argument,
        action="append",
        default=[],
        metavar="PATH",
        help="a folder or file to watch; may be repeated (default: the current folder, and the folder of --sdk)",
    )


def run(arguments: argparse.Namespace) -> int:
    options = options_of(arguments)
    if not options.adapters:
        raise UsageError("Name the adapter to watch with --adapter.")
    if options.build is not None:
        build_words(options.build)
    paths = arguments.path or [Path(), *([Path(options.sdk)] if options.sdk else [])]
    if missing := [path for path in paths if not path.exists()]:
        raise UsageError(f"--path {one_line(str(missing[0]))}: no such folder or file.")
    chosen_specs(options)  # what is wrong with the options and the corpus is told before the first build
    read_corpus(options, notice)
    record = record_path(options)
    ours = [record.with_name(f"{record.name}{ending}") for ending in ("", ".lock")]
    with TemporaryFolder() as folder:
        watching = Watching(options, record, folder / "last.jsonl", Changes(paths, ours))
        watching.loop()
    return 0


def _digest(path: Path) -> bytes:
    """The digest of a file's content; empty if it cannot be read."""
    try:
        return sha256(path.read_bytes()).digest()
    except OSError:
        return b""


def _is_program(path: Path) -> bool:
    """Whether a file has bytes that no source has."""
    try:
        with path.open("rb") as file:
            return b"\0" in file.read(8192)
    except OSError:
        return False


class Watching:
    """The loop of builds and runs. `last` is a copy of the record of the last whole run."""

    def __init__(self, options: RunOptions, record: Path, last: Path, changes: Changes) -> None:
        self._options = options
        self._record = record
        self._last = last
        self._changes = changes
        self._built: set[str] = set()
        self._edited: set[str] = set()
        self._present: frozenset[str] | None = frozenset()
        """The files before the first build; None after it."""

    def loop(self) -> None:
        """Builds and runs until an interrupt."""
        while True:
            if self._build() and self._run():
                notice(f"parity: waiting for a change ({time.strftime('%H:%M:%S')}); Ctrl-C ends")
            self._changes.wait()
            changed = self._changes.take()
            self._edited.update(changed)
            self._announce(changed)

    def _announce(self, changed: Sequence[str], what: str = "changed") -> None:
        changed = [name for name in changed if Path(name).exists()] or changed
        names = ", ".join(one_line(name) for name in changed[:_MAX_SHOWN])
        more = f" and {len(changed) - _MAX_SHOWN} more" if len(changed) > _MAX_SHOWN else ""
        notice(f"\nparity: {what}: {names}{more}")

    def _build(self) -> bool:
        """Runs the build command, again if files change meanwhile; whether a run follows."""
        if (command := self._options.build) is None:
            return True
        before: dict[str, bytes] = {}
        if self._present is not None:
            self._present = self._changes.files()
        while True:
            notice(f"parity: building: {one_line(command)}")
            began = time.monotonic()
            try:
                run_build(command, self._look)
                is_built = True
                notice(f"parity: built in {time.monotonic() - began:.1f} s")
            except BuildFailed as failed:
                is_built = False
                notice(f"parity: {failed}")
            changed = self._changed_during_build()
            if not changed or changed == before:
                if not is_built:
                    notice("parity: waiting for a change; Ctrl-C ends")
                return is_built
            before = changed
            self._announce([*changed], "changed during the build")

    def _look(self) -> bool:
        """Collects changes; a build goes on all the same."""
        self._changes.poll()
        return False

    def _changed_during_build(self) -> dict[str, bytes]:
        """The files that changed during a build, with the digests of their contents.

        A file that changes during two builds, and never at another time, is a product of the build: it is watched no more.
        During the first build, a new file and a program count as products too; they stay watched.
        """
        self._changes.poll()
        found = {*self._changes.take()}
        products = found & self._built - self._edited
        present, self._present = self._present, None
        if present is not None:
            self._built |= found
            return {path: _digest(Path(path)) for path in sorted(found & present) if not _is_program(Path(path))}
        self._built |= found
        self._changes.ignore(products)
        return {path: _digest(Path(path)) for path in sorted(found - products)}

    def _run(self) -> bool:
        """Runs the failing cases, then all; false if a change stopped it."""
        failing = self._failing()
        if failing:
            notice(f"parity: first the {plural(failing, 'case')} that failed")
            chosen = tuple(expression for verdict in FAILING for expression in self._selected(verdict))
            part = replace(self._options, selection=chosen, record=str(self._last.with_name("failed.jsonl")))
            status = self._child(part, "--failed-before")
            if status is None:
                return False
            if status == _NOT_STARTED:
                return True
            notice("parity: now all selected cases")
        since = ["--since", str(self._last)] if self._last.exists() else []
        status = self._child(self._options, *since)
        if status is not None and status != _NOT_STARTED:
            self._keep()
        return status is not None

    def _selected(self, verdict: Verdict) -> Iterator[str]:
        """The selections of the cases with this verdict in the last whole run."""
        term = f"verdict:{verdict.value}@{self._last}"
        for expression in self._options.selection or [""]:
            yield f"{expression} {term}".strip()

    def _failing(self) -> int:
        """The number of cases that failed in the last whole run."""
        if not self._last.exists():
            return 0
        return len({result.case for result in read_record(self._last).results if result.verdict in FAILING})

    def _keep(self) -> None:
        """Keeps a copy of a complete record, for the next changes."""
        try:
            if read_record(self._record).complete:
                shutil.copyfile(self._record, self._last)
        except (OSError, RecordError):
            return

    def _child(self, options: RunOptions, *more: str) -> int | None:
        """Executes `parity run` in a process of its own; its exit status, None if a change stopped it."""
        module = __name__.removesuffix(".cli.watch")
        words = option_words(replace(options, build=None))
        command = [sys.executable, "-m", module, "run", *words, *more]
        with _process(command) as process:
            while process.poll() is None:
                if self._changes.poll():
                    return None
        return process.returncode


@contextmanager
def _process(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process whose notices appear on standard error until it is stopped; at the end of the block nothing of it runs."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    assert process.stderr is not None
    forward = _Forward(process.stderr)
    try:
        yield process
    finally:
        if process.poll() is None:
            forward.is_muted = True
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        forward.join()


class _Forward(threading.Thread):
    """Copies lines to standard error until it is muted."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._stream = stream
        self.is_muted = False
        self.start()

    def run(self) -> None:
        for line in self._stream:
            if not self.is_muted:
                notice(line.decode("utf-8", "replace").rstrip("\n"))
