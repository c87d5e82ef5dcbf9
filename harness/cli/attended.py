"""An interview that somebody waits for: it gives way to Ctrl-C, and it is told when an adapter is long in starting, or
silent about what it was asked."""

from __future__ import annotations

import time
from collections.abc import Sequence

from harness.asking.interview import Event, Interview
from harness.asking.repeating import Repeated
from harness.asking.silence import PATIENCE, Silence
from harness.cli.interruption import give_way
from harness.cli.streams import say
from harness.model import ErrorKind, Implementation, Result
from harness.protocol import Channel
from harness.reporting.describing import plural


class Attended:
    """An interview, or several that look like one, that an interruption ends between two steps, so that no started process
    is ever lost sight of. If the adapter does not speak, one sentence tells, once, that it is being waited for: one of
    its start, and one of its requests. After the latter it is told how many cases it falls silent at.
    """

    def __init__(self, name: str, asked: Interview | Repeated, longest: float, probe: str) -> None:
        """`longest` is how many seconds the adapter is given to answer `initialize`, `probe` the command that tells why
        it is silent."""
        self._name = name
        self._asked = asked
        self._longest = longest
        self._probe = probe
        self._starting: Channel | None = None
        self._since = 0.0
        self._is_told = False
        self._is_silence_told = False
        self._timeouts = 0

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
        before = self._asked.silence
        events = self._asked.advance()
        if not self._is_told:
            self._is_told = any(isinstance(event, Implementation) for event in events) or self._tells()
        if not self._is_silence_told:
            self._is_silence_told = self._tells_of(self._asked.silence)
        elif before:
            self._count([event for event in events if isinstance(event, Result)], before)
        return events

    def abandon(self) -> None:
        """As of an interview."""
        self._asked.abandon()

    def _tells(self) -> bool:
        """Whether it was time to tell of the start."""
        now = time.monotonic()
        if self.channel is not self._starting:
            self._starting, self._since = self.channel, now
        waited = now - self._since
        if self.channel is None or waited < PATIENCE:
            return False
        self._say_waiting("initialize", waited, self._longest)
        return True

    def _tells_of(self, silence: Silence | None) -> bool:
        """Whether it was time to tell of a silence about requests."""
        if silence is None or not silence.is_long:
            return False
        self._say_waiting(silence.about, silence.seconds, silence.longest)
        return True

    def _say_waiting(self, what: str, seconds: float, longest: float) -> None:
        say(
            f"parity: still waiting for {self._name} to answer {what} ({seconds:.0f} s of {longest:g} s). "
            f"`{self._probe}` tells why it is silent."
        )

    def _count(self, results: Sequence[Result], before: Silence) -> None:
        """Counts the cases that the adapter was given up at, and tells of the 1st, the 10th, the 100th and so on."""
        for number, result in enumerate(results, 1):
            if result.judgement.kind is not ErrorKind.TIMEOUT:
                continue
            self._timeouts += 1
            if str(self._timeouts).strip("0") == "1":
                say(
                    f"parity: {self._name} fell silent at {plural(self._timeouts, 'case')} so far, "
                    f"{before.longest:g} s each; {plural(before.left - number, 'case')} left."
                )
