"""Years and slugs in the forms of Python 22a586e."""

import re

from reference_impl.jeffs_brain.date_formats import DateFormatsDecisions
from reference_impl.jeffs_brain.trigram import TrigramDecisions

ACTS_ON = ("temporal.*", "trigram.*", "retrieval.search")


class YearWithoutLeadingZeros(DateFormatsDecisions, deviation="year-without-leading-zeros"):
    def written_year(self, year: int) -> str | None:
        """A year before 1000 has fewer than four digits in each written form."""
        return str(year) if 0 <= year <= 999 else super().written_year(year)


class SlugsWithLowLines(TrigramDecisions, deviation="low-line-in-slugs"):
    def is_alphanumeric(self, character: str) -> bool:
        r"""The low line is alphanumeric, as in the class ``\w`` of Python."""
        return re.match(r"\w", character) is not None
