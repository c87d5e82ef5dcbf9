"""Strategies of nexusAI's retrieval fusion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hypothesis.strategies import SearchStrategy

from ..common.choices import Json, Recipe
from . import fusion, service

RECIPES: Final[Mapping[str, Recipe]] = {**fusion.RECIPES, **service.RECIPES}
"""Operation -> recipe of its requests."""

requests: Final[Mapping[str, SearchStrategy[Json]]] = {name: recipe.strategy() for name, recipe in RECIPES.items()}
"""Operation -> strategy of requests that are valid for its schema."""
