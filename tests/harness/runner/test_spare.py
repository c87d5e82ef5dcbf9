"""The cost of hangs: one timeout each, and no blame without a hang in a process of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from scripted import (
    OPERATIONS,
    Clock,
    ScriptedChannel,
    ScriptedConnection,
    answer_error,
    answer_right,
    behave,
    echo_case,
    verdict_of,
)

from harness.model import Case, ErrorKind, Result, Verdict
from harness.runner.adapter_run import AdapterRun
from harness.runner.adapter_session import Timeouts

TIMEOUT = 10.0
STEP = 0.05
START_STEPS = 9
"""Steps in which a process ends and another one answers `initialize`."""

Answer = Callable[[ScriptedChannel, int, str], None]


def executed(texts: list[str], answer: Callable[[Clock], Answer]) -> tuple[dict[str, Result], float, Counter[str]]:
    """The results by text, the seconds that they took, and how often each text was sent."""
    connection, clock = ScriptedConnection(), Clock()
    cases: list[Case] = [echo_case(text) for text in texts]
    results: dict[str, Result] = {}
    clock.start()
    try:
        timeouts = Timeouts(reply=TIMEOUT, initialize=60.0, shutdown=5.0)
        run = AdapterRun("one", connection, cases, OPERATIONS, answer_error, timeouts, spare=True)
        began, answered = clock.now, answer(clock)
        while not run.done:
            for channel in connection.started:
                if channel.is_alive:
                    behave(channel, answered)
            clock.now += STEP
            results |= {str(one.case.request["text"]): one for one in run.step() if isinstance(one, Result)}
            assert clock.now - began < 1000
        assert not any(channel.is_alive for channel in connection.started)
    finally:
        clock.stop()
    sent = Counter(text for channel in connection.started for _, batch in channel.batches for text in batch)
    return results, clock.now - began, sent


def hangs_on_some(_: Clock) -> Answer:
    """Never replies to a text with `hang`, nor to anything after it in the same process."""

    def answer(channel: ScriptedChannel, id_: int, text: str) -> None:
        if not any("hang" in params["text"] for params in channel.open.values()) or (
            "hang" not in text and text < min(one["text"] for one in channel.open.values() if "hang" in one["text"])
        ):
            answer_right(channel, id_, text)

    return answer


def test_thirteen_hangs_cost_thirteen_timeouts() -> None:
    """Each hang between other cases costs one timeout and the start of a process, and only the hangs are blamed."""
    texts = [f"{number:02}-{kind}" for number in range(13) for kind in ("a", "b-hang", "c")]
    results, seconds, _ = executed(texts, hangs_on_some)
    assert Counter(map(verdict_of, results.values())) == {
        (Verdict.PASS, None): 26,
        (Verdict.ERROR, ErrorKind.TIMEOUT): 13,
    }
    assert 13 * TIMEOUT * 0.9 < seconds <= 13 * (TIMEOUT + START_STEPS * STEP)


def test_the_first_request_of_a_process_is_sent_once() -> None:
    """A hang at the first request of a process that nothing else was sent to is blamed after one timeout."""
    results, seconds, sent = executed(["hang"], hangs_on_some)
    assert verdict_of(results["hang"]) == (Verdict.ERROR, ErrorKind.TIMEOUT)
    assert seconds <= TIMEOUT + START_STEPS * STEP
    assert sent["hang"] == 1


def test_a_slow_case_after_a_lost_process_is_not_blamed() -> None:
    """The first process hangs for another reason; the case needs most of the timeout in its own process and passes."""

    def slow(clock: Clock) -> Answer:
        since: dict[int, float] = {}
        first: list[ScriptedChannel] = []

        def answer(channel: ScriptedChannel, id_: int, text: str) -> None:
            first.append(channel)
            if (text == "one" and channel is first[0]) or (
                channel is not first[0] and clock.now - since.setdefault(id_, clock.now) > 0.7 * TIMEOUT
            ):
                answer_right(channel, id_, text)

        return answer

    results, _, _ = executed(["one", "slow"], slow)
    assert {text: verdict_of(result) for text, result in results.items()} == {
        "one": (Verdict.PASS, None),
        "slow": (Verdict.PASS, None),
    }
