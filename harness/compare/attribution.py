"""A failing answer → the choice of readings and deviations that gives exactly this answer. Pure.

An answer that differs from the expected one is compared with answers under alternatives to the adopted text.

Readings excuse an answer if the specification leaves them open. One reading excuses by itself. Several readings excuse
together if no other answer of the implementation contradicts one of them: see `Search`. Every other
explanation stays with the failure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import field

from ..model import (
    ADOPTED,
    EXPECTED,
    FAILING,
    Case,
    Choice,
    Errored,
    Failed,
    Passed,
    Readings,
    Response,
    Result,
    Variant,
    replace,
    response_of,
)
from .alternatives import Alternative, choice_of
from .combination_search import Search, combine, searchable_response
from .followed_readings import FollowedReadings
from .json_diff import MAX_DIFFERENCES
from .unobservable import as_expected, without_places
from .verdict import judge, refusals

MAX_SEARCHED = 1_000
"""Failing answers of one implementation that are searched beyond its model: an implementation that fails more often has
other causes first."""


class Attribution(FollowedReadings):
    """Explains the failing answers of one implementation. `causes` has the predicted failures that are known already, by
    case. `searched` counts the failing answers beyond the model."""

    causes: Mapping[str, Choice] = field(default_factory=dict)
    searched: int = 0

    def observe(self, result: Result) -> None:
        """Counts the readings that a result follows. A result with one reading shows which one of its ruling."""
        self.followed.update(result.readings)
        if len(result.readings) == 1 and not result.flaky:
            self.shown.setdefault(result.readings[0][0], []).append(result)

    def explain_all(self, failing: Sequence[Result]) -> Iterator[Result]:
        """The same results, each failing answer explained if an explanation is found.

        Combinations are searched last, when the readings that explain an answer alone are known.
        """
        predicted = self.predictions([result.case for result in failing])
        searches = [self._search(result, at) for result, at in zip(failing, predicted, strict=True)]
        open_searches = [search for search in searches if search is not None and not search.model_choice]
        for search in open_searches:
            self.searched += 1
            if self.searched <= MAX_SEARCHED:
                search.by_single_readings()
        self.followed.update(search.alone[0] for search in open_searches if len(search.alone) == 1)
        chosen = [self._chosen(search) for search in open_searches if len(search.alone) > 1]
        self.followed.update(alternative for choice in chosen for alternative in choice.readings)
        combine(self, [search for search in open_searches if search.effects and not search.alone])
        for result, searched in zip(failing, searches, strict=True):
            yield result if searched is None else self._explained(result, searched)

    def explain(self, result: Result) -> Result:
        """One failing answer, explained by what is known so far."""
        return next(self.explain_all([result]))

    def by_usual_reading(self, variants: Sequence[Result]) -> Iterator[Result]:
        """The same variants. Where the implementation mostly follows another reading of the ruling, and that reading gives
        the same response, the variant follows that one: a case lists one of the readings that it cannot separate."""
        others = [self._usual(variant) for variant in variants]
        asked = [(variant, other) for variant, other in zip(variants, others, strict=True) if other]
        responses = iter(self.source.answers([result.case for result, _ in asked], [other for _, other in asked]))
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
        others = [self._others(result.case) for result in passes]
        cases = [result.case for result, others_of in zip(passes, others, strict=True) for _ in others_of]
        choices = [choice_of([other]) for others_of in others for other in others_of]
        responses = iter(self.source.answers(cases, choices))
        for result, others_of in zip(passes, others, strict=True):
            predicted = [(ruling, next(responses)) for ruling, _ in others_of]
            undecided = {ruling for ruling, response in predicted if response is None or self.gives(result, response)}
            followed = {ruling: self.rulings[ruling].adopted for ruling, _ in others_of if ruling not in undecided}
            if followed and isinstance(result.outcome, Passed):
                readings = tuple(sorted({**dict(result.outcome.readings), **followed}.items()))
                result = replace(result, outcome=replace(result.outcome, readings=readings))
            yield result

    def _others(self, case: Case) -> list[Alternative]:
        """The readings that are not adopted, of the rulings that cite a case without disputing it."""
        return [
            (id_, reading)
            for id_ in case.cited_by_rulings
            if id_ != case.ruling and id_ in self.rulings
            for reading in self.rulings[id_].readings
            if reading != self.rulings[id_].adopted
        ]

    def _usual(self, result: Result) -> Choice:
        """The reading of a variant's one ruling that the implementation follows most, if it is another one."""
        if len(result.readings) != 1 or result.flaky:
            return ADOPTED
        [(ruling, reading)] = result.readings
        counts = {part: count for part, count in self.followed.items() if part[0] == ruling}
        best = min(counts, key=lambda part: (-counts[part], part), default=(ruling, reading))
        return ADOPTED if best[1] in (reading, self.rulings[ruling].adopted) else choice_of([best])

    def predictions(self, cases: Sequence[Case]) -> Sequence[Response | None]:
        """The response to each case that the model predicts; None without a model, or without an answer."""
        if not self.model:
            return [None] * len(cases)
        return self.source.answers(cases, [self.model] * len(cases))

    def predicted_failures(self, cases: Sequence[Case]) -> Iterator[tuple[str, Choice]]:
        """The cases whose predicted response no reading excuses, each with the part of the model that causes it."""
        for case, response in zip(cases, self.predictions(cases), strict=True):
            if response is None or not self._fails(case, response):
                continue
            causes = self.needed(case, self.model, response)
            if causes.deviations or not all(map(self.is_open, causes.readings)):
                yield case.name, causes

    def _fails(self, case: Case, response: Response) -> bool:
        """Whether the response fails the case by its own expected answers."""
        operation, hidden = self.operations[case.operation], self.unobservable.get(case.operation, ())
        compared = without_places(as_expected(response, case, operation), hidden)
        return judge(case, operation, compared, hidden).verdict in FAILING

    def _search(self, result: Result, predicted: Response | None) -> Search | None:
        """The search for one answer, up to the model; None if there is nothing to search."""
        received = searchable_response(result)
        if received is None or not self.source.offers(result.case.operation):
            return None
        search = Search(self, result.case, received)
        if predicted is not None and self.is_same(result.case, predicted, received):
            listed = self.causes.get(result.case.name)
            search.model_choice = listed or self.needed(result.case, self.model, received)
        return search

    def _explained(self, result: Result, search: Search) -> Result:
        choice = search.model_choice or self._chosen(search) or search.excuse
        if self.is_open_choice(choice):
            return replace(result, outcome=_variant(result, search.received, choice.readings, self))
        choice = choice or search.without_excuse()
        undecided = None if choice else search.undecided
        if not isinstance(result.outcome, Failed | Errored) or not (choice or undecided):
            return result
        return replace(result, outcome=replace(result.outcome, explained_by=choice, undecided=undecided))

    def _chosen(self, search: Search) -> Choice:
        """Of the readings that explain an answer alone: that of the case's ruling, else the one followed most."""
        if not search.alone:
            return ADOPTED
        ruling = search.case.ruling
        return choice_of([min(search.alone, key=lambda part: (part[0] != ruling, -self.followed[part], part))])


def is_evidence(result: Result) -> bool:
    """Whether the result passes a case that a ruling cites without disputing it."""
    cited = any(id_ != result.case.ruling for id_ in result.case.cited_by_rulings)
    return cited and result.verdict in EXPECTED and not result.flaky


def _variant(result: Result, received: Response, readings: Readings, attribution: Attribution) -> Variant:
    found = islice(attribution.differences(result.case, result.case.expected, received), MAX_DIFFERENCES)
    operation = attribution.operations[result.case.operation]
    return Variant(received, readings, tuple(found), refusals(result.case, operation, received))
