"""Adapters that do not start, and adapters that do not end, as they are asked to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.model import Breach, BreakContext, Crash, Errored, Phase, StartFailure, TimedOut
from harness.runner.adapter_session import Timeouts

pytestmark = pytest.mark.slow

STARTS: dict[str, Crash | TimedOut | tuple[str, str]] = {
    "exits-before": Crash(1),
    "exits": Crash(1),
    "hangs": TimedOut(0.3, "initialize"),
    "closes-stdout": Crash(),
    "half-a-line": Crash(0, partial_line=180),
    "banner": ("not-json", ""),
    "null-result": ("wrong-type", "$"),
    "refuses": ("initialize-refused", "$.error"),
    "wrong-id": ("unknown-id", "$.id"),
    "version-2": ("protocol-version", "$.protocolVersion"),
    "text-version": ("protocol-version", "$.protocolVersion"),
    "true-version": ("protocol-version", "$.protocolVersion"),
    "no-version": ("protocol-version", "$.protocolVersion"),
    "no-implementation": ("missing-member", "$.implementation"),
    "nameless": ("missing-member", "$.implementation.name"),
    "operations-as-object": ("wrong-type", "$.operations"),
    "operations-of-numbers": ("wrong-type", "$.operations[0]"),
    "unsupported-as-list": ("wrong-type", "$.unsupported"),
    "unsupported-for-no-reason": ("wrong-type", '$.unsupported["echo.shout"]'),
    "unobservable-as-text": ("wrong-type", '$.unobservable["echo.say"]'),
    "unobservable-without-slash": ("invalid-pointer", '$.unobservable["echo.say"][0]'),
    "not-json": ("not-utf-8", ""),
    "nothing-offered": ("no-operations", "$.operations"),
}
"""The cause of a failed start; of a breach its code and path."""

ENDS: dict[str, Crash | TimedOut | tuple[str, str]] = {
    "exits-with-3": Crash(3, context=BreakContext(Phase.SHUTDOWN)),
    "is-killed": Crash(signal="SIGKILL", context=BreakContext(Phase.SHUTDOWN)),
    "stays": TimedOut(0.5, "shutdown"),
    "closes-stdout-and-stays": TimedOut(0.5, "shutdown"),
    "trickles": TimedOut(0.5, "shutdown"),
    "says-nothing": ("no-shutdown-reply", ""),
    "says-half": ("no-shutdown-reply", ""),
    "refuses": ("shutdown-refused", "$.error"),
    "null-result": ("wrong-type", "$"),
    "says-it-twice": ("unknown-id", "$.id"),
    "banner": ("not-json", ""),
    "banner-without-a-line-feed": ("output-after-shutdown", ""),
}


def brief(cause: object) -> object:
    """A breach by its code and path."""
    return (cause.code.value, cause.path) if isinstance(cause, Breach) else cause


@pytest.mark.parametrize(("way", "cause"), STARTS.items(), ids=STARTS)
def test_what_does_not_start_is_an_error_of_every_case(ask: Callable, way: str, cause: object) -> None:
    """Every case gets `error/start` with the cause, and there is no incident."""
    asked = ask("start.py", way, timeouts=Timeouts(initialize=0.3 if way == "hangs" else 5))
    assert asked.counts() == {"error/start": 4}
    (outcome,) = {result.outcome for result in asked.results.values()}
    assert isinstance(outcome, Errored) and isinstance(outcome.cause, StartFailure)
    assert brief(outcome.cause.cause) == cause
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


@pytest.mark.parametrize(("way", "cause"), ENDS.items(), ids=ENDS)
def test_an_end_that_is_not_as_asked_is_an_incident(ask: Callable, way: str, cause: object) -> None:
    """The verdicts stay, and the break at the end is an incident without suspects."""
    asked = ask("end.py", way)
    assert asked.counts() == {"pass": 4}
    (incident,) = asked.incidents
    assert brief(incident.cause) == cause
    assert incident.suspects == ()
