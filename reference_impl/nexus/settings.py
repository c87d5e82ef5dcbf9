"""Retrieval fusion, sections "Settings" and "Constants": the adjustable weights and the fixed constant."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from ..decisions import Decisions, decided

RRF_K: Final = 60  # not exposed in the settings
SEMANTIC_WEIGHT: Final = 1.0
KEYWORD_WEIGHT: Final = 0.0

LOWEST, HIGHEST = 0, 5

# Wire name -> field.
FIELDS: Final = {"semanticWeight": "semantic_weight", "keywordWeight": "keyword_weight"}


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


class PatchRefused(Exception):
    """The patch contains an invalid weight."""


def patch_settings(current: Settings, patch: Mapping[str, object]) -> Patched:
    """PATCH /settings: replaces the weights in the patch, or refuses the patch. Section "Settings"."""
    rule = decided(SettingsDecisions)
    try:
        return Patched(True, rule.with_weights(current, rule.weights_in(patch)))
    except PatchRefused:
        return Patched(False, current)


class SettingsDecisions(Decisions):
    """What the section "Settings" leaves open, as adopted."""

    def weights_in(self, patch: Mapping[str, object]) -> dict[str, object]:
        """RUL-NEXUS-06: members other than the weights change nothing, and the patch is accepted."""
        return {field: patch[name] for name, field in FIELDS.items() if name in patch}

    def with_weights(self, current: Settings, weights: Mapping[str, object]) -> Settings:
        """RUL-NEXUS-04: all weights of a patch are stored, or none. Raises PatchRefused."""
        for field, value in weights.items():
            current = self.with_weight(current, field, value)
        return current

    def with_weight(self, current: Settings, field: str, value: object) -> Settings:
        """Stores a number from 0 to 5, inclusive. Section "Settings". Raises PatchRefused."""
        return replace(current, **{field: self.weight_in_range(self.number_of(value))})

    def number_of(self, value: object) -> float:
        """RUL-NEXUS-05: a weight that is not a number refuses the patch; a boolean or a text is no number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise PatchRefused
        return value

    def weight_in_range(self, number: float) -> float:
        """RUL-NEXUS-03: a weight outside the range refuses the patch."""
        if not LOWEST <= number <= HIGHEST:
            raise PatchRefused
        return number
