"""Blocking client for one running adapter: one request at a time.

A run uses `runner.adapter_run`, which never blocks and assigns the blame. Single requests use this:

    with SyncClient(connection.start(())) as client:
        implementation = client.initialize("mine")
        reply = client.call("query.parse", {"query": "foo"}, seconds=10)
        failure = client.close()

A request without a valid reply raises `RequestFailed`; leaving the block kills the adapter's process tree.
"""

from __future__ import annotations

import select
import time
from collections import deque
from types import TracebackType

from harness.errors import ProtocolViolation, one_line
from harness.model import ErrorKind, Implementation, JsonObject
from harness.protocol import Channel, Reply, initialize_params, read_implementation, read_reply, request_line

_POLL_INTERVAL = 0.05
"""Seconds between two checks of a waiting loop, since a process can end without an event on its pipes."""


class RequestFailed(Exception):
    """The adapter ended, timed out or broke the protocol: `kind` has the case, the text the details."""

    def __init__(self, kind: ErrorKind, seen: str) -> None:
        super().__init__(seen)
        self.kind = kind


class SyncClient:
    """Owns the running adapter `channel`; a context manager that leaves no process behind."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self._arrived: deque[bytes] = deque()
        self._next_id = 0

    def __enter__(self) -> SyncClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.channel.kill()

    def initialize(self, name: str, seconds: float = 60.0) -> Implementation:
        """The adapter's reply to `initialize`, under the name `name`. Raises `RequestFailed`."""
        reply = self.call("initialize", initialize_params(), seconds)
        if reply.refusal is not None:
            message = one_line(reply.refusal.message)
            raise RequestFailed(ErrorKind.PROTOCOL, f"The adapter answered initialize with an error: {message}.")
        try:
            return read_implementation(name, reply.result)
        except ProtocolViolation as violation:
            raise RequestFailed(ErrorKind.PROTOCOL, str(violation)) from None

    def call(self, method: str, params: JsonObject, seconds: float = 10.0) -> Reply:
        """The reply to one request: a result or a refusal. Raises `RequestFailed`."""
        self._next_id += 1
        self.channel.send(request_line(self._next_id, method, params))
        line = self.line(seconds)
        if line is None:
            raise RequestFailed(ErrorKind.TIMEOUT, f"No reply to {method} for {seconds:g} s.")
        try:
            reply = read_reply(line)
        except ProtocolViolation as violation:
            raise RequestFailed(ErrorKind.PROTOCOL, str(violation)) from None
        if reply.breach:
            raise RequestFailed(ErrorKind.PROTOCOL, reply.breach)
        if reply.id != self._next_id:
            raise RequestFailed(ErrorKind.PROTOCOL, f"The reply to {method} has the id of another request.")
        return reply

    def close(self, seconds: float = 5.0) -> str:
        """Shuts the adapter down; returns the failure as text, empty if it exited with status 0."""
        try:
            self.call("shutdown", {}, seconds)
        except RequestFailed as broken:
            return str(broken)
        return self.wait_for_exit(seconds)

    def wait_for_exit(self, seconds: float) -> str:
        """Waits until the adapter exits; returns the failure as text, empty if it exited with status 0 in time."""
        try:
            while self.line(seconds) is not None:
                pass
        except RequestFailed as broken:
            if broken.kind is not ErrorKind.CRASH:
                return str(broken)
            return str(broken) if self.channel.exit_status() else ""
        return f"The adapter did not exit within {seconds:g} s of shutdown."

    def line(self, seconds: float) -> bytes | None:
        """The next line that is not blank; None after a timeout. Raises `RequestFailed` once the adapter has ended."""
        deadline = time.monotonic() + seconds
        while not self._arrived:
            self.channel.pump()
            self._take()
            if self._arrived:
                break
            if ending := self.channel.ending():
                raise RequestFailed(ErrorKind.CRASH, ending)
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            self._wait(min(left, _POLL_INTERVAL))
        return self._arrived.popleft()

    def _take(self) -> None:
        try:
            self._arrived += [line for line in self.channel.lines() if line and not line.isspace()]
        except ProtocolViolation as violation:
            raise RequestFailed(ErrorKind.PROTOCOL, str(violation)) from None

    def _wait(self, seconds: float) -> None:
        poll = select.poll()
        reading, writing = self.channel.waiting_on()
        for descriptor in reading:
            poll.register(descriptor, select.POLLIN)
        for descriptor in writing:
            poll.register(descriptor, select.POLLOUT)
        poll.poll(max(1, round(seconds * 1000)))
