"""One adapter's process while it is probed: it is asked, listened to leniently, and started anew when it breaks down."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from harness.compare.canonical import compact
from harness.errors import one_line
from harness.model import Absent, Json, JsonObject
from harness.probe.findings import ProbeFindings, ProtocolFinding
from harness.probe.replies import Message, Reader
from harness.protocol import Channel, initialize_params, request_line
from harness.report.error_text import error_text
from harness.transport.sync_client import RequestFailed, SyncClient

_FLOOD = 2000
"""Requests after which even a generous buffer of replies (64 KiB) has run over several times."""
_QUIET = 0.5
"""Seconds without a line after which a flood is over."""
_MOST_BREAKDOWNS = 4
_POLL_INTERVAL = 0.05
"""Seconds between two looks at a process that is to exit."""
_FIRST_ID = 41
"""The ids are not those that an adapter would count to by itself."""


class Probed(Channel, Protocol):
    """A channel that shows a little more of itself."""

    def end_input(self) -> None:
        """Closes the adapter's standard input."""


class Exhausted(Exception):
    """Too much time has gone by, or too much has broken down, for the probe to go on."""


class ProbeSession:
    """Asks one command, in as many processes as that takes. A context manager that leaves none behind."""

    def __init__(self, start: Callable[[], Probed], findings: ProbeFindings, seconds: float, longest: float) -> None:
        self.findings = findings
        self.seconds = seconds
        self.ending = ""
        self.channel: Probed | None = None
        self._start = start
        self._talk: SyncClient | None = None
        self._half = b""
        self._reader = Reader(findings)
        self._deadline = time.monotonic() + longest
        self._next_id = _FIRST_ID
        self._breakdowns = 0
        self._last_stderr = ""
        findings.stderr = self.stderr

    def __enter__(self) -> ProbeSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Starts a fresh process. Raises `AdapterUnavailable`."""
        self.stop()
        self.channel = self._start()
        self._talk = SyncClient(self.channel)
        self._reader = Reader(self.findings)
        self._half = b""
        self.ending = ""

    def stop(self) -> None:
        """Ends the process, and keeps what it said on standard error."""
        if self.channel is not None:
            self._last_stderr = self.channel.stderr_since(0)
            self.channel.kill()
        self.channel, self._talk = None, None

    def stderr(self) -> str:
        """What the process has written to standard error, or the last one if none runs."""
        return self._last_stderr if self.channel is None else self.channel.stderr_since(0)

    def initialize(self) -> Message | None:
        """The reply to initialize of a fresh process."""
        self.start()
        return self.hear([self.send("initialize", initialize_params())])

    def ask(self, method: str, params: JsonObject, padding: int = 0) -> Message | None:
        """The reply to a request, in a live process; None if none came, and `ending` tells whether it had ended."""
        self._live()
        message = self.hear([self.send(method, params, padding)])
        if message is None:
            self.broke_down()
        return message

    def ask_together(self, requests: Sequence[tuple[str, JsonObject]]) -> int:
        """How many replies come when the requests arrive in one piece."""
        self._live()
        assert self.channel is not None
        ids = [self._take_id() for _ in requests]
        lines = [request_line(id_, method, params) for id_, (method, params) in zip(ids, requests, strict=True)]
        self.channel.send(b"".join(lines))
        count = 0
        while count < len(requests) and self.hear(ids) is not None:
            count += 1
        if count < len(requests):
            self.broke_down()
        return count

    def send(self, method: str, params: JsonObject, padding: int = 0) -> int:
        """Sends one request, with `padding` spaces within its line, and returns its id."""
        assert self.channel is not None
        id_ = self._take_id()
        self.channel.send(request_line(id_, method, params).replace(b"{", b"{" + b" " * padding, 1))
        return id_

    def hear(self, ids: Sequence[int], seconds: float | None = None) -> Message | None:
        """The next message, taken as the reply to one of `ids`; None if the adapter falls silent or ends."""
        message = self._read_line(min(seconds or self.seconds, self._left()))
        if message is not None and not any(_same_id(message.id, id_) for id_ in ids):
            self.findings.add(ProtocolFinding.WRONG_ID, _id_seen(message.id, ids[0]))
        return message

    def _read_line(self, seconds: float) -> Message | None:
        assert self._talk is not None and self.channel is not None
        deadline = time.monotonic() + seconds
        try:
            while (line := self._talk.line(max(0.0, deadline - time.monotonic()))) is not None:
                if (message := self._reader.read(line)) is not None:
                    return message
        except RequestFailed as broken:
            self.ending = error_text(broken.cause).rstrip(".")
        half, self._half = self._half, self.channel.half_line()
        message = self._reader.read_half(self._half) if self._half != half else None
        self._reader.give_up()
        return message

    def flooded(self) -> tuple[int, bool]:
        """After silence: how many bytes many more requests bring forth, and whether each of them was answered."""
        assert self._talk is not None and self.channel is not None
        self.channel.send(b"".join(self._line() for _ in range(_FLOOD)))
        deadline = time.monotonic() + min(self.seconds, self._left())
        count, size = 0, 0
        try:
            while time.monotonic() < deadline and (line := self._talk.line(_QUIET)) is not None:
                count, size = count + 1, size + len(line)
        except RequestFailed:
            return size, False
        return size + len(self.channel.half_line()), count > _FLOOD

    def _line(self) -> bytes:
        return request_line(self._take_id(), "initialize", initialize_params())

    def answers_at_end_of_input(self) -> bool:
        """Whether a fresh process answers initialize once its input has ended."""
        self.start()
        assert self.channel is not None
        self.send("initialize", initialize_params())
        self.channel.pump()
        self.channel.end_input()
        return self._read_line(min(self.seconds, self._left())) is not None

    def wait_for_exit(self, seconds: float) -> int | None:
        """The exit status, if the process exits by itself in time; what it writes meanwhile is read."""
        assert self.channel is not None
        deadline = time.monotonic() + seconds
        while self.channel.exit_status() is None and time.monotonic() < deadline:
            if self._read_line(_POLL_INTERVAL) is None and self.ending:
                time.sleep(_POLL_INTERVAL)
        return self.channel.exit_status()

    def broke_down(self) -> None:
        """The process is of no more use; the next question goes to a fresh one. Raises `Exhausted`, at the fourth."""
        self.stop()
        self._breakdowns += 1
        if self._breakdowns >= _MOST_BREAKDOWNS:
            raise Exhausted(f"it broke down {self._breakdowns} times")

    def _live(self) -> None:
        if self.channel is None and self.initialize() is None:
            raise Exhausted("a fresh process did not answer initialize")

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise Exhausted("it takes too long")
        return left

    def _take_id(self) -> int:
        self._next_id += 3
        return self._next_id


def _same_id(got: Json | Absent, wanted: int) -> bool:
    return isinstance(got, int) and not isinstance(got, bool) and got == wanted


def _id_seen(got: Json | Absent, wanted: int) -> str:
    if isinstance(got, Absent):
        return "the reply has no id"
    as_text = "as the text " if isinstance(got, str) else "as "
    return f"the id {wanted} came back {as_text}{one_line(compact(got), 40)}"
