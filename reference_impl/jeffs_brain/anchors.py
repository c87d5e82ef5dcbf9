"""Query DSL document, section "Anchor handling": parsing of the question date, in UTC."""

from ..decisions import Decisions, decided
from ..javascript import date_parser, dates, regexps, strings


def parse_question_date(value: str) -> int | None:
    """parseQuestionDate: an instant (milliseconds since 1970, UTC), or None for a text that is no date."""
    rule = decided(AnchorsDecisions)
    text = rule.trimmed(value)
    match = regexps.compile_ignoring_case(rule.surface_pattern()).match(text)
    if match is None:
        return rule.fallback(text)
    year, _, month, day, *time = match.groups()
    hour, minute, second = (int(part or 0) for part in time)
    return rule.from_components(rule.value_of_year(year), int(month), int(day), hour, minute, second)


def clock_pattern() -> str:
    """The pattern of a time, ``HH:MM`` or ``HH:MM:SS``."""
    two = decided(AnchorsDecisions).digit_pattern() * 2
    return rf"({two}):({two})(?::({two}))?"


class AnchorsDecisions(Decisions):
    """What the text leaves open about the date of a question, as adopted."""

    def surface_pattern(self) -> str:
        """RUL-B38: ``YYYY-MM-DD`` or ``YYYY/MM/DD``, then suffixes; mixed separators are not a surface form."""
        two = self.digit_pattern() * 2
        return rf"^({two}{two})([/-])({two})\2({two}){self.suffix_pattern()}$"

    def suffix_pattern(self) -> str:
        """RUL-B38: a weekday is three letters in parentheses, which are ignored; a time may follow it."""
        return rf"(?:{self.separator_pattern()}\([a-z]{{3}}\))?(?:{self.separator_pattern()}{clock_pattern()})?"

    def separator_pattern(self) -> str:
        """RUL-B82: any run of white space comes before a suffix."""
        return r"\s+"

    def trimmed(self, value: str) -> str:
        """RUL-B82: white space around a question date is ignored."""
        return strings.trim(value)

    def digit_pattern(self) -> str:
        """RUL-B84: the digits of a date or a count are ASCII digits."""
        return r"\d"

    def value_of_year(self, year: str) -> int:
        """RUL-B37: a year is used as written, also from 0000 to 0099."""
        return int(year)

    def from_components(self, year: int, month: int, day: int, hour: int, minute: int, second: int) -> int | None:
        """RUL-B35: a component outside its range carries over."""
        return dates.from_parts(year, month - 1, day, hour, minute, second)

    def fallback(self, text: str) -> int | None:
        """RUL-B39: any other text is a date if ``new Date()`` accepts it in V8; engines differ beyond ECMA-262's format."""
        return date_parser.parse(text, self.from_local_time)

    def from_local_time(self, milliseconds: int) -> int:
        """RUL-B36: a date-time without an offset is in UTC."""
        return milliseconds
