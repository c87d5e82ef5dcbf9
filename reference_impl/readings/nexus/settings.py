"""Other readings of the retrieval fusion document's section "Settings"."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Final

from ...nexus import settings
from ...nexus.settings import PatchRefused, Settings
from ...switches import Switches

SWITCHES = Switches("nexus.patchSettings", "nexus.serveRequests")

_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?Infinity")
_OTHER_BASE: Final = re.compile(r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)")


class _WeightIgnored(Exception):
    """The weight stays as it is."""


@SWITCHES.reading("RUL-NEXUS-03", "b", settings.weight_in_range)
def clamped(number: float) -> float:
    """The number is clamped to the range."""
    return max(settings.LOWEST, min(settings.HIGHEST, number))


@SWITCHES.reading("RUL-NEXUS-03", "c", settings.weight_in_range)
def ignored_outside_the_range(number: float) -> float:
    """A weight outside the range is ignored and the patch is accepted."""
    if not settings.LOWEST <= number <= settings.HIGHEST:
        raise _WeightIgnored
    return number


@SWITCHES.reading("RUL-NEXUS-05", "b", settings.number_of)
def number_in_javascript(value: object) -> float:
    """The value is converted to a number as in JavaScript; NaN is no weight."""
    number = _number(value)
    if math.isnan(number):
        raise PatchRefused
    return number


@SWITCHES.reading("RUL-NEXUS-05", "c", settings.number_of)
def ignored_without_a_number(value: object) -> float:
    """A weight that is not a number is ignored and the patch is accepted."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _WeightIgnored
    return value


@SWITCHES.reading("RUL-NEXUS-03", "c", settings.with_weight, wraps=True)
@SWITCHES.reading("RUL-NEXUS-05", "c", settings.with_weight, wraps=True)
def without_an_ignored_weight(
    with_weight: Callable[..., Settings], current: Settings, field: str, value: object
) -> Settings:
    """An ignored weight changes nothing."""
    try:
        return with_weight(current, field, value)
    except _WeightIgnored:
        return current


@SWITCHES.reading("RUL-NEXUS-04", "b", settings.with_weights)
def with_each_valid_weight(current: Settings, weights: Mapping[str, object]) -> Settings:
    """Each weight is stored separately; the patch is refused if it has no valid one."""
    refused = 0
    for field, value in weights.items():
        try:
            current = settings.with_weight(current, field, value)
        except PatchRefused:
            refused += 1
    if weights and refused == len(weights):
        raise PatchRefused
    return current


@SWITCHES.reading("RUL-NEXUS-06", "b", settings.weights_in)
def weights_alone(patch: Mapping[str, object]) -> dict[str, object]:
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
