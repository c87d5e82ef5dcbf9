"""Other readings of the query DSL document's section "Emitted date formats"."""

import re
from decimal import Decimal

from ...decisions import decided
from ...javascript import dates
from ...jeffs_brain import date_formats, temporal
from ...jeffs_brain.date_formats import DateFormatsDecisions
from ...jeffs_brain.temporal import TemporalDecisions

ACTS_ON = ("temporal.*", "retrieval.search")


# The Gregorian calendar repeats after this cycle, weekdays included.
_YEARS, _MONTHS, _DAYS = 400, 4_800, 146_097
_CYCLE = _DAYS * 86_400_000


class YearWithAllItsDigits(DateFormatsDecisions, reading="RUL-B33=b"):
    def written_year(self, year: int) -> str | None:
        """A year after 9999 is written with all its digits."""
        return str(year) if year > 9999 else super().written_year(year)


class NoYearAfter9999(DateFormatsDecisions, reading="RUL-B33=c"):
    def written_year(self, year: int) -> str | None:
        """A year after 9999 raises an error."""
        if year > 9999:
            raise OverflowError(f"no date has the year {year}")
        return super().written_year(year)


class TokensOfTheFirstDate(DateFormatsDecisions, reading="RUL-B40=b"):
    def tokens_of(self, value: str) -> list[str]:
        """The first date between word boundaries in a text that is no anchor produces its two forms and its year."""
        found = re.search(r"\b([0-9]{4})[/-]([0-9]{2})[/-]([0-9]{2})\b", value, re.ASCII)
        tokens = super().tokens_of(value)
        if tokens or found is None:
            return tokens
        return date_formats.written_tokens(f"{found[1]}/{found[2]}/{found[3]}")


class NoFormTokens(DateFormatsDecisions, reading="RUL-B110=b"):
    def form_tokens(self, slashed: str) -> list[str]:
        """The tokens are only the year, the weekday and the month."""
        return []


class YearWithAMinusSign(DateFormatsDecisions, reading="RUL-B123=b"):
    def written_year(self, year: int) -> str | None:
        """A year before 0 is written with a minus sign and all its digits; a Decimal writes any number of them."""
        return f"-{Decimal(-year):04}" if year < 0 else super().written_year(year)


class DateOfAnyAge(TemporalDecisions, reading="RUL-B123=b"):
    def written_date(self, recogniser: temporal.Recogniser, anchor: int, match: re.Match[str]) -> str | None:
        """A date before every date that a Date can hold is written in the Gregorian calendar."""
        written = super().written_date(recogniser, anchor, match)
        if written is not None or recogniser.resolve(anchor, match) is not None:
            return written
        cycles, instant = _within_one_cycle(recogniser, anchor, match)
        day = dates.civil(instant)
        return (
            f"{decided(DateFormatsDecisions).written_year(day.year - cycles * _YEARS)}/{day.month + 1:02}/{day.day:02}"
        )


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


class YearPaddedWithSlashes(DateFormatsDecisions, reading="RUL-B123=c"):
    def written_year(self, year: int) -> str | None:
        """A year before 0 is padded to four characters, and its hyphen becomes a slash."""
        return f"{year:0>4}".replace("-", "/") if year < 0 else super().written_year(year)


class NotANumber(TemporalDecisions, reading="RUL-B123=c"):
    def written_date(self, recogniser: temporal.Recogniser, anchor: int, match: re.Match[str]) -> str | None:
        """A date before every date that a Date can hold is the text of an invalid Date."""
        return (
            "0NaN/NaN/NaN"
            if recogniser.resolve(anchor, match) is None
            else super().written_date(recogniser, anchor, match)
        )


class NoDateBeforeYear0(TemporalDecisions, reading="RUL-B123=d"):
    def written_date(self, recogniser: temporal.Recogniser, anchor: int, match: re.Match[str]) -> str | None:
        """A date before the year 0 raises an error."""
        instant = recogniser.resolve(anchor, match)
        if instant is None or dates.civil(instant).year < 0:
            raise OverflowError("no date lies before the year 0")
        return super().written_date(recogniser, anchor, match)
