"""Deviations from the query DSL document's section "Emitted date formats"."""

import re
from collections.abc import Callable

from ...jeffs_brain import date_formats
from ...switches import Switches

SWITCHES = Switches("temporal.*", "retrieval.search")

WrittenYear = Callable[[int], str | None]
TokensOf = Callable[[str], list[str]]


@SWITCHES.deviation("year-without-leading-zeros", date_formats.written_year, wraps=True)
def year_without_leading_zeros(current: WrittenYear, year: int) -> str | None:
    """A year before 1000 has fewer than four digits in each written form."""
    return str(year) if 0 <= year <= 999 else current(year)


@SWITCHES.deviation("year-token-without-leading-zeros", date_formats.tokens_of, wraps=True)
def year_token_without_leading_zeros(current: TokensOf, value: str) -> list[str]:
    """The year among the tokens of a date has no leading zeros; the year in the forms beside it has four digits."""
    tokens = current(value)
    if date_formats.instant_of(value) is None:
        return tokens
    return [str(int(year[1])) if (year := re.fullmatch(r"0*(-?[0-9]+)", token)) else token for token in tokens]
