"""Deviations from the query DSL document's section "Anchor handling"."""

import re
from typing import Final

from reference_impl.jeffs_brain.anchors import AnchorsDecisions

ACTS_ON = ("temporal.*", "retrieval.search")


_WEEKDAY: Final = r"\((?:mon|tue|wed|thu|fri|sat|sun)\)"

# The number of a month, day, hour or minute that has one digit.
_ONE_DIGIT: Final = re.compile(r"(?<=[-/:\s])([0-9])(?![0-9])")
_HOUR_OF_ONE_DIGIT: Final = re.compile(r"(?<=\s)([0-9])(?=:)")


class ThreeForms(AnchorsDecisions, deviation="three-anchor-forms"):
    def surface_pattern(self) -> str:
        """Only a date, and a date with slashes and ``HH:MM``, with or without an English weekday before it, are parsed."""
        year, two, space = self.digit_pattern() * 4, "[0-9]{2}", self.separator_pattern()
        time = rf"(?:{space}{_WEEKDAY})?{space}{self.digit_pattern()}{{2}}:{self.digit_pattern()}{{2}}"
        return rf"(?={year}(?:-{two}-{two}|/{two}/{two}(?:{time})?)$){super().surface_pattern()}"

    def fallback(self, text: str) -> None:
        """No other text is a date."""
        del text


class NumbersOfOneDigit(AnchorsDecisions, deviation="numbers-of-one-digit-in-a-date"):
    def parse_question_date(self, value: str) -> int | None:
        """A month, day, hour or minute can have one digit."""
        return super().parse_question_date(_ONE_DIGIT.sub(r"0\1", value))


class HourOfOneDigit(AnchorsDecisions, deviation="hour-of-one-digit"):
    def parse_question_date(self, value: str) -> int | None:
        """An hour can have one digit."""
        return super().parse_question_date(_HOUR_OF_ONE_DIGIT.sub(r"0\1", value))


class FormOfMixedSeparators(AnchorsDecisions, deviation="mixed-separators-are-a-form"):
    def surface_pattern(self) -> str:
        """A date with a slash and a hyphen has the surface form of a date."""
        return super().surface_pattern().replace(r"\2", "[/-]")


class Spaces(AnchorsDecisions, deviation="spaces-before-a-suffix"):
    def separator_pattern(self) -> str:
        """A run of spaces comes before a suffix of a date, and no other white space."""
        return " +"
