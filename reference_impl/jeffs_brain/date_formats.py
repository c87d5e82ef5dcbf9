"""Query DSL document, section "Emitted date formats": the written forms of a day, and the search tokens of a date."""

from ..decisions import Decisions, decided
from ..javascript import dates
from .anchors import parse_question_date

WEEKDAYS = tuple("Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split())
MONTHS = tuple("January February March April May June July August September October November December".split())


def slash_form(instant: int) -> str | None:
    """``YYYY/MM/DD``; None for a year that has no written form."""
    day = dates.civil(instant)
    year = decided(DateFormatsDecisions).written_year(day.year)
    return None if year is None else f"{year}/{day.month + 1:02}/{day.day:02}"


def hyphen_form(slashed: str) -> str:
    """``YYYY-MM-DD`` of a slash form."""
    return slashed.replace("/", "-")


def date_search_tokens(value: str | None) -> list[str]:
    """dateSearchTokens: hyphen form, slash form, four-digit year, weekday and month in English. An absent or unparsable
    date has no tokens; a year without a written form leaves only the two names.
    """
    return [] if value is None else decided(DateFormatsDecisions).tokens_of(value)


def tokens_of(value: str) -> list[str]:
    """The tokens of a date, which has the forms of a question date; none for a text that is no date."""
    instant = parse_question_date(value)
    if instant is None:
        return []
    slashed = slash_form(instant)
    written = [] if slashed is None else written_tokens(slashed)
    return [*written, WEEKDAYS[dates.weekday(instant)], MONTHS[dates.civil(instant).month]]


def written_tokens(slashed: str) -> list[str]:
    """The tokens in digits: both forms of the date, and its year."""
    return [*decided(DateFormatsDecisions).form_tokens(slashed), hyphen_form(slashed)[: -len("-MM-DD")]]


class DateFormatsDecisions(Decisions):
    """What the text leaves open about the forms of a date, as adopted."""

    def written_year(self, year: int) -> str | None:
        """RUL-B33, RUL-B123: a year has four digits and no sign, so that a year outside 0 to 9999 has no written form."""
        return f"{year:04}" if 0 <= year <= 9999 else None

    def tokens_of(self, value: str) -> list[str]:
        """RUL-B40: a value that is not an anchor has no tokens, also if it contains a date."""
        return tokens_of(value)

    def form_tokens(self, slashed: str) -> list[str]:
        """RUL-B110: both forms of the date are among its tokens."""
        return [hyphen_form(slashed), slashed]
