"""The requests in flight to one process, their size, and the time of the last reply."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import count

from msgspec import Struct, field

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


class InFlightRequest(Struct):
    """A request that was sent: its id, its case, its size in bytes, and the time (seconds of the monotonic clock). With an
    `outcome` it was answered alone, after `ms`, and the reply counts once nothing has followed it until `until`."""

    id: int
    execution: CaseExecution
    size: int
    at: float
    outcome: Outcome | None = None
    ms: float = 0.0
    until: float = 0.0


class InFlight(Struct):
    """The requests in flight to one process. `alone`: the one that is open was sent to be the only one."""

    alone: bool = False
    open: dict[int, InFlightRequest] = field(default_factory=dict)
    size: int = 0
    last_reply_at: float = 0.0
    answered: dict[int, str] = field(default_factory=dict)

    @property
    def pending_verdict(self) -> InFlightRequest | None:
        """The request that was sent alone and has a reply which does not count yet."""
        only = next(iter(self.open.values())) if self.alone and self.open else None
        return only if only and only.outcome else None

    @property
    def is_known_hang(self) -> bool:
        """Whether the request that is alone in flight is known to time out."""
        return self.alone and any(request.execution.is_known_hang for request in self.open.values())

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
            self.open[id_] = InFlightRequest(id_, execution, len(line), now)
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
        if not self.open:
            self.alone = False
        return sent.execution

    def is_answered(self, id_: int) -> bool:
        """Whether the request has a reply."""
        return id_ in self.answered or (id_ in self.open and self.open[id_].outcome is not None)
