"""An interview that somebody waits for: it gives way to Ctrl-C, and it is told when an adapter is long in starting, or
silent about what it was asked."""

from __future__ import annotations

import time
from collections.abc import Sequence

from harness.cli.interrupts import raise_pending_interrupt
from harness.cli.streams import say
from harness.model import ErrorKind, Implementation, Result
from harness.protocol import Channel
from harness.report.text import plural
from harness.runner.adapter_run import AdapterRun, Event
from harness.runner.repeat import RepeatedRun
from harness.runner.stall import STALL_NOTICE_AFTER, Stall


class StallNotice:
    """An interview, or several that look like one, that an interruption ends between two steps, so that no started process
    is ever lost sight of. If the adapter does not speak, one sentence tells, once, that it is being waited for: one of
    its start, and one of its requests. After the latter it is told how many cases it falls silent at.
    """

    def __init__(self, name: str, asked: AdapterRun | RepeatedRun, longest: float, probe: str) -> None:
        """`longest` is how many seconds the adapter is given to answer `initialize`, `probe` the command that tells why
        it is silent."""
        self._name = name
        self._asked = asked
        self._longest = longest
        self._probe = probe
        self._starting: Channel | None = None
        self._since = 0.0
        self._start_notice_sent = False
        self._stall_notice_sent = False
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
    def pending_verdict(self) -> bool:
        """As of an interview."""
        return self._asked.pending_verdict

    def step(self) -> list[Event]:
        """As of an interview."""
        raise_pending_interrupt()
        before = self._asked.silence
        events = self._asked.step()
        if not self._start_notice_sent:
            self._start_notice_sent = any(isinstance(event, Implementation) for event in events) or self._notify_start()
        if not self._stall_notice_sent:
            self._stall_notice_sent = self._notify_stall(self._asked.silence)
        elif before:
            self._count([event for event in events if isinstance(event, Result)], before)
        return events

    def abandon(self) -> None:
        """As of an interview."""
        self._asked.abandon()

    def _notify_start(self) -> bool:
        """Whether it was time to tell of the start."""
        now = time.monotonic()
        if self.channel is not self._starting:
            self._starting, self._since = self.channel, now
        waited = now - self._since
        if self.channel is None or waited < STALL_NOTICE_AFTER:
            return False
        self._print_waiting("initialize", waited, self._longest)
        return True

    def _notify_stall(self, silence: Stall | None) -> bool:
        """Whether it was time to tell of a silence about requests."""
        if silence is None or not silence.is_long:
            return False
        self._print_waiting(silence.about, silence.seconds, silence.longest)
        return True

    def _print_waiting(self, what: str, seconds: float, longest: float) -> None:
        say(
            f"parity: still waiting for {self._name} to answer {what} ({seconds:.0f} s of {longest:g} s). "
            f"`{self._probe}` tells why it is silent."
        )

    def _count(self, results: Sequence[Result], before: Stall) -> None:
        """Counts the cases that the adapter was given up at, and tells of the 1st, the 10th, the 100th and so on."""
        for number, result in enumerate(results, 1):
            if result.kind is not ErrorKind.TIMEOUT:
                continue
            self._timeouts += 1
            if str(self._timeouts).strip("0") == "1":
                say(
                    f"parity: {self._name} fell silent at {plural(self._timeouts, 'case')} so far, "
                    f"{before.longest:g} s each; {plural(before.left - number, 'case')} left."
                )
