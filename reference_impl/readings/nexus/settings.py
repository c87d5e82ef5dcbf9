"""Other readings of the retrieval fusion document's section "Settings"."""

import math
import re
from collections.abc import Mapping
from typing import Final

from ...nexus import settings
from ...nexus.settings import PatchRefused, Settings, SettingsDecisions

ACTS_ON = ("nexus.patchSettings", "nexus.serveRequests")

_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?Infinity")
_OTHER_BASE: Final = re.compile(r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)")


class _WeightIgnored(Exception):
    """The weight stays as it is."""


class Clamped(SettingsDecisions, reading="RUL-NEXUS-03=b"):
    def weight_in_range(self, number: float) -> float:
        """The number is clamped to the range."""
        return max(settings.LOWEST, min(settings.HIGHEST, number))


class IgnoredOutsideTheRange(SettingsDecisions, reading="RUL-NEXUS-03=c"):
    def weight_in_range(self, number: float) -> float:
        """A weight outside the range is ignored and the patch is accepted."""
        if not settings.LOWEST <= number <= settings.HIGHEST:
            raise _WeightIgnored
        return number


class NumberInJavascript(SettingsDecisions, reading="RUL-NEXUS-05=b"):
    def number_of(self, value: object) -> float:
        """The value is converted to a number as in JavaScript; NaN is no weight."""
        number = _number(value)
        if math.isnan(number):
            raise PatchRefused
        return number


class IgnoredWithoutANumber(SettingsDecisions, reading="RUL-NEXUS-05=c"):
    def number_of(self, value: object) -> float:
        """A weight that is not a number is ignored and the patch is accepted."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _WeightIgnored
        return value


class WithoutAnIgnoredWeight(SettingsDecisions, reading=("RUL-NEXUS-03=c", "RUL-NEXUS-05=c")):
    def with_weight(self, current: Settings, field: str, value: object) -> Settings:
        """An ignored weight changes nothing."""
        try:
            return super().with_weight(current, field, value)
        except _WeightIgnored:
            return current


class WithEachValidWeight(SettingsDecisions, reading="RUL-NEXUS-04=b"):
    def with_weights(self, current: Settings, weights: Mapping[str, object]) -> Settings:
        """Each weight is stored separately; the patch is refused if it has no valid one."""
        refused = 0
        for field, value in weights.items():
            try:
                current = self.with_weight(current, field, value)
            except PatchRefused:
                refused += 1
        if weights and refused == len(weights):
            raise PatchRefused
        return current


class WeightsAlone(SettingsDecisions, reading="RUL-NEXUS-06=b"):
    def weights_in(self, patch: Mapping[str, object]) -> dict[str, object]:
        """The patch is refused if it has no weight or another member."""
        if not patch or not patch.keys() <= settings.FIELDS.keys():
            raise PatchRefused
        return {field: patch[name] for name, field in settings.FIELDS.items() if name in patch}


def _number(value: object) -> float:
    """The value of ``Number(value)``."""
    match value:
        case None:
            return 0
        case int() | float():
            return value + 0
        case str():
            return _number_of_text(value.strip())
        case [] | [None]:
            return 0
        case [bool()]:
            return math.nan
        case [single]:
            return _number(single)
        case _:
            return math.nan


def _number_of_text(text: str) -> float:
    if not text:
        return 0
    if _OTHER_BASE.fullmatch(text):
        return int(text, 0)
    return float(text) if _DECIMAL.fullmatch(text) else math.nan
