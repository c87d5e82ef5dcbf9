"""Deviations from the query DSL document's section "Emitted date formats"."""

import re

from reference_impl.jeffs_brain import date_formats
from reference_impl.jeffs_brain.date_formats import DateFormatsDecisions

ACTS_ON = ("temporal.*", "retrieval.search")


class YearWithoutLeadingZeros(DateFormatsDecisions, deviation="year-without-leading-zeros"):
    def written_year(self, year: int) -> str | None:
        """A year before 1000 has fewer than four digits in each written form."""
        return str(year) if 0 <= year <= 999 else super().written_year(year)


class YearTokenWithoutLeadingZeros(DateFormatsDecisions, deviation="year-token-without-leading-zeros"):
    def tokens_of(self, value: str) -> list[str]:
        """The year among the tokens of a date has no leading zeros; the year in the forms beside it has four digits."""
        tokens = super().tokens_of(value)
        if date_formats.instant_of(value) is None:
            return tokens
        return [str(int(year[1])) if (year := re.fullmatch(r"0*(-?[0-9]+)", token)) else token for token in tokens]
