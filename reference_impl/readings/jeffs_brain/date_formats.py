"""Other readings of the query DSL document's section "Emitted date formats"."""

import re
from collections.abc import Callable
from decimal import Decimal

from ...javascript import dates
from ...jeffs_brain import date_formats, temporal
from ...switches import Switches

SWITCHES = Switches("temporal.*", "retrieval.search")

WrittenYear = Callable[[int], str | None]
WrittenDate = Callable[[temporal.Recogniser, int, re.Match[str]], str | None]

# The Gregorian calendar repeats after this cycle, weekdays included.
_YEARS, _MONTHS, _DAYS = 400, 4_800, 146_097
_CYCLE = _DAYS * 86_400_000


@SWITCHES.reading("RUL-B33", "b", date_formats.written_year, wraps=True)
def year_with_all_its_digits(current: WrittenYear, year: int) -> str | None:
    """A year after 9999 is written with all its digits."""
    return str(year) if year > 9999 else current(year)


@SWITCHES.reading("RUL-B33", "c", date_formats.written_year, wraps=True)
def no_year_after_9999(current: WrittenYear, year: int) -> str | None:
    """A year after 9999 raises an error."""
    if year > 9999:
        raise OverflowError(f"no date has the year {year}")
    return current(year)


@SWITCHES.reading("RUL-B40", "b", date_formats.tokens_of, wraps=True)
def tokens_of_the_first_date(current: Callable[[str], list[str]], value: str) -> list[str]:
    """The first date between word boundaries in a text that is no anchor produces its two forms and its year."""
    found = re.search(r"\b([0-9]{4})[/-]([0-9]{2})[/-]([0-9]{2})\b", value, re.ASCII)
    tokens = current(value)
    if tokens or found is None:
        return tokens
    return date_formats.written_tokens(f"{found[1]}/{found[2]}/{found[3]}")


@SWITCHES.reading("RUL-B110", "b", date_formats.form_tokens)
def no_form_tokens(slashed: str) -> list[str]:
    """The tokens are only the year, the weekday and the month."""
    del slashed
    return []


@SWITCHES.reading("RUL-B123", "b", date_formats.written_year, wraps=True)
def year_with_a_minus_sign(current: WrittenYear, year: int) -> str | None:
    """A year before 0 is written with a minus sign and all its digits; a Decimal writes any number of them."""
    return f"-{Decimal(-year):04}" if year < 0 else current(year)


@SWITCHES.reading("RUL-B123", "b", temporal.written_date, wraps=True)
def date_of_any_age(
    current: WrittenDate, recogniser: temporal.Recogniser, anchor: int, match: re.Match[str]
) -> str | None:
    """A date before every date that a Date can hold is written in the Gregorian calendar."""
    written = current(recogniser, anchor, match)
    if written is not None or recogniser.resolve(anchor, match) is not None:
        return written
    cycles, instant = _within_one_cycle(recogniser, anchor, match)
    day = dates.civil(instant)
    return f"{date_formats.written_year(day.year - cycles * _YEARS)}/{day.month + 1:02}/{day.day:02}"


def _within_one_cycle(recogniser: temporal.Recogniser, anchor: int, match: re.Match[str]) -> tuple[int, int]:
    """An instant, and the number of cycles that the date of the phrase lies before it."""
    later, back = divmod(-anchor, _CYCLE)[0] + 2, 0
    anchor += later * _CYCLE
    instant = recogniser.resolve(anchor, match)
    if instant is None:
        count, today = int(Decimal(match[1])), dates.civil(anchor)
        if match[2] == "month":
            back, count = divmod(count, _MONTHS)
            instant = dates.set_month(anchor, today.month - count)
        else:
            back, count = divmod(count * (7 if match[2] == "week" else 1), _DAYS)
            instant = dates.set_day(anchor, today.day - count)
    assert instant is not None
    return later + back, instant


@SWITCHES.reading("RUL-B123", "c", date_formats.written_year, wraps=True)
def year_padded_with_slashes(current: WrittenYear, year: int) -> str | None:
    """A year before 0 is padded to four characters, and its hyphen becomes a slash."""
    return f"{year:0>4}".replace("-", "/") if year < 0 else current(year)


@SWITCHES.reading("RUL-B123", "c", temporal.written_date, wraps=True)
def not_a_number(
    current: WrittenDate, recogniser: temporal.Recogniser, anchor: int, match: re.Match[str]
) -> str | None:
    """A date before every date that a Date can hold is the text of an invalid Date."""
    return "0NaN/NaN/NaN" if recogniser.resolve(anchor, match) is None else current(recogniser, anchor, match)


@SWITCHES.reading("RUL-B123", "d", temporal.written_date, wraps=True)
def no_date_before_year_0(
    current: WrittenDate, recogniser: temporal.Recogniser, anchor: int, match: re.Match[str]
) -> str | None:
    """A date before the year 0 raises an error."""
    instant = recogniser.resolve(anchor, match)
    if instant is None or dates.civil(instant).year < 0:
        raise OverflowError("no date lies before the year 0")
    return current(recogniser, anchor, match)
