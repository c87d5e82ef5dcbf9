"""Deviations from the query DSL document's section "Temporal expansion"."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from reference_impl.decisions import decided
from reference_impl.javascript import dates
from reference_impl.jeffs_brain import date_formats
from reference_impl.jeffs_brain.temporal import Phrase, Recogniser, TemporalDecisions

ACTS_ON = ("temporal.*", "retrieval.search")

Match = re.Match[str]

_WEEK = "week before"
_NEAR_DAY = "near day"
_SECONDS_OF_A_DAY = 86_400
_MAX_INTEGER = 2**63 - 1
_ENDLESS = 10**10
"""Months whose loop takes several times the timeout: that of 10**8 took 0.6 s, measured on 23 November 2026."""


class NearDays(TemporalDecisions, deviation="today-and-yesterday-are-phrases"):
    def recognisers(self) -> tuple[Recogniser, ...]:
        """today and yesterday are expanded, after the relative times."""
        pattern = self.relative_time_edges("(yesterday|today)")
        return _before_weekdays(super().recognisers(), Recogniser(_NEAR_DAY, pattern, _near_day, "({})"))


class LastWeek(TemporalDecisions, deviation="last-week-is-a-phrase"):
    def recognisers(self) -> tuple[Recogniser, ...]:
        """last week is expanded, before the weekdays."""
        pattern = self.relative_time_edges(f"last{self.white_space_pattern()}(week)")
        return _before_weekdays(super().recognisers(), Recogniser(_WEEK, pattern, _days_back(7), "({})"))

    def phrases_of(self, recogniser: Recogniser, question: str, anchor: int) -> Iterator[Phrase]:
        """last week has the seven days before the anchor as hints, and the first and the last of them as its suffix."""
        for phrase in super().phrases_of(recogniser, question, anchor):
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
    return decided(TemporalDecisions).written_date(Recogniser(_WEEK, "", _days_back(back), ""), anchor, match)


class WhiteSpaceWithoutVerticalTab(TemporalDecisions, deviation="vertical-tab-separates-no-words"):
    def white_space_pattern(self) -> str:
        """U+000B separates no words of a phrase."""
        return super().white_space_pattern().replace(r"\v", "")


class OnlyWordsOfATable(TemporalDecisions, deviation="words-looked-up-in-lower-case"):
    def phrases_of(self, recogniser: Recogniser, question: str, anchor: int) -> Iterator[Phrase]:
        """A weekday or number word with a letter outside ASCII matches the pattern, and stays unchanged."""
        for phrase in super().phrases_of(recogniser, question, anchor):
            word = question[slice(*phrase.match.span(1))].lower()
            yield phrase if word.isascii() or word.isdecimal() else Phrase(phrase.match, None, "")


class InSimpleLowerCase(TemporalDecisions, deviation="ordering-words-in-simple-lower-case"):
    def comparable_to_ordering_words(self, question: str) -> str:
        """Ordering words are searched in the simple lower case of Unicode, which is i for U+0130."""
        return "".join(character.lower()[0] for character in question)


class NoNoteWithoutADate(TemporalDecisions, deviation="no-note-without-a-date"):
    def note_and_resolved(self, note: str, hints: Sequence[str]) -> tuple[str, bool]:
        """Without a date, the question passes without a note."""
        note, resolved = super().note_and_resolved(note, hints)
        return note if hints else "", resolved


class NoWeekdayBeforeEveryDate(TemporalDecisions, deviation="weekday-before-every-date-unchanged"):
    def written_date(self, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
        """A weekday before every date that a Date can hold stays unchanged, unlike a relative time."""
        is_unchanged = recogniser.name == "last weekday" and recogniser.resolve(anchor, match) is None
        return None if is_unchanged else super().written_date(recogniser, anchor, match)


class DateOf64Bits(TemporalDecisions, deviation="seconds-of-64-bits"):
    def written_date(self, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
        """The seconds of a date before every date that a Date can hold are an integer of 64 bits, which wraps around."""
        written = super().written_date(recogniser, anchor, match)
        is_outside = written is not None and recogniser.resolve(anchor, match) is None
        if not is_outside or recogniser.name != "relative time" or match[2] == "month":
            return written
        days = int(Decimal(match[1])) * (7 if match[2] == "week" else 1)
        return _date_of_seconds(anchor // 1000 - days * _SECONDS_OF_A_DAY)


def _date_of_seconds(seconds: int) -> str | None:
    wrapped = (seconds + _MAX_INTEGER + 1) % 2**64 - _MAX_INTEGER - 1
    return date_formats.slash_form(wrapped * 1000)


class NoCountBeyond64Bits(TemporalDecisions, deviation="count-beyond-64-bits-unchanged"):
    def written_date(self, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
        """A phrase with a count that no signed integer of 64 bits holds stays unchanged."""
        is_unchanged = match[1].isdecimal() and Decimal(match[1]) > _MAX_INTEGER
        return None if is_unchanged else super().written_date(recogniser, anchor, match)


class NoInfiniteCount(TemporalDecisions, deviation="infinite-count-unchanged"):
    def written_date(self, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
        """A phrase with a count that is infinite as a double stays unchanged."""
        is_unchanged = match[1].isdecimal() and math.isinf(self.value_of_count(match[1]))
        return None if is_unchanged else super().written_date(recogniser, anchor, match)


class NoDateInTheYear0(TemporalDecisions, deviation="date-in-the-year-0-raises"):
    def written_date(self, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
        """A date in the year 0 raises an exception."""
        instant = recogniser.resolve(anchor, match)
        if instant is not None and dates.civil(instant).year == 0:
            raise OverflowError("date value out of range")
        return super().written_date(recogniser, anchor, match)


class NoEndOfManyMonths(TemporalDecisions, deviation="huge-count-of-months-does-not-end"):
    def written_date(self, recogniser: Recogniser, anchor: int, match: Match) -> str | None:
        """A loop walks the years of a count of months, so that a huge one has no answer; TimeoutError stands for that."""
        if recogniser.name == "relative time" and match[2] == "month" and self.value_of_count(match[1]) >= _ENDLESS:
            raise TimeoutError("the loop does not end")
        return super().written_date(recogniser, anchor, match)
