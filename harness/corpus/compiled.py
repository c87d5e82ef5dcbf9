"""The compiled corpus: one file in the cache folder that holds what reading a corpus gave, so that it is read once.

It consists of parts: the foundation, and the cases of each file. A part is used only if the files that it was read from are
unchanged: same size, times and inode, or same SHA-256. Only parts without a problem are stored. Without the file, or with a
damaged one, everything is read anew.

The file holds MessagePack and no code. The digest of a corpus covers the values that are used, wherever they come from: who
changes an answer in the cache gets another digest.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from msgspec import MsgspecError, Raw, Struct
from msgspec.msgpack import Decoder, encode
from msgspec.structs import force_setattr

from ..base.files import make_folder_of, replace_file
from ..model import Case, Fixture, replace
from .corpus_files import Stamp, read_stamped
from .paths import cache

_MAGIC = b"parity compiled corpus 2\n"

_MIN_BYTES = 65_536
"""A corpus of fewer bytes is not stored. Measured in November 2026: reading 64 KiB takes 30 ms."""

_MAX_FILES = 16
"""Compiled corpora in the cache folder; the oldest ones beyond it are removed."""

_SHARED = ("operation", "requirements", "demands", "origin", "revision", "tags")
"""The members of a case that many cases have."""

_CODE = ("corpus", "compare", "model")


class Section(Struct, frozen=True):
    """Encoded values, their SHA-256, and the states of the files that they were read from."""

    files: dict[str, Stamp]
    values: Raw
    digest: bytes

    def decoded(self, decoder: Decoder[Any]) -> Any:
        """The values; None if they are damaged."""
        if hashlib.sha256(self.values).digest() != self.digest:
            return None
        with contextlib.suppress(MsgspecError):
            return decoder.decode(self.values)
        return None


def section_of(values: Any, files: Mapping[str, Stamp]) -> Section:
    """The part with these values. It has no content, and is not stored, if MessagePack cannot hold them."""
    try:
        content = encode(values)
    except (OverflowError, UnicodeEncodeError):  # an integer beyond 64 bits, a lone surrogate
        return Section({**files}, Raw(), b"")
    return Section({**files}, Raw(content), hashlib.sha256(content).digest())


class _Content(Struct):
    """The content of the file."""

    foundation: Section | None = None
    suites: dict[str, Section] = {}


_CONTENT = Decoder(_Content)
_CASES = Decoder(list[Case])


def _without_values(case: Case) -> Case:
    """The case without the values of its fixtures, which the foundation holds once."""
    names = tuple(Fixture(fixture.name, fixture.digest) for fixture in case.fixtures)
    return replace(case, fixtures=names) if names else case


def _linked(case: Case, fixtures: Mapping[str, Fixture], shared: dict[Any, Any]) -> Case:
    """The case with the values of its fixtures. A member that many cases have is one object: 250 bytes a case less."""
    for name in _SHARED:
        value = getattr(case, name)
        force_setattr(case, name, shared.setdefault(value, value))
    return replace(case, fixtures=tuple(fixtures[fixture.name] for fixture in case.fixtures)) if case.fixtures else case


class CompiledCorpus:
    """The parts of the corpus below `root`: those that are stored, and those that this process adds. `used` are the parts
    that this process reads or adds, by file; the foundation has no name."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._stored = self._read()
        self._is_changed = False
        self._shared: dict[Any, Any] = {}
        self.used: dict[str, Section] = {}

    def foundation(self, files: Mapping[str, Path], decoder: Decoder[Any]) -> Any:
        """The stored foundation; None if these are not its files, or one of them changed. Every suite depends on it."""
        part = self._stored.foundation
        found = self._values("", part, files, decoder) if part and part.files.keys() == files.keys() else None
        if found is None:
            self._stored = _Content()
        return found

    def suite(self, name: str, path: Path, fixtures: Mapping[str, Fixture]) -> list[Case] | None:
        """The stored cases of a file; None if there are none, or the file changed."""
        part = self._stored.suites.get(name)
        return None if part is None else self._cases(name, part, {name: path}, fixtures)

    def add_foundation(self, foundation: object, stamps: Mapping[str, Stamp]) -> None:
        """Adds a foundation that was read anew and has no problem, with the states of its files."""
        self._add("", section_of(foundation, stamps))

    def add(self, name: str, cases: Sequence[Case], stamp: Stamp, fixtures: Mapping[str, Fixture]) -> Sequence[Case]:
        """Adds the cases of a file that was read anew and has no problem; they come back small, without lines."""
        part = section_of([*map(_without_values, cases)], {name: stamp})
        self._add(name, part)
        return self._cases(name, part, {}, fixtures) or cases

    def digest(self) -> str:
        """SHA-256 over the paths, the texts and the values of everything that this process used."""
        total = hashlib.sha256()
        for _, part in sorted(self.used.items()):
            for file, stamp in sorted(part.files.items()):
                total.update(f"{file}\n".encode() + stamp.sha256)
            total.update(part.digest)
        return total.hexdigest()

    def store(self, *, is_whole: bool = False) -> None:
        """Writes the file if something is new; the parts of a whole corpus replace all others. An error of the file system
        changes nothing but the speed of the next start."""
        before = {} if is_whole else self._stored.suites
        parts = {name: part for name, part in {**before, **self.used}.items() if part.digest}
        foundation = parts.pop("", self._stored.foundation)
        is_same = not self._is_changed and parts.keys() == self._stored.suites.keys()
        size = sum(stamp.size for part in (*parts.values(), foundation) if part for stamp in part.files.values())
        if foundation is None or is_same or size < _MIN_BYTES:
            return
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            make_folder_of(self._path)
            replace_file(self._path, [_MAGIC + _code_key() + encode(_Content(foundation, parts))])
            _remove_oldest(self._path.parent.iterdir())

    def _add(self, name: str, part: Section) -> None:
        self.used[name] = part
        self._is_changed |= bool(part.digest)

    def _cases(
        self, name: str, part: Section, files: Mapping[str, Path], fixtures: Mapping[str, Fixture]
    ) -> list[Case] | None:
        cases: list[Case] | None = self._values(name, part, files, _CASES)
        return None if cases is None else [_linked(case, fixtures, self._shared) for case in cases]

    def _values(self, name: str, part: Section, files: Mapping[str, Path], decoder: Decoder[Any]) -> Any:
        """The values of a part, which is then used; None if one of its `files` changed or it is damaged."""
        if not files.keys() <= part.files.keys():
            return None
        stamps = {file: self._fresh(part.files[file], path) for file, path in files.items()}
        if not all(stamps.values()) or (found := part.decoded(decoder)) is None:
            return None
        if files:
            fresh = {file: stamp for file, stamp in stamps.items() if stamp}
            self._is_changed |= fresh != part.files
            self.used[name] = part if fresh == part.files else replace(part, files=fresh)
        return found

    @staticmethod
    def _fresh(before: Stamp, path: Path) -> Stamp | None:
        """The state of a file whose content is as it was; its content is read if its times do not show that."""
        try:
            found = os.stat(path)  # noqa: PTH116 - a `Path` for each of hundreds of files is slow
            if not stat.S_ISREG(found.st_mode) or found.st_size != before.size:
                return None
            if before.agrees(found):
                return before
            _, stamp = read_stamped(path)
        except OSError:
            return None
        return stamp if stamp.sha256 == before.sha256 else None

    @cached_property
    def _path(self) -> Path:
        root = hashlib.sha256(os.fsencode(self._root)).hexdigest()
        return cache() / "corpora" / f"{root[:16]}-{_code_key().hex()[:16]}"

    def _read(self) -> _Content:
        """The stored parts; empty if there is no such file, or it is damaged or of another code."""
        try:
            content = self._path.read_bytes()
            lead = _MAGIC + _code_key()
            if content.startswith(lead):
                return _CONTENT.decode(memoryview(content)[len(lead) :])
        except (OSError, ValueError, RuntimeError):  # a user without a home has no cache folder
            pass
        return _Content()


@lru_cache
def _code_key() -> bytes:
    """Digest over the code that decides the content of the file. Raises `OSError`."""
    total = hashlib.sha256()
    here = Path(__file__).parents[1]
    for path in (*(path for name in _CODE for path in sorted((here / name).glob("*.py"))), here / "errors.py"):
        content = path.read_bytes()
        total.update(f"{path.name} {len(content)}\n".encode() + content)
    return total.digest()


def _remove_oldest(files: Iterable[Path]) -> None:
    for path in sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True)[_MAX_FILES:]:
        path.unlink(missing_ok=True)
