"""Standard output and error as they may be: closed, full, with a reader that went away, or of few characters."""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path
from typing import TextIO

from harness.errors import ParityError, printable

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What the system says where nothing more can be written."""


def open_streams() -> None:
    """Opens the streams that the caller closed on nothing, and lets each write what its encoding has not as escapes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(sentence: str) -> None:
    """One sentence on standard error, as far as that can be written."""
    try:
        print(printable(sentence), file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def flushed(status: int) -> int:
    """The status when all that was printed has gone out. A reader that went away changes nothing of it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        discard(sys.stdout)
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
