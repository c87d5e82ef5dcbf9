"""Strategies of Jeffs Brain: requests of the query DSL document and of the algorithms document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hypothesis.strategies import SearchStrategy

from ..common.choices import Json, Recipe
from . import intents, ladder, queries, rankings, retrieval, temporal

RECIPES: Final[Mapping[str, Recipe]] = {
    name: recipe
    for module in (queries, temporal, rankings, intents, ladder, retrieval)
    for name, recipe in module.RECIPES.items()
}
"""Operation -> recipe of its requests."""

requests: Final[Mapping[str, SearchStrategy[Json]]] = {name: recipe.strategy() for name, recipe in RECIPES.items()}
"""Operation -> strategy of requests that are valid for its schema."""
