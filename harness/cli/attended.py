"""An interview that somebody waits for: it gives way to Ctrl-C, and it is told when an adapter is long in starting."""

from __future__ import annotations

import time

from harness.asking.engine import Asked
from harness.asking.interview import Event
from harness.cli.interruption import give_way
from harness.cli.streams import say
from harness.model import Implementation
from harness.protocol import Channel

_PATIENCE = 5.0
"""Seconds without an answer to `initialize` after which somebody who waits is told what for."""


class Attended:
    """An interview, or several that look like one, that an interruption ends between two steps, so that no started process
    is ever lost sight of. If the adapter does not speak, one sentence tells, once, that it is being waited for.
    """

    def __init__(self, name: str, asked: Asked, longest: float) -> None:
        """`longest` is how many seconds the adapter is given to answer `initialize`."""
        self._name = name
        self._asked = asked
        self._longest = longest
        self._starting: Channel | None = None
        self._since = 0.0
        self._is_told = False

    @property
    def done(self) -> bool:
        """As of an interview."""
        return self._asked.done

    @property
    def channel(self) -> Channel | None:
        """As of an interview."""
        return self._asked.channel

    @property
    def settling(self) -> bool:
        """As of an interview."""
        return self._asked.settling

    def advance(self) -> list[Event]:
        """As of an interview."""
        give_way()
        events = self._asked.advance()
        if not self._is_told:
            self._is_told = any(isinstance(event, Implementation) for event in events) or self._tells()
        return events

    def abandon(self) -> None:
        """As of an interview."""
        self._asked.abandon()

    def _tells(self) -> bool:
        """Whether it was time to tell."""
        now = time.monotonic()
        if self.channel is not self._starting:
            self._starting, self._since = self.channel, now
        waited = now - self._since
        if self.channel is None or waited < _PATIENCE:
            return False
        say(
            f"parity: still waiting for {self._name} to answer initialize ({waited:.0f} s of {self._longest:g} s). "
            "`parity probe` tells why an adapter is silent."
        )
        return True
