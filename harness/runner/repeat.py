"""Flaky answers: a repeated run executes every case several times, any other run a failing case twice.

An answer may depend on the order of a hash table, on earlier requests or on the time. So the executions of a case differ in
their process and in their order.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..model import (
    FAILING,
    Breach,
    BreachCode,
    Case,
    Errored,
    ErrorKind,
    Failed,
    Implementation,
    ImplementationError,
    Incident,
    Outcome,
    Passes,
    Result,
    StartFailure,
)
from .events import Event


class PassCombiner:
    """Combines the events of all passes over the same cases. A result is passed on after the last pass, any other event
    at once, and `initialize` of later passes only as an incident if it changed.

    With `only_failing`, a result that does not fail is passed on after the first pass.
    """

    def __init__(self, passes: int, *, only_failing: bool = False) -> None:
        self._passes = passes
        self._only_failing = only_failing
        self._introduction: Implementation | None = None
        self._results: dict[str, list[Result]] = {}
        self._gave_up = False

    @property
    def never_started(self) -> bool:
        """Whether the adapter answered `initialize` in no pass so far, so that another pass gives nothing new."""
        return self._introduction is None

    def add(self, event: Event, number: int) -> Iterator[Event]:
        """The events to pass on for one event of pass `number`, counted from 1."""
        match event:
            case Result() if self._only_failing and number == 1 and not _can_be_flaky(event.outcome):
                yield event
            case Result(outcome=Errored(StartFailure() as cause)) if number > 1 and not self._gave_up:
                self._gave_up = True
                yield Incident(event.implementation, cause)
                yield from self.add(event, number)
            case Result():
                results = self._results.setdefault(event.case.name, [])
                results.append(event)
                if number == self._passes:
                    yield combined(self._results.pop(event.case.name))
            case Implementation():
                yield from self._introduced(event, number)
            case _:
                yield event

    def waiting(self) -> list[Result]:
        """The results of the first pass that wait for another pass."""
        return [results[0] for results in self._results.values()]

    def rest(self) -> list[Result]:
        """The same; no other pass follows."""
        results = self.waiting()
        self._results.clear()
        return results

    def _introduced(self, found: Implementation, number: int) -> Iterator[Event]:
        before, self._introduction = self._introduction, found
        if before is None:
            yield found
        elif replace(before, versions={}) != replace(found, versions={}):
            yield Incident(found.name, Breach(BreachCode.IDENTITY_CHANGED, found=f"pass {number}"))


def _can_be_flaky(outcome: Outcome) -> bool:
    """Whether a second execution is due: the answer fails. Whatever breaks the adapter was executed alone already."""
    return isinstance(outcome, Failed) or (
        isinstance(outcome, Errored) and isinstance(outcome.cause, ImplementationError)
    )


def orders(cases: Sequence[Case], passes: int) -> Iterator[Sequence[Case]]:
    """The order of each pass: as given, reversed, then shuffled with a fixed seed."""
    yield cases
    if passes > 1:
        yield cases[::-1]
    for number in range(2, passes):
        shuffled = list(cases)
        random.Random(number).shuffle(shuffled)
        yield shuffled


def combined(results: Sequence[Result]) -> Result:
    """One result of all passes: the first that fails, else the first; `flaky` lists the passes if they differ.

    Answers are the same if the case's comparison rules find no difference between them.
    """
    if results[0].kind is not ErrorKind.START:
        results = [result for result in results if result.kind is not ErrorKind.START]  # no execution, so no answer
    sent = [result for result in results if not result.unsent_after]
    results = sent or results[:1]
    when: dict[tuple[object, ...], list[int]] = {}
    first: dict[tuple[object, ...], Result] = {}
    for number, result in enumerate(results, 1):
        key = (result.verdict, result.kind, result.readings, result.signature)
        when.setdefault(key, []).append(number)
        first.setdefault(key, result)
    failing = [result for result in results if result.verdict in FAILING]
    chosen = (failing or results)[0]
    if len(when) == 1:
        return chosen
    return replace(chosen, flaky=tuple(Passes(tuple(numbers), first[key].outcome) for key, numbers in when.items()))
