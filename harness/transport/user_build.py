"""The user's own build command: `--build` runs it before the adapter starts, so that no stale program is judged."""

from __future__ import annotations

import shlex
import subprocess
import threading
from collections.abc import Callable
from typing import IO

from ..errors import AdapterUnavailable, UsageError, one_line, printable
from .process_tree import kill_process_tree

MAX_OUTPUT = 8_000
"""Bytes of the output that are kept: the last ones."""

MAX_LINES = 40
"""Lines of the output that are shown after a failure."""

_POLL_INTERVAL = 0.05
_DRAIN_SECONDS = 0.5
"""Seconds for the rest of the output after the exit; a process in the background can keep the pipe open."""


class BuildFailed(AdapterUnavailable):
    """The build command failed or cannot be started; `log` is the end of its output."""


class BuildStopped(Exception):
    """The caller stopped the build."""


def build_words(command: str) -> list[str]:
    """The words of a build command, as a shell splits them. Raises `UsageError`."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--build {one_line(command)}: {error}. Close the quotation.") from None
    if not words:
        raise UsageError("--build: the command is empty.")
    return words


def run_build(command: str, is_stopped: Callable[[], bool] = lambda: False) -> None:
    """Runs the command in the current folder with the caller's environment, without a shell and without input. What it
    leaves in the background ends with it.

    Raises `BuildFailed` if it fails, `BuildStopped` once `is_stopped`; an interruption or a stop ends its processes.
    """
    words = build_words(command)
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        hint = f" For shell syntax, use sh -c {shlex.quote(command)}." if set(command) & set("&|;<>$*") else ""
        raise BuildFailed(
            f"The build command {one_line(words[0])} cannot be started: {error.strerror}.{hint} No case was run."
        ) from None
    assert process.stdout is not None
    tail = _Tail(process.stdout)
    try:
        while True:
            try:
                status = process.wait(_POLL_INTERVAL)
                break
            except subprocess.TimeoutExpired:
                if is_stopped():
                    raise BuildStopped from None
    except BaseException:
        kill_process_tree(process.pid, "", reaped=False)
        process.wait()
        raise
    kill_process_tree(process.pid, "", reaped=True)
    if status:
        how = f"status {status}" if status > 0 else f"signal {-status}"
        raise BuildFailed(f"The build `{one_line(command)}` failed with {how}. No case was run.", log=tail.text())


class _Tail(threading.Thread):
    """Reads the output to its end and keeps the last part."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._stream = stream
        self._kept = b""
        self._is_cut = False
        self.start()

    def run(self) -> None:
        while chunk := self._stream.read1(MAX_OUTPUT):  # type: ignore[attr-defined]
            kept = self._kept + chunk
            self._is_cut |= len(kept) > MAX_OUTPUT
            self._kept = kept[-MAX_OUTPUT:]

    def text(self) -> str:
        """The last lines as printable text, after a short wait for the rest."""
        self.join(_DRAIN_SECONDS)
        lines = [line.expandtabs(4) for line in self._kept.decode("utf-8", "replace").splitlines()]
        is_cut = self._is_cut or len(lines) > MAX_LINES
        return "\n".join(["…"] * is_cut + [f"  {printable(line)}" for line in lines[-MAX_LINES:]])
