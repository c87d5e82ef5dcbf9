"""Blocking client for one running adapter: one request at a time.

A run uses `runner.adapter_run`, which never blocks and assigns the blame. Single requests use this:

    with SyncClient(connection.start(())) as client:
        implementation = client.initialize("mine")
        reply = client.call("query.parse", {"query": "foo"}, seconds=10)
        failure = client.close()

A request without a valid reply raises `RequestFailed`; leaving the block kills the adapter's process tree.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

from ..errors import ProtocolViolation, one_line
from ..model import Breach, BreachCode, Break, Crash, Implementation, JsonObject, TimedOut
from ..protocol import (
    Channel,
    Reply,
    accepted,
    await_pipes,
    initialize_params,
    read_implementation,
    read_reply,
    request_bytes,
    request_line,
)

_POLL_INTERVAL = 0.05
"""Seconds between two checks of a waiting loop, since a process can end without an event on its pipes."""


class RequestFailed(Exception):
    """The adapter ended, timed out or broke the protocol; `cause` holds how."""

    def __init__(self, cause: Break) -> None:
        super().__init__(cause)
        self.cause = cause


class SyncClient:
    """Owns the running adapter `channel`; a context manager that leaves no process behind."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self._arrived: deque[bytes] = deque()
        self._next_id = 0

    def __enter__(self) -> SyncClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.channel.kill()

    def initialize(self, name: str, seconds: float = 60.0) -> Implementation:
        """The adapter's reply to `initialize`, under the name `name`. Raises `RequestFailed`."""
        reply = self.call("initialize", initialize_params(), seconds)
        try:
            return read_implementation(name, accepted(reply, BreachCode.INITIALIZE_REFUSED))
        except ProtocolViolation as violation:
            raise RequestFailed(violation.breach) from None

    def call(self, method: str, params: JsonObject, seconds: float = 10.0) -> Reply:
        """The reply to one request: a result or a refusal. Raises `RequestFailed`."""
        self._next_id += 1
        self.channel.send(request_line(self._next_id, method, params))
        reply = self._reply(method, seconds)
        if reply.id != self._next_id:
            raise RequestFailed(Breach(BreachCode.UNKNOWN_ID, "$.id", str(self._next_id), one_line(str(reply.id), 40)))
        return reply

    def call_all(self, method: str, params: Sequence[str], in_flight: int, seconds: float = 10.0) -> list[Reply]:
        """The replies to requests with parameters that are JSON already, in their order; at most `in_flight` wait for a
        reply at a time. Raises `RequestFailed`."""
        first = self._next_id + 1
        self._next_id += len(params)
        replies: dict[int, Reply] = {}
        sent = 0
        while len(replies) < len(params):
            while sent < len(params) and sent - len(replies) < in_flight:
                self.channel.send(request_bytes(first + sent, method, params[sent]))
                sent += 1
            reply = self._reply(method, seconds)
            if reply.id in replies or not first <= reply.id < first + sent:
                raise RequestFailed(Breach(BreachCode.UNKNOWN_ID, "$.id", "", one_line(str(reply.id), 40)))
            replies[reply.id] = reply
        return [replies[id_] for id_ in sorted(replies)]

    def _reply(self, method: str, seconds: float) -> Reply:
        """The next reply, whatever its id."""
        line = self.line(seconds)
        if line is None:
            raise RequestFailed(TimedOut(seconds, method))
        try:
            reply = read_reply(line)
        except ProtocolViolation as violation:
            raise RequestFailed(violation.breach) from None
        if reply.breach:
            raise RequestFailed(reply.breach)
        return reply

    def close(self, seconds: float = 5.0) -> Break | None:
        """Sends `shutdown`, and waits until the adapter exits; how it broke then, None if it exited with status 0."""
        try:
            self.call("shutdown", {}, seconds)
        except RequestFailed as broken:
            return broken.cause
        try:
            while self.line(seconds) is not None:
                pass
        except RequestFailed as broken:
            is_exit = isinstance(broken.cause, Crash) and not self.channel.exit_status()
            return None if is_exit else broken.cause
        return TimedOut(seconds, "shutdown")

    def line(self, seconds: float) -> bytes | None:
        """The next line that is not blank; None after a timeout. Raises `RequestFailed` once the adapter has ended."""
        deadline = time.monotonic() + seconds
        while not self._arrived:
            self.channel.pump()
            self._take()
            if self._arrived:
                break
            if ending := self.channel.ending():
                raise RequestFailed(ending)
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            await_pipes([self.channel], max(1, round(min(left, _POLL_INTERVAL) * 1000)))
        return self._arrived.popleft()

    def _take(self) -> None:
        try:
            self._arrived += [line for line in self.channel.lines() if line and not line.isspace()]
        except ProtocolViolation as violation:
            raise RequestFailed(violation.breach) from None
