"""A running adapter: its processes and its three pipes; none of them can block, flood or outlive the harness.

A supervisor ends them if the harness itself is killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..errors import AdapterUnavailable, ProtocolViolation
from ..model import Breach, BreachCode, Crash
from ..protocol import MAX_LINE_BYTES
from .process_tree import kill_process_tree
from .sandbox import Sandbox
from .supervisor import SUPERVISOR

STDERR_KEPT = 64 * 1024
"""Bytes of an adapter's standard error that are kept: the last ones."""

_CHUNK = 256 * 1024
_MAX_PUMP_BYTES = 1024 * 1024
"""Bytes read from a pipe in one go; a pipe holds no more, so one go reads everything that an ended process wrote."""

_EXIT_GRACE = 0.2
"""Seconds that a process has to exit after it closed its output, so that its exit status is known."""


class Process:
    """A `Channel` over a subprocess with its own session, home folder and TMPDIR.

    The value of TMPDIR is also the mark that finds the processes which the subprocess leaves behind.
    """

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        try:
            self._sandbox = Sandbox()
        except OSError as error:
            raise _unavailable(command, error) from None
        SUPERVISOR.starting(self._sandbox.folder)
        try:
            self._process = subprocess.Popen(
                list(command),
                cwd=folder,
                env=self._sandbox.sandboxed(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._sandbox.close()
            raise _unavailable(command, error) from None
        SUPERVISOR.started(self._process.pid, self._sandbox.folder)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        self._err = self._process.stderr.fileno()
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._unsent = bytearray()
        self._partial = bytearray()
        self._lines: list[bytes] = []
        self._stderr = bytearray()
        self._stderr_seen = 0
        self._open = {self._in, self._out, self._err}
        self._out_ended_at: float | None = None

    def waiting_on(self) -> tuple[Sequence[int], Sequence[int]]:
        reading = [descriptor for descriptor in (self._out, self._err) if descriptor in self._open]
        return reading, [self._in] if self._unsent and self._in in self._open else []

    def send(self, data: bytes) -> None:
        self._unsent += data
        self._write()

    def end_input(self) -> None:
        self._unsent.clear()
        self._open.discard(self._in)
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def pump(self) -> None:
        if self._unsent:
            self._write()
        self._read_stdout()
        self._read_stderr()

    def _write(self) -> None:
        while self._unsent and self._in in self._open:
            try:
                count = os.write(self._in, self._unsent)
            except BlockingIOError:
                return
            except OSError:  # it closed its standard input; its end or a timeout follows
                self._open.discard(self._in)
                return
            del self._unsent[:count]

    def _available(self, descriptor: int) -> Iterator[bytes]:
        """The output that a pipe has now, a bounded amount. A pipe that has ended is open no more."""
        taken = 0
        while descriptor in self._open and taken < _MAX_PUMP_BYTES:
            try:
                data = os.read(descriptor, _CHUNK)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self._open.discard(descriptor)
            taken += len(data)
            yield data

    def _read_stdout(self) -> None:
        for data in self._available(self._out):
            if data:
                self._take(data)
            else:
                self._out_ended_at = time.monotonic()

    def _take(self, data: bytes) -> None:
        if not self._partial and not data.strip(b" \t\r\n"):  # a flood of blank lines costs no time
            return
        if b"\n" not in data:
            self._partial += data
            return
        *complete, rest = data.split(b"\n")
        if self._partial:
            complete[0] = bytes(self._partial) + complete[0]
            self._partial.clear()
        self._lines += complete
        self._partial += rest

    def _read_stderr(self) -> None:
        for data in self._available(self._err):
            self._stderr_seen += len(data)
            self._stderr += data
            del self._stderr[:-STDERR_KEPT]

    def lines(self) -> list[bytes]:
        taken, self._lines = self._lines, []
        if len(self._partial) > MAX_LINE_BYTES or any(len(line) > MAX_LINE_BYTES for line in taken):
            raise ProtocolViolation(Breach(BreachCode.LINE_TOO_LONG, expected=f"{MAX_LINE_BYTES // 1024 // 1024} MiB"))
        return taken

    def ending(self) -> Crash | None:
        if self._lines:
            return None
        exited = self._process.poll()
        if exited is None:
            return self._closed_output()
        if self._out in self._open:  # a grandchild can hold the pipe; the output of this process is in it already
            self._read_stdout()
            if self._lines:
                return None
        self._read_stderr()
        if exited >= 0:
            return Crash(exited, partial_line=len(self._partial))
        return Crash(signal=signal_name(-exited), partial_line=len(self._partial))

    def _closed_output(self) -> Crash | None:
        """The crash of an adapter that still runs with its standard output closed."""
        if self._out_ended_at is None or time.monotonic() - self._out_ended_at < _EXIT_GRACE:
            return None
        return Crash()

    def half_line(self) -> bytes:
        return bytes(self._partial)

    def exit_status(self) -> int | None:
        return self._process.poll()

    def stderr_mark(self) -> int:
        self._read_stderr()
        return self._stderr_seen

    def stderr_since(self, mark: int) -> str:
        self._read_stderr()
        count = min(self._stderr_seen - mark, len(self._stderr))
        return bytes(self._stderr[len(self._stderr) - count :]).decode("utf-8", "replace") if count > 0 else ""

    def kill(self) -> None:
        reaped = self._process.returncode is not None
        kill_process_tree(self._process.pid, self._sandbox.temporary, reaped=reaped)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._open.clear()
        self._sandbox.close()
        SUPERVISOR.ended(self._process.pid)


def _unavailable(command: Sequence[str], error: OSError | ValueError) -> AdapterUnavailable:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return AdapterUnavailable(f"{command[0]} cannot be started: {reason}.", remedy="Check the command and its rights.")


def signal_name(number: int) -> str:
    """The name of a signal, or its number if it has none."""
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return str(number)
