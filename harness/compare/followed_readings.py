"""What one implementation follows as far as its answers show it, and what it would answer under a choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from ..model import Case, Choice, Difference, Operation, Response, Result, Ruling, response_of
from .alternatives import DECIDES, Alternative, AlternativeAnswers, alternatives_of, choice_of
from .unobservable import as_expected, has_optional_places
from .verdict import response_differences


class FollowedReadings(Struct):
    """The readings that one implementation follows.

    `rulings` and `operations` are those of the corpus. `unobservable` has the paths that the implementation cannot report,
    by operation. `followed` counts the readings that it follows so far, and `shown` has the results that show one, by
    ruling. `tried` counts the combinations that were compared, `remarked` the answers that nothing excuses.
    """

    source: AlternativeAnswers
    rulings: Mapping[str, Ruling]
    operations: Mapping[str, Operation]
    model: Choice = field(default_factory=Choice)
    unobservable: Mapping[str, Sequence[str]] = field(default_factory=dict)
    followed: Counter[Alternative] = field(default_factory=Counter)
    shown: dict[str, list[Result]] = field(default_factory=dict)
    tried: int = 0
    remarked: int = 0

    def usual_readings(self) -> Choice:
        """The readings that the implementation follows most, one for each ruling, as far as they are known."""
        usual: dict[str, str] = {}
        for ruling, reading in sorted(self.followed, key=lambda part: (self.followed[part], part)):
            usual[ruling] = reading
        merged = {**usual, **dict(self.model.readings)}
        return choice_of(merged.items() & {*self.open_readings()})

    def open_readings(self) -> list[Alternative]:
        """Every reading that the specification leaves open and that is not adopted."""
        listed = ((ruling, reading) for ruling in self.rulings.values() for reading in ruling.readings)
        others = ((ruling.id, reading) for ruling, reading in listed if reading != ruling.adopted)
        return list(filter(self.is_open, others))

    def is_open_choice(self, choice: Choice) -> bool:
        """Whether it has readings that the specification leaves open, and nothing else."""
        return bool(choice.readings) and not choice.deviations and all(map(self.is_open, choice.readings))

    def gives(self, result: Result, found: Response) -> bool:
        """Whether a response is the one of a result."""
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
        for part in alternatives_of(found):
            fewer = choice_of(other for other in alternatives_of(found) if other != part)
            without = self.source.answers([case], [fewer])[0]
            if without is not None and self.is_same(case, without, received):
                found = fewer
        return found

    def is_same(self, case: Case, found: Response, received: Response) -> bool:
        """Whether a response is one that the source gives, at the places that the case compares."""
        expected = as_expected(found, case, self.operations[case.operation])
        return not any(True for _ in self.differences(case, expected, received))
