"""A failing answer → the choice of readings and deviations that gives exactly this answer. Pure.

An answer that differs from the expected one is compared with answers under alternatives to the adopted text. An
`AlternativeAnswers` gives them: a process that can follow a recorded reading or a known deviation. It decides nothing: it
shows only which alternatives an answer follows.

Readings excuse an answer if the specification leaves them open. One reading excuses by itself. Several readings excuse
together only if the implementation follows each of them elsewhere: in an answer that this reading alone explains, in a
disputed case, or by the readings of its known-divergence file. Every other explanation stays with the failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import Protocol

from ..model import (
    ADOPTED,
    ENDLESS,
    FAILING,
    UNCLASSIFIED,
    Answered,
    Case,
    Choice,
    Difference,
    Errored,
    Failed,
    ImplementationError,
    Operation,
    Outcome,
    Passed,
    Raised,
    Readings,
    Response,
    Result,
    Ruling,
    TimedOut,
    Variant,
    Verdict,
    response_of,
)
from .json_diff import MAX_DIFFERENCES
from .unobservable import as_expected, drop_paths, has_optional_places
from .verdict import judge, refusals, response_differences

DECIDES = "decides"
"""The `text` of a ruling that leaves nothing open: its other readings excuse no answer."""

MAX_SWITCHES = 3
"""Alternatives in one choice, beyond those of the model."""

MAX_COMBINATIONS = 30
"""Combinations that are compared with one answer, for each kind of combination."""

MAX_REMARKS = 200
"""Unexcused answers of one implementation that are compared with further combinations, which only explain them."""

MAX_SEARCHED = 1_000
"""Failing answers of one implementation that are searched beyond its model: an implementation that fails more often has
other causes first."""

Alternative = tuple[str, str]
"""(ruling, reading), or ("", name) for a deviation."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The response to a case without alternatives, and the other response under each alternative that changes it alone.
    `reached` has every alternative whose point of decision the request reaches."""

    response: Response
    changes: Mapping[Alternative, Response]
    reached: frozenset[Alternative]


class AlternativeAnswers(Protocol):
    """Gives answers under alternatives to the adopted text."""

    def offers(self, operation: str) -> bool:
        """Whether it answers the operation."""

    def effects(self, case: Case) -> Effects | None:
        """The effect of each single alternative on a case; None if there is no answer."""

    def answers(self, cases: Sequence[Case], choices: Sequence[Choice]) -> Sequence[Response | None]:
        """The response to each case under the choice at the same place; None where the alternatives exclude each other."""

    def needed(self, case: Case, choice: Choice) -> Choice:
        """The choice without the alternatives that do not change its response to a case."""


@dataclass(frozen=True, slots=True)
class Model:
    """What is known of an implementation: the readings that a prediction assumes, and its deviations, by name."""

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
    by operation. `followed` counts the readings that it follows so far; `observe` and `explain` add to it. `searched`
    counts the failing answers beyond the model, `remarked` those that nothing excuses. `causes` has the predicted failures
    that are known already, by case.
    """

    source: AlternativeAnswers
    rulings: Mapping[str, Ruling]
    operations: Mapping[str, Operation]
    model: Model = Model()
    unobservable: Mapping[str, Sequence[str]] = field(default_factory=dict)
    followed: Counter[Alternative] = field(default_factory=Counter)
    causes: Mapping[str, Choice] = field(default_factory=dict)
    searched: int = 0
    remarked: int = 0

    def observe(self, result: Result) -> None:
        """Counts the readings that a result follows."""
        self.followed.update(result.readings)

    def explain_all(self, failing: Sequence[Result]) -> Iterator[Result]:
        """The same results, each failing answer explained if an explanation is found.

        Combinations are searched last, when the readings that explain an answer alone are known.
        """
        predicted = self.predictions([one.case for one in failing])
        searches = [self._search(one, at) for one, at in zip(failing, predicted, strict=True)]
        for search in searches:
            if search is not None and not search.model_choice and self._may_search():
                search.by_single_readings()
        found = [one for one in searches if one is not None]
        self.followed.update(one.alone[0] for one in found if len(one.alone) == 1)
        chosen = [self._chosen(one) for one in found if len(one.alone) > 1]
        self.followed.update(alternative for one in chosen for alternative in one.readings)
        for result, search in zip(failing, searches, strict=True):
            yield result if search is None else self._explained(result, search)

    def settle(self, variants: Sequence[Result]) -> Iterator[Result]:
        """The same variants. Where the implementation mostly follows another reading of the ruling, and that reading gives
        the same response, the variant follows that one: a case lists one of the readings that it cannot separate."""
        others = [self._usual(one) for one in variants]
        asked = [(one, other) for one, other in zip(variants, others, strict=True) if other]
        found = self.source.answers([one.case for one, _ in asked], [other for _, other in asked])
        responses = iter(found)
        for result, other in zip(variants, others, strict=True):
            usual = next(responses) if other else None
            received = response_of(result.outcome)
            if usual is None or received is None or not self.is_same(result.case, usual, received):
                yield result
            else:
                yield replace(result, outcome=_variant(result, received, other.readings, self))

    def separate(self, passes: Sequence[Result]) -> Iterator[Result]:
        """The same passes, each with the adopted reading of every ruling that cites its case and whose other readings all
        predict another answer. Where one of them predicts the same answer, or none, a pass follows no reading."""
        others = [self._others(one.case) for one in passes]
        asked = [(one, choice_of([other])) for one, found in zip(passes, others, strict=True) for other in found]
        responses = iter(self.source.answers([one.case for one, _ in asked], [choice for _, choice in asked]))
        for result, found in zip(passes, others, strict=True):
            undecided = {ruling for ruling, _ in found if not self._differs(result, next(responses))}
            followed = {ruling: self.rulings[ruling].adopted for ruling, _ in found if ruling not in undecided}
            yield _following(result, followed)

    def _others(self, case: Case) -> list[Alternative]:
        """The readings that are not adopted, of the rulings that cite a case without disputing it."""
        return [
            (id_, reading)
            for id_ in case.cited_by_rulings
            if id_ != case.ruling and id_ in self.rulings
            for reading in self.rulings[id_].readings
            if reading != self.rulings[id_].adopted
        ]

    def _differs(self, result: Result, predicted: Response | None) -> bool:
        received = response_of(result.outcome)
        return predicted is not None and received is not None and not self.is_same(result.case, predicted, received)

    def _usual(self, result: Result) -> Choice:
        """The reading of a variant's one ruling that the implementation follows most, if it is another one."""
        if len(result.readings) != 1 or result.flaky:
            return ADOPTED
        [(ruling, reading)] = result.readings
        counts = {one: count for one, count in self.followed.items() if one[0] == ruling}
        best = min(counts, key=lambda one: (-counts[one], one), default=(ruling, reading))
        return ADOPTED if best[1] in (reading, self.rulings[ruling].adopted) else choice_of([best])

    def explain(self, result: Result) -> Result:
        """One failing answer, explained by what is known so far."""
        search = self._search(result, self.predictions([result.case])[0])
        if search is None:
            return result
        if not search.model_choice and self._may_search():
            search.by_single_readings()
        explained = self._explained(result, search)
        self.observe(explained)
        return explained

    def predictions(self, cases: Sequence[Case]) -> Sequence[Response | None]:
        """The response to each case that the model predicts; None without a model, or without an answer."""
        if not self.model.choice:
            return [None] * len(cases)
        return self.source.answers(cases, [self.model.choice] * len(cases))

    def predicted_failures(self, cases: Sequence[Case]) -> Iterator[tuple[str, Choice]]:
        """The cases whose predicted response no reading excuses, each with the part of the model that causes it."""
        for case, found in zip(cases, self.predictions(cases), strict=True):
            if found is None or not self._fails(case, found):
                continue
            causes = self.needed(case, self.model.choice, found)
            if causes.deviations or not all(map(self.is_open, causes.readings)):
                yield case.name, causes

    def _may_remark(self) -> bool:
        self.remarked += 1
        return self.remarked <= MAX_REMARKS

    def _fails(self, case: Case, response: Response) -> bool:
        """Whether the response fails the case by its own expected answers."""
        operation, hidden = self.operations[case.operation], self.unobservable.get(case.operation, ())
        compared = as_expected(response, case, operation)
        if isinstance(compared, Answered) and isinstance(visible := drop_paths(compared.value, hidden), dict):
            compared = replace(compared, value=visible)
        return judge(case, operation, compared, hidden).verdict in FAILING

    def _may_search(self) -> bool:
        self.searched += 1
        return self.searched <= MAX_SEARCHED

    def _search(self, result: Result, predicted: Response | None) -> _Search | None:
        """The search for one answer, up to the model; None if there is nothing to search."""
        received = _searchable(result.outcome)
        if result.flaky or received is None or not self.source.offers(result.case.operation):
            return None
        search = _Search(self, result.case, received)
        if predicted is not None and self.is_same(result.case, predicted, received):
            known = self.causes.get(result.case.name)
            search.model_choice = known or self.needed(result.case, self.model.choice, received)
        return search

    def _explained(self, result: Result, search: _Search) -> Result:
        choice = search.model_choice or self._chosen(search) or search.by_usual_readings() or search.by_combination()
        if choice and not choice.deviations and all(map(self.is_open, choice.readings)):
            return replace(result, outcome=_variant(result, search.received, choice.readings, self))
        choice = choice or search.without_excuse(self._may_remark)
        if not choice or not isinstance(result.outcome, Failed | Errored):
            return result
        return replace(result, outcome=replace(result.outcome, explained_by=choice))

    def _chosen(self, search: _Search) -> Choice:
        """Of the readings that explain an answer alone: that of the case's ruling, else the one followed most."""
        if not search.alone:
            return ADOPTED
        ruling = search.case.ruling
        return choice_of([min(search.alone, key=lambda one: (one[0] != ruling, -self.followed[one], one))])

    def usual_readings(self) -> Choice:
        """The readings that the implementation follows most, one for each ruling, as far as they are known."""
        usual: dict[str, str] = {}
        for ruling, reading in sorted(self.followed, key=lambda one: (self.followed[one], one)):
            usual[ruling] = reading
        known = {**usual, **dict(self.model.readings)}
        return choice_of(one for one in known.items() if self.is_open(one) and self.rulings[one[0]].adopted != one[1])

    def is_open(self, reading: Alternative) -> bool:
        """Whether the specification leaves the reading open."""
        ruling = self.rulings.get(reading[0])
        return ruling is not None and ruling.text != DECIDES and reading[1] in ruling.readings

    def differences(self, case: Case, wanted: Response, got: Response) -> Iterator[Difference]:
        """The differences of a response from another one, by the rules of the case's operation."""
        rules = self.operations[case.operation].rules
        return response_differences(wanted, got, rules, self.unobservable.get(case.operation, ()))

    def needed(self, case: Case, choice: Choice, received: Response) -> Choice:
        """The choice without the alternatives that change nothing at the places that the case compares. Under the choice,
        the source gives the received response."""
        found = self.source.needed(case, choice)
        if not has_optional_places(self.operations[case.operation]):
            return found
        for one in _alternatives(found):
            fewer = choice_of(other for other in _alternatives(found) if other != one)
            without = self.source.answers([case], [fewer])[0]
            if without is not None and self.is_same(case, without, received):
                found = fewer
        return found

    def is_same(self, case: Case, found: Response, received: Response) -> bool:
        """Whether a response is one that the source gives, at the places that the case compares."""
        return (
            next(self.differences(case, as_expected(found, case, self.operations[case.operation]), received), None)
            is None
        )


def is_evidence(result: Result) -> bool:
    """Whether the result passes a case that a ruling cites without disputing it."""
    cited = any(id_ != result.case.ruling for id_ in result.case.cited_by_rulings)
    return cited and result.verdict is Verdict.PASS and not result.flaky


def is_searchable(result: Result) -> bool:
    """Whether the result fails with an answer, a raised error or a timeout, in every execution alike."""
    return not result.flaky and _searchable(result.outcome) is not None


class _Search:
    """The search for the choice that gives one received response."""

    def __init__(self, attribution: Attribution, case: Case, received: Response) -> None:
        self._attribution = attribution
        self.case = case
        self.received = received
        self.model_choice = ADOPTED
        self.alone: list[Alternative] = []
        self._effects: Effects | None = None

    def by_single_readings(self) -> None:
        """Compares the response with the one under each open reading alone."""
        effects = self._attribution.source.effects(self.case)
        self._effects = effects and self._evident(effects)
        self.alone = list(filter(self._attribution.is_open, self._matching()))

    def _evident(self, effects: Effects) -> Effects:
        """Without the deviations beyond the model, if the response is an unclassified error: every defect raises one."""
        if not (isinstance(self.received, Raised) and self.received.type == UNCLASSIFIED):
            return effects
        known = {("", name) for name in self._attribution.model.deviations}
        reached = frozenset(one for one in effects.reached if one[0] or one in known)
        changes = {one: found for one, found in effects.changes.items() if one in reached}
        return replace(effects, changes=changes, reached=reached)

    def _matching(self) -> list[Alternative]:
        """The alternatives that explain the response alone."""
        changes = self._effects.changes if self._effects else {}
        return [one for one, found in sorted(changes.items(), key=lambda item: item[0]) if self._is_received(found)]

    def by_usual_readings(self) -> Choice:
        """The readings that the implementation follows elsewhere, all together."""
        follows = self._attribution.usual_readings()
        if self._effects is None or not follows:
            return ADOPTED
        found = self._attribution.source.answers([self.case], [follows])[0]
        if found is None or not self._is_received(found):
            return ADOPTED
        return self._attribution.needed(self.case, follows, self.received)

    def by_combination(self) -> Choice:
        """Readings that the implementation follows elsewhere, and that explain the response together."""
        if self._effects is None:
            return ADOPTED
        known = {*self._attribution.followed, *self._attribution.model.readings}
        followed = sorted(filter(self._attribution.is_open, known & self._effects.reached))
        changing = self._effects.changes.keys()
        return self._first_matching(
            choice_of(some)
            for size in range(2, MAX_SWITCHES + 1)
            for some in combinations(followed, size)
            if not changing.isdisjoint(some)
        )

    def without_excuse(self, may_combine: Callable[[], bool]) -> Choice:
        """Alternatives that explain the response and do not excuse it: one that the text refutes, a deviation alone or with
        the readings of the model, two that change the response."""
        if self._effects is None:
            return ADOPTED
        known = _alternatives(self._attribution.model.choice)
        if alone := self._matching():
            return choice_of([min(alone, key=lambda one: (one not in known, one))])
        if not may_combine():
            return ADOPTED
        pairs = combinations(sorted(self._effects.changes), 2)
        return self._with_model_readings(self._effects) or self._first_matching(map(choice_of, pairs))

    def _with_model_readings(self, effects: Effects) -> Choice:
        """A deviation that explains the response together with the readings of the model, and those of them that it
        needs."""
        follows = self._attribution.model.readings
        if not follows:
            return ADOPTED
        found = self._first_matching(choice_of([*follows, one]) for one in sorted(effects.reached) if not one[0])
        return self._attribution.needed(self.case, found, self.received) if found else ADOPTED

    def _first_matching(self, choices: Iterable[Choice]) -> Choice:
        tried = list(islice((one for one in choices if _is_consistent(one)), MAX_COMBINATIONS))
        found = self._attribution.source.answers([self.case] * len(tried), tried)
        return next((one for one, at in zip(tried, found, strict=True) if at and self._is_received(at)), ADOPTED)

    def _is_received(self, found: Response) -> bool:
        return self._attribution.is_same(self.case, found, self.received)


def _searchable(outcome: Outcome) -> Response | None:
    """The answer, or the raised error, of a failing outcome; for an answer that did not come, the error that stands for
    it."""
    if isinstance(outcome, Errored) and isinstance(outcome.cause, TimedOut) and not outcome.cause.context.unsent_after:
        return Raised(ENDLESS)
    raised = isinstance(outcome, Errored) and isinstance(outcome.cause, ImplementationError)
    return response_of(outcome) if raised or isinstance(outcome, Failed) else None


def _variant(result: Result, received: Response, readings: Readings, attribution: Attribution) -> Variant:
    found = islice(attribution.differences(result.case, result.case.expected, received), MAX_DIFFERENCES)
    operation = attribution.operations[result.case.operation]
    return Variant(received, readings, tuple(found), refusals(result.case, operation, received))


def _following(result: Result, readings: Mapping[str, str]) -> Result:
    """The same pass, with these readings beside its own."""
    outcome = result.outcome
    if not readings or not isinstance(outcome, Passed):
        return result
    return replace(
        result, outcome=replace(outcome, readings=tuple(sorted({**dict(outcome.readings), **readings}.items())))
    )


def choice_of(alternatives: Iterable[Alternative]) -> Choice:
    """The choice of these alternatives."""
    given = sorted(set(alternatives))
    return Choice(tuple(one for one in given if one[0]), tuple(name for ruling, name in given if not ruling))


def _alternatives(choice: Choice) -> list[Alternative]:
    return [*choice.readings, *(("", name) for name in choice.deviations)]


def _is_consistent(choice: Choice) -> bool:
    """Whether it has at most one reading of each ruling."""
    return len(dict(choice.readings)) == len(choice.readings)
