"""Query DSL document, section "Anchor handling": parsing of the question date, in UTC."""

from ..javascript import date_parser, dates, regexps, strings

# A date, an ignored weekday, a time. Both separators are the same; mixed separators are not a surface form.
ANCHOR = (
    r"^(\d{4})([/-])(\d{2})\2(\d{2})"
    r"(?:\s+\([a-z]{3}\))?"
    r"(?:\s+(\d{2}):(\d{2})(?::(\d{2}))?)?$"
)

_ANCHOR = regexps.compile_ignoring_case(ANCHOR)


def parse_question_date(value: str) -> int | None:
    """parseQuestionDate: an instant (milliseconds since 1970, UTC), or None for a text that is no date.

    A part outside its range carries over; the year has exactly the written value. The fallback is "any string that
    ``new Date()`` can parse"; beyond the format that ECMA-262 defines, engines differ, and the fallback is that of V8.
    Section "Anchor handling".
    """
    text = strings.trim(value)
    match = _ANCHOR.match(text)
    if match is None:
        return date_parser.parse(text)
    year, _, month, day, *clock = match.groups()
    hour, minute, second = (int(part or 0) for part in clock)
    return dates.from_parts(int(year), int(month) - 1, int(day), hour, minute, second)
