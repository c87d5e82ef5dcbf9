"""A lenient client for one probed command: it records mistakes as findings and restarts a process that breaks down."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ..compare.canonical import compact
from ..compare.error_text import error_text
from ..errors import one_line
from ..model import Absent, Json, JsonObject
from ..protocol import Channel, initialize_params, request_line
from ..transport.sync_client import RequestFailed, SyncClient
from .mistakes import ProbeFindings, ProtocolFinding
from .replies import Message, Reader

_FLOOD = 2000
"""Requests whose replies overflow a large output buffer (64 KiB) several times."""
_QUIET = 0.5
"""Seconds without a line after which a flood is over."""
_MAX_SILENCES = 4
"""Timeouts after which no further request is sent; each costs the whole --timeout."""
_MAX_BREAKDOWNS = 60
_POLL_INTERVAL = 0.05
"""Seconds between two checks of a process that should exit."""
_FIRST_ID = 41
"""The ids start here and grow by 3, so that an adapter cannot produce them by counting."""


class Exhausted(Exception):
    """The probe stops: it ran out of time, or the adapter broke down too often."""


class BreakdownLimit(Exhausted):
    """The adapter broke down too often; a new process can still be checked for its end."""


class ProbeSession:
    """Runs one command, in as many processes as the checks need. A context manager that leaves no process behind."""

    def __init__(self, start: Callable[[], Channel], findings: ProbeFindings, seconds: float, longest: float) -> None:
        self.findings = findings
        self.seconds = seconds
        self.ending = ""
        self.channel: Channel | None = None
        self._start = start
        self._client: SyncClient | None = None
        self._half = b""
        self._reader = Reader(findings)
        self._deadline = time.monotonic() + longest
        self._next_id = _FIRST_ID
        self._breakdowns = self._silences = 0
        self._last_stderr = ""
        findings.stderr = self.stderr

    def __enter__(self) -> ProbeSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Starts a new process. Raises `AdapterUnavailable`."""
        self.stop()
        self.channel = self._start()
        self._client = SyncClient(self.channel)
        self._reader = Reader(self.findings)
        self._half = b""
        self.ending = ""

    def stop(self) -> None:
        """Ends the process and keeps its standard error."""
        if self.channel is not None:
            self._last_stderr = self.channel.stderr_since(0)
            self.channel.kill()
        self.channel, self._client = None, None

    def stderr(self) -> str:
        """The standard error of the process, or of the last one if none runs."""
        return self._last_stderr if self.channel is None else self.channel.stderr_since(0)

    def initialize(self) -> Message | None:
        """The reply of a new process to initialize."""
        self.start()
        return self.receive([self.send("initialize", initialize_params())])

    def call(self, method: str, params: JsonObject, padding: int = 0) -> Message | None:
        """The reply to a request, in a running process; None without a reply, and then `ending` is how the process ended."""
        self._ensure_running()
        message = self.receive([self.send(method, params, padding)])
        if message is None:
            self.abandon()
        return message

    def call_together(self, requests: Sequence[tuple[str, JsonObject]]) -> int:
        """The number of replies to requests that arrive in one piece."""
        self._ensure_running()
        assert self.channel is not None
        ids = [self._take_id() for _ in requests]
        lines = [request_line(id_, method, params) for id_, (method, params) in zip(ids, requests, strict=True)]
        self.channel.send(b"".join(lines))
        count = 0
        while count < len(requests) and self.receive(ids) is not None:
            count += 1
        if count < len(requests):
            self.abandon()
        return count

    def send(self, method: str, params: JsonObject, padding: int = 0) -> int:
        """Sends one request, with `padding` spaces within its line, and returns its id."""
        assert self.channel is not None
        id_ = self._take_id()
        plain = method in ("initialize", "shutdown")
        self.findings.request = "" if plain else f"{method} {one_line(compact(params), 120)}"
        self.channel.send(request_line(id_, method, params).replace(b"{", b"{" + b" " * padding, 1))
        return id_

    def receive(self, ids: Sequence[int], seconds: float | None = None) -> Message | None:
        """The next message, read as the reply to one of `ids`; None after a timeout or the end of the process."""
        message = self._read_line(min(seconds or self.seconds, self._remaining()))
        if message is not None and not any(_same_id(message.id, id_) for id_ in ids):
            self.findings.add(ProtocolFinding.WRONG_ID, _id_evidence(message.id, ids[0]))
        return message

    def _read_line(self, seconds: float) -> Message | None:
        assert self._client is not None and self.channel is not None
        deadline = time.monotonic() + seconds
        try:
            while (line := self._client.line(max(0.0, deadline - time.monotonic()))) is not None:
                if (message := self._reader.read(line)) is not None:
                    return message
        except RequestFailed as broken:
            self.ending = error_text(broken.cause).rstrip(".")
        half, self._half = self._half, self.channel.half_line()
        message = self._reader.read_half(self._half) if self._half != half else None
        self._reader.give_up()
        return message

    def flood(self) -> tuple[int, bool]:
        """Sends many more requests after a timeout: the bytes that arrive, and whether every request has a reply."""
        assert self._client is not None and self.channel is not None
        self.channel.send(b"".join(self._line() for _ in range(_FLOOD)))
        deadline = time.monotonic() + min(self.seconds, self._remaining())
        count, size = 0, 0
        try:
            while time.monotonic() < deadline and (line := self._client.line(_QUIET)) is not None:
                count, size = count + 1, size + len(line)
        except RequestFailed:
            return size, False
        return size + len(self.channel.half_line()), count > _FLOOD

    def _line(self) -> bytes:
        return request_line(self._take_id(), "initialize", initialize_params())

    def answers_at_end_of_input(self) -> bool:
        """Whether a new process answers initialize once its input has ended."""
        self.start()
        assert self.channel is not None
        self.send("initialize", initialize_params())
        self.channel.pump()
        self.channel.end_input()
        return self._read_line(min(self.seconds, self._remaining())) is not None

    def wait_for_exit(self, seconds: float) -> int | None:
        """The exit status if the process exits in time, else None; reads its output meanwhile."""
        assert self.channel is not None
        deadline = time.monotonic() + seconds
        while self.channel.exit_status() is None and time.monotonic() < deadline:
            if self._read_line(_POLL_INTERVAL) is None and self.ending:
                time.sleep(_POLL_INTERVAL)
        return self.channel.exit_status()

    def abandon(self) -> None:
        """Ends a process that broke down; the next request starts a new one. Raises `BreakdownLimit`, after few timeouts or
        many crashes."""
        self.stop()
        self._breakdowns += 1
        self._silences += not self.ending
        if self._silences >= _MAX_SILENCES or self._breakdowns >= _MAX_BREAKDOWNS:
            raise BreakdownLimit(f"the adapter broke down {self._breakdowns} times")

    def _ensure_running(self) -> None:
        if self.channel is None and self.initialize() is None:
            raise Exhausted("a new process did not answer initialize")

    def _remaining(self) -> float:
        seconds = self._deadline - time.monotonic()
        if seconds <= 0:
            raise Exhausted("the probe ran out of time")
        return seconds

    def _take_id(self) -> int:
        self._next_id += 3
        return self._next_id


def _same_id(found: Json | Absent, expected: int) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and found == expected


def _id_evidence(found: Json | Absent, expected: int) -> str:
    if isinstance(found, Absent):
        return "the reply has no id"
    kind = "the text " if isinstance(found, str) else ""
    return f"expected the id {expected}, found {kind}{one_line(compact(found), 40)}"
