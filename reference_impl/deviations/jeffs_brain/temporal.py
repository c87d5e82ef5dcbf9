"""Deviations from the query DSL document's section "Temporal expansion"."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from ...javascript import dates
from ...jeffs_brain import date_formats, temporal
from ...jeffs_brain.temporal import Phrase, Recogniser
from ...observer import Observer
from ...switches import Switches

SWITCHES = Switches("temporal.*", "retrieval.search")

Match = re.Match[str]
Recognisers = Callable[[], tuple[Recogniser, ...]]
PhrasesOf = Callable[[Recogniser, str, int, Observer], Iterator[Phrase]]
WrittenDate = Callable[[Recogniser, int, Match], str | None]

_WEEK = "week before"
_NEAR_DAY = "near day"
_SECONDS_OF_A_DAY = 86_400
_MAX_INTEGER = 2**63 - 1
_ENDLESS = 10**10
"""Months whose loop takes several times the timeout: that of 10**8 took 0.6 s, measured on 23 November 2026."""


@SWITCHES.deviation("today-and-yesterday-are-phrases", temporal.recognisers, wraps=True)
def near_days(current: Recognisers) -> tuple[Recogniser, ...]:
    """today and yesterday are expanded, after the relative times."""
    pattern = temporal.relative_time_edges("(yesterday|today)")
    return _before_weekdays(current(), Recogniser(_NEAR_DAY, pattern, _near_day, "({})"))


@SWITCHES.deviation("last-week-is-a-phrase", temporal.recognisers, wraps=True)
def last_week(current: Recognisers) -> tuple[Recogniser, ...]:
    """last week is expanded, before the weekdays."""
    pattern = temporal.relative_time_edges(f"last{temporal.white_space_pattern()}(week)")
    return _before_weekdays(current(), Recogniser(_WEEK, pattern, _days_back(7), "({})"))


@SWITCHES.deviation("last-week-is-a-phrase", temporal.phrases_of, wraps=True)
def days_of_last_week(
    current: PhrasesOf, recogniser: Recogniser, question: str, anchor: int, observe: Observer
) -> Iterator[Phrase]:
    """last week has the seven days before the anchor as hints, and the first and the last of them as its suffix."""
    for phrase in current(recogniser, question, anchor, observe):
        if recogniser.name != _WEEK or phrase.date is None:
            yield phrase
            continue
        days = [_written(back, anchor, phrase.match) for back in range(7, 0, -1)]
        yield Phrase(phrase.match, days[0], f" ({days[0]} to {days[-1]})")
        yield from (Phrase(phrase.match, day, "") for day in days[1:])


def _before_weekdays(recognisers: tuple[Recogniser, ...], added: Recogniser) -> tuple[Recogniser, ...]:
    at = [recogniser.name for recogniser in recognisers].index("last weekday")
    return (*recognisers[:at], added, *recognisers[at:])


def _near_day(anchor: int, match: Match) -> int | None:
    return _days_back(int(match[1] == "yesterday"))(anchor, match)


def _days_back(back: int) -> Callable[[int, Match], int | None]:
    return lambda anchor, _: dates.set_day(anchor, dates.civil(anchor).day - back)


def _written(back: int, anchor: int, match: Match) -> str | None:
    return temporal.written_date(Recogniser(_WEEK, "", _days_back(back), ""), anchor, match)


@SWITCHES.deviation("vertical-tab-separates-no-words", temporal.white_space_pattern, wraps=True)
def white_space_without_vertical_tab(current: Callable[[], str]) -> str:
    """U+000B separates no words of a phrase."""
    return current().replace(r"\v", "")


@SWITCHES.deviation("words-looked-up-in-lower-case", temporal.phrases_of, wraps=True)
def only_words_of_a_table(
    current: PhrasesOf, recogniser: Recogniser, question: str, anchor: int, observe: Observer
) -> Iterator[Phrase]:
    """A weekday or number word with a letter outside ASCII matches the pattern, and stays unchanged."""
    for phrase in current(recogniser, question, anchor, observe):
        word = question[slice(*phrase.match.span(1))].lower()
        yield phrase if word.isascii() or word.isdecimal() else Phrase(phrase.match, None, "")


@SWITCHES.deviation("ordering-words-in-simple-lower-case", temporal.comparable_to_ordering_words)
def in_simple_lower_case(question: str) -> str:
    """Ordering words are searched in the simple lower case of Unicode, which is i for U+0130."""
    return "".join(character.lower()[0] for character in question)


@SWITCHES.deviation("no-note-without-a-date", temporal.note_and_resolved, wraps=True)
def no_note_without_a_date(
    current: Callable[[str, Sequence[str]], tuple[str, bool]], note: str, hints: Sequence[str]
) -> tuple[str, bool]:
    """Without a date, the question passes without a note."""
    note, resolved = current(note, hints)
    return note if hints else "", resolved


@SWITCHES.deviation("weekday-before-every-date-unchanged", temporal.written_date, wraps=True)
def no_weekday_before_every_date(current: WrittenDate, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
    """A weekday before every date that a Date can hold stays unchanged, unlike a relative time."""
    is_unchanged = recogniser.name == "last weekday" and recogniser.resolve(anchor, match) is None
    return None if is_unchanged else current(recogniser, anchor, match)


@SWITCHES.deviation("seconds-of-64-bits", temporal.written_date, wraps=True)
def date_of_64_bits(current: WrittenDate, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
    """The seconds of a date before every date that a Date can hold are an integer of 64 bits, which wraps around."""
    written = current(recogniser, anchor, match)
    is_outside = written is not None and recogniser.resolve(anchor, match) is None
    if not is_outside or recogniser.name != "relative time" or match[2] == "month":
        return written
    days = int(Decimal(match[1])) * (7 if match[2] == "week" else 1)
    return _date_of_seconds(anchor // 1000 - days * _SECONDS_OF_A_DAY)


def _date_of_seconds(seconds: int) -> str | None:
    wrapped = (seconds + _MAX_INTEGER + 1) % 2**64 - _MAX_INTEGER - 1
    return date_formats.slash_form(wrapped * 1000)


@SWITCHES.deviation("count-beyond-64-bits-unchanged", temporal.written_date, wraps=True)
def no_count_beyond_64_bits(current: WrittenDate, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
    """A phrase with a count that no signed integer of 64 bits holds stays unchanged."""
    is_unchanged = match[1].isdecimal() and Decimal(match[1]) > _MAX_INTEGER
    return None if is_unchanged else current(recogniser, anchor, match)


@SWITCHES.deviation("infinite-count-unchanged", temporal.written_date, wraps=True)
def no_infinite_count(current: WrittenDate, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
    """A phrase with a count that is infinite as a double stays unchanged."""
    is_unchanged = match[1].isdecimal() and math.isinf(temporal.value_of_count(match[1]))
    return None if is_unchanged else current(recogniser, anchor, match)


@SWITCHES.deviation("date-in-the-year-0-raises", temporal.written_date, wraps=True)
def no_date_in_the_year_0(current: WrittenDate, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
    """A date in the year 0 raises an exception."""
    instant = recogniser.resolve(anchor, match)
    if instant is not None and dates.civil(instant).year == 0:
        raise OverflowError("date value out of range")
    return current(recogniser, anchor, match)


@SWITCHES.deviation("huge-count-of-months-does-not-end", temporal.written_date, wraps=True)
def no_end_of_many_months(current: WrittenDate, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
    """A loop walks the years of a count of months, so that a huge one has no answer; TimeoutError stands for that."""
    if recogniser.name == "relative time" and match[2] == "month" and temporal.value_of_count(match[1]) >= _ENDLESS:
        raise TimeoutError("the loop does not end")
    return current(recogniser, anchor, match)
