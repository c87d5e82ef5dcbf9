"""A subprocess whose input can be ended, as probing an adapter needs."""

from __future__ import annotations

import contextlib

from harness.transport.process import Process


class ProbedProcess(Process):
    """A `Process` that shows a little more of itself."""

    def end_input(self) -> None:
        """Closes the adapter's standard input; what was not written yet is dropped."""
        self._unsent.clear()
        self._open.discard(self._in)
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
