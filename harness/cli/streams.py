"""Standard output and error as they may be: closed, full, with a reader that went away, or of few characters."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
from pathlib import Path
from typing import Any, TextIO

from harness.errors import ParityError, printable

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What the system says where nothing more can be written."""


WIDTH = 100
"""Columns of what does not go to a terminal."""

_NARROWEST = 20


class _Outlet(io.FileIO):
    """A descriptor whose reader may go away: what is written from then on goes nowhere, and the verb knows nothing of it."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return super().write(data)


def open_streams() -> None:
    """Opens the streams that the caller closed on nothing, and lets each write what its encoding has not as escapes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and stream is getattr(sys, f"__{name}__"):
            setattr(sys, name, _forgiving(stream))


def _forgiving(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """The same stream, which does not mind that its reader goes away."""
    return io.TextIOWrapper(
        io.BufferedWriter(_Outlet(stream.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering or stream.write_through,
    )


def is_colored() -> bool:
    """Whether standard output shows colours and the user wants them."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns of the terminal, or as many as the user or we say where there is none; never too few for a word."""
    return max(_NARROWEST, shutil.get_terminal_size((WIDTH, 24)).columns)


def say(sentence: str) -> None:
    """One sentence on standard error, as far as that can be written."""
    try:
        print(printable(sentence), file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def flushed(status: int) -> int:
    """The status when all that was printed has gone out."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return no_room(error)
    return status


def no_room(error: OSError) -> int:
    """Says that what was to be written cannot be, and returns the status for it."""
    where = f" to {error.filename}" if error.filename else ""
    say(f"parity: what was to be written{where} cannot be: {error.strerror}. Make room, or write it elsewhere.")
    discard(sys.stdout)
    return ParityError.exit_status


def discard(stream: TextIO) -> None:
    """Lets what the stream still holds go nowhere, so that the end of the process does not stumble over it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
