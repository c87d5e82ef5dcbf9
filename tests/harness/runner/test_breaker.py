"""A circuit breaker: which cases are withheld after many breaks in a row, and what releases them."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import pytest
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

from harness.model import Break, BreakContext, Case, Crash, Errored, ErrorKind, Result, TimedOut, replace
from harness.runner.adapter_run import AdapterRun
from harness.runner.adapter_session import Timeouts
from harness.runner.breaker import CircuitBreaker, CircuitOpened

TIMEOUTS = Timeouts(reply=1.0, initialize=2.0, shutdown=0.5)
CRASH = Crash(3)


def executed(
    count: int, broken: set[int], limit: int = 10, gap: int = 50
) -> tuple[dict[str, Result], list[CircuitOpened]]:
    """The results by text, and the circuits that opened, of an adapter that crashes on some of so many cases."""
    cases: list[Case] = [echo_case(str(number)) for number in range(count)]
    connection, clock = ScriptedConnection(), Clock()

    def answer(channel: ScriptedChannel, id_: int, text: str) -> None:
        if int(text) in broken:
            channel.status = 3
        else:
            answer_right(channel, id_, text)

    clock.start()
    try:
        with patch("harness.runner.breaker.PROBE_GAP", gap):
            breaker = CircuitBreaker(limit)
            run = AdapterRun("one", connection, cases, OPERATIONS, answer_error, TIMEOUTS, 4, breaker=breaker)
            events = [event for batch in steps(run, connection, clock, answer) for event in batch]
    finally:
        clock.stop()
    results = [event for event in events if isinstance(event, Result)]
    assert len({result.case.name for result in results}) == len(results) == count
    return (
        {str(result.case.request["text"]): result for result in results},
        [event for event in events if isinstance(event, CircuitOpened)],
    )


def kinds(results: dict[str, Result]) -> Counter[str]:
    """How many results passed, broke, and were not sent."""
    return Counter("unsent" if one.unsent_after else str(one.kind or one.verdict) for one in results.values())


def test_the_rest_of_an_operation_is_not_sent_after_ten_breaks() -> None:
    """Ten cases and one probe are blamed; the others have the same kind and the number of breaks."""
    results, opened = executed(40, set(range(40)))
    assert kinds(results) == {"crash": 11, "unsent": 29}
    assert opened == [CircuitOpened("one", "echo.say", ErrorKind.CRASH, 10, 30)]
    unsent = next(one for one in results.values() if one.unsent_after)
    assert isinstance(unsent.outcome, Errored)
    assert unsent.outcome.cause == Crash(3, context=BreakContext(unsent_after=10))
    assert unsent.signature != next(one for one in results.values() if not one.unsent_after).signature


def test_without_a_limit_every_case_is_sent() -> None:
    """`--max-breaks 0` blames each case by itself."""
    results, opened = executed(40, set(range(40)), limit=0)
    assert kinds(results) == {"crash": 40}
    assert opened == []


def test_an_answer_ends_a_row() -> None:
    """An adapter that answers one case in nine is sent every case."""
    results, opened = executed(60, {number for number in range(60) if number % 9})
    assert kinds(results) == {"crash": 53, "pass": 7}
    assert opened == []


@pytest.mark.parametrize("recovers_at", [12, 30, 59])
def test_a_probe_that_is_answered_releases_the_others(recovers_at: int) -> None:
    """An adapter that recovers is judged on every case, also on those that were withheld first."""
    results, opened = executed(60, set(range(recovers_at)) - {59}, gap=5)
    assert [event.breaks for event in opened][:1] == [10]
    assert all(results[str(number)].verdict == "pass" for number in range(recovers_at, 60))


def test_the_circuit_of_all_operations_needs_a_break_of_a_second_one() -> None:
    """Ten breaks of one operation close nothing else; one more, of another operation without an answer between, does."""
    breaker = CircuitBreaker(10)
    assert [breaker.broke("a", CRASH) for _ in range(10)] == [None] * 9 + ["a"]
    assert [breaker.admits(name) for name in ("a", "b", "c")] == [False, True, True]
    assert breaker.broke("b", CRASH) == ""
    assert [breaker.admits(name) for name in ("a", "b", "c")] == [False, False, False]
    assert breaker.answered("c")
    assert [breaker.admits(name) for name in ("a", "b", "c")] == [False, True, True]
    assert breaker.answered("a")
    assert breaker.admits("a")


def test_ten_breaks_of_several_kinds_open_nothing() -> None:
    """A row counts by kind."""
    breaker = CircuitBreaker(10)
    causes: list[Break] = [CRASH, TimedOut(1)] * 9
    assert {breaker.broke("a", cause) for cause in causes} == {None}
    assert breaker.broke("a", CRASH) == "a"
    assert breaker.cause("a") == replace(CRASH, context=BreakContext(unsent_after=10))


def test_an_open_circuit_admits_few_probes() -> None:
    """The first after 50 cases, later ones after four times as many each."""
    breaker = CircuitBreaker(1)
    breaker.broke("a", CRASH)
    admitted = [number for number in range(1, 7600) if breaker.admits("a")]
    assert admitted == [51, 252, 1053, 4254]
