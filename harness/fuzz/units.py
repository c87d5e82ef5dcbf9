"""Units of work of a campaign: ranges of rounds, which workers on this machine or on others run independently.

A unit takes ten seconds or more, so that its dispatch and the start of its adapters cost little. The result has each unit
once, also if a worker is lost and another one runs its unit again.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Protocol

from msgspec import Struct

from ..model import replace
from .campaign_report import Limits, Report
from .classify import Group
from .generation import cycle_requests

UNIT_REQUESTS = 20_000
"""Least number of generated requests in a unit: 10 to 40 s with one SDK (November 2026)."""

MIN_CYCLES = 3
"""Least number of rounds of each operation in a unit: the third one shows whether an operation has new requests left."""

MAX_ATTEMPTS = 3
"""Runs of a unit whose workers are lost, after which its findings are missing."""

_POLL_INTERVAL = 0.2


class Unit(Struct, frozen=True):
    """A range of rounds with the limits of its campaign. New findings of `reported` groups are counted and not shrunk again;
    the operations in `ended` are skipped."""

    index: int
    rounds: range
    limits: Limits
    reported: frozenset[Group] = frozenset()
    ended: frozenset[str] = frozenset()


def whole_campaign(limits: Limits, first_round: int) -> Unit:
    """All rounds from the first one, for a campaign without workers."""
    return Unit(0, range(first_round, sys.maxsize), limits)


class Pool(Protocol):
    """Workers that run units, each `width`-th at a time. `lost` are the exceptions of a unit whose worker is lost."""

    lost: tuple[type[Exception], ...]

    @property
    def width(self) -> int: ...

    def submit(self, unit: Unit) -> Future[Report]: ...

    def stop(self, running: Collection[Future[Report]]) -> None: ...


class UnitPlan:
    """Hands out units until a limit of the campaign is reached, and keeps their reports."""

    def __init__(self, operations: int, limits: Limits, first_round: int) -> None:
        self._limits = limits
        self._rounds = operations * _cycles(operations)
        self._first = first_round
        self._started = time.monotonic()
        self._count = 0
        self._assigned = 0  # requests of finished and running units
        self._again: deque[Unit] = deque()
        self._attempts: dict[int, int] = {}
        self._reports: dict[int, Report] = {}
        self._reported: set[Group] = set()
        self._ended: set[str] = set()
        self._is_exhausted = False

    @property
    def reports(self) -> list[Report]:
        """The reports of the finished units, by unit."""
        return [self._reports[index] for index in sorted(self._reports)]

    def next(self, width: int) -> Unit | None:
        """The next unit for one of `width` workers; None if nothing is left at present."""
        if self._again:
            unit = self._again.popleft()
            return self._current(replace(unit, limits=replace(unit.limits, seconds=self._seconds())))
        limits = self._remaining(width)
        if limits is None or self._is_exhausted:
            return None
        index, first = self._count, self._first + self._count * self._rounds
        self._count += 1
        self._assigned += limits.examples or 0
        return self._current(Unit(index, range(first, first + self._rounds), limits))

    def finished(self, unit: Unit, report: Report) -> None:
        """Keeps the report of a unit; a second one of the same unit is dropped."""
        if unit.index in self._reports:
            return
        self._reports[unit.index] = report
        self._assigned -= (unit.limits.examples or 0) - report.tally.sent
        self._reported.update(finding.group for finding in report.findings)
        self._ended.update(operation for operation, _ in report.tally.stopped)
        self._is_exhausted = self._is_exhausted or report.tally.is_exhausted

    def lost(self, unit: Unit) -> bool:
        """Hands out a lost unit again; False if it was lost too often."""
        attempts = self._attempts[unit.index] = self._attempts.get(unit.index, 1) + 1
        if attempts <= MAX_ATTEMPTS:
            self._again.append(unit)
        return attempts <= MAX_ATTEMPTS

    def _seconds(self) -> float | None:
        """Seconds until the end of the campaign."""
        return None if self._limits.seconds is None else self._limits.seconds - (time.monotonic() - self._started)

    def _current(self, unit: Unit) -> Unit:
        return replace(unit, reported=frozenset(self._reported), ended=frozenset(self._ended))

    def _remaining(self, width: int) -> Limits | None:
        """The limits of a unit that starts now; None if the campaign has reached one of its own."""
        limits = self._limits
        examples = findings = None
        seconds = self._seconds()
        if limits.examples is not None:
            share = -(-limits.examples // width)
            examples = min(share, limits.examples - self._assigned, self._rounds * cycle_requests(MIN_CYCLES))
        if limits.findings is not None:
            findings = limits.findings - len(self._reported)
        if any(limit is not None and limit <= 0 for limit in (examples, seconds, findings)):
            return None
        return Limits(examples, seconds, findings)


def _cycles(operations: int) -> int:
    """Rounds of each operation in a unit."""
    cycles, requests = 0, 0
    while cycles < MIN_CYCLES or requests < UNIT_REQUESTS:
        requests += operations * cycle_requests(cycles)
        cycles += 1
    return cycles


def run_units(plan: UnitPlan, pool: Pool, beat: Callable[[], None], give_up: Callable[[Unit], None]) -> bool:
    """Runs all units of a plan; whether they came to their end. A `KeyboardInterrupt` of `beat` stops the pool and keeps
    what its workers have. `give_up` gets a unit whose workers were lost too often."""
    running: dict[Future[Report], Unit] = {}
    try:
        while True:
            while len(running) < pool.width and (unit := plan.next(pool.width)) is not None:
                running[pool.submit(unit)] = unit
            if not running:
                return True
            done, _ = wait(running, _POLL_INTERVAL, FIRST_COMPLETED)
            for future in done:
                _finish(plan, pool, future, running.pop(future), give_up)
            beat()
    except KeyboardInterrupt:
        pool.stop(running)
        for future, unit in running.items():
            if not future.cancelled():
                _finish(plan, pool, future, unit, lambda _: None)
        return False


def _finish(plan: UnitPlan, pool: Pool, future: Future[Report], unit: Unit, give_up: Callable[[Unit], None]) -> None:
    try:
        plan.finished(unit, future.result())
    except pool.lost:
        if not plan.lost(unit):
            give_up(unit)
