"""A case that is known to hang costs one second, alone; any other hang costs the whole timeout."""

from __future__ import annotations

from collections.abc import Sequence

from scripted import (
    OPERATIONS,
    Clock,
    ScriptedChannel,
    ScriptedConnection,
    answer_error,
    answer_right,
    echo_case,
    steps,
)

from harness.model import Errored, ErrorKind, Result, TimedOut
from harness.runner.adapter_run import MAX_RESTARTS, AdapterRun
from harness.runner.adapter_session import Timeouts


def asked(
    texts: Sequence[str], silent: Sequence[str], known: Sequence[str]
) -> tuple[dict[str, Result], ScriptedConnection, float]:
    """The results by text, the processes, and the seconds of an adapter that never answers the `silent` texts."""
    connection, clock = ScriptedConnection(), Clock()

    def answer(channel: ScriptedChannel, id_: int, text: str) -> None:
        if text not in silent:
            answer_right(channel, id_, text)

    clock.start()
    try:
        start = clock.now
        names = {f"echo/said/{text}" for text in known}
        run = AdapterRun(
            "one",
            connection,
            [echo_case(text) for text in texts],
            OPERATIONS,
            answer_error,
            Timeouts.of(10.0),
            known_hangs=names,
        )
        events = [event for batch in steps(run, connection, clock, answer) for event in batch]
        seconds = clock.now - start
    finally:
        clock.stop()
    results = [event for event in events if isinstance(event, Result)]
    assert len(results) == len(texts)
    return {str(result.case.request["text"]): result for result in results}, connection, seconds


def limits(results: dict[str, Result]) -> dict[str, float]:
    """The seconds after which each case that timed out did so."""
    causes = {text: result.outcome.cause for text, result in results.items() if isinstance(result.outcome, Errored)}
    return {text: cause.seconds for text, cause in causes.items() if isinstance(cause, TimedOut)}


def test_known_hangs_cost_a_second_each_and_stop_nothing_else() -> None:
    """More of them than open a circuit or use up the restarts change nothing for the cases behind them."""
    hangs = [f"hang {number}" for number in range(MAX_RESTARTS + 1)]
    results, connection, seconds = asked([*hangs, "a", "b", "c"], hangs, hangs)
    assert limits(results) == dict.fromkeys(hangs, 1.0)
    assert len(hangs) < seconds < 1.5 * len(hangs)
    assert connection.started[-1].batches == [(True, ["a", "b", "c"])], "the others go together"


def test_a_known_hang_that_is_answered_is_judged_like_any_other() -> None:
    """It goes alone; the one behind it is proved in a process of its own."""
    results, connection, seconds = asked(["repaired", "hang", "a"], ["hang"], ["repaired", "hang"])
    assert limits(results) == {"hang": 1.0}
    assert results["repaired"].verdict == "pass"
    assert connection.started[0].batches == [(True, ["repaired"]), (True, ["hang"])]
    assert seconds < 4


def test_a_hang_that_nobody_knows_keeps_the_whole_timeout() -> None:
    """Beside a known one too."""
    results, _, _ = asked(["hang", "a", "surprise"], ["hang", "surprise"], ["hang"])
    assert limits(results) == {"hang": 1.0, "surprise": 10.0}
    assert {result.kind for result in results.values()} == {None, ErrorKind.TIMEOUT}
