"""Ends the adapters of a harness process that was killed: a shell that waits for the end of a pipe.

The harness writes a line for each adapter that it starts or ends, and holds the only write end of the pipe. When it dies,
however it dies, the shell reads the end of input, kills the process groups that are left and, where `/proc` exists, every
process with their TMPDIR, and removes their folders. One shell serves all adapters of a process.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess

_SCRIPT = """
trap '' INT TERM HUP QUIT
while read -r sign pid folder; do
    case $sign in
    .) folder_0=$folder ;;
    +) pids="$pids $pid"; eval "folder_$pid=\\$folder"; folder_0= ;;
    -) rest=; for one in $pids; do [ "$one" = "$pid" ] || rest="$rest $one"; done; pids=$rest ;;
    esac
done
for pid in $pids; do kill -9 -- "-$pid"; done
for pid in $pids 0; do
    eval "folder=\\$folder_$pid"
    case $folder in */parity-*) ;; *) continue ;; esac
    for sweep in 1 2 3; do
        for file in $(grep -lzxF "TMPDIR=$folder/tmp" /proc/[0-9]*/environ); do
            file=${file#/proc/}
            kill -9 "${file%/environ}"
        done
    done
    rm -rf -- "$folder"
done
"""
"""Reads `. 0 FOLDER` before a start, `+ PID FOLDER` after it, and `- PID`."""


class Supervisor:
    """The shell of one harness process, started with the first adapter; without a shell there is no supervision."""

    def __init__(self) -> None:
        self._owner = 0
        self._shell: subprocess.Popen[bytes] | None = None

    def starting(self, folder: str) -> None:
        """Notes the folder of an adapter that starts now, so that a kill between its start and `started` leaves nothing."""
        if self._owner != os.getpid():
            self._start()
        self._write(f". 0 {folder}\n")

    def started(self, pid: int, folder: str) -> None:
        """Notes an adapter: the leader of its process group, and the folder that its TMPDIR is in."""
        self._write(f"+ {pid} {folder}\n")

    def ended(self, pid: int) -> None:
        """Notes that nothing of the adapter is left."""
        self._write(f"- {pid}\n")

    def close(self) -> None:
        """Ends the shell."""
        if self._shell is None or self._shell.stdin is None or self._owner != os.getpid():
            return
        with contextlib.suppress(OSError):
            self._shell.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._shell.wait(5)
        self._owner, self._shell = 0, None

    def _start(self) -> None:
        self._owner, self._shell = os.getpid(), None
        with contextlib.suppress(OSError):
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT],
                cwd="/",
                env={"PATH": os.defpath},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )

    def _write(self, line: str) -> None:
        if self._shell is not None and self._shell.stdin is not None:
            with contextlib.suppress(OSError):
                self._shell.stdin.write(os.fsencode(line))


SUPERVISOR = Supervisor()
"""The supervisor of this process."""

atexit.register(SUPERVISOR.close)
