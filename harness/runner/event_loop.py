"""The event loop: every implementation is interviewed at once, in one thread, and what happens is yielded as
it happens."""

from __future__ import annotations

import select
from collections.abc import Iterator, Sequence
from typing import Protocol

from harness.protocol import Channel
from harness.runner.adapter_run import Event

_POLL_INTERVAL = 50
"""Milliseconds after which the loop looks again although no pipe is ready, since a process can end without a sign."""

_SHORT_POLL_INTERVAL = 5
"""The same where a pipe has been closed, which is mostly the moment before an end, or a reply is about to count."""


class Asked(Protocol):
    """An interview, or several that look like one."""

    @property
    def done(self) -> bool: ...

    @property
    def channel(self) -> Channel | None: ...

    @property
    def pending_verdict(self) -> bool: ...

    def step(self) -> list[Event]: ...

    def abandon(self) -> None: ...


def run_all(interviews: Sequence[Asked]) -> Iterator[list[Event]]:
    """Carries every interview to its end, and leaves no process behind, however it is left itself."""
    active = list(interviews)
    try:
        while active:
            for interview in active:
                if events := interview.step():
                    yield events
            active = [interview for interview in active if not interview.done]
            wait(active)
    finally:
        for interview in interviews:
            interview.abandon()


def wait(interviews: Sequence[Asked]) -> None:
    """Sleeps until some pipe is ready, or for a nap."""
    poll = select.poll()
    nap = _POLL_INTERVAL
    for interview in interviews:
        if interview.channel is None:
            return
        reading, writing = interview.channel.waiting_on()
        if interview.pending_verdict or len(reading) < 2:
            nap = _SHORT_POLL_INTERVAL
        for descriptor in reading:
            poll.register(descriptor, select.POLLIN)
        for descriptor in writing:
            poll.register(descriptor, select.POLLOUT)
    poll.poll(nap)
