"""Query DSL document, section "Anchor handling": parsing of the question date, in UTC."""

from ..javascript import date_parser, dates, regexps, strings


def parse_question_date(value: str) -> int | None:
    """parseQuestionDate: an instant (milliseconds since 1970, UTC), or None for a text that is no date.

    Section "Anchor handling".
    """
    text = trimmed(value)
    match = regexps.compile_ignoring_case(surface_pattern()).match(text)
    if match is None:
        return fallback(text)
    year, _, month, day, *time = match.groups()
    hour, minute, second = (int(part or 0) for part in time)
    return from_components(value_of_year(year), int(month), int(day), hour, minute, second)


def surface_pattern() -> str:
    """The pattern of a date with suffixes. Both separators are the same; mixed separators are not a surface form."""
    two = digit_pattern() * 2
    return rf"^({two}{two})([/-])({two})\2({two}){suffix_pattern()}$"


def suffix_pattern() -> str:
    """RUL-B38: a weekday is three letters in parentheses, which are ignored; a time may follow it."""
    return rf"(?:{separator_pattern()}\([a-z]{{3}}\))?(?:{separator_pattern()}{clock_pattern()})?"


def clock_pattern() -> str:
    """The pattern of a time, ``HH:MM`` or ``HH:MM:SS``."""
    two = digit_pattern() * 2
    return rf"({two}):({two})(?::({two}))?"


def separator_pattern() -> str:
    """RUL-B82: any run of white space comes before a suffix."""
    return r"\s+"


def trimmed(value: str) -> str:
    """RUL-B82: white space around a question date is ignored."""
    return strings.trim(value)


def digit_pattern() -> str:
    """RUL-B84: the digits of a date or a count are ASCII digits."""
    return r"\d"


def value_of_year(year: str) -> int:
    """RUL-B37: a year is used as written, also from 0000 to 0099."""
    return int(year)


def from_components(year: int, month: int, day: int, hour: int, minute: int, second: int) -> int | None:
    """RUL-B35: a component outside its range carries over."""
    return dates.from_parts(year, month - 1, day, hour, minute, second)


def fallback(text: str) -> int | None:
    """RUL-B39: any other text is a date if ``new Date()`` accepts it in V8; engines differ beyond ECMA-262's format."""
    return date_parser.parse(text, from_local_time)


def from_local_time(milliseconds: int) -> int:
    """RUL-B36: a date-time without an offset is in UTC."""
    return milliseconds
