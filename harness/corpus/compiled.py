"""The compiled corpus: one file in the cache folder that holds what reading a corpus gave, so that it is read once.

The file of a corpus is used only if its first bytes name this code and this Python, and its checksum is right. Each part is
used only if the files that it depends on are unchanged: same size, times and inode, or same SHA-256. Only parts without a
problem are stored. Without the file, or with a damaged one, everything is read anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import stat
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ..model import Case
from .compiled_values import Foundation, Plain, plain_cases, plain_foundation, read_foundation
from .files import Stamp, read_stamped
from .paths import cache, shipped

_MAGIC = b"parity compiled corpus 1\n"
_RACY_NS = 2_000_000_000
"""A file that changed so shortly before it was compiled is compared by content: a file system can have coarse times."""

_MIN_BYTES = 65_536
"""A corpus of fewer bytes is not stored. Measured in November 2026: reading 64 KiB takes 30 ms."""

_MAX_FILES = 16
"""Compiled corpora in the cache folder; the oldest ones beyond it are removed."""

_CODE = ("corpus", "compare", "model")
_LIBRARIES = ("yaml", "jsonschema_rs", "rfc8785")


@dataclass(slots=True)
class Stored:
    """Content of the file. `digest` is the corpus's, empty if some file of the corpus is not in it.

    `stamps` holds the members of each file's `Stamp`, and whether its times alone prove that it is unchanged. `suites` maps
    a case file to what `plain_cases` returned.
    """

    digest: str = ""
    foundation: Plain = ()
    stamps: dict[str, Plain] = field(default_factory=dict)
    suites: dict[str, tuple[list[Plain], bytes]] = field(default_factory=dict)


class CompiledCorpus:
    """The stored parts of the corpus below `root`, and the parts that this process adds."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._stamps: dict[str, Stamp] = {}
        self._now = time.time_ns()
        self._stored = self._read() or Stored()
        self._added: dict[str, tuple[list[Plain], bytes]] = {}
        self._foundation: Plain = ()
        self._is_restamped = False

    def digest(self, names: Iterable[str]) -> str:
        """The stored digest of the corpus if these are its files and all of them are unchanged, else empty."""
        is_whole = {*names} == self._stamps.keys() == self._stored.stamps.keys()
        return self._stored.digest if is_whole else ""

    def foundation(self, files: Mapping[str, Path]) -> Foundation | None:
        """The stored foundation; None if these are not its files, or one of them changed. Suites that depend on a changed
        file are dropped."""
        before = self._stored.stamps.keys() - self._stored.suites.keys()
        changed = (before ^ files.keys()) | {name for name, path in files.items() if not self._is_fresh(name, path)}
        if self._stored.foundation and not changed:
            return read_foundation(self._stored.foundation)
        systems = {name.split("/")[1] for name in changed}
        self.drop(name for name in list(self._stored.suites) if name.split("/")[1] in systems)
        return None

    def drop(self, names: Iterable[str] | None = None) -> None:
        """Forgets these suites, or all."""
        for name in list(self._stored.suites) if names is None else names:
            self._stored.suites.pop(name, None)

    def suite(self, name: str, path: Path) -> tuple[list[Plain], bytes] | None:
        """The stored suite of a case file; None if there is none, or the file changed."""
        found = self._stored.suites.get(name)
        return found if found is not None and self._is_fresh(name, path) else None

    def add(self, name: str, cases: Iterable[Case], stamp: Stamp) -> None:
        """Adds the cases of a file that was read anew; the file has no problem."""
        self._added[name] = plain_cases(cases)
        self._stamps[name] = stamp

    def add_foundation(self, foundation: Foundation, stamps: Mapping[str, Stamp]) -> None:
        """Adds a foundation that was read anew, with the states of its files; it has no problem."""
        self._foundation = plain_foundation(foundation)
        self._stamps.update(stamps)

    def content(self, name: str) -> bytes | None:
        """The content of a file of the corpus; None if it is not as its stamp says."""
        try:
            content, stamp = read_stamped(self._root / name)
        except OSError:
            return None
        return content if stamp.sha256 == self._stamps[name].sha256 else None

    def store(self, digest: str = "") -> None:
        """Writes the file if something is new. `digest` is the corpus's if all of it was loaded. An error of the file
        system changes nothing but the speed of the next start."""
        if not (self._added or self._foundation or self._is_restamped or (digest and digest != self._stored.digest)):
            return
        suites = {**self._stored.suites, **self._added}
        stamps = {**self._stored.stamps, **{name: self._plain(stamp) for name, stamp in self._stamps.items()}}
        if digest or self._foundation:  # files that no longer exist
            kept = self._stamps.keys() | (set() if digest else suites.keys())
            suites = {name: suite for name, suite in suites.items() if name in kept}
            stamps = {name: stamp for name, stamp in stamps.items() if name in kept}
        if sum(stamp[0] for stamp in stamps.values()) < _MIN_BYTES:
            return
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            content = (digest, self._foundation or self._stored.foundation, stamps, suites)
            _write(self._path, self._key, marshal.dumps(content))

    def _plain(self, stamp: Stamp) -> Plain:
        return (*astuple(stamp), max(stamp.modified, stamp.changed) < self._now - _RACY_NS)

    def _is_fresh(self, name: str, path: Path) -> bool:
        """Whether the file is as it was compiled. Its content is compared if its times do not prove it."""
        before = self._stored.stamps.get(name)
        if before is None:
            return False
        *members, is_proof = before
        known = Stamp(*members)
        try:
            found = os.stat(path)  # noqa: PTH116 - a `Path` for each of hundreds of files is slow
            if not stat.S_ISREG(found.st_mode) or found.st_size != known.size:
                return False
            if is_proof and known.agrees(found):
                self._stamps[name] = known
                return True
            _, stamp = read_stamped(path)
        except OSError:
            return False
        if stamp.sha256 != known.sha256:
            return False
        self._stamps[name] = stamp
        self._is_restamped |= self._plain(stamp) != before
        return True

    @cached_property
    def _path(self) -> Path:
        root = hashlib.sha256(os.fsencode(self._root)).hexdigest()
        return cache() / "corpora" / f"{root[:16]}-{self._key.hex()[:16]}"

    @cached_property
    def _key(self) -> bytes:
        """Digest over everything except the corpus that decides the content of the file. Raises `OSError`."""
        total = hashlib.sha256(f"{sys.version}\n{marshal.version}\n{self._root}\n".encode("utf-8", "surrogateescape"))
        here = Path(__file__).parents[1]
        code = [path for name in _CODE for path in sorted((here / name).glob("*.py"))]
        for path in (*code, here / "errors.py", shipped() / "schemas" / "case-file.schema.json"):
            content = path.read_bytes()
            total.update(f"{path.name} {len(content)}\n".encode() + content)
        for library in _LIBRARIES:
            total.update(f"{library} {_sizes(library)}\n".encode())
        return total.digest()

    def _read(self) -> Stored | None:
        """The stored parts; None if there is no such file, or it is damaged or of another code or Python."""
        try:
            lead = _MAGIC + self._key
            content = self._path.read_bytes()
        except (OSError, ValueError, RuntimeError):  # a user without a home has no cache folder
            return None
        if not content.startswith(lead):
            return None
        checksum, payload = content[len(lead) : len(lead) + 32], memoryview(content)[len(lead) + 32 :]
        if hashlib.sha256(payload).digest() != checksum:
            return None
        return Stored(*marshal.loads(payload))


def _sizes(library: str) -> list[tuple[str, int]]:
    """The files of a library with their sizes, which differ between its versions."""
    for folder in sys.path:
        with contextlib.suppress(OSError), os.scandir(os.path.join(folder, library)) as files:  # noqa: PTH118
            return sorted((file.name, file.stat().st_size) for file in files if file.is_file())
    return []


def _write(path: Path, key: bytes, payload: Any) -> None:
    """Writes the file beside its place and renames it, so that no reader finds half of it. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    try:
        with beside.open("xb") as file:
            file.write(_MAGIC + key + hashlib.sha256(payload).digest())
            file.write(payload)
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    _remove_oldest(path.parent)


def _remove_oldest(folder: Path) -> None:
    found = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in found[_MAX_FILES:]:
        path.unlink(missing_ok=True)
