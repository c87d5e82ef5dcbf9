"""Query DSL document, section "Anchor handling": the question date, read in UTC."""

from reference_impl.javascript import dates, regexps, strings

# A date, an ignored day of the week, a time. Each separator is used twice: mixed ones are neither surface form.
ANCHOR = (
    r"^(\d{4})([/-])(\d{2})\2(\d{2})"
    r"(?:\s+\([a-z]{3}\))?"
    r"(?:\s+(\d{2}):(\d{2})(?::(\d{2}))?)?$"
)

_ANCHOR = regexps.compile_ignoring_case(ANCHOR)


def parse_question_date(value: str) -> int | None:
    """parseQuestionDate: an instant (milliseconds since 1970, UTC), or None for what is no date.

    Parts outside their range carry over, and the year is the one that is written. The fallback, "any string that
    ``new Date()`` can parse", is held to the format that ECMA-262 defines, since the rest differs between engines.
    """
    text = strings.trim(value)
    match = _ANCHOR.match(text)
    if match is None:
        return dates.parse_iso(text)
    year, _, month, day, *clock = match.groups()
    hour, minute, second = (int(part or 0) for part in clock)
    return dates.from_parts(int(year), int(month) - 1, int(day), hour, minute, second)
