"""Retrieval fusion, sections "Settings" and "Constants": the adjustable weights and the fixed constant."""

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
    """The two weights; 0 disables a strategy."""

    semantic_weight: float = SEMANTIC_WEIGHT
    keyword_weight: float = KEYWORD_WEIGHT


@dataclass(frozen=True, slots=True)
class Patched:
    """Result of a PATCH: a refused one changes no setting."""

    accepted: bool
    settings: Settings


def patch_settings(current: Settings, patch: Mapping[str, object]) -> Patched:
    """PATCH /settings: replaces the weights in the patch, all of them or none. Section "Settings".

    Other members of the patch belong to other settings and are ignored.
    """
    named = {field: patch[name] for name, field in _FIELDS.items() if name in patch}
    if not all(is_weight(value) for value in named.values()):
        return Patched(False, current)
    return Patched(True, replace(current, **named))  # type: ignore[arg-type]  # checked above: numbers


def is_weight(value: object) -> bool:
    """Whether a value is a number from 0 to 5, inclusive; a boolean or a text is no number. Section "Settings"."""
    return isinstance(value, int | float) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST
