"""Query DSL document, section "Emitted date formats": the written forms of a day, and the search tokens of a date."""

from ..javascript import dates
from .anchors import parse_question_date

WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def slash_form(instant: int) -> str | None:
    """``YYYY/MM/DD``; None for a year outside 0 to 9999, which needs more than four digits."""
    day = dates.civil(instant)
    return f"{day.year:04}/{day.month + 1:02}/{day.day:02}" if 0 <= day.year <= 9999 else None


def hyphen_form(slashed: str) -> str:
    """``YYYY-MM-DD`` of a slash form. Section "Emitted date formats"."""
    return slashed.replace("/", "-")


def date_search_tokens(value: str | None) -> list[str]:
    """dateSearchTokens: hyphen form, slash form, four-digit year, weekday and month in English.

    An absent or unparsable date has no tokens; a year outside 0 to 9999 has only the two names. Section "Emitted date
    formats".
    """
    instant = None if value is None else parse_question_date(value)
    if instant is None:
        return []
    slashed = slash_form(instant)
    written = [] if slashed is None else [hyphen_form(slashed), slashed, slashed[:4]]
    return [*written, WEEKDAYS[dates.weekday(instant)], MONTHS[dates.civil(instant).month]]
