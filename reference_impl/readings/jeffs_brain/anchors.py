"""Other readings of the query DSL document's section "Anchor handling"."""

import re
import sys
import time
import unicodedata
from datetime import date
from functools import cache
from itertools import groupby

from ...decisions import decided
from ...javascript import date_parser, dates, regexps, strings
from ...jeffs_brain import anchors
from ...jeffs_brain.anchors import AnchorsDecisions
from ...jeffs_brain.normalise import WHITE_SPACE
from ...jeffs_brain.temporal import TemporalDecisions

ACTS_ON = ("temporal.*", "retrieval.search")


# ECMA-262, "Date Time String Format".
_FORMAT = re.compile(
    r"(?!-000000)(?P<year>[0-9]{4}|[+-][0-9]{6})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?)?"
    r"(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{3})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?"
)


class ExistingComponentsOnly(AnchorsDecisions, reading="RUL-B35=b"):
    def from_components(self, year: int, month: int, day: int, hour: int, minute: int, second: int) -> int | None:
        """A day, month or time that does not exist is unparseable."""
        exists = _day_exists(year, month, day) and hour <= 23 and minute <= 59 and second <= 59
        return dates.from_parts(year, month - 1, day, hour, minute, second) if exists else None


class InTheTimeZoneOfTheProcess(AnchorsDecisions, reading="RUL-B36=b"):
    def from_local_time(self, milliseconds: int) -> int:
        """A date-time without an offset is local time."""
        day, of_day = dates.civil(milliseconds), milliseconds % 86_400_000
        seconds, millisecond = divmod(of_day, 1000)
        clock = seconds // 3600, seconds // 60 % 60, seconds % 60
        return int(time.mktime((day.year, day.month + 1, day.day, *clock, 0, 0, -1))) * 1000 + millisecond


class YearInTheTwentiethCentury(AnchorsDecisions, reading="RUL-B37=b"):
    def value_of_year(self, year: str) -> int:
        """The years 0 to 99 are read as 1900 to 1999."""
        value = int(year)
        return value + 1900 if value <= 99 else value


class WithoutTheYear0(AnchorsDecisions, reading="RUL-B37=c"):
    def surface_pattern(self) -> str:
        """The year 0 is out of range, so that such a text is no surface form."""
        return f"(?!0000){super().surface_pattern()}"

    def fallback(self, text: str) -> int | None:
        """The fallback accepts the year 0 in the Date Time String Format alone."""
        is_other = re.match("0000[/-]", text) is not None and _FORMAT.fullmatch(text) is None
        return None if is_other else super().fallback(text)


class WeekdayOrTime(AnchorsDecisions, reading="RUL-B38=b"):
    def suffix_pattern(self) -> str:
        """Either an English abbreviation as printed, or a time, is the suffix."""
        space = self.separator_pattern()
        return rf"(?:{space}\((?-i:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\)|{space}{anchors.clock_pattern()})?"

    def fallback(self, text: str) -> int | None:
        """Other letters, or a weekday and a time, are unparseable, although V8 accepts them."""
        space, two = self.separator_pattern(), self.digit_pattern() * 2
        suffixed = rf"^{two}{two}([/-]){two}\1{two}{space}\([a-z]{{3}}\)(?:{space}{anchors.clock_pattern()})?$"
        return None if regexps.compile_ignoring_case(suffixed).match(text) else super().fallback(text)


class StandardFormatOnly(AnchorsDecisions, reading="RUL-B39=a"):
    def fallback(self, text: str) -> int | None:
        """Only the Date Time String Format of ECMA-262 is accepted, with a day that the month has."""
        match = _FORMAT.fullmatch(text)
        if match is None or not _day_exists(int(match["year"]), int(match["month"] or 1), int(match["day"] or 1)):
            return None
        return date_parser.parse(text, self.from_local_time)


class WithItsWhiteSpace(AnchorsDecisions, reading="RUL-B82=b"):
    def trimmed(self, value: str) -> str:
        """White space around the value belongs to it."""
        return value

    def separator_pattern(self) -> str:
        """One space comes before a suffix, as printed."""
        return " "

    def fallback(self, text: str) -> int | None:
        """A printed form with other white space is unparseable, although V8 accepts it."""
        printed = strings.collapse(strings.trim(text))
        return None if regexps.compile_ignoring_case(self.surface_pattern()).match(printed) else super().fallback(text)


class TrimmedInUnicode(AnchorsDecisions, reading="RUL-B82=c"):
    def trimmed(self, value: str) -> str:
        """Unicode white space around a question date is ignored, with U+0085 and without U+FEFF."""
        return value.strip(WHITE_SPACE)

    def separator_pattern(self) -> str:
        """A run of Unicode white space comes before a suffix."""
        return f"[{WHITE_SPACE}]+"


class TrimmedInPython(AnchorsDecisions, reading="RUL-B82=d"):
    def trimmed(self, value: str) -> str:
        """White space of the port's own language, here Python, is ignored around a question date."""
        return value.strip()

    def separator_pattern(self) -> str:
        """A run of white space of the port's own language, here Python, comes before a suffix."""
        return rf"[{WHITE_SPACE}\x1c-\x1f]+"


class DigitOfEveryScript(AnchorsDecisions, reading="RUL-B84=b"):
    def digit_pattern(self) -> str:
        """Every decimal digit of Unicode is a digit."""
        return characters("Nd")


class EdgesOfWordsWithEveryDigit(TemporalDecisions, reading="RUL-B84=b"):
    def relative_time_edges(self, phrase: str) -> str:
        """A digit outside ASCII belongs to a word: a word boundary lies before it, and none between it and a letter."""
        return _with_every_digit(super().relative_time_edges(phrase))

    def weekday_edges(self, phrase: str) -> str:
        return _with_every_digit(super().weekday_edges(phrase))


def _with_every_digit(pattern: str) -> str:
    digit = decided(AnchorsDecisions).digit_pattern()
    if r"\b" not in pattern:
        return pattern
    before = rf"(?:\b|(?<!\w)(?={digit}))"
    return rf"(?<!{digit}){pattern.replace(chr(92) + 'b', before, 1)}(?!{digit})"


@cache
def characters(*properties: str) -> str:
    """The pattern of one character with one of these properties."""
    groups = groupby(range(sys.maxunicode + 1), lambda code: unicodedata.category(chr(code)).startswith(properties))
    runs = [list(run) for wanted, run in groups if wanted]
    return f"[{''.join(f'{chr(run[0])}-{chr(run[-1])}' for run in runs)}]"


def _day_exists(year: int, month: int, day: int) -> bool:
    """Whether the month has the day; the calendar repeats after 400 years."""
    try:
        date(2000 + year % 400, month, day)
    except ValueError:
        return False
    return True
