"""Executes a plan: every case by every implementation, in one thread, as a stream of typed events."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TypeAlias

from msgspec import Struct, field

from ..model import DEFAULT_OPTIONS, Case, Implementation, Operation, Result, RunOptions, replace
from ..protocol import Connection, await_pipes
from .adapter_run import AdapterRun
from .adapter_session import Timeouts
from .attribute import Explanations, explained
from .breaker import CircuitBreaker
from .case_execution import AnswerError
from .events import Event
from .failure_limit import Counts, FailureLimit, is_failure
from .inflight import MAX_IN_FLIGHT
from .jobs import JobPool
from .repeat import RoundCombiner, executions, orders
from .stall import StallMonitor

_POLL_INTERVAL = 50
"""Milliseconds between two looks where no pipe is ready, since a process can end without a sign on its pipes."""

_SHORT_POLL_INTERVAL = 5
"""The same where a pipe is closed, which mostly comes just before an exit, or where a verdict is pending."""


class RunPlan(Struct, frozen=True, kw_only=True):
    """What to execute: `cases` by each of the `connections` (implementation name → connection).

    `operations` has every operation of the cases, `answer_error` finds breaches of an operation's schema.
    With one round and `recheck`, failing cases, variants and cases that `is_change` finds changed are executed again at the
    end, and are flaky if the outcomes differ. `max_in_flight` is how many requests an adapter has to answer at once. The
    failures that `counts` accepts count to the limit of the options, which needs one round. `spare`: a second process is
    started while the first is silent. `explanations` is how failing answers are explained, if they are. `completed` are
    (case name, implementation) pairs to skip. `known_hangs` are the cases, by implementation, that are known to time out:
    each is asked first, alone and with `Timeouts.known_hang`.
    """

    cases: Sequence[Case]
    operations: Mapping[str, Operation]
    connections: Mapping[str, Connection]
    answer_error: AnswerError
    options: RunOptions = DEFAULT_OPTIONS
    timeouts: Timeouts = field(default_factory=Timeouts)
    recheck: bool = False
    is_change: Callable[[Result], bool] = lambda _: False
    max_in_flight: int = MAX_IN_FLIGHT
    counts: Counts = is_failure
    spare: bool = True
    explanations: Explanations | None = None
    completed: Collection[tuple[str, str]] = frozenset()
    known_hangs: Mapping[str, Collection[str]] = field(default_factory=dict)

    def remaining(self, name: str) -> Sequence[Case]:
        """The cases that the implementation still has to execute."""
        if not self.completed:
            return self.cases
        return [case for case in self.cases if (case.name, name) not in self.completed]


def execute(plan: RunPlan) -> Iterator[Event]:
    """Executes the plan. Each case gets exactly one `Result` for each implementation, whatever the adapters do.

    Adapters that crash, stall or break the protocol are restarted; nothing of that raises. Closing the iterator ends
    every process.
    """
    with closing(batches(plan)) as stream:
        for batch in stream:
            yield from batch


def batches(plan: RunPlan, unconfirmed: list[Result] | None = None) -> Generator[list[Event], None, None]:
    """The events of `execute` in lists, one list for each step; a step without events gives an empty list, so that a
    caller regains control at least every 50 ms.

    A caller that stops early finds in `unconfirmed` the failing results that wait for their second execution or for their
    explanation.
    """
    held = [] if unconfirmed is None else unconfirmed
    if plan.options.max_failures:
        return limited(plan, plan.options.max_failures, held, _explained)
    return _explained(plan, held, FailureLimit())


Executor: TypeAlias = "Callable[[RunPlan, list[Result], FailureLimit], Generator[list[Event], None, None]]"


def limited(
    plan: RunPlan, max_failures: int, unconfirmed: list[Result], execution: Executor
) -> Generator[list[Event], None, None]:
    """The batches of a plan until `max_failures` failures count after the explanations.

    Failing answers are explained at the end of a run, and some then turn out to be variants or known. Each round that finds
    too few failures is followed by one with twice the limit, so that variants cost few rounds.
    """
    completed = set(plan.completed)
    introduced: set[str] = set()
    found, size = 0, max_failures
    while found < max_failures:
        limit = FailureLimit(size, _before_explanation(plan))
        stream = execution(replace(plan, completed=frozenset(completed)), unconfirmed, limit)
        try:
            for batch in stream:
                again = [event for event in batch if isinstance(event, Implementation) and event.name in introduced]
                introduced |= {event.name for event in batch if isinstance(event, Implementation)}
                results = [event for event in batch if isinstance(event, Result)]
                found += sum(is_failure(result) and plan.counts(result) for result in results)
                completed |= {(result.case.name, result.implementation) for result in results}
                yield [event for event in batch if event not in again]
        finally:
            stream.close()
        if not limit.is_reached:
            return
        size = max(2 * size, 1)


def _before_explanation(plan: RunPlan) -> Counts:
    """Whether a result counts that is not explained yet: a failure that the model predicts does not."""
    causes = plan.explanations.causes if plan.explanations else {}

    def counts(result: Result) -> bool:
        return plan.counts(result) and result.case.name not in causes.get(result.implementation, {})

    return counts


def _explained(plan: RunPlan, held: list[Result], limit: FailureLimit) -> Generator[list[Event], None, None]:
    stream = _executed(plan, held, limit)
    if plan.explanations is None:
        return stream
    return explained(stream, plan.explanations, plan.operations, held)


def _executed(plan: RunPlan, unconfirmed: list[Result], limit: FailureLimit) -> Generator[list[Event], None, None]:
    lanes = [_Lane(name, plan, limit) for name in plan.connections]
    try:
        active = lanes
        while active:
            for lane in active:
                yield lane.step()
            if limit.is_reached:
                for lane in active:
                    lane.stop()
            active = [lane for lane in active if not lane.done]
            wait([run for lane in active for run in lane.pool.active])
    finally:
        for lane in lanes:
            lane.pool.abandon()
            unconfirmed += lane.waiting()


def _combiner(plan: RunPlan) -> RoundCombiner | None:
    """What joins the rounds of a plan; None if each case is executed once."""
    if plan.options.repeat > 1:
        return RoundCombiner(lambda _: plan.options.repeat)
    if not plan.recheck:
        return None
    return RoundCombiner(lambda result: executions(result, is_change=plan.is_change(result)))


class _Lane:
    """One implementation's share of a plan: an adapter run for each round, over all cases or those that are due again."""

    def __init__(self, name: str, plan: RunPlan, limit: FailureLimit) -> None:
        self._name = name
        self._plan = plan
        self._limit = limit
        self._known_hangs = plan.known_hangs.get(name, ())
        self._is_stopped = False
        self._orders = deque(orders(plan.remaining(name), plan.options.repeat))
        self._stalls = StallMonitor(name, plan.timeouts)
        self._breaker = CircuitBreaker(plan.options.max_breaks)
        self._combiner = _combiner(plan)
        self._round = 0
        self.pool = self._next()

    @property
    def done(self) -> bool:
        """Whether the last round has ended."""
        return self.pool.done and not self._orders

    def step(self) -> list[Event]:
        """Everything that can be done without waiting, and the events that it gave."""
        events = self.pool.step()
        if self._round == 1:
            events = [event for event in events if self._limit.admits(event)]
        if self._combiner is None:
            return events
        combined = [combined_event for event in events for combined_event in self._combiner.add(event, self._round)]
        done = self.pool.done
        if done and not self._orders and (again := [result.case for result in reversed(self._combiner.waiting())]):
            self._orders.append(again)
        if done and self._combiner.never_started:
            self._orders.clear()
            combined += self._combiner.rest()
        elif done and self._orders:
            self.pool = self._next()
        return combined

    def stop(self) -> None:
        """Sends no further case; only the failing ones are executed once more."""
        if self._round == 1 and not self._is_stopped:
            self._is_stopped = True
            self.pool.abandon()
            self._orders.clear()
            self.pool = JobPool(1, (), self._begin)

    def waiting(self) -> list[Result]:
        """The results that wait for another execution."""
        return self._combiner.waiting() if self._combiner else []

    def _next(self) -> JobPool:
        self._round += 1
        # A hang in a process that has answered nothing needs no second one to prove it.
        cases = sorted(self._orders.popleft(), key=lambda case: case.name not in self._known_hangs)
        return JobPool(self._plan.options.jobs, cases, self._begin)

    def _begin(self) -> AdapterRun:
        plan = self._plan
        return AdapterRun(
            self._name,
            plan.connections[self._name],
            (),
            plan.operations,
            plan.answer_error,
            plan.timeouts,
            plan.max_in_flight,
            lasting=True,
            stalls=self._stalls if plan.options.jobs == 1 else None,
            breaker=self._breaker,
            spare=plan.spare,
            known_hangs=self._known_hangs,
        )


def wait(runs: Sequence[AdapterRun]) -> None:
    """Waits until a pipe of a run is ready, or for one poll interval; returns at once if there is no run."""
    channels = [run.channel for run in runs if run.channel is not None]
    if not runs or len(channels) < len(runs):
        return
    is_short = any(run.has_pending_verdict or len(run.channel.waiting_on()[0]) < 2 for run in runs if run.channel)
    await_pipes(channels, _SHORT_POLL_INTERVAL if is_short else _POLL_INTERVAL)
