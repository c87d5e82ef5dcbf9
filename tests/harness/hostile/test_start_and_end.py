"""Adapters that do not start, and adapters that do not end, as they are asked to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.runner.adapter_run import Timeouts

pytestmark = pytest.mark.slow

STARTS = {
    "exits-before": "exited with status 1",
    "exits": "exited with status 1",
    "hangs": "No reply to initialize for 0.3 s",
    "closes-stdout": "closed its standard output",
    "banner": "not one JSON message: 'Welcome to \\\\x1b[1mecho",
    "null-result": "The result is null",
    "refuses": "did not answer initialize with a result",
    "wrong-id": "that was not sent to it (id 1)",
    "version-2": "speaks protocol version 2; this harness speaks 1",
    "text-version": 'speaks protocol version "1"',
    "true-version": "speaks protocol version true",
    "no-version": "speaks protocol version null",
    "no-implementation": "no implementation that is an object",
    "nameless": "no implementation.name that is a text",
    "operations-as-object": "no operations that is a list",
    "operations-of-numbers": "operations that are not all texts",
    "unsupported-as-list": "no unsupported that is an object",
    "unsupported-for-no-reason": "reasons under unsupported that are not all texts",
    "unobservable-as-text": "unobservable paths of echo.say that are not all texts",
    "unobservable-without-slash": "no JSON Pointer",
    "not-json": "not UTF-8",
    "half-a-line": "in the middle of a line",
    "nothing-offered": "offers no operation",
}

ENDS = {
    "exits-with-3": ("crash", "After shutdown: The adapter exited with status 3."),
    "is-killed": ("crash", "After shutdown: The adapter was killed by SIGKILL."),
    "stays": ("timeout", "did not exit within 0.5 s of shutdown"),
    "closes-stdout-and-stays": ("timeout", "did not exit within 0.5 s of shutdown"),
    "trickles": ("timeout", "did not exit within 0.5 s of shutdown"),
    "says-nothing": ("protocol", "did not answer shutdown"),
    "says-half": ("protocol", "did not answer shutdown. The adapter exited with status 0 in the middle of a line"),
    "refuses": ("protocol", "did not answer shutdown with a result"),
    "null-result": ("protocol", "did not answer shutdown with a result"),
    "says-it-twice": ("protocol", "answered a request"),
    "banner": ("protocol", "not one JSON message: 'Goodbye!'"),
    "banner-without-a-line-feed": ("protocol", "in the middle of a line of 8 bytes"),
}


@pytest.mark.parametrize(("way", "words"), STARTS.items(), ids=STARTS)
def test_what_does_not_start_is_an_error_of_every_case(ask: Callable, way: str, words: str) -> None:
    """Every case gets `error/start` with what was seen, and nothing else is said."""
    asked = ask("start.py", way, timeouts=Timeouts(starting=0.3 if way == "hangs" else 5))
    assert asked.counts() == {"error/start": 4}
    assert {words in result.judgement.reason for result in asked.results.values()} == {True}
    assert asked.incidents == []


def test_what_it_said_while_it_did_not_start_is_kept(ask: Callable) -> None:
    """Standard error of the last failed start stands with the results."""
    asked = ask("start.py", "exits-before")
    assert {result.stderr for result in asked.results.values()} == {"no licence found\n"}


def test_a_command_that_is_not_there_is_an_error_of_every_case(echo_corpus: Path, run_parity: Callable) -> None:
    """A mistyped command leaves no case without a verdict, and says what could not be started."""
    done = run_parity("run", "--corpus", echo_corpus, "--adapter", "./no-such-adapter")
    assert "./no-such-adapter cannot be started: No such file or directory." in done.stdout
    assert "4 error" in done.stdout
    assert done.returncode == 3


@pytest.mark.parametrize(("way", "kind", "words"), [(way, *rest) for way, rest in ENDS.items()], ids=ENDS)
def test_an_end_that_is_not_as_asked_is_an_incident(ask: Callable, way: str, kind: str, words: str) -> None:
    """The verdicts stay, and what happened at the end is told."""
    asked = ask("end.py", way)
    assert asked.counts() == {"pass": 4}
    (incident,) = asked.incidents
    assert incident.kind == kind
    assert words in incident.seen
    assert incident.suspects == ()
