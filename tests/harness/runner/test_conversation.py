"""One adapter asked by hand, one request at a time."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from harness.model import ErrorKind
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
        assert talk.close() == ""


@pytest.mark.parametrize(
    ("way", "kind", "seen"),
    [
        ("mute", ErrorKind.TIMEOUT, "No reply to initialize for 1 s."),
        ("usage", ErrorKind.CRASH, "The adapter exited with status 2."),
        ("pretty", ErrorKind.PROTOCOL, "The line is not one JSON message"),
        ("constant-id", ErrorKind.PROTOCOL, "The reply to echo.say has the id of another request."),
        ("no-operations", ErrorKind.PROTOCOL, "The reply to initialize has no operations that is a list."),
    ],
)
def test_broken_off(way: str, kind: ErrorKind, seen: str) -> None:
    """Whatever keeps a reply from coming is told with its kind."""
    with talk_to(way) as talk, pytest.raises(RequestFailed) as broken:
        talk.initialize("mine", seconds=1)
        talk.call("echo.say", {"text": "a"}, seconds=1)
    assert broken.value.kind is kind
    assert str(broken.value).startswith(seen)


@pytest.mark.parametrize(
    ("way", "complaint"), [("status", "The adapter exited with status 1."), ("stays", "The adapter did not exit")]
)
def test_complaint_at_the_end(way: str, complaint: str) -> None:
    """Another exit status than 0, or no exit at all, is what `close` complains of."""
    with talk_to(way) as talk:
        talk.initialize("mine")
        assert talk.close(seconds=0.5).startswith(complaint)
