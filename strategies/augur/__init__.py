"""Strategies of Augur's adaptive fusion and routing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hypothesis.strategies import SearchStrategy

from ..common.choices import Json, Recipe
from . import documents, fusion, routing

RECIPES: Final[Mapping[str, Recipe]] = {**fusion.RECIPES, **documents.RECIPES, **routing.RECIPES}
"""Operation -> recipe of its requests."""

requests: Final[Mapping[str, SearchStrategy[Json]]] = {name: recipe.strategy() for name, recipe in RECIPES.items()}
"""Operation -> strategy of requests that are valid for its schema."""
