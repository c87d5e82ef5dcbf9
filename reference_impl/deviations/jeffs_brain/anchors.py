"""Deviations from the query DSL document's section "Anchor handling"."""

import re
from collections.abc import Callable
from typing import Final

from ...jeffs_brain import anchors
from ...switches import Switches

SWITCHES = Switches("temporal.*", "retrieval.search")

ParseDate = Callable[[str], int | None]

_WEEKDAY: Final = r"\((?:mon|tue|wed|thu|fri|sat|sun)\)"

# The number of a month, day, hour or minute that has one digit.
_ONE_DIGIT: Final = re.compile(r"(?<=[-/:\s])([0-9])(?![0-9])")
_HOUR_OF_ONE_DIGIT: Final = re.compile(r"(?<=\s)([0-9])(?=:)")


@SWITCHES.deviation("three-anchor-forms", anchors.surface_pattern, wraps=True)
def three_forms(current: Callable[[], str]) -> str:
    """Only a date, and a date with slashes and ``HH:MM``, with or without an English weekday before it, are parsed."""
    year, two, space = anchors.digit_pattern() * 4, "[0-9]{2}", anchors.separator_pattern()
    time = rf"(?:{space}{_WEEKDAY})?{space}{anchors.digit_pattern()}{{2}}:{anchors.digit_pattern()}{{2}}"
    return rf"(?={year}(?:-{two}-{two}|/{two}/{two}(?:{time})?)$){current()}"


@SWITCHES.deviation("three-anchor-forms", anchors.fallback)
def no_fallback(text: str) -> None:
    """No other text is a date."""
    del text


@SWITCHES.deviation("numbers-of-one-digit-in-a-date", anchors.parse_question_date, wraps=True)
def numbers_of_one_digit(current: ParseDate, value: str) -> int | None:
    """A month, day, hour or minute can have one digit."""
    return current(_ONE_DIGIT.sub(r"0\1", value))


@SWITCHES.deviation("hour-of-one-digit", anchors.parse_question_date, wraps=True)
def hour_of_one_digit(current: ParseDate, value: str) -> int | None:
    """An hour can have one digit."""
    return current(_HOUR_OF_ONE_DIGIT.sub(r"0\1", value))


@SWITCHES.deviation("mixed-separators-are-a-form", anchors.surface_pattern, wraps=True)
def form_of_mixed_separators(current: Callable[[], str]) -> str:
    """A date with a slash and a hyphen has the surface form of a date."""
    return current().replace(r"\2", "[/-]")


@SWITCHES.deviation("spaces-before-a-suffix", anchors.separator_pattern)
def spaces() -> str:
    """A run of spaces comes before a suffix of a date, and no other white space."""
    return " +"
