"""The time and the requests that a campaign spends on shrinking its findings."""

from __future__ import annotations

import time

from msgspec import Struct

from .campaign_report import Limits

MAX_SECONDS = 10.0
"""Seconds of shrinking for one finding, in a campaign with a limit in seconds."""

MAX_SHARE = 0.5
"""Share of such a campaign's seconds that all shrinking takes together."""

MAX_OVERTIME = 30.0
"""Seconds behind such a campaign's limit in which findings are still shrunk."""

MAX_REQUESTS = 6_000
"""Requests of all shrinking in a campaign without a limit in seconds, whose findings depend on the seed alone."""


class Allowance(Struct, frozen=True):
    """What one finding may spend: `requests`, and time until `deadline`, in seconds of the monotonic clock. None is no
    limit."""

    requests: int | None = None
    deadline: float | None = None

    def allows(self, requests: int) -> bool:
        """Whether another request may follow this number of requests."""
        return (self.requests is None or requests < self.requests) and (
            self.deadline is None or time.monotonic() < self.deadline
        )


NO_LIMIT = Allowance()


class ShrinkBudget(Struct):
    """What all findings of a campaign spend on shrinking. `started` is its begin on the monotonic clock; `seconds` and
    `requests` are spent."""

    limits: Limits
    started: float
    seconds: float = 0.0
    requests: int = 0

    def allowance(self) -> Allowance:
        """What the next finding may spend."""
        limit = self.limits.seconds
        if limit is None:
            return Allowance(requests=MAX_REQUESTS - self.requests)
        now = time.monotonic()
        end = self.started + limit + min(MAX_OVERTIME, limit * MAX_SHARE)
        return Allowance(deadline=min(end, now + min(MAX_SECONDS, limit * MAX_SHARE - self.seconds)))
