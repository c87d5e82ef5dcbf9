"""Query DSL document, section "Temporal expansion": three recognisers, and the augmented query.

English only, UTC only; no clock is read: "now" is the question date.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..javascript import dates, regexps, strings
from ..observer import Observer, Step, silent
from .anchors import parse_question_date
from .date_formats import WEEKDAYS, hyphen_form, slash_form

SECTION = "Temporal expansion: Recognised phrases"

# Only the ordering hint is a substring match in the table; these two match whole phrases.
RELATIVE_TIME = r"\b(\d+)\s+(day|week|month)s?\s+ago\b"
LAST_WEEKDAY = r"\blast\s+(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"

EARLIEST_NOTE = "[Note: look for the earliest dated event]"
MOST_RECENT_NOTE = "[Note: look for the most recently dated event]"

# Checked in this order; the first list with a word in the question decides.
_ORDERING_HINTS = (
    (("first", "earlier", "before"), EARLIEST_NOTE),
    (("most recent", "latest", "last time"), MOST_RECENT_NOTE),
)


@dataclass(frozen=True, slots=True)
class Expansion:
    """Result of expandTemporal; ``date_hints`` are distinct, in slash form and in the order of recognition."""

    original_query: str
    expanded_query: str
    date_hints: tuple[str, ...] = ()

    @property
    def resolved(self) -> bool:
        """Whether some phrase was resolved to a date; a note is not a date."""
        return bool(self.date_hints)

    def to_json(self) -> dict[str, Any]:
        """``{originalQuery, expandedQuery, dateHints, resolved}``."""
        return {
            "originalQuery": self.original_query,
            "expandedQuery": self.expanded_query,
            "dateHints": list(self.date_hints),
            "resolved": self.resolved,
        }


@dataclass(frozen=True, slots=True)
class _Recogniser:
    """A kind of phrase: its pattern, the function from anchor and match to an instant, and the format of the suffix."""

    name: str
    pattern: re.Pattern[str]
    resolve: Callable[[int, re.Match[str]], int | None]
    suffix: str


def expand_temporal(question: str, question_date: str | None = None, *, observe: Observer = silent) -> Expansion:
    """expandTemporal: adds the date after each recognised phrase, and an ordering note after the question.

    Without a parsable anchor, the question stays unchanged. Section "Temporal expansion".
    """
    anchor = None if question_date is None else parse_question_date(question_date)
    observe(Step("Anchor handling", "anchor", None if anchor is None else dates.to_iso_string(anchor)))
    if anchor is None:
        return Expansion(question, question)
    text, hints = question, dict[str, None]()
    for recogniser in _RECOGNISERS:
        text, found = _apply(recogniser, text, anchor, observe)
        hints |= dict.fromkeys(found)
    return Expansion(question, text + _ordering_note(question, observe), tuple(hints))


def augment_query_with_temporal(question: str, question_date: str | None = None, *, observe: Observer = silent) -> str:
    """augmentQueryWithTemporal: the original question, then the slash form and the hyphen form of each hint.

    Section "Temporal expansion", "Worked example".
    """
    hints = expand_temporal(question, question_date, observe=observe).date_hints
    return " ".join([question, *(form for hint in hints for form in (hint, hyphen_form(hint)))])


def _apply(recogniser: _Recogniser, text: str, anchor: int, observe: Observer) -> tuple[str, list[str]]:
    """Adds a suffix to every match of one recogniser; a phrase without a writable date stays unchanged."""
    found: list[str] = []

    def suffixed(match: re.Match[str]) -> str:
        instant = recogniser.resolve(anchor, match)
        day = None if instant is None else slash_form(instant)
        observe(Step(SECTION, recogniser.name, {"phrase": match[0], "date": day}))
        if day is None:
            return match[0]
        found.append(day)
        return f"{match[0]} {recogniser.suffix.format(day)}"

    return recogniser.pattern.sub(suffixed, text), found


def _relative_time(anchor: int, match: re.Match[str]) -> int | None:
    """Section "Month-boundary and day-arithmetic edge cases": months roll forward; weeks and days count days."""
    count, unit = float(match[1]), match[2].lower()
    today = dates.civil(anchor)
    if unit == "month":
        return dates.set_month(anchor, today.month - count)
    return dates.set_day(anchor, today.day - count * (7 if unit == "week" else 1))


def _last_weekday(anchor: int, match: re.Match[str]) -> int | None:
    """Goes back day by day, at most seven days; the day of the anchor never matches. Section "Recognised phrases"."""
    wanted = WEEKDAYS.index(match[1].capitalize())
    for back in range(1, 8):
        instant = dates.set_day(anchor, dates.civil(anchor).day - back)
        if instant is None or dates.weekday(instant) == wanted:
            return instant
    raise AssertionError("seven days hold every weekday")


def _ordering_note(question: str, observe: Observer) -> str:
    text = strings.to_lower_case(question)
    for words, note in _ORDERING_HINTS:
        hint = next((word for word in words if word in text), None)
        if hint is not None:
            observe(Step(SECTION, "ordering hint", {"phrase": hint, "note": note}))
            return f" {note}"
    return ""


_RECOGNISERS = (
    _Recogniser("relative time", regexps.compile_ignoring_case(RELATIVE_TIME), _relative_time, "(around {})"),
    _Recogniser("last weekday", regexps.compile_ignoring_case(LAST_WEEKDAY), _last_weekday, "({})"),
)
