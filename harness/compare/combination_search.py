"""The search for the choice of readings and deviations that gives one received answer.

Each step of a search tries more than the one before it. A search that ends at a bound leaves the failure undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice

from ..model import (
    ADOPTED,
    ENDLESS,
    UNCLASSIFIED,
    Case,
    Choice,
    Errored,
    Failed,
    ImplementationError,
    Raised,
    Response,
    Result,
    TimedOut,
    Undecided,
    replace,
    response_of,
)
from .alternatives import Alternative, Effects, alternatives_of, beside, choice_of
from .followed_readings import FollowedReadings

MAX_SIZE = 3
"""Open readings in one combination, beyond those that the implementation follows elsewhere."""

MAX_TRIED = 10_000
"""Combinations that are compared with the answers of one implementation."""

MAX_TRIED_FOR_ONE = 2_500
"""Combinations that are compared with one answer at a time."""

MAX_CONTRADICTING = 30
"""Answers that are looked at for one that contradicts a reading."""

MAX_REMARKS = 200
"""Unexcused answers of one implementation that are compared with such pairs."""

MAX_PAIRS = 30
"""Pairs with a deviation or a refuted reading that are compared with one answer; they only explain it."""


class Search:
    """The search for the choice that gives one received response.

    `effects` are those of the single alternatives, if they were asked for. `excuse` has open readings that give the
    response together; `refused` such readings that another answer contradicts.
    """

    def __init__(self, readings: FollowedReadings, case: Case, received: Response) -> None:
        self._readings = readings
        self.case = case
        self.received = received
        self.model_choice = ADOPTED
        self.alone: list[Alternative] = []
        self.excuse = ADOPTED
        self.refused = ADOPTED
        self.effects: Effects | None = None
        self._usual = ADOPTED
        self._size = 0
        self._is_cut = False

    @property
    def reached(self) -> int:
        """The number of open readings that the request reaches."""
        return sum(map(self._readings.is_open, self.effects.reached)) if self.effects else 0

    @property
    def undecided(self) -> Undecided | None:
        """How far the search went; None if it tried everything."""
        return Undecided(self.reached, self._size) if self._is_cut or self._size < MAX_SIZE else None

    def by_single_readings(self) -> None:
        """Compares the response with the one under each open reading alone."""
        effects = self._readings.source.effects(self.case)
        self.effects = effects and self._evident(effects)
        self.alone = list(filter(self._readings.is_open, self.matching()))
        self._size = 1 if effects else 0

    def _evident(self, effects: Effects) -> Effects:
        """Without the deviations beyond the model, if the response is an unclassified error: every defect raises one."""
        if not (isinstance(self.received, Raised) and self.received.type == UNCLASSIFIED):
            return effects
        deviations = {("", name) for name in self._readings.model.deviations}
        reached = frozenset(part for part in effects.reached if part[0] or part in deviations)
        changes = {part: response for part, response in effects.changes.items() if part in reached}
        return replace(effects, changes=changes, reached=reached)

    def matching(self) -> list[Alternative]:
        """The alternatives that explain the response alone."""
        changes = self.effects.changes if self.effects else {}
        return [part for part in sorted(changes) if self._is_received(changes[part])]

    def by_usual_readings(self, usual: Choice) -> bool:
        """The readings that the implementation follows elsewhere, all together, without one of them, or with another."""
        if usual == self._usual:
            return False
        self._usual = usual
        if self._excused_by(self._matching_choices([usual])):
            return True
        if self._readings.tried >= MAX_TRIED:
            return False
        fewer = [tuple(reading for reading in usual.readings if reading != out) for out in usual.readings]
        choices = [replace(usual, readings=readings) for readings in fewer]
        further = self._readings.open_readings()
        return self._excused_by(self._matching_choices(choices)) or self._combined(usual, further, 1)

    def by_followed_readings(self) -> bool:
        """Readings that the implementation follows elsewhere, up to `MAX_SIZE` of them."""
        followed = {*self._readings.followed, *self._readings.model.readings}
        further = [reading for reading in self._readings.open_readings() if reading in followed]
        return self._combined(ADOPTED, further, MAX_SIZE)

    def by_pairs_beside(self) -> bool:
        """Two open readings beside those that the implementation follows elsewhere."""
        usual = self._readings.usual_readings()
        return bool(usual) and self._combined(usual, self._readings.open_readings(), 2)

    def by_readings(self, size: int) -> bool:
        """Up to so many open readings."""
        return self._combined(ADOPTED, self._readings.open_readings(), size, is_whole=True)

    def _combined(self, usual: Choice, further: Collection[Alternative], size: int, *, is_whole: bool = False) -> bool:
        """Whether up to `size` further readings beside the usual ones excuse the response."""
        limit = min(MAX_TRIED - self._readings.tried, MAX_TRIED_FOR_ONE)
        if limit <= 0 or not further:
            return False
        found = self._readings.source.combined(self.case, usual, further, size, limit)
        if found is None:
            return False
        self._readings.tried += found.tried
        if is_whole:
            self._size = max(self._size, found.size)
        return self._excused_by(
            beside(usual, readings) for readings, response in found.responses.items() if self._is_received(response)
        )

    def _excused_by(self, choices: Iterable[Choice]) -> bool:
        """Whether one of the choices, which give the response, excuses it."""
        for whole in choices:
            choice = self._readings.needed(self.case, whole, self.received)
            if not self._readings.is_open_choice(choice):
                continue
            if not self._contradicted(choice):
                self.excuse = choice
                self._readings.followed.update(choice.readings)
                return True
            self.refused = self.refused or choice
        return False

    def _contradicted(self, choice: Choice) -> bool:
        """Whether the implementation does not follow the open readings of a choice, which explains this answer.

        A reading that it follows elsewhere, or by its model, is never contradicted. Another one is if an answer follows
        another reading of its ruling, and the choice does not give this answer: neither alone, nor beside the readings
        that the implementation follows, nor with one further open reading.
        """
        followed = {*self._readings.followed, *self._readings.model.readings}
        return any(self._is_contradicted(reading, choice) for reading in choice.readings if reading not in followed)

    def _is_contradicted(self, reading: Alternative, choice: Choice) -> bool:
        shown = [result for result in self._readings.shown.get(reading[0], ()) if result.readings[0] != reading]
        shown = sorted(shown, key=lambda result: result.case.operation != self.case.operation)[:MAX_CONTRADICTING]
        for whole in (choice, beside(self._readings.usual_readings(), choice.readings)):
            found = self._readings.source.answers([result.case for result in shown], [whole] * len(shown))
            pairs = zip(shown, found, strict=True)
            shown = [result for result, at in pairs if at and not self._readings.gives(result, at)]
        return any(not self._is_given_with_another(result, choice) for result in shown)

    def _is_given_with_another(self, result: Result, choice: Choice) -> bool:
        further = [reading for reading in self._readings.open_readings() if reading[0] not in dict(choice.readings)]
        found = self._readings.source.combined(result.case, choice, further, 1, MAX_TRIED_FOR_ONE)
        return found is not None and any(
            self._readings.gives(result, response) for response in found.responses.values()
        )

    def without_excuse(self) -> Choice:
        """Alternatives that explain the response and do not excuse it: one that the text refutes, a deviation alone or with
        the readings of the model, open readings that another answer contradicts, two that change the response."""
        if self.effects is None:
            return ADOPTED
        own = alternatives_of(self._readings.model)
        if alone := self.matching():
            return choice_of([min(alone, key=lambda reading: (reading not in own, reading))])
        if self.refused:
            return self.refused
        self._readings.remarked += 1
        if self._readings.remarked > MAX_REMARKS:
            self._is_cut = True
            return ADOPTED
        if follows := self._readings.model.readings:
            deviations = [part for part in sorted(self.effects.reached) if not part[0]]
            if found := self._first_matching(choice_of([*follows, deviation]) for deviation in deviations):
                return self._readings.needed(self.case, found, self.received)
        return self._first_matching(map(choice_of, combinations(sorted(self.effects.changes), 2)))

    def _first_matching(self, choices: Iterable[Choice]) -> Choice:
        consistent = (
            choice for choice in choices if len(dict(choice.readings)) == len(choice.readings)
        )  # no ruling has two readings
        tried = list(islice(consistent, MAX_PAIRS))
        found = next(self._matching_choices(tried), ADOPTED)
        self._is_cut = self._is_cut or next(consistent, None) is not None
        return found

    def _matching_choices(self, choices: Sequence[Choice]) -> Iterator[Choice]:
        """Those of the choices that give the response."""
        found = self._readings.source.answers([self.case] * len(choices), choices)
        self._readings.tried += len(choices)
        return (choice for choice, at in zip(choices, found, strict=True) if at and self._is_received(at))

    def _is_received(self, found: Response) -> bool:
        return self._readings.is_same(self.case, found, self.received)


def combine(readings: FollowedReadings, searches: Sequence[Search]) -> None:
    """Searches for readings that excuse an answer together. Each step is finished for all answers before the next one,
    because the readings of one answer help with the others: those with the fewest combinations first, and those that a
    single cause of failures ends last."""
    steps: tuple[Callable[[Search], bool], ...] = (
        Search.by_followed_readings,
        lambda search: search.by_readings(2),
        Search.by_pairs_beside,
        lambda search: search.by_readings(MAX_SIZE),
    )
    left = _by_usual_readings(readings, sorted(searches, key=lambda search: (bool(search.matching()), search.reached)))
    for step in steps:
        for search in left:
            if not search.excuse and step(search):
                left = _by_usual_readings(readings, left)


def _by_usual_readings(readings: FollowedReadings, searches: Sequence[Search]) -> list[Search]:
    """The searches that the readings which the implementation follows elsewhere do not end; what is found in one answer is
    tried with the others again."""
    left, usual = [search for search in searches if not search.excuse], ADOPTED
    while left and usual != (usual := readings.usual_readings()):
        left = [search for search in left if not search.by_usual_readings(usual)]
    return left


def searchable_response(result: Result) -> Response | None:
    """The answer, or the raised error, of a result that fails in every execution alike; for an answer that did not come, the
    error that stands for it. None for another result."""
    outcome = result.outcome
    if result.flaky:
        return None
    if isinstance(outcome, Errored) and isinstance(outcome.cause, TimedOut) and not outcome.cause.context.unsent_after:
        return Raised(ENDLESS)
    raised = isinstance(outcome, Errored) and isinstance(outcome.cause, ImplementationError)
    return response_of(outcome) if raised or isinstance(outcome, Failed) else None
