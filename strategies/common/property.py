"""Properties of answers: statements that hold for every request, implied by the text of a specification."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .choices import Json

Answer = Callable[[str, Json], Json]
"""(operation, request) -> answer, of the same implementation."""

Predicate = Callable[[Json, Json, Answer], bool]
"""(request, answer, answer of another request) -> whether the property holds."""


@dataclass(frozen=True, slots=True)
class Property:
    """A statement about every answer of one operation, with the requirement or the section that implies it."""

    name: str
    operation: str
    requirement: str
    holds: Predicate
