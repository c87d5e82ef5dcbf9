"""Asking every case several times over, each time of a fresh process and in another order, to find answers that differ.

What a run asks once can be right by luck: an answer that hangs on the order of a hash table, on what was asked before, or
on the time of day is another answer the next time.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from harness.model import FAILING, Breach, BreachCode, Case, Implementation, Incident, Passes, Result
from harness.protocol import Channel
from harness.runner.adapter_run import AdapterRun, Event
from harness.runner.stall import Stall

Begin: TypeAlias = Callable[[Sequence[Case]], AdapterRun]
"""Begins an interview, which starts processes of its own, about these cases."""


class RepeatedRun:
    """Several interviews about the same cases, one after the other, which the engine takes for one.

    A result comes once its case was asked for the last time; incidents come as they happen.
    """

    def __init__(self, cases: Sequence[Case], times: int, begin: Begin) -> None:
        self._begin = begin
        self._orders = deque(_orders(cases, times))
        self._last = times
        self._pass = 0
        self._said: Implementation | None = None
        self._results: dict[str, list[Result]] = {}
        self._next()

    def _next(self) -> None:
        self._pass += 1
        self._current = self._begin(self._orders.popleft())

    @property
    def done(self) -> bool:
        """Whether the last interview has come to its end."""
        return self._current.done and not self._orders

    @property
    def channel(self) -> Channel | None:
        """That of the interview that goes on."""
        return self._current.channel

    @property
    def silence(self) -> Stall | None:
        """As of an interview."""
        return self._current.silence

    @property
    def pending_verdict(self) -> bool:
        """As of an interview."""
        return self._current.pending_verdict

    def step(self) -> list[Event]:
        """Does all that can be done without waiting, and returns what it led to."""
        told = [one for event in self._current.step() for one in self._heard(event)]
        if self._current.done and self._said is None:  # it never started, and will not the next time
            self._orders.clear()
            told += [results[0] for results in self._results.values()]
        elif self._current.done and self._orders:
            self._next()
        return told

    def abandon(self) -> None:
        """Ends the process, whatever it is doing."""
        self._current.abandon()

    def _heard(self, event: Event) -> Iterator[Event]:
        match event:
            case Result():
                results = self._results.setdefault(event.case.name, [])
                results.append(event)
                if self._pass == self._last:
                    yield combined(results)
            case Implementation():
                yield from self._introduced(event)
            case _:
                yield event

    def _introduced(self, said: Implementation) -> Iterator[Event]:
        before, self._said = self._said, said
        if before is None:
            yield said
        elif replace(before, versions={}) != replace(said, versions={}):
            yield Incident(said.name, Breach(BreachCode.IDENTITY_CHANGED, found=f"pass {self._pass}"))


def _orders(cases: Sequence[Case], times: int) -> Iterator[Sequence[Case]]:
    """The cases as they stand, from behind, and then shuffled, each time otherwise and the same in every run."""
    yield cases
    yield cases[::-1]
    for number in range(2, times):
        shuffled = list(cases)
        random.Random(number).shuffle(shuffled)
        yield shuffled


def combined(results: Sequence[Result]) -> Result:
    """One result of those of all passes: the first that fails, else the first; with what came when, if that differs.

    Answers are the same if the case's rules find nothing between them.
    """
    when: dict[tuple[object, ...], list[int]] = {}
    first: dict[tuple[object, ...], Result] = {}
    for number, result in enumerate(results, 1):
        key = (result.verdict, result.kind, result.reading, result.signature)
        when.setdefault(key, []).append(number)
        first.setdefault(key, result)
    failing = [result for result in results if result.verdict in FAILING]
    chosen = (failing or results)[0]
    if len(when) == 1:
        return chosen
    return replace(chosen, flaky=tuple(Passes(tuple(numbers), first[key].outcome) for key, numbers in when.items()))
