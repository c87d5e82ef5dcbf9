"""Query DSL document, section "Temporal expansion": three recognisers, and the augmented query.

English only, UTC only; no clock is read: "now" is the question date.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from ..decisions import Decisions, decided
from ..javascript import dates, regexps
from ..observer import observe
from .anchors import AnchorsDecisions, parse_question_date
from .date_formats import WEEKDAYS, hyphen_form, slash_form
from .normalise import WHITE_SPACE

SECTION = "Temporal expansion: Recognised phrases"

EARLIEST_NOTE = "[Note: look for the earliest dated event]"
MOST_RECENT_NOTE = "[Note: look for the most recently dated event]"

# Only these are a substring match in the table; the other two recognisers match whole phrases.
ORDERING_WORDS = (
    (("first", "earlier", "before"), EARLIEST_NOTE),
    (("most recent", "latest", "last time"), MOST_RECENT_NOTE),
)

_TO_LOWER_CASE = str.maketrans(ascii_uppercase, ascii_lowercase)


@dataclass(frozen=True, slots=True)
class Expansion:
    """Result of expandTemporal; ``date_hints`` are distinct, in slash form and in the order of recognition."""

    original_query: str
    expanded_query: str
    date_hints: tuple[str, ...] = ()
    resolved: bool = False

    def to_json(self) -> dict[str, Any]:
        """``{originalQuery, expandedQuery, dateHints, resolved}``."""
        return {
            "originalQuery": self.original_query,
            "expandedQuery": self.expanded_query,
            "dateHints": list(self.date_hints),
            "resolved": self.resolved,
        }


@dataclass(frozen=True, slots=True)
class Recogniser:
    """A kind of phrase: its pattern, the function from anchor and match to an instant, and the format of the suffix."""

    name: str
    pattern: str
    resolve: Callable[[int, re.Match[str]], int | None]
    suffix: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A recognised phrase of the question, its date in slash form, and its suffix; without a date, it has no suffix."""

    match: re.Match[str]
    date: str | None
    suffix: str


def expand_temporal(question: str, question_date: str | None = None) -> Expansion:
    """expandTemporal: adds the date after each recognised phrase, and an ordering note after the question. Without a
    parsable anchor, the question stays unchanged.
    """
    rule = decided(TemporalDecisions)
    anchor = None if question_date is None else parse_question_date(question_date)
    observe("Anchor handling", "anchor", None if anchor is None else dates.to_iso_string(anchor))
    return rule.without_anchor(question) if anchor is None else rule.expand_from(anchor, question)


def expanded_from(anchor: int, question: str) -> Expansion:
    """The question with the dates of its phrases, by all recognisers in order, and with an ordering note."""
    rule = decided(TemporalDecisions)
    phrases = [phrase for recogniser in rule.recognisers() for phrase in phrases_of(recogniser, question, anchor)]
    hints = rule.distinct([phrase.date for phrase in rule.in_order_of_hints(phrases) if phrase.date is not None])
    note, resolved = rule.note_and_resolved(rule.ordering_note(question), hints)
    return Expansion(question, _with_suffixes(question, phrases) + note, tuple(hints), resolved)


def phrases_of(recogniser: Recogniser, question: str, anchor: int) -> Iterator[Phrase]:
    """The phrases of one recogniser, from left to right; a phrase without a writable date stays unchanged."""
    rule = decided(TemporalDecisions)
    pattern = regexps.compile_ignoring_case(recogniser.pattern)
    for match in rule.resolved_matches(list(pattern.finditer(rule.comparable(question)))):
        date = rule.written_date(recogniser, anchor, match)
        observe(SECTION, recogniser.name, {"phrase": question[match.start() : match.end()], "date": date})
        yield Phrase(match, date, "" if date is None else f" {recogniser.suffix.format(date)}")


def recognisers() -> tuple[Recogniser, ...]:
    """The first two rows of the table in section "Recognised phrases"; the third one is ``ordering_note``."""
    return (
        Recogniser("relative time", relative_time_pattern(), _relative_time, "(around {})"),
        Recogniser("last weekday", last_weekday_pattern(), _last_weekday, "({})"),
    )


def relative_time_pattern() -> str:
    """The pattern of "<N> day[s] ago", with weeks and months alike. Section "Recognised phrases"."""
    rule = decided(TemporalDecisions)
    space = rule.white_space_pattern()
    return rule.relative_time_edges(rf"({rule.count_pattern()}){space}(day|week|month)s?{space}ago")


def last_weekday_pattern() -> str:
    """The pattern of "last <weekday>". Section "Recognised phrases"."""
    rule = decided(TemporalDecisions)
    return rule.weekday_edges(
        rf"last{rule.white_space_pattern()}(monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    )


def _with_suffixes(question: str, phrases: Sequence[Phrase]) -> str:
    """The question with the suffix of each phrase behind the phrase."""
    pieces, end = list[str](), 0
    for phrase in sorted(phrases, key=lambda phrase: phrase.match.end()):
        pieces += [question[end : phrase.match.end()], phrase.suffix]
        end = phrase.match.end()
    return "".join([*pieces, question[end:]])


def _relative_time(anchor: int, match: re.Match[str]) -> int | None:
    """Section "Month-boundary and day-arithmetic edge cases": months roll forward; weeks and days count days."""
    back, unit = decided(TemporalDecisions).value_of_count(match[1]), match[2]
    today = dates.civil(anchor)
    if unit == "month":
        return dates.set_month(anchor, today.month - back)
    return dates.set_day(anchor, today.day - back * (7 if unit == "week" else 1))


def _last_weekday(anchor: int, match: re.Match[str]) -> int | None:
    """Goes back day by day, at most seven days; the day of the anchor never matches. Section "Recognised phrases"."""
    wanted = WEEKDAYS.index(match[1].capitalize())
    for back in range(1, 8):
        instant = dates.set_day(anchor, dates.civil(anchor).day - back)
        if instant is None or dates.weekday(instant) == wanted:
            return instant
    raise AssertionError("seven days hold every weekday")


def ordering_note(question: str) -> str:
    """The ordering hint: the note of an ordering word. Section "Recognised phrases"."""
    rule = decided(TemporalDecisions)
    hints = rule.ordering_hints(rule.comparable(question))
    for word, note in hints:
        observe(SECTION, "ordering hint", {"phrase": word, "note": note})
    return "".join(f" {note}" for _, note in hints)


def augment_query_with_temporal(question: str, question_date: str | None = None) -> str:
    """augmentQueryWithTemporal: the original question, then the slash form and the hyphen form of each hint. Section
    "Temporal expansion", "Worked example".
    """
    rule = decided(TemporalDecisions)
    expansion = expand_temporal(question, question_date)
    return " ".join(
        [rule.text_to_augment(expansion), *(word for hint in expansion.date_hints for word in rule.date_words(hint))]
    )


class TemporalDecisions(Decisions):
    """What the sections leave open, as adopted: phrases, hints, notes, and the text that is searched."""

    def without_anchor(self, question: str) -> Expansion:
        """RUL-B106: the result without an anchor has every member, with the question as both texts and no hints."""
        return Expansion(question, question)

    def expand_from(self, anchor: int, question: str) -> Expansion:
        """RUL-B101: a recogniser matches wherever its text occurs; the language of the question has no effect."""
        return expanded_from(anchor, question)

    def text_to_augment(self, expansion: Expansion) -> str:
        """RUL-B41: retrieval receives the original question, without suffixes and notes."""
        return expansion.original_query

    def date_words(self, hint: str) -> list[str]:
        """RUL-B16: both forms of a date are bare words, which are parsed like any word."""
        return [hint, hyphen_form(hint)]

    def recognisers(self) -> tuple[Recogniser, ...]:
        """RUL-B42: only relative times, weekdays and the ordering hint are recognised."""
        return recognisers()

    def relative_time_edges(self, phrase: str) -> str:
        r"""RUL-B32: a relative time begins and ends at a word boundary, with the ASCII meaning of ``\b``."""
        return rf"\b{phrase}\b"

    def weekday_edges(self, phrase: str) -> str:
        r"""RUL-B122: the phrase of a weekday begins and ends at a word boundary, with the ASCII meaning of ``\b``."""
        return rf"\b{phrase}\b"

    def white_space_pattern(self) -> str:
        """RUL-B80: any run of Unicode white space separates the words of a phrase, as it separates those of a query."""
        return f"[{WHITE_SPACE}]+"

    def count_pattern(self) -> str:
        """RUL-B135: a count is written in digits."""
        return f"{decided(AnchorsDecisions).digit_pattern()}+"

    def value_of_count(self, text: str) -> float:
        """RUL-B135: the value of a count is the number that its digits give."""
        return float(text)

    def comparable(self, question: str) -> str:
        """RUL-B83: A to Z match a to z; no other character matches a letter. Every character keeps its place."""
        return question.translate(_TO_LOWER_CASE)

    def resolved_matches(self, matches: Sequence[re.Match[str]]) -> Sequence[re.Match[str]]:
        """RUL-B134: a recogniser resolves every phrase that it matches."""
        return matches

    def written_date(self, recogniser: Recogniser, anchor: int, match: re.Match[str]) -> str | None:
        """RUL-B123: a phrase has no date before the year 0, or before every date that a Date can hold."""
        instant = recogniser.resolve(anchor, match)
        return None if instant is None else slash_form(instant)

    def in_order_of_hints(self, phrases: Sequence[Phrase]) -> Sequence[Phrase]:
        """RUL-B34: the hints are in the order of recognition: by recogniser, then from left to right."""
        return phrases

    def distinct(self, hints: Sequence[str]) -> Sequence[str]:
        """RUL-B81: a date is one hint, at the position of its first phrase."""
        return list(dict.fromkeys(hints))

    def ordering_note(self, question: str) -> str:
        """RUL-B29: only an ordering word of the table appends a note, also in the worked example."""
        return ordering_note(question)

    def ordering_hints(self, question: str) -> list[tuple[str, str]]:
        """RUL-B30: one note; first, earlier and before are checked first and stand for the earliest event."""
        return [(word, note) for words, note in ORDERING_WORDS for word in words if word in question][:1]

    def note_and_resolved(self, note: str, hints: Sequence[str]) -> tuple[str, bool]:
        """RUL-B31: a note needs no date, and only a date makes the result resolved."""
        return note, bool(hints)
