"""A run with a limit of failures: what counts, where it stops, and how it goes on after variants."""

from __future__ import annotations

from collections.abc import Generator

from scripted import OPERATIONS, ScriptedConnection, answer_error, echo_case

from harness.compare.verdict import errored
from harness.model import (
    Answered,
    Crash,
    Difference,
    Errored,
    Failed,
    Passed,
    Result,
    StartFailure,
    Unavailable,
    Variant,
)
from harness.runner.events import Event
from harness.runner.execute import RunPlan, limited
from harness.runner.failure_limit import FailureLimit

FAILED = Failed(Answered({"text": "x"}), (Difference("$.text", "a", "x"),), "signature")


def result(text: str, outcome: Failed | Passed | Variant | Errored) -> Result:
    return Result(echo_case(text), "one", outcome)


def executed(texts: list[str], most: int) -> tuple[list[str], list[str], int]:
    """The cases that fail at last, those that turn out to be variants, and the number of rounds.

    A text with `f` fails; one with `v` fails until it is explained; any other passes.
    """
    rounds = 0

    def execute(plan: RunPlan, _: list[Result], limit: FailureLimit) -> Generator[list[Event], None, None]:
        nonlocal rounds
        rounds += 1
        held = []
        for case in plan.remaining("one"):
            text = str(case.request["text"])
            found = Result(case, "one", FAILED if text[0] in "fv" else Passed(Answered({"text": text})))
            if limit.is_reached or not limit.admits(found):
                break
            if text[0] == "v":
                found = Result(case, "one", Variant(Answered({"text": "x"}), (("RUL-1", "b"),)))
            if text[0] in "fv":
                held.append(found)
            else:
                yield [found]
        yield [*held]

    cases = [echo_case(text) for text in texts]
    plan = RunPlan(
        cases=cases, operations=OPERATIONS, connections={"one": ScriptedConnection()}, answer_error=answer_error
    )
    results = [event for batch in limited(plan, most, [], execute) for event in batch if isinstance(event, Result)]
    assert len({one.case.name for one in results}) == len(results)
    failing = [str(one.case.request["text"]) for one in results if isinstance(one.outcome, Failed)]
    variants = [str(one.case.request["text"]) for one in results if isinstance(one.outcome, Variant)]
    return failing, variants, rounds


def test_it_stops_after_the_last_failure_that_counts() -> None:
    """With two failures as the limit, the third is not executed."""
    assert executed(["a", "f1", "b", "f2", "c", "f3"], 2) == (["f1", "f2"], [], 1)


def test_it_goes_on_when_failures_turn_out_to_be_variants() -> None:
    """Variants do not count; the rounds double their limit, so many variants cost few rounds."""
    variants = [f"v{number}" for number in range(14)]
    assert executed([*variants, "f1", "a"], 1) == (["f1"], variants, 4)


def test_it_ends_with_the_cases() -> None:
    """A limit that is never reached changes nothing."""
    assert executed(["a", "f1", "v1"], 3) == (["f1"], ["v1"], 1)


def test_a_failed_start_does_not_count() -> None:
    """An adapter that does not start gives an error for each case, and all of them are kept."""
    limit = FailureLimit(1)
    start = errored(StartFailure(Unavailable("", "no such file")))
    assert [limit.admits(result(text, start)) for text in ("a", "b")] == [True, True]
    assert limit.admits(result("c", errored(Crash(3))))
    assert limit.is_reached
    assert not limit.admits(result("d", FAILED))
