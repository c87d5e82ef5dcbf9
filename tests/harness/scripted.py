"""An adapter in memory and a clock that stands still, for tests that drive an adapter run step by step."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from harness.errors import AdapterUnavailable
from harness.model import (
    EXACT,
    Answered,
    Breach,
    BreachCode,
    Case,
    CaseBody,
    Crash,
    ErrorKind,
    Json,
    Operation,
    Result,
    Verdict,
)
from harness.protocol import Channel
from harness.runner.adapter_run import AdapterRun
from harness.runner.events import Event

OPERATION = Operation("echo.say", "echo", EXACT, (), ("empty",))
OPERATIONS = {OPERATION.name: OPERATION}


def verdict_of(result: Result) -> tuple[Verdict, ErrorKind | None]:
    """The verdict, and why it is an error if it is one."""
    return result.verdict, result.kind


def echo_case(text: str, environment: tuple[tuple[str, str], ...] = ()) -> Case:
    """The case `echo/said/TEXT`: an adapter returns the text that it is sent."""
    return Case(
        name=f"echo/said/{text}",
        at="cases/echo/said.yaml:1",
        operation=OPERATION.name,
        requirements=(),
        origin="spec-text",
        revision="1.0",
        environment=environment,
        body=CaseBody(recorded_request={"text": text}, expected=Answered({"text": text})),
    )


def answer_error(operation: Operation, answer: Json) -> Breach | None:  # noqa: ARG001
    """The breach of an answer that has no text, as the schema of `echo.say` finds it."""
    is_good = isinstance(answer, dict) and isinstance(answer.get("text"), str) and len(answer) == 1
    return None if is_good else Breach(BreachCode.MISSING_MEMBER, "$.text")


class Clock:
    """The time of `harness.runner.adapter_session` between `start` and `stop`; seconds."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._patch = patch("harness.runner.adapter_session.time", SimpleNamespace(monotonic=lambda: self.now))

    def start(self) -> None:
        """Takes the place of the real clock."""
        self._patch.start()

    def stop(self) -> None:
        """Gives the real clock back."""
        self._patch.stop()


@dataclass
class ScriptedChannel(Channel):
    """A process that does only what the test makes it do. `open` are the unanswered requests: id → params."""

    initialize: int | None = None
    shutdown: int | None = None
    open: dict[int, dict[str, Any]] = field(default_factory=dict)
    replied: list[int] = field(default_factory=list)
    batches: list[tuple[bool, list[str]]] = field(default_factory=list)
    """The texts of each batch of requests, and whether it came while nothing else was open."""
    written: list[bytes] = field(default_factory=list)
    status: int | None = None
    killed: bool = False
    introduced: bool = False

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self.status is None and not self.killed

    def send(self, data: bytes) -> None:
        requests = [json.loads(line) for line in data.splitlines()]
        asked = [one for one in requests if one["method"] == OPERATION.name]
        if asked:
            self.batches.append((not self.open, [one["params"]["text"] for one in asked]))
        for one in requests:
            if one["method"] == OPERATION.name:
                self.open[one["id"]] = one["params"]
            else:
                setattr(self, one["method"], one["id"])

    def write(self, line: bytes) -> None:
        """Writes one line to standard output."""
        self.written.append(line)

    def reply(self, id_: int, **content: Any) -> None:
        """Replies to a request."""
        self.open.pop(id_, None)
        self.replied.append(id_)
        self.write(json.dumps({"jsonrpc": "2.0", "id": id_, **content}).encode())

    def introduce(self) -> None:
        """Replies to `initialize`."""
        assert self.initialize is not None
        said = {"name": "scripted", "version": "1", "language": "Python"}
        self.reply(
            self.initialize, result={"protocolVersion": 1, "implementation": said, "operations": [OPERATION.name]}
        )
        self.initialize = None
        self.introduced = True
        self.replied.clear()

    def waiting_on(self) -> tuple[Sequence[int], Sequence[int]]:
        return (), ()

    def unsent(self) -> int:
        return 0

    def pump(self) -> None:
        pass

    def lines(self) -> list[bytes]:
        lines, self.written = self.written, []
        return lines

    def ending(self) -> Crash | None:
        return None if self.status is None or self.written else Crash(self.status)

    def half_line(self) -> bytes:
        return b""

    def exit_status(self) -> int | None:
        return self.status

    def stderr_mark(self) -> int:
        return 0

    def stderr_since(self, mark: int) -> str:  # noqa: ARG002
        return ""

    def end_input(self) -> None:
        raise NotImplementedError  # a run ends no input

    def kill(self) -> None:
        self.killed = True


@dataclass
class ScriptedConnection:
    """Starts scripted processes; the next `failing` starts fail."""

    failing: int = 0
    failed: int = 0
    started: list[ScriptedChannel] = field(default_factory=list)

    def start(self, environment: Sequence[tuple[str, str]]) -> Channel:  # noqa: ARG002
        if self.failing:
            self.failing -= 1
            self.failed += 1
            raise AdapterUnavailable("scripted: no process today.")
        self.started.append(ScriptedChannel())
        return self.started[-1]

    @property
    def current(self) -> ScriptedChannel | None:
        """The process that runs, if one does."""
        return self.started[-1] if self.started and self.started[-1].is_alive else None


def behave(channel: ScriptedChannel, answer: Callable[[ScriptedChannel, int, str], None]) -> None:
    """Lets the process do what an adapter does: introduce itself, answer what is open in turn, exit on `shutdown`."""
    if channel.initialize is not None:
        channel.introduce()
    for id_, params in [*channel.open.items()]:
        if channel.is_alive:
            answer(channel, id_, params["text"])
    if channel.shutdown is not None and channel.is_alive:
        channel.reply(channel.shutdown, result={})
        channel.status = 0


def answer_right(channel: ScriptedChannel, id_: int, text: str) -> None:
    """Replies as the cases expect."""
    channel.reply(id_, result={"text": text})


def steps(
    run: AdapterRun,
    connection: ScriptedConnection,
    clock: Clock,
    answer: Callable[[ScriptedChannel, int, str], None] = answer_right,
    limit: int = 5000,
) -> Iterable[list[Event]]:
    """Drives a run to its end with a well-behaved adapter: the events of each step."""
    for _ in range(limit):
        if run.done:
            return
        if connection.current is not None:
            behave(connection.current, answer)
        clock.now += 0.05
        yield run.step()
    raise AssertionError("the run does not end")
