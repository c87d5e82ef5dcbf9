"""A failing answer → the choice of readings and deviations that gives exactly this answer. Pure.

An answer that differs from the expected one is compared with answers under alternatives to the adopted text. An
`AlternativeAnswers` gives them: a process that can follow a recorded reading or a known deviation. It decides nothing: it
shows only which alternatives an answer follows.

Readings excuse an answer if the specification leaves them open. One reading excuses by itself. Several readings excuse
together only if the implementation follows each of them elsewhere: in an answer that this reading alone explains, in a
disputed case, or by its known profile. Every other explanation stays with the failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import Protocol

from ..model import (
    ADOPTED,
    Case,
    Choice,
    Difference,
    Errored,
    Failed,
    ImplementationError,
    Operation,
    Outcome,
    Readings,
    Response,
    Result,
    Ruling,
    Variant,
    response_of,
)
from .verdict import MAX_DIFFERENCES, refusals, response_differences

DECIDES = "decides"
"""The `text` of a ruling that leaves nothing open: its other readings excuse no answer."""

MAX_SWITCHES = 3
"""Alternatives in one choice, beyond those of a known profile."""

MAX_COMBINATIONS = 120
"""Combinations that are compared with one answer."""

Alternative = tuple[str, str]
"""(ruling, reading), or ("", name) for a deviation."""


@dataclass(frozen=True, slots=True)
class AlternativeAnswer:
    """The response under a choice, and every alternative, chosen or not, whose point of decision it reached."""

    response: Response
    reached: frozenset[Alternative]


class AlternativeAnswers(Protocol):
    """Gives answers under alternatives to the adopted text."""

    def offers(self, operation: str) -> bool:
        """Whether it answers the operation."""

    def answers(self, case: Case, choices: Sequence[Choice]) -> Sequence[AlternativeAnswer | None]:
        """The answer to a case under each choice; None where the alternatives exclude each other."""


@dataclass(frozen=True, slots=True)
class Model:
    """What is known of an implementation: the readings that it follows everywhere, and its deviations, by name."""

    readings: Readings = ()
    deviations: tuple[str, ...] = ()

    @property
    def choice(self) -> Choice:
        """All of it, as one choice."""
        return Choice(self.readings, self.deviations)


@dataclass(slots=True)
class Attribution:
    """Explains the failing answers of one implementation.

    `rulings` and `operations` are those of the corpus. `unobservable` has the paths that the implementation cannot report,
    by operation. `followed` counts the readings that it follows so far; `observe` and `explain` add to it.
    """

    source: AlternativeAnswers
    rulings: Mapping[str, Ruling]
    operations: Mapping[str, Operation]
    model: Model = Model()
    unobservable: Mapping[str, Sequence[str]] = field(default_factory=dict)
    followed: Counter[Alternative] = field(default_factory=Counter)

    def observe(self, result: Result) -> None:
        """Counts the readings that a result follows."""
        self.followed.update(result.readings)

    def explain_all(self, failing: Sequence[Result]) -> Iterator[Result]:
        """The same results, each failing answer explained if an explanation is found.

        Combinations are searched last, when the readings that explain an answer alone are known.
        """
        searched = [self._searched(one) for one in failing]
        for one in searched:
            if one is not None and one.alone:
                self.followed.update(one.alone[:1] if len(one.alone) == 1 else ())
        for result, search in zip(failing, searched, strict=True):
            yield self._explained(result, search)

    def explain(self, result: Result) -> Result:
        """One failing answer, explained by what is known so far."""
        return self._explained(result, self._searched(result))

    def predicted(self, case: Case) -> AlternativeAnswer | None:
        """The answer that the model predicts; None if the source does not answer the operation."""
        if not self.source.offers(case.operation):
            return None
        return self.source.answers(case, [self.model.choice])[0]

    def predicted_failures(self, cases: Sequence[Case]) -> Iterator[tuple[str, Choice]]:
        """The cases whose predicted answer no reading excuses, each with the part of the model that causes it."""
        for case in cases:
            found = self.predicted(case)
            if found is None or self.is_same(case, case.expected, found.response):
                continue
            causes = self.causes(case, found)
            if causes.deviations or not all(map(self.is_open, causes.readings)):
                yield case.name, causes

    def causes(self, case: Case, answer: AlternativeAnswer) -> Choice:
        """The part of the model without which the predicted answer to a case would be another one."""
        return self._needed(case, self.model.choice, answer)

    def _searched(self, result: Result) -> _Search | None:
        """The search for one answer up to single readings; None if there is nothing to search."""
        received = _searchable(result.outcome)
        if received is None or not self.source.offers(result.case.operation):
            return None
        search = _Search(self, result.case, received)
        search.by_model()
        if not search.model_choice:
            search.by_single_readings()
        return search

    def _explained(self, result: Result, search: _Search | None) -> Result:
        if search is None:
            return result
        choice = search.model_choice or self._chosen(result.case, search.alone) or search.by_combination()
        excused = bool(choice) and not choice.deviations and all(map(self.is_open, choice.readings))
        if excused:
            self.followed.update(choice.readings)
            return replace(result, outcome=_variant(result, search.received, choice.readings, self))
        choice = choice or search.without_excuse()
        if not choice or not isinstance(result.outcome, Failed | Errored):
            return result
        return replace(result, outcome=replace(result.outcome, explained_by=choice))

    def _chosen(self, case: Case, alone: Sequence[Alternative]) -> Choice:
        """Of the readings that explain an answer alone: that of the case's ruling, else the one followed most."""
        if not alone:
            return ADOPTED
        best = max(alone, key=lambda one: (one[0] == case.ruling, self.followed[one], [-ord(c) for c in one[0]]))
        return Choice((best,))

    def is_open(self, reading: Alternative) -> bool:
        """Whether the specification leaves the reading open."""
        ruling = self.rulings.get(reading[0])
        return ruling is not None and ruling.text != DECIDES and reading[1] in ruling.readings

    def differences(self, case: Case, wanted: Response, got: Response) -> Iterator[Difference]:
        """The differences of a response from another one, by the rules of the case's operation."""
        rules = self.operations[case.operation].rules
        return response_differences(wanted, got, rules, self.unobservable.get(case.operation, ()))

    def is_same(self, case: Case, wanted: Response, got: Response) -> bool:
        """Whether the rules of the case's operation find no difference."""
        return next(self.differences(case, wanted, got), None) is None

    def _needed(self, case: Case, choice: Choice, answer: AlternativeAnswer) -> Choice:
        """The choice without the alternatives that do not change the answer."""
        for alternative in [one for one in _alternatives(choice) if one not in answer.reached]:
            choice = _without(choice, alternative)
        for alternative in _alternatives(choice):
            smaller = _without(choice, alternative)
            found = self.source.answers(case, [smaller])[0]
            if found is not None and self.is_same(case, found.response, answer.response):
                choice = smaller
        return choice


def is_searchable(result: Result) -> bool:
    """Whether the result fails with an answer or a raised error, in every execution alike."""
    return not result.flaky and _searchable(result.outcome) is not None


class _Search:
    """The search for the choice that gives one received response."""

    def __init__(self, attribution: Attribution, case: Case, received: Response) -> None:
        self._attribution = attribution
        self._case = case
        self.received = received
        self.model_choice = ADOPTED
        self.alone: list[Alternative] = []
        self._effective: dict[Alternative, AlternativeAnswer] = {}
        self._reached: frozenset[Alternative] = frozenset()

    def by_model(self) -> None:
        """Compares the response with the one that the model predicts."""
        model = self._attribution.model
        if not model.choice:
            return
        found = self._attribution.predicted(self._case)
        if found is not None and self._is_received(found):
            self.model_choice = self._attribution.causes(self._case, found)

    def by_single_readings(self) -> None:
        """Compares the response with the answers under each open reading alone."""
        base = self._answers([ADOPTED])[0]
        if base is None:
            return
        self._reached = base.reached
        self.alone = self._matching(base, [one for one in sorted(base.reached) if self._attribution.is_open(one)])

    def _matching(self, base: AlternativeAnswer, tried: Sequence[Alternative]) -> list[Alternative]:
        """The alternatives that explain the response alone. Those that change the answer at all are kept."""
        matching = []
        for one, found in zip(tried, self._answers([_choice([one]) for one in tried]), strict=True):
            if found is None or found.response == base.response:
                continue
            self._effective[one] = found
            if self._is_received(found):
                matching.append(one)
        return matching

    def by_combination(self) -> Choice:
        """Readings that the implementation follows elsewhere, and that explain the response together."""
        followed = [one for one in self._attribution.followed if one in self._known_reached()]
        followed += [one for one in self._attribution.model.readings if one not in followed]
        return self._first_matching(
            _choice(some)
            for size in range(2, MAX_SWITCHES + 1)
            for some in combinations(sorted(filter(self._attribution.is_open, followed)), size)
        )

    def without_excuse(self) -> Choice:
        """Alternatives that explain the response and do not excuse it: one that the text refutes, a deviation alone or with
        the known profile, two open readings."""
        base = self._answers([ADOPTED])[0]
        if base is None:
            return ADOPTED
        refuting = [one for one in sorted(base.reached) if not self._attribution.is_open(one)]
        if alone := self._matching(base, refuting):
            return _choice(alone[:1])
        profile = [*self._attribution.model.readings]
        with_profile = (_choice([*profile, one]) for one in sorted(self._known_reached()) if not one[0])
        pairs = (_choice(pair) for pair in combinations(self._effective, 2))
        return self._first_matching(with_profile if profile else ()) or self._first_matching(pairs)

    def _known_reached(self) -> frozenset[Alternative]:
        """Every alternative that some answer so far reached."""
        return self._reached.union(*(found.reached for found in self._effective.values()))

    def _first_matching(self, choices: Iterable[Choice]) -> Choice:
        tried = list(islice((one for one in choices if _is_consistent(one)), MAX_COMBINATIONS))
        found = self._answers(tried)
        return next((one for one, at in zip(tried, found, strict=True) if at and self._is_received(at)), ADOPTED)

    def _answers(self, choices: Sequence[Choice]) -> Sequence[AlternativeAnswer | None]:
        return self._attribution.source.answers(self._case, choices) if choices else ()

    def _is_received(self, found: AlternativeAnswer) -> bool:
        return self._attribution.is_same(self._case, found.response, self.received)


def _searchable(outcome: Outcome) -> Response | None:
    """The answer, or the raised error, of a failing outcome."""
    raised = isinstance(outcome, Errored) and isinstance(outcome.cause, ImplementationError)
    return response_of(outcome) if raised or isinstance(outcome, Failed) else None


def _variant(result: Result, received: Response, readings: Readings, attribution: Attribution) -> Variant:
    found = islice(attribution.differences(result.case, result.case.expected, received), MAX_DIFFERENCES)
    operation = attribution.operations[result.case.operation]
    return Variant(received, readings, tuple(found), refusals(result.case, operation, received))


def _choice(alternatives: Iterable[Alternative]) -> Choice:
    given = sorted(set(alternatives))
    return Choice(tuple(one for one in given if one[0]), tuple(name for ruling, name in given if not ruling))


def _alternatives(choice: Choice) -> list[Alternative]:
    return [*choice.readings, *(("", name) for name in choice.deviations)]


def _without(choice: Choice, alternative: Alternative) -> Choice:
    return _choice(one for one in _alternatives(choice) if one != alternative)


def _is_consistent(choice: Choice) -> bool:
    """Whether it has at most one reading of each ruling."""
    return len(dict(choice.readings)) == len(choice.readings)
