"""Strategies of Tideline's recall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hypothesis.strategies import SearchStrategy

from ..common.choices import Json, Recipe
from . import facts, recall, texts

RECIPES: Final[Mapping[str, Recipe]] = {**texts.RECIPES, **facts.RECIPES, **recall.RECIPES}
"""Operation -> recipe of its requests."""

requests: Final[Mapping[str, SearchStrategy[Json]]] = {name: recipe.strategy() for name, recipe in RECIPES.items()}
"""Operation -> strategy of requests that are valid for its schema."""
