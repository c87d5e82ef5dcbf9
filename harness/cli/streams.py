"""Standard streams: closed ones, full disks, readers that stop, encodings with few characters."""

from __future__ import annotations

import errno
import io
import os
import sys

TYPE_CHECKING = False  # `parity --help` imports no module that it does not need
if TYPE_CHECKING:
    from typing import Any, TextIO

    from ..report.document_terminal import Medium

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Errors of a full disk, an exceeded quota, a file at its size limit, or a failing device."""

WIDTH = 100
"""Columns of output that does not go to a terminal."""

_MIN_WIDTH = 20

_EXIT_STATUS = 2
"""The exit status of a command that cannot write its output, as of every `ParityError`."""


class _Outlet(io.FileIO):
    """A descriptor whose reader may stop; later output is discarded without an error."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return super().write(data)


class _Guarded(io.TextIOWrapper):
    """A stream whose text is no command to the runner of GitHub Actions, which finds `##[` at any place of a line."""

    def write(self, text: str) -> int:
        return super().write(text.replace("##[", "#\\x23["))


def open_streams() -> None:
    """Opens closed streams on the null device, and makes output streams write unencodable characters as escapes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
        elif mode == "w" and stream is getattr(sys, f"__{name}__"):
            setattr(sys, name, _forgiving(stream))


def _forgiving(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """The same stream, without an error if its reader stops."""
    kind = _Guarded if os.environ.get("GITHUB_ACTIONS") == "true" else io.TextIOWrapper
    return kind(
        io.BufferedWriter(_Outlet(stream.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering or stream.write_through,
    )


def is_colored() -> bool:
    """Whether standard output shows colours and the user wants them."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns of the terminal, else of `COLUMNS`, else `WIDTH`; at least `_MIN_WIDTH`."""
    import shutil

    return max(_MIN_WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)


def medium() -> Medium:
    """Where a page is read: a terminal, or what takes its place."""
    from ..report.document_terminal import Medium

    return Medium(width(), is_colored())


def notice(message: str) -> None:
    """Prints a message on standard error; discards it if standard error cannot be written."""
    from ..errors import printable

    try:
        print(printable(message), file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def flushed(status: int) -> int:
    """The exit status after all output is written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return report_no_room(error)
    return status


def report_no_room(error: OSError) -> int:
    """Reports that output cannot be written, and returns the exit status."""
    where = f" to {error.filename}" if error.filename else ""
    notice(f"parity: the output{where} cannot be written: {error.strerror}. Free some space, or choose another place.")
    discard(sys.stdout)
    return _EXIT_STATUS


def discard(stream: TextIO) -> None:
    """Redirects the stream to the null device, so that its buffered output causes no error at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
