"""Deviations from the query DSL document's section "Emitted date formats"."""

import re
from collections.abc import Callable

from ...jeffs_brain import anchors, date_formats
from ...switches import Switches

SWITCHES = Switches("temporal.*", "retrieval.search")

WrittenYear = Callable[[int], str | None]
TokensOf = Callable[[str], list[str]]

_SLASHES = r"(?P<year>\d{4})/(?P<month>\d\d)/(?P<day>\d\d)"
_HYPHENS = _SLASHES.replace("/", "-")
_CLOCK = r"(?P<hour>\d\d):(?P<minute>\d\d)"
_SECONDS = r":(?P<second>\d\d)(?:[.,]\d+)?"
_OFFSET = r"(?:Z|(?P<offset>[+-])(?P<hours>\d\d):(?P<minutes>\d\d))"
_WEEKDAY = r"\((?i:mon|tue|wed|thu|fri|sat|sun)\)"

# The forms of a date that the index of an SDK parses; not each of them is a form of a question date.
_INDEXED = [
    re.compile(form, re.ASCII)
    for form in (
        f"{_HYPHENS}T{_CLOCK}{_SECONDS}{_OFFSET}",
        f"{_HYPHENS} +{_CLOCK}{_SECONDS}",
        f"{_SLASHES} +{_WEEKDAY} +{_CLOCK}",
        _HYPHENS,
        _SLASHES,
    )
]

_LITERAL = re.compile(r"\b(\d{4})[/-](\d{2})[/-](\d{2})\b", re.ASCII)


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


@SWITCHES.deviation("forms-of-the-index-in-date-tokens", date_formats.instant_of)
def instant_of_an_indexed_date(value: str) -> int | None:
    """Date tokens have their own forms: a date, a date with a weekday and a time, and with seconds or an offset."""
    text = anchors.trimmed(value)
    found = next((match for form in _INDEXED if (match := form.fullmatch(text))), None)
    if found is None:
        return None
    part = {name: int(text) for name, text in found.groupdict().items() if text is not None and text.isdecimal()}
    clock = (part.get(name, 0) for name in ("hour", "minute", "second"))
    instant = anchors.from_components(part["year"], part["month"], part["day"], *clock)
    sign = -1 if found.groupdict().get("offset") == "-" else 1
    offset = sign * (part.get("hours", 0) * 60 + part.get("minutes", 0))
    return None if instant is None else instant - offset * 60_000


@SWITCHES.deviation("date-between-word-boundaries", date_formats.tokens_of, wraps=True)
def date_between_word_boundaries(current: TokensOf, value: str) -> list[str]:
    """In a text that is no date, a date is found only between word boundaries."""
    if date_formats.instant_of(value) is not None:
        return current(value)
    found = _LITERAL.search(value)
    return current(f"- {found[0]}") if found else []
