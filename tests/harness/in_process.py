"""Commands that run inside the test process, as they would in a process of their own."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import BinaryIO


class TimeLimitExceeded(BaseException):
    """A command ran longer than its time limit. No `except Exception` in the command catches it."""


def call(
    command: Callable[[list[str]], int],
    words: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    timeout: float,
) -> subprocess.CompletedProcess[str]:
    """Runs the command line `words` in `folder` with exactly this environment: status, standard output and error.

    `command` takes the words after the first. `timeout` is in seconds. Child processes inherit both streams.
    Raises `TimeLimitExceeded`.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with _streams(out, err), _surroundings(words, folder, environment), time_limit(timeout):
            status = command([*words[1:]])
        return subprocess.CompletedProcess(words, status, _text(out), _text(err))


def _text(file: BinaryIO) -> str:
    """All that was written to the file, with line feeds as `subprocess` reads them."""
    file.seek(0)
    return file.read().decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


@contextlib.contextmanager
def _streams(out: BinaryIO, err: BinaryIO) -> Iterator[None]:
    """Inside, descriptors 1 and 2 lead to these files, and `sys.stdin` is empty."""
    before = sys.stdin, sys.stdout, sys.stderr
    for stream in before[1:]:
        stream.flush()
    kept = [(number, os.dup(number)) for number in (1, 2)]
    with contextlib.ExitStack() as stack:
        for file, (number, copy) in zip((out, err), kept, strict=True):
            stack.callback(os.close, copy)
            stack.callback(os.dup2, copy, number)
            os.dup2(file.fileno(), number)
        sys.stdin = stack.enter_context(Path(os.devnull).open(encoding="utf-8"))
        sys.stdout, sys.stderr = (_stream(number) for number in (1, 2))
        try:
            yield
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            sys.stdin, sys.stdout, sys.stderr = before


def _stream(number: int) -> io.TextIOWrapper:
    """Standard output or standard error, as a command opens it."""
    file = io.FileIO(number, "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(file), encoding="utf-8", errors="backslashreplace", line_buffering=number == 2
    )


@contextlib.contextmanager
def _surroundings(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    """Inside, these are the command line, the current folder and the environment; the temporary folder follows them."""
    here, before, temporary, arguments = Path.cwd(), dict(os.environ), tempfile.tempdir, sys.argv
    try:
        sys.argv = [*words]
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        tempfile.tempdir = None
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        os.chdir(here)
        tempfile.tempdir = temporary
        sys.argv = arguments


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Inside, the main thread is interrupted after so many seconds."""

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise TimeLimitExceeded(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
