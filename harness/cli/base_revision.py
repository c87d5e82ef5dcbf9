"""The base of a change: the commit from which the checkout of a working copy left a branch, judged as the change is."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from ..base.files import locked, make_folder_of, replace_file
from ..compare.run_diff import outcomes
from ..corpus.paths import cache, shipped
from ..errors import AdapterUnavailable, UsageError, one_line
from ..gate.as_at_base import accused_since, no_worse
from ..gate.known_divergences import KnownDivergences
from ..model import RunOptions, RunRecord, replace
from ..plan.setup import RunSetup, named_specs
from ..records import read_record
from ..transport.connect import ProcessConnection
from ..transport.repository import Revision, checkout_of
from ..transport.temporary import TemporaryFolder
from .gate_systems import introduction, skip_systems
from .revisions import Judge, executed
from .streams import notice

_KEPT = 8
"""Records of bases in the cache, each of some megabytes."""

_MOST_AGAIN = 200
"""Accused cases up to which the base executes them again: of more, chance is not the cause."""


_BUILD = "It is a copy of the commit, so build there what git does not track: --build COMMAND. "


class Base(Struct, frozen=True):
    """A judged base: its revision and its record. `judge` executes cases of it again."""

    revision: Revision
    record: RunRecord
    judge: Judge

    @property
    def cases(self) -> Collection[str]:
        """The cases that were judged."""
        return {seen.case for seen in self.record.results}

    @property
    def text(self) -> str:
        """`base: 5ce7657 2026-05-06 Subject (where HEAD left main)`."""
        found = self.revision
        return one_line(f"base: {found.short} {found.date} {found.subject} (where HEAD left {found.name})", 200)

    def unchanged(self, record: RunRecord) -> set[str]:
        """The accused cases whose answers are no worse than those of the base, or that the base gives too when it executes
        the case several times."""
        then, accused = {seen.case: seen for seen in self.record.results}, accused_since(self.record, record)
        same = no_worse(self.record, accused)
        rest = accused.keys() - same
        if not 0 < len(rest) <= _MOST_AGAIN:
            return same
        notice(f"parity: the base executes {len(rest)} of the changed cases again")
        for seen in self.judge.again(self.revision, rest, "again").results:
            of_base, now = outcomes(then[seen.case]) | outcomes(seen), outcomes(accused[seen.case])
            if now <= of_base or (len(of_base) > 1 and now & of_base):
                same.add(seen.case)
        return same


@contextmanager
def judged_base(options: RunOptions) -> Iterator[Base | None]:
    """The base that the options name, judged; None if they name none. Raises `UsageError`, `ParityError` for a checkout
    without such a base, and `AdapterUnavailable` for one that cannot be built or started."""
    if not options.base:
        yield None
        return
    (spec,) = named_specs(options)
    if not (spec.command or spec.sdk):
        raise UsageError(
            f"--base: {spec.name} is no working copy, so it has no other revision. Name one: --sdk DIR, or "
            "--adapter NAME=DIR."
        )
    current = Path.cwd()
    repository, path = checkout_of(spec.sdk or current)
    _check_words(spec.command, repository.folder)
    revision = repository.merge_base(options.base)
    here = current.relative_to(repository.folder) if current.is_relative_to(repository.folder) else None
    plain = replace(
        options,
        adapters=(spec.option if spec.command else spec.name,),
        corpus=options.corpus and str(Path(options.corpus).resolve()),
        build=None if here is None else options.build,
        max_failures=0,
    )
    with TemporaryFolder() as folder:
        judge = Judge(repository, plain, path, folder, narrow=_narrow, execute=_execute)
        judge.left_out, judge.here, judge.is_command = repository.left_out(), here, bool(spec.command)
        notice(f"parity: judging the base, where HEAD left {one_line(revision.name, 80)}:")
        record = judge(revision)
        if record is None:
            raise AdapterUnavailable(
                f"The base {revision.short} cannot be judged: {judge.problems[revision.commit]}",
                remedy=f"{_BUILD if spec.command else ''}Name another --base, or compare with a file: --known FILE.",
            )
        yield Base(revision, record, judge)


def _check_words(command: Sequence[str], top: Path) -> None:
    """Raises `UsageError` for a command with an absolute path in the checkout, also in a part of a word or through a link:
    the base would run the change."""
    whole = top.resolve()
    for word in command:
        paths = (Path(path).resolve() for path in _ABSOLUTE.findall(word))
        if str(top) in word or str(whole) in word or any(path.is_relative_to(whole) for path in paths):
            raise UsageError(
                f"--base: with {one_line(word)}, the base would run the change. Write the path relative to the current "
                "folder: the base has a copy of its own."
            )


_ABSOLUTE = re.compile(r"""/[^\s'"`=:;,|&<>()]+""")
"""An absolute path in a word."""


def _narrow(setup: RunSetup) -> None:
    """Leaves out the systems of which the base implements no operation."""
    if not setup.options.systems:
        skip_systems(setup, KnownDivergences(), introduction(setup))


def _execute(setup: RunSetup, path: Path) -> RunRecord:
    """The record of a run, from the cache if the same files were judged with the same corpus, options and parity."""
    (connection,) = setup.connections.values()
    if not (isinstance(connection, ProcessConnection) and connection.adapter):
        return executed(setup, path)  # nobody knows what else the program of a command reads
    kept = cache() / "bases" / f"{_key(setup, connection.folder)}.jsonl"
    make_folder_of(kept)
    with locked(kept):
        if kept.exists():
            kept.touch()
            return read_record(kept, copied=True)
        record = executed(setup, path)
        if record.metadata.implementations[0].identity:
            replace_file(kept, [path.read_bytes()])
        for old in sorted(kept.parent.glob("*.jsonl"), key=lambda file: file.stat().st_mtime)[:-_KEPT]:
            old.unlink(missing_ok=True)
        return record


def _key(setup: RunSetup, build: Path) -> str:
    """What decides the record: its header without places and times, the build, and the files of parity."""
    header = setup.header()
    entries = tuple(replace(entry, adapter="") for entry in header.implementations)
    header = replace(header, started_at="", implementations=entries, options=replace(header.options, sdk=""))
    total = hashlib.sha256(msgspec.json.encode(header))
    total.update(str(build).encode())
    for folder in ("harness", "reference_impl", "adapters"):
        for file in sorted((shipped() / folder).rglob("*.py")):
            state = file.stat()
            total.update(f"{file} {state.st_size} {state.st_mtime_ns}".encode())
    return total.hexdigest()[:16]
