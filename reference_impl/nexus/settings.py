"""Retrieval fusion, sections "Settings" and "Constants": what a user may tune, and what nobody may."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

RRF_K: Final = 60  # not exposed in the settings
SEMANTIC_WEIGHT: Final = 1.0
KEYWORD_WEIGHT: Final = 0.0

LOWEST, HIGHEST = 0, 5

# Wire name -> field.
_FIELDS: Final = {"semanticWeight": "semantic_weight", "keywordWeight": "keyword_weight"}


@dataclass(frozen=True, slots=True)
class Settings:
    """The two weights; 0 switches a strategy's contribution off."""

    semantic_weight: float = SEMANTIC_WEIGHT
    keyword_weight: float = KEYWORD_WEIGHT


@dataclass(frozen=True, slots=True)
class Patched:
    """What a PATCH left: a refused one leaves every setting as it was."""

    accepted: bool
    settings: Settings


def patch_settings(current: Settings, patch: Mapping[str, object]) -> Patched:
    """PATCH /settings: replace the weights that the patch names, all of them or none.

    Members that are no weight belong to others and change nothing here.
    """
    named = {field: patch[name] for name, field in _FIELDS.items() if name in patch}
    if not all(is_weight(value) for value in named.values()):
        return Patched(False, current)
    return Patched(True, replace(current, **named))  # type: ignore[arg-type]  # numbers, as was just seen


def is_weight(value: object) -> bool:
    """Whether a value is a number from 0 to 5, both included. A boolean is no number, nor is a text with digits."""
    return isinstance(value, int | float) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST
