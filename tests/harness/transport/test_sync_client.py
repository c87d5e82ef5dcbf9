"""One adapter asked by hand, one request at a time."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from harness.model import Breach, BreachCode, Break, Crash, TimedOut
from harness.transport.process import Process
from harness.transport.sync_client import RequestFailed, SyncClient

BEGINNER = Path(__file__).parents[1] / "cli" / "adapters" / "beginner.py"


def talk_to(way: str) -> SyncClient:
    """A conversation with the adapter of this way."""
    return SyncClient(Process([sys.executable, str(BEGINNER), way], BEGINNER.parent, dict(os.environ)))


def test_asked_and_closed() -> None:
    """An adapter tells what it is, answers, refuses, and ends without a complaint."""
    with talk_to("none") as talk:
        assert talk.initialize("mine").operations == {"echo.say", "echo.shout"}
        assert talk.call("echo.shout", {"text": "é"}).result == {"text": "É"}
        refusal = talk.call("echo.sing", {}).refusal
        assert refusal is not None and refusal.code == -32601
        assert talk.close() is None


@pytest.mark.parametrize(
    ("way", "cause"),
    [
        ("mute", TimedOut(1, "initialize")),
        ("usage", Crash(2)),
        (
            "pretty",
            Breach(BreachCode.NOT_JSON, "", "Expecting property name enclosed in double quotes at column 2", "{"),
        ),
        ("constant-id", Breach(BreachCode.UNKNOWN_ID, "$.id", "2", "1")),
        ("no-operations", Breach(BreachCode.WRONG_TYPE, "$.operations", "list", "null")),
    ],
)
def test_broken_off(way: str, cause: Break) -> None:
    """A request that fails names the cause."""
    with talk_to(way) as talk, pytest.raises(RequestFailed) as broken:
        talk.initialize("mine", seconds=1)
        talk.call("echo.say", {"text": "a"}, seconds=1)
    assert broken.value.cause == cause


@pytest.mark.parametrize(("way", "cause"), [("status", Crash(1)), ("stays", TimedOut(0.5, "shutdown"))])
def test_complaint_at_the_end(way: str, cause: Break) -> None:
    """`close` gives another exit status than 0, and a process that does not exit."""
    with talk_to(way) as talk:
        talk.initialize("mine")
        assert talk.close(seconds=0.5) == cause
