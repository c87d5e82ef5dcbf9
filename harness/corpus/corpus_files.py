"""Files of a corpus: finds catalogues, fixtures, suites and schemas, rejects strays, and reads a file as text."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from datetime import date
from pathlib import Path

from msgspec import Struct, field

from ..errors import Problem, escape, one_line

_SUITE = re.compile(r"[a-z0-9_]+(?:/[a-z0-9_-]+)+")
_SURROGATE = re.compile("[\ud800-\udfff]")  # what Python makes of a byte that is not UTF-8
_SUFFIXES = (".yaml", ".yml", ".json", ".jsonl")

PROFILES = "profiles.yaml"
"""A file of a system that changes no verdict. `harness.corpus.profiles` reads it."""

REVISION = "cases/REVISION"
"""A file of a corpus that is released: the day of its revision."""

CATALOGUES = ("requirements.yaml", "rulings.yaml", "traps.yaml")
"""Files of a system that the corpus reads beside its suites and fixtures."""

_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)")
"""Characters that YAML refuses, and line ends of YAML 1.1 only: NEL, U+2028 and U+2029."""


class SystemFiles(Struct):
    """The files of one system below `cases/`; suites by the name that their path gives them."""

    name: str
    catalogues: dict[str, Path] = field(default_factory=dict)
    fixtures: dict[str, Path] = field(default_factory=dict)
    suites: dict[str, Path] = field(default_factory=dict)


def case_files(root: Path, problems: list[Problem]) -> list[SystemFiles]:
    """The files below `root/cases`, by system, and a problem for each file that would be silently skipped.

    Hidden files, and files with the suffix of no corpus file, are ignored.
    """
    systems: dict[str, SystemFiles] = {}
    for path in _files(root / "cases", root, problems):
        parts = path.relative_to(root / "cases").parts
        shown = path.relative_to(root).as_posix()
        if path.suffix != ".yaml":
            problems.append(_stray(shown, _remedy(path)))
        elif len(parts) == 1:
            problems.append(_stray(shown, "Move it into the folder of a system, cases/<system>/."))
        else:
            _place(path, parts, shown, systems.setdefault(parts[0], SystemFiles(parts[0])), problems)
    return list(systems.values())


def _place(path: Path, parts: tuple[str, ...], shown: str, system: SystemFiles, problems: list[Problem]) -> None:
    inside = parts[1:]
    suite = "/".join(parts).removesuffix(".yaml")
    if inside == (PROFILES,):
        return
    if len(inside) == 1 and inside[0] in CATALOGUES:
        system.catalogues[path.stem] = path
    elif inside[0] == "fixtures" and len(inside) == 2:
        system.fixtures[path.stem] = path
    elif inside[0] == "fixtures":
        problems.append(_stray(shown, f"Move it to cases/{system.name}/fixtures itself."))
    elif _SUITE.fullmatch(suite):
        system.suites[suite] = path
    else:
        message = f"The suite name {one_line(suite)} of this path has characters other than a-z, 0-9, _ and -."
        problems.append(Problem(shown, "bad-suite-name", message, "Rename the file or its folder."))


def schema_files(root: Path, problems: list[Problem]) -> list[Path]:
    """The schemas `root/schemas/<system>/*.json`; schemas directly below `schemas` describe file formats and are skipped."""
    found = []
    for path in _files(root / "schemas", root, problems):
        depth = len(path.relative_to(root / "schemas").parts)
        shown = path.relative_to(root).as_posix()
        if depth == 1:
            continue
        if path.suffix != ".json":
            problems.append(_stray(shown, "Rewrite it as a .json file."))
        elif depth > 2:
            problems.append(_stray(shown, "Move it into the folder of a system, schemas/<system>/."))
        else:
            found.append(path)
    return found


def _files(folder: Path, root: Path, problems: list[Problem]) -> list[Path]:
    """Every file below `folder` with the suffix of a corpus file, sorted. A link to a folder is a problem."""
    found = []

    def unreadable(error: OSError) -> None:
        shown = Path(error.filename).relative_to(root).as_posix()
        message = f"The folder cannot be read: {error.strerror}."
        problems.append(Problem(shown, "unreadable", message, "Check its permissions."))

    for here, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        below = Path(here)
        for path in (below / name for name in folders):
            if path.is_symlink():
                shown = path.relative_to(root).as_posix()
                message = "The folder is a symbolic link; links to folders are not followed."
                problems.append(Problem(shown, "linked-folder", message, "Replace the link with the folder."))
        for name in filter(_is_corpus_file, names):
            path = below / name
            if _SURROGATE.search(here, len(str(root))) or _SURROGATE.search(name):
                shown = path.relative_to(root).as_posix()
                message = "The name of the file or its folder is not UTF-8."
                problems.append(Problem(shown, "name-not-utf-8", message, "Rename it."))
            else:
                found.append(path)
    return sorted(found, key=lambda path: path.as_posix())


def _is_corpus_file(name: str) -> bool:
    return not name.startswith(".") and name.lower().endswith(_SUFFIXES)


def _stray(shown: str, remedy: str) -> Problem:
    return Problem(shown, "stray-file", "The file is not part of the corpus and would be skipped.", remedy)


def _remedy(path: Path) -> str:
    return "Rename it to end in .yaml." if path.suffix.lower() in (".yml", ".yaml") else "Rewrite it as a .yaml file."


class Stamp(Struct, frozen=True, array_like=True):
    """State of a file when it was read: its size, its times in nanoseconds, its inode, and the SHA-256 of its content."""

    size: int
    modified: int
    changed: int
    inode: int
    sha256: bytes

    def agrees(self, found: os.stat_result) -> bool:
        """Whether the file still has this size, these times and this inode."""
        return (self.size, self.modified, self.changed, self.inode) == (
            found.st_size,
            found.st_mtime_ns,
            found.st_ctime_ns,
            found.st_ino,
        )


def read_stamped(path: str | Path) -> tuple[bytes, Stamp]:
    """The content of a file, and its state before the reading. Raises `OSError`."""
    with open(path, "rb") as file:  # noqa: PTH123 - a `Path` for each of hundreds of files is slow
        found = os.fstat(file.fileno())
        content = file.read()
    digest = hashlib.sha256(content).digest()
    return content, Stamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, digest)


def read_text(path: Path, shown: str, problems: list[Problem], stamps: dict[str, Stamp] | None = None) -> str | None:
    """The text of the file at `path`, or None and a problem; `shown` is the path that problems show. `stamps` gets the
    state of the file."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a named pipe would block
            problems.append(
                Problem(shown, "not-a-file", "This is not a regular file.", "Replace it with a plain file.")
            )
            return None
        content, stamp = read_stamped(path)
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        problems.append(Problem(shown, "unreadable", message, "Check its permissions, and the target if it is a link."))
        return None
    if stamps is not None:
        stamps[shown] = stamp
    return _decoded(content, shown, problems)


def read_date(root: Path, problems: list[Problem]) -> str:
    """The day of the corpus' revision, YYYY-MM-DD; empty for a corpus that has none."""
    path = root / REVISION
    if not path.exists():
        return ""
    text = (read_text(path, REVISION, problems) or "").strip()
    if not is_date(text):
        problems.append(Problem(f"{REVISION}:1", "not-a-date", "The file is no date.", "Write one line: YYYY-MM-DD."))
    return text


def is_date(text: str) -> bool:
    """Whether the text is a date, YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _decoded(content: bytes, shown: str, problems: list[Problem]) -> str | None:
    """The text of UTF-8 bytes without a byte-order mark and without unseen characters, or None and a problem."""
    if content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        message, remedy = "The file starts with a byte-order mark.", "Save it as UTF-8 without a byte-order mark."
        problems.append(Problem(f"{shown}:1", "byte-order-mark", message, remedy))
        return None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"The file is not UTF-8: this line has the byte {content[error.start]:#04x}."
        problems.append(Problem(f"{shown}:{line}", "not-utf-8", message, "Save it as UTF-8."))
        return None
    unseen = _UNSEEN.search(text)
    if unseen is None:
        return text
    line = text.count("\n", 0, unseen.start()) + 1
    message = f"The line has the unescaped character U+{ord(unseen.group()):04X}."
    remedy = f'Write it as an escape in double quotes: "{escape(unseen.group())}".'
    problems.append(Problem(f"{shown}:{line}", "unseen-character", message, remedy))
    return None
