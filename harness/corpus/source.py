"""A file → its text: UTF-8 without a byte-order mark and without characters that would vanish or break a line unseen."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from harness.errors import Problem, escape

_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)")
"""What YAML refuses, plus what its versions disagree about: NEL, U+2028 and U+2029 end a line in YAML 1.1 only."""


def read_text(path: Path, shown: str, problems: list[Problem]) -> str | None:
    """The text of the file at `path`, or nothing and a problem; `shown` is the path as problems name it."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for
            problems.append(Problem(shown, "This is not a regular file.", "Put a plain file in its place."))
            return None
        content = path.read_bytes()
    except OSError as error:
        problems.append(
            Problem(
                shown, f"The file cannot be read: {error.strerror}.", "Check its permissions, and where it links to."
            )
        )
        return None
    return decoded(content, shown, problems)


def decoded(content: bytes, shown: str, problems: list[Problem]) -> str | None:
    """The same of a file's bytes."""
    if content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        problems.append(
            Problem(
                f"{shown}:1", "The file starts with a byte-order mark.", "Save it as UTF-8 without a byte-order mark."
            )
        )
        return None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = f"The file is not UTF-8: it holds the byte {content[error.start]:#04x} here."
        problems.append(Problem(f"{shown}:{line}", found, "Save it as UTF-8."))
        return None
    unseen = _UNSEEN.search(text)
    if unseen is None:
        return text
    line = text.count("\n", 0, unseen.start()) + 1
    character = f"U+{ord(unseen.group()):04X}"
    remedy = f'Write it as an escape in double quotes: "{escape(unseen.group())}".'
    problems.append(Problem(f"{shown}:{line}", f"The character {character} stands here unescaped.", remedy))
    return None
