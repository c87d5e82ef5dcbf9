"""Readings and deviations that an answer can follow, and the interface of the process that answers under them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from ..model import Case, Choice, Readings, Response, replace

DECIDES = "decides"
"""The `text` of a ruling that leaves nothing open: its other readings excuse no answer."""

Alternative = tuple[str, str]
"""(ruling, reading), or ("", name) for a deviation."""


class Effects(Struct, frozen=True):
    """The response to a case without alternatives, and the other response under each alternative that changes it alone.
    `reached` has every alternative whose point of decision the request reaches."""

    response: Response
    changes: Mapping[Alternative, Response]
    reached: frozenset[Alternative]


class Combined(Struct, frozen=True):
    """The response to a case under a choice, and under each combination of further readings that gives another response
    than the parts of it. Each combination of up to `size` readings was tried, `tried` of any size."""

    response: Response
    responses: Mapping[Readings, Response]
    size: int
    tried: int


class AlternativeAnswers(Protocol):
    """Gives answers under alternatives to the adopted text: a process that can follow a recorded reading or a known
    deviation. It decides nothing: it shows only which alternatives an answer follows."""

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


def choice_of(alternatives: Iterable[Alternative]) -> Choice:
    """The choice of these alternatives."""
    given = sorted(set(alternatives))
    return Choice(tuple(part for part in given if part[0]), tuple(name for ruling, name in given if not ruling))


def beside(choice: Choice, readings: Readings) -> Choice:
    """The choice with these readings, in place of others of their rulings."""
    return replace(choice, readings=tuple(sorted((dict(choice.readings) | dict(readings)).items())))


def alternatives_of(choice: Choice) -> list[Alternative]:
    """The readings and the deviations of a choice."""
    return [*choice.readings, *(("", name) for name in choice.deviations)]
