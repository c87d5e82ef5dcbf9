"""The requests in flight to one process, their size, and the time of the last reply."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from ..compare.canonical import compact
from ..model import Outcome
from ..protocol import request_bytes
from .case_execution import CaseExecution

MAX_IN_FLIGHT = 32
MAX_BYTES_IN_FLIGHT = 1024 * 1024
_ID_STEP = 7


def request_ids() -> Iterator[int]:
    """Ids in steps, so that an adapter that counts requests instead of returning their ids fails at once."""
    return count(_ID_STEP, _ID_STEP)


@dataclass(slots=True)
class InFlightRequest:
    """A request that was sent: its case, its size in bytes, and the time (seconds of the monotonic clock)."""

    execution: CaseExecution
    size: int
    at: float


@dataclass(slots=True)
class PendingVerdict:
    """The reply to a suspect. It counts once nothing has followed it until `until`."""

    id: int
    outcome: Outcome
    ms: float
    until: float


@dataclass(slots=True)
class InFlight:
    """The requests in flight to one process. `alone`: the one that is open was sent to be the only one."""

    alone: bool = False
    open: dict[int, InFlightRequest] = field(default_factory=dict)
    size: int = 0
    last_reply_at: float = 0.0
    answered: dict[int, str] = field(default_factory=dict)
    pending_verdict: PendingVerdict | None = None

    @property
    def fresh(self) -> bool:
        """Whether the process has not replied yet, so that no earlier request can be the cause of a break."""
        return not self.answered

    @property
    def last_answered(self) -> str:
        """The case that was answered last."""
        return next(reversed(self.answered.values()))

    def load(self, waiting: deque[CaseExecution], ids: Iterator[int], now: float, limit: int) -> bytes:
        """Takes cases from `waiting` until `limit` are in flight; returns their requests, with ids from `ids`, as bytes."""
        self.alone = limit == 1
        if not self.open:
            self.last_reply_at = now
        lines: list[bytes] = []
        while waiting and len(self.open) < limit:
            execution = waiting[0]
            params = compact(execution.case.request)
            id_ = next(ids)
            line = request_bytes(id_, execution.operation.name, params)
            if self.open and self.size + len(line) > MAX_BYTES_IN_FLIGHT:
                break
            waiting.popleft()
            self.open[id_] = InFlightRequest(execution, len(line), now)
            self.size += len(line)
            lines.append(line)
        return b"".join(lines)

    def record_reply(self, id_: int, now: float) -> float:
        """Notes a reply, and returns the milliseconds since the later of sending and the previous reply."""
        ms = (now - max(self.open[id_].at, self.last_reply_at)) * 1000
        self.last_reply_at = now
        return ms

    def complete(self, id_: int) -> CaseExecution:
        """Removes an answered request and returns its case; `alone` ends with the last request."""
        sent = self.open.pop(id_)
        self.size -= sent.size
        self.answered[id_] = sent.execution.case.name
        self.pending_verdict = None
        if not self.open:
            self.alone = False
        return sent.execution

    def is_answered(self, id_: int) -> bool:
        """Whether the request has a reply."""
        return id_ in self.answered or (self.pending_verdict is not None and self.pending_verdict.id == id_)

    def case_of(self, id_: int) -> str:
        """The case of a request that was sent."""
        return self.answered.get(id_) or self.open[id_].execution.case.name
