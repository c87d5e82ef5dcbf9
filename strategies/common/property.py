"""Properties of answers: statements that hold for every request, implied by the text of a specification."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .choices import Json

Answer = Callable[[str, Json], Json]
"""(operation, request) -> answer, of the same implementation."""

Predicate = Callable[[Json, Json, Answer], bool]
"""(request, answer, answer of another request) -> whether the property holds. It changes neither request nor answer."""


@dataclass(frozen=True, slots=True)
class Property:
    """A statement about every answer of one operation, with the requirement that implies it."""

    name: str
    operation: str
    requirement: str
    holds: Predicate


@dataclass(frozen=True, slots=True)
class Properties:
    """The properties of one system, in the order of their definition."""

    found: list[Property] = field(default_factory=list)

    def of(self, operation: str, requirement: str) -> Callable[[Predicate], Predicate]:
        """Decorator: the predicate is a property; its name is the function's, with hyphens."""

        def add(holds: Predicate) -> Predicate:
            name = getattr(holds, "__name__", "").replace("_", "-")
            self.found.append(Property(name, operation, requirement, holds))
            return holds

        return add


def falls(numbers: Sequence[float]) -> bool:
    """Whether no number is above the one before it."""
    return all(left >= right for left, right in pairwise(numbers))


def is_near(left: float, right: float) -> bool:
    """Whether two numbers differ only by rounding."""
    return abs(left - right) <= 1e-12 * max(abs(left), abs(right), 1e-300)


def units(text: str) -> int:
    """The length of a text in UTF-16 code units."""
    return len(text) + sum(character > "\uffff" for character in text)
