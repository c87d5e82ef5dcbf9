"""Strategies and the reference in this process: recipes by operation, requests from a seed, answers, trivial answers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from reference_impl.wire.operations import SYSTEMS
from strategies.common.choices import Json, Recipe

ROOT = Path(__file__).resolve().parents[2]

NAMES = sorted(path.parent.name for path in (ROOT / "strategies").glob("*/__init__.py") if path.parent.name != "common")
"""Every system with strategies."""

OPERATIONS = {name: operation for table in SYSTEMS.values() for name, operation in table.items()}


@cache
def recipes() -> Mapping[str, Recipe]:
    """Operation -> recipe, of every system."""
    return {name: recipe for system in NAMES for name, recipe in import_module(f"strategies.{system}").RECIPES.items()}


def system_of(operation: str) -> str:
    """The system of an operation."""
    return next(system for system, table in SYSTEMS.items() if operation in table)


def requests(operation: str, seed: int = 0) -> Iterator[Json]:
    """Requests without end, from the bytes of a seeded generator; Hypothesis generates nearly the same bytes."""
    recipe, source = recipes()[operation], random.Random(f"{operation} {seed}")
    while True:
        yield recipe.request(source.randbytes(recipe.size))


def answer(operation: str, request: Json) -> Json:
    """The answer of the reference."""
    return OPERATIONS[operation](request)


def is_trivial(operation: str, answer: Json) -> bool:
    """Whether an answer has no content: null, an empty text, or only empty lists. A search counts by its results."""
    return _is_empty(answer["results"] if operation in ("retrieval.search", "augur.search") else answer)


def _is_empty(value: Any) -> bool:
    if isinstance(value, dict):
        lists = [member for member in value.values() if isinstance(member, list)]
        return all(
            map(_is_empty, lists or [one for one in value.values() if not isinstance(one, bool)] or value.values())
        )
    return value is None or value == "" or value == []
