"""A failing answer → the choice of readings and deviations that gives exactly this answer. Pure.

An answer that differs from the expected one is compared with answers under alternatives to the adopted text. An
`AlternativeAnswers` gives them: a process that can follow a recorded reading or a known deviation. It decides nothing: it
shows only which alternatives an answer follows.

Readings excuse an answer if the specification leaves them open. One reading excuses by itself. Several readings excuse
together if no other answer of the implementation contradicts one of them: see `Attribution.contradicted`. Every other
explanation stays with the failure. A search that ends at a bound leaves the failure undecided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
    Undecided,
    Variant,
    Verdict,
    replace,
    response_of,
)
from .json_diff import MAX_DIFFERENCES
from .unobservable import as_expected, drop_paths, has_optional_places
from .verdict import judge, refusals, response_differences

DECIDES = "decides"
"""The `text` of a ruling that leaves nothing open: its other readings excuse no answer."""

MAX_SIZE = 3
"""Open readings in one combination, beyond those that the implementation follows elsewhere."""

MAX_TRIED = 10_000
"""Combinations that are compared with the answers of one implementation."""

MAX_TRIED_FOR_ONE = 2_500
"""Combinations that are compared with one answer at a time."""

MAX_CONTRADICTING = 30
"""Answers that are looked at for one that contradicts a reading."""

MAX_PAIRS = 30
"""Pairs with a deviation or a refuted reading that are compared with one answer; they only explain it."""

MAX_REMARKS = 200
"""Unexcused answers of one implementation that are compared with such pairs."""

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


@dataclass(frozen=True, slots=True)
class Combined:
    """The response to a case under a choice, and under each combination of further readings that gives another response
    than the parts of it. Each combination of up to `size` readings was tried, `tried` of any size."""

    response: Response
    responses: Mapping[Readings, Response]
    size: int
    tried: int


class AlternativeAnswers(Protocol):
    """Gives answers under alternatives to the adopted text."""

    def offers(self, operation: str) -> bool:
        """Whether it answers the operation."""

    def effects(self, case: Case) -> Effects | None:
        """The effect of each single alternative on a case; None if there is no answer."""

    def combined(
        self, case: Case, beside: Choice, further: Collection[Alternative], size: int, limit: int
    ) -> Combined | None:
        """The responses to a case under up to `size` further readings beside a choice, of at most `limit` combinations;
        None if there is no answer. A further reading takes the place of another one of its ruling."""

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
    by operation. `followed` counts the readings that it follows so far, and `shown` has the results that show one, by
    ruling; `observe` and the explained answers add to them. `searched` counts the failing answers beyond the model, `tried`
    the combinations that were compared, `remarked` the answers that nothing excuses. `causes` has the predicted failures
    that are known already, by case.
    """

    source: AlternativeAnswers
    rulings: Mapping[str, Ruling]
    operations: Mapping[str, Operation]
    model: Model = Model()
    unobservable: Mapping[str, Sequence[str]] = field(default_factory=dict)
    followed: Counter[Alternative] = field(default_factory=Counter)
    shown: dict[str, list[Result]] = field(default_factory=dict)
    causes: Mapping[str, Choice] = field(default_factory=dict)
    searched: int = 0
    tried: int = 0
    remarked: int = 0

    def observe(self, result: Result) -> None:
        """Counts the readings that a result follows. A result with one reading shows which one of its ruling."""
        self.followed.update(result.readings)
        if len(result.readings) == 1 and not result.flaky:
            self.shown.setdefault(result.readings[0][0], []).append(result)

    def explain_all(self, failing: Sequence[Result]) -> Iterator[Result]:
        """The same results, each failing answer explained if an explanation is found.

        Combinations are searched last, when the readings that explain an answer alone are known.
        """
        predicted = self.predictions([one.case for one in failing])
        searches = [self._search(one, at) for one, at in zip(failing, predicted, strict=True)]
        open_searches = [one for one in searches if one is not None and not one.model_choice]
        for search in open_searches:
            if self._may_search():
                search.by_single_readings()
        self.followed.update(one.alone[0] for one in open_searches if len(one.alone) == 1)
        chosen = [self._chosen(one) for one in open_searches if len(one.alone) > 1]
        self.followed.update(alternative for one in chosen for alternative in one.readings)
        self._combine([one for one in open_searches if one.is_open and not one.alone])
        for result, found in zip(failing, searches, strict=True):
            yield result if found is None else self._explained(result, found)

    def explain(self, result: Result) -> Result:
        """One failing answer, explained by what is known so far."""
        return next(self.explain_all([result]))

    def _combine(self, searches: Sequence[_Search]) -> None:
        """Searches for readings that excuse an answer together. Each step is finished for all answers before the next one,
        the least effort first, because the readings of one answer help with the others."""
        steps = (_Search.by_followed_readings, _Search.by_pairs, _Search.by_pairs_beside, _Search.by_all_readings)
        left = sorted(searches, key=lambda one: one.effort)
        left = self._by_usual_readings(left)
        for step in steps:
            for search in left:
                if not search.excuse and step(search):
                    left = self._by_usual_readings(left)

    def _by_usual_readings(self, searches: Sequence[_Search]) -> list[_Search]:
        """The searches that the readings which the implementation follows elsewhere do not end; what is found in one
        answer is tried with the others again."""
        left, usual = [one for one in searches if not one.excuse], ADOPTED
        while left and usual != (usual := self.usual_readings()):
            left = [one for one in left if not one.by_usual_readings(usual)]
        return left

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
        choice = search.model_choice or self._chosen(search) or search.excuse
        if self.is_open_choice(choice):
            return replace(result, outcome=_variant(result, search.received, choice.readings, self))
        choice = choice or search.without_excuse(self._may_remark)
        undecided = None if choice else search.undecided
        if not isinstance(result.outcome, Failed | Errored) or not (choice or undecided):
            return result
        return replace(result, outcome=replace(result.outcome, explained_by=choice, undecided=undecided))

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

    def open_readings(self) -> list[Alternative]:
        """Every reading that the specification leaves open and that is not adopted."""
        found = ((ruling.id, reading) for ruling in self.rulings.values() for reading in ruling.readings)
        return [one for one in found if self.is_open(one) and self.rulings[one[0]].adopted != one[1]]

    def is_open_choice(self, choice: Choice) -> bool:
        """Whether it has readings that the specification leaves open, and nothing else."""
        return bool(choice.readings) and not choice.deviations and all(map(self.is_open, choice.readings))

    def contradicted(self, case: Case, choice: Choice) -> bool:
        """Whether the implementation does not follow the open readings of a choice, which explains its answer to a case.

        A reading that it follows elsewhere, or by its model, is never contradicted. Another one is if an answer follows
        another reading of its ruling, and the choice does not give this answer: neither alone, nor beside the readings
        that the implementation follows, nor with one further open reading.
        """
        known = {*self.followed, *self.model.readings}
        return any(self._is_contradicted(case, one, choice) for one in choice.readings if one not in known)

    def _is_contradicted(self, case: Case, reading: Alternative, choice: Choice) -> bool:
        shown = [one for one in self.shown.get(reading[0], ()) if one.readings[0] != reading]
        shown = sorted(shown, key=lambda one: one.case.operation != case.operation)[:MAX_CONTRADICTING]
        for whole in (choice, beside(self.usual_readings(), choice.readings)):
            found = self.source.answers([one.case for one in shown], [whole] * len(shown))
            shown = [one for one, at in zip(shown, found, strict=True) if at and not self._gives(one, at)]
        return any(not self._is_given_with_another(one, choice) for one in shown)

    def _is_given_with_another(self, result: Result, choice: Choice) -> bool:
        further = [one for one in self.open_readings() if one[0] not in dict(choice.readings)]
        found = self.source.combined(result.case, choice, further, 1, MAX_TRIED_FOR_ONE)
        return found is not None and any(self._gives(result, one) for one in found.responses.values())

    def _gives(self, result: Result, found: Response) -> bool:
        received = response_of(result.outcome)
        return received is not None and self.is_same(result.case, found, received)

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
    """The search for the choice that gives one received response.

    `excuse` has open readings that give it together; `refused` such readings that another answer contradicts.
    """

    def __init__(self, attribution: Attribution, case: Case, received: Response) -> None:
        self._attribution = attribution
        self.case = case
        self.received = received
        self.model_choice = ADOPTED
        self.alone: list[Alternative] = []
        self.excuse = ADOPTED
        self.refused = ADOPTED
        self._effects: Effects | None = None
        self._usual = ADOPTED
        self._size = 0
        self._is_cut = False

    @property
    def is_open(self) -> bool:
        """Whether the effects of the single alternatives are known."""
        return self._effects is not None

    @property
    def reached(self) -> int:
        """The number of open readings that the request reaches."""
        return sum(map(self._attribution.is_open, self._effects.reached)) if self._effects else 0

    @property
    def effort(self) -> tuple[bool, int]:
        """Sorts searches: those that a single cause of failures ends come last, then by the number of combinations."""
        return bool(self._matching()), self.reached

    @property
    def undecided(self) -> Undecided | None:
        """How far the search went; None if it tried everything."""
        return Undecided(self.reached, self._size) if self._is_cut or self._size < MAX_SIZE else None

    def by_single_readings(self) -> None:
        """Compares the response with the one under each open reading alone."""
        effects = self._attribution.source.effects(self.case)
        self._effects = effects and self._evident(effects)
        self.alone = list(filter(self._attribution.is_open, self._matching()))
        self._size = 1 if effects else 0

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

    def by_usual_readings(self, usual: Choice) -> bool:
        """The readings that the implementation follows elsewhere, all together, without one of them, or with another."""
        if usual == self._usual:
            return False
        self._usual = usual
        if self._excused_by(self._matching_choices([usual])):
            return True
        if self._attribution.tried >= MAX_TRIED:
            return False
        parts = [replace(usual, readings=tuple(one for one in usual.readings if one != out)) for out in usual.readings]
        return self._excused_by(self._matching_choices(parts)) or self._combined(
            usual, self._attribution.open_readings(), 1
        )

    def by_followed_readings(self) -> bool:
        """Readings that the implementation follows elsewhere, up to `MAX_SIZE` of them."""
        known = {*self._attribution.followed, *self._attribution.model.readings}
        return self._combined(ADOPTED, [one for one in self._attribution.open_readings() if one in known], MAX_SIZE)

    def by_pairs(self) -> bool:
        """Two open readings."""
        return self._by_readings(2)

    def by_pairs_beside(self) -> bool:
        """Two open readings beside those that the implementation follows elsewhere."""
        usual = self._attribution.usual_readings()
        return bool(usual) and self._combined(usual, self._attribution.open_readings(), 2)

    def by_all_readings(self) -> bool:
        """Open readings, up to `MAX_SIZE` of them."""
        return self._by_readings(MAX_SIZE)

    def _by_readings(self, size: int) -> bool:
        return self._combined(ADOPTED, self._attribution.open_readings(), size, is_whole=True)

    def _combined(self, usual: Choice, further: Collection[Alternative], size: int, *, is_whole: bool = False) -> bool:
        """Whether up to `size` further readings beside the usual ones excuse the response."""
        limit = min(MAX_TRIED - self._attribution.tried, MAX_TRIED_FOR_ONE)
        if limit <= 0 or not further:
            return False
        found = self._attribution.source.combined(self.case, usual, further, size, limit)
        if found is None:
            return False
        self._attribution.tried += found.tried
        if is_whole:
            self._size = max(self._size, found.size)
        return self._excused_by(
            beside(usual, readings) for readings, response in found.responses.items() if self._is_received(response)
        )

    def _excused_by(self, choices: Iterable[Choice]) -> bool:
        """Whether one of the choices, which give the response, excuses it."""
        for whole in choices:
            choice = self._attribution.needed(self.case, whole, self.received)
            if not self._attribution.is_open_choice(choice):
                continue
            if not self._attribution.contradicted(self.case, choice):
                self.excuse = choice
                self._attribution.followed.update(choice.readings)
                return True
            self.refused = self.refused or choice
        return False

    def without_excuse(self, may_compare: Callable[[], bool]) -> Choice:
        """Alternatives that explain the response and do not excuse it: one that the text refutes, a deviation alone or with
        the readings of the model, open readings that another answer contradicts, two that change the response."""
        if self._effects is None:
            return ADOPTED
        known = _alternatives(self._attribution.model.choice)
        if alone := self._matching():
            return choice_of([min(alone, key=lambda one: (one not in known, one))])
        if self.refused:
            return self.refused
        if not may_compare():
            self._is_cut = True
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
        consistent = filter(_is_consistent, choices)
        tried = list(islice(consistent, MAX_PAIRS))
        found = next(self._matching_choices(tried), ADOPTED)
        self._is_cut = self._is_cut or next(consistent, None) is not None
        return found

    def _matching_choices(self, choices: Sequence[Choice]) -> Iterator[Choice]:
        """Those of the choices that give the response."""
        found = self._attribution.source.answers([self.case] * len(choices), choices)
        self._attribution.tried += len(choices)
        return (one for one, at in zip(choices, found, strict=True) if at and self._is_received(at))

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


def beside(choice: Choice, readings: Readings) -> Choice:
    """The choice with these readings, in place of others of their rulings."""
    return replace(choice, readings=tuple(sorted((dict(choice.readings) | dict(readings)).items())))


def _alternatives(choice: Choice) -> list[Alternative]:
    return [*choice.readings, *(("", name) for name in choice.deviations)]


def _is_consistent(choice: Choice) -> bool:
    """Whether it has at most one reading of each ruling."""
    return len(dict(choice.readings)) == len(choice.readings)
