"""Units of a campaign: how they are handed out, and that each one counts once."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import BrokenExecutor, Future

from harness.fuzz.campaign_report import Limits, OperationCounts, Report, Tally
from harness.fuzz.units import MAX_ATTEMPTS, UNIT_REQUESTS, Unit, UnitPlan, run_units


def report(sent: int, *, is_exhausted: bool = False) -> Report:
    return Report(0, Tally({"echo.say": OperationCounts(sent=sent)}, is_exhausted=is_exhausted), [], [])


class Inline:
    """A pool that runs a unit at its submission; `answer` may raise."""

    lost: tuple[type[Exception], ...] = (BrokenExecutor,)
    width = 2

    def __init__(self, answer: Callable[[Unit], Report]) -> None:
        self.units: list[Unit] = []
        self._answer = answer

    def submit(self, unit: Unit) -> Future[Report]:
        self.units.append(unit)
        future: Future[Report] = Future()
        try:
            future.set_result(self._answer(unit))
        except BrokenExecutor as error:
            future.set_exception(error)
        return future

    def stop(self, running: Collection[Future[Report]]) -> None:
        for future in running:
            future.cancel()


def run(plan: UnitPlan, pool: Inline) -> list[int]:
    """Runs the plan; the indexes of the units that were given up."""
    missing: list[int] = []
    assert run_units(plan, pool, lambda: None, lambda unit: missing.append(unit.index))
    return missing


def full(unit: Unit) -> Report:
    return report(unit.limits.examples or 0)


def test_units_have_adjacent_ranges_and_the_sum_of_the_examples() -> None:
    """The ranges begin with the given round and do not overlap; a unit that sends less leaves the rest to later ones."""
    plan = UnitPlan(2, Limits(examples=5000), first_round=7)
    pool = Inline(
        lambda unit: report((unit.limits.examples or 0) // 2 if unit.index == 0 else unit.limits.examples or 0)
    )
    assert run(plan, pool) == []
    assert pool.units[0].rounds.start == 7
    assert all(one.rounds.stop == other.rounds.start for one, other in zip(pool.units, pool.units[1:], strict=False))
    assert sum(one.tally.sent for one in plan.reports) == 5000


def test_a_lost_unit_runs_again_and_counts_once() -> None:
    """The same range of rounds."""
    losses = [1, 0]

    def answer(unit: Unit) -> Report:
        if unit.index in losses:
            losses.remove(unit.index)
            raise BrokenExecutor
        return full(unit)

    plan = UnitPlan(1, Limits(examples=1000), first_round=0)
    pool = Inline(answer)
    assert run(plan, pool) == []
    assert sorted(one.rounds.start for one in pool.units) == [0, 0, *[pool.units[1].rounds.start] * 2]
    assert sum(one.tally.sent for one in plan.reports) == 1000


def test_a_second_report_of_a_unit_does_not_count() -> None:
    """The first one stays."""
    plan = UnitPlan(1, Limits(examples=100), first_round=0)
    unit = plan.next(1)
    assert unit is not None
    plan.finished(unit, report(100))
    plan.finished(unit, report(90))
    assert [one.tally.sent for one in plan.reports] == [100]


def test_a_unit_that_is_always_lost_is_given_up() -> None:
    """After a few attempts; the others go on."""

    def answer(unit: Unit) -> Report:
        if unit.index == 0:
            raise BrokenExecutor
        return full(unit)

    pool = Inline(answer)
    plan = UnitPlan(1, Limits(examples=1000), first_round=0)
    assert run(plan, pool) == [0]
    assert [one.index for one in pool.units].count(0) == MAX_ATTEMPTS
    assert len(plan.reports) == 1


def test_an_exhausted_campaign_hands_out_no_more_units() -> None:
    """No operation has new requests left."""
    pool = Inline(lambda _: report(2, is_exhausted=True))
    run(UnitPlan(1, Limits(seconds=60), first_round=0), pool)
    assert len(pool.units) == pool.width


def test_a_unit_is_large() -> None:
    """Its dispatch and the start of the adapters cost little."""
    for operations in (1, 2, 40):
        unit = UnitPlan(operations, Limits(seconds=60), 0).next(1)
        assert unit is not None
        assert len(unit.rounds) * 640 >= UNIT_REQUESTS
        assert len(unit.rounds) % operations == 0
