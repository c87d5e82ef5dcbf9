"""Flaky answers: a repeated run executes every case several times, any other run a failing case and a variant twice, and
a case that changed since an older record `CHANGED` times.

An answer may depend on the order of a hash table, on earlier requests or on the time. So the executions of a case differ in
their process and in their order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

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
    Result,
    Rounds,
    StartFailure,
    Variant,
    replace,
)
from .adapter_session import is_other
from .events import Event

CHANGED = 5
"""Executions of a case that changed: one with two equally frequent answers shows only one of them in 1 of 16 times."""


class RoundCombiner:
    """Combines the events of all rounds over the same cases. A result is passed on after its last round, any other event
    at once, and `initialize` of later rounds only as an incident if it changed.

    `due` is how often a case is executed, by the result of its first round.
    """

    def __init__(self, due: Callable[[Result], int]) -> None:
        self._due_after = due
        self._introduction: Implementation | None = None
        self._results: dict[str, list[Result]] = {}
        self._due: dict[str, int] = {}
        self._gave_up = False

    @property
    def never_started(self) -> bool:
        """Whether the adapter answered `initialize` in no round so far, so that another round gives nothing new."""
        return self._introduction is None

    def add(self, event: Event, number: int) -> Iterator[Event]:
        """The events to pass on for one event of round `number`, counted from 1."""
        match event:
            case Result(outcome=Errored(StartFailure() as cause)) if number > 1 and not self._gave_up:
                self._gave_up = True
                yield Incident(event.implementation, cause)
                yield from self.add(event, number)
            case Result():
                name = event.case.name
                results = self._results.setdefault(name, [])
                results.append(event)
                if len(results) >= self._due.setdefault(name, self._due_after(event)):
                    del self._due[name]
                    yield combined(self._results.pop(name))
            case Implementation():
                yield from self._introduced(event, number)
            case _:
                yield event

    def waiting(self) -> list[Result]:
        """The results of the first round that wait for another one."""
        return [results[0] for results in self._results.values()]

    def rest(self) -> list[Result]:
        """The same; no other round follows."""
        results = self.waiting()
        self._results.clear()
        return results

    def _introduced(self, found: Implementation, number: int) -> Iterator[Event]:
        before, self._introduction = self._introduction, found
        if before is None:
            yield found
        elif is_other(before, found):
            yield Incident(found.name, Breach(BreachCode.IDENTITY_CHANGED, found=f"pass {number}"))


def executions(result: Result, *, is_change: bool) -> int:
    """How often a run executes a case with this first result: a failing one and a variant twice, and one that `is_change`
    since an older record `CHANGED` times. Whatever breaks the adapter was executed alone already."""
    outcome = result.outcome
    if isinstance(outcome, Errored) and not isinstance(outcome.cause, ImplementationError):
        return 1
    return CHANGED if is_change else 2 if isinstance(outcome, Failed | Errored | Variant) else 1


def orders(cases: Sequence[Case], rounds: int) -> Iterator[Sequence[Case]]:
    """The order of each round: as given, reversed, then shuffled with a fixed seed."""
    yield cases
    if rounds > 1:
        yield cases[::-1]
    for number in range(2, rounds):
        shuffled = list(range(len(cases)))
        random.Random(number).shuffle(shuffled)
        yield [cases[place] for place in shuffled]


def combined(results: Sequence[Result]) -> Result:
    """One result of all rounds: the first that fails, else the first; `flaky` lists the rounds if they differ.

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
    return replace(chosen, flaky=tuple(Rounds(tuple(numbers), first[key].outcome) for key, numbers in when.items()))
