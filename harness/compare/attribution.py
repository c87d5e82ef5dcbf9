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
    Answered,
    Case,
    Choice,
    Difference,
    Errored,
    Failed,
    ImplementationError,
    Json,
    Operation,
    Outcome,
    Readings,
    Response,
    Result,
    Rules,
    Ruling,
    Variant,
    response_of,
)
from .unobservable import drop_paths, reported_paths
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
        found = [one for one in searched if one is not None]
        self.followed.update(one.alone[0] for one in found if len(one.alone) == 1)
        chosen = [self._chosen(one) for one in found if len(one.alone) > 1]
        self.followed.update(alternative for one in chosen for alternative in one.readings)
        for result, search in zip(failing, searched, strict=True):
            yield result if search is None else self._explained(result, search)

    def explain(self, result: Result) -> Result:
        """One failing answer, explained by what is known so far."""
        search = self._searched(result)
        if search is None:
            return result
        explained = self._explained(result, search)
        self.observe(explained)
        return explained

    def predicted(self, case: Case) -> AlternativeAnswer | None:
        """The answer that the model predicts; None if the source does not answer the operation."""
        if not self.source.offers(case.operation):
            return None
        return self.source.answers(case, [self.model.choice])[0]

    def predicted_failures(self, cases: Sequence[Case]) -> Iterator[tuple[str, Choice]]:
        """The cases whose predicted answer no reading excuses, each with the part of the model that causes it."""
        for case in cases:
            found = self.predicted(case)
            if found is None or next(self.differences(case, case.expected, found.response), None) is None:
                continue
            causes = self.causes(case, found)
            if causes.deviations or not all(map(self.is_open, causes.readings)):
                yield case.name, causes

    def causes(self, case: Case, answer: AlternativeAnswer) -> Choice:
        """The part of the model without which the predicted answer to a case would be another one."""
        return self.needed(case, self.model.choice, answer)

    def _searched(self, result: Result) -> _Search | None:
        """The search for one answer up to single readings; None if there is nothing to search."""
        received = _searchable(result.outcome)
        if result.flaky or received is None or not self.source.offers(result.case.operation):
            return None
        search = _Search(self, result.case, received)
        search.by_model()
        if not search.model_choice:
            search.by_single_readings()
        return search

    def _explained(self, result: Result, search: _Search) -> Result:
        choice = search.model_choice or self._chosen(search) or search.by_combination()
        if choice and not choice.deviations and all(map(self.is_open, choice.readings)):
            return replace(result, outcome=_variant(result, search.received, choice.readings, self))
        choice = choice or search.without_excuse()
        if not choice or not isinstance(result.outcome, Failed | Errored):
            return result
        return replace(result, outcome=replace(result.outcome, explained_by=choice))

    def _chosen(self, search: _Search) -> Choice:
        """Of the readings that explain an answer alone: that of the case's ruling, else the one followed most."""
        if not search.alone:
            return ADOPTED
        ruling = search.case.ruling
        return _choice([min(search.alone, key=lambda one: (one[0] != ruling, -self.followed[one], one))])

    def is_open(self, reading: Alternative) -> bool:
        """Whether the specification leaves the reading open."""
        ruling = self.rulings.get(reading[0])
        return ruling is not None and ruling.text != DECIDES and reading[1] in ruling.readings

    def differences(self, case: Case, wanted: Response, got: Response) -> Iterator[Difference]:
        """The differences of a response from another one, by the rules of the case's operation."""
        rules = self.operations[case.operation].rules
        return response_differences(wanted, got, rules, self.unobservable.get(case.operation, ()))

    def is_same(self, case: Case, found: Response, received: Response) -> bool:
        """Whether a response is one that the source gives, at the places that the case compares."""
        return (
            next(self.differences(case, _as_expected(found, case, self.operations[case.operation]), received), None)
            is None
        )

    def needed(self, case: Case, choice: Choice, answer: AlternativeAnswer) -> Choice:
        """The choice without the alternatives that do not change its answer."""
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
        self.case = case
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
        found = self._attribution.predicted(self.case)
        if found is not None and self._is_received(found):
            self.model_choice = self._attribution.causes(self.case, found)

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
        known = _alternatives(self._attribution.model.choice)
        if alone := self._matching(base, refuting):
            return _choice([min(alone, key=lambda one: (one not in known, one))])
        return self._with_profile() or self._first_matching(_choice(pair) for pair in combinations(self._effective, 2))

    def _with_profile(self) -> Choice:
        """A deviation that explains the response together with the known profile, and the part of the profile that it
        needs."""
        profile = self._attribution.model.readings
        if not profile:
            return ADOPTED
        deviations = [one for one in sorted(self._known_reached()) if not one[0]]
        choices = [_choice([*profile, one]) for one in deviations]
        for choice, found in zip(choices, self._answers(choices), strict=True):
            if found is not None and self._is_received(found):
                return self._attribution.needed(self.case, choice, found)
        return ADOPTED

    def _known_reached(self) -> frozenset[Alternative]:
        """Every alternative that some answer so far reached."""
        return self._reached.union(*(found.reached for found in self._effective.values()))

    def _first_matching(self, choices: Iterable[Choice]) -> Choice:
        tried = list(islice((one for one in choices if _is_consistent(one)), MAX_COMBINATIONS))
        found = self._answers(tried)
        return next((one for one, at in zip(tried, found, strict=True) if at and self._is_received(at)), ADOPTED)

    def _answers(self, choices: Sequence[Choice]) -> Sequence[AlternativeAnswer | None]:
        return self._attribution.source.answers(self.case, choices) if choices else ()

    def _is_received(self, found: AlternativeAnswer) -> bool:
        return self._attribution.is_same(self.case, found.response, self.received)


def _searchable(outcome: Outcome) -> Response | None:
    """The answer, or the raised error, of a failing outcome."""
    raised = isinstance(outcome, Errored) and isinstance(outcome.cause, ImplementationError)
    return response_of(outcome) if raised or isinstance(outcome, Failed) else None


def _variant(result: Result, received: Response, readings: Readings, attribution: Attribution) -> Variant:
    found = islice(attribution.differences(result.case, result.case.expected, received), MAX_DIFFERENCES)
    operation = attribution.operations[result.case.operation]
    return Variant(received, readings, tuple(found), refusals(result.case, operation, received))


def _as_expected(found: Response, case: Case, operation: Operation) -> Response:
    """The response with only the places that the case compares: a case leaves out what is beside its point."""
    expected = case.expected
    if not isinstance(found, Answered):
        return found
    optional = list(_optional(operation.rules))
    value: Json = found.value
    if optional:
        compared = reported_paths(expected.value, optional) if isinstance(expected, Answered) else ()
        value = drop_paths(value, [one for one in optional if one not in compared])
    free = expected.free if isinstance(expected, Answered) else ()
    return Answered(value, free) if isinstance(value, dict) else found


def _optional(rules: Rules, pointer: str = "") -> Iterator[str]:
    """JSON Pointers to the places that are compared only if the expected answer has them."""
    if rules.if_expected:
        yield pointer
        return
    for name, below in rules.properties.items():
        yield from _optional(below, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")
    if rules.items is not None:
        yield from _optional(rules.items, f"{pointer}/*")


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
