"""Other readings of the query DSL document's section "Temporal expansion"."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...javascript import dates, regexps
from ...jeffs_brain import anchors, stopwords, temporal
from ...jeffs_brain.date_formats import hyphen_form
from ...jeffs_brain.normalise import WHITE_SPACE
from ...jeffs_brain.temporal import EARLIEST_NOTE, MOST_RECENT_NOTE, ORDERING_WORDS, Expansion, Phrase, Recogniser
from ...observer import Observer
from ...switches import Switches
from .anchors import characters

SWITCHES = Switches("temporal.*", "retrieval.search")

Match = re.Match[str]
OrderingNote = Callable[[str, Observer], str]
ResolvedMatches = Callable[[Sequence[Match]], Sequence[Match]]

_EXAMPLE: Final = "what did I watch 2 weeks ago last Friday?"

# The forms of the table, in its order.
_FORMS: Final = "day week month monday tuesday wednesday thursday friday saturday sunday".split()

_UNITS: Final = "one two three four five six seven eight nine".split()
_TEENS: Final = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES: Final = {
    "zero": 0,
    "a": 1,
    "an": 1,
    **{word: value for value, word in enumerate([*_UNITS, *_TEENS], start=1)},
    **{word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)},
}

# The most frequent German words; the Dutch ones are the list of the filter.
_GERMAN: Final = frozenset(
    "der die das den dem des ein eine einen einem einer und war sind waren wie wo wer wann warum welche "
    "ich du er es wir ihr nicht mit von zu im am nach für auf aus bei habe hat hatte".split()
)


@SWITCHES.reading("RUL-B16", "b", temporal.date_words)
def quoted_dates(hint: str) -> list[str]:
    """Both forms of a date are quoted, so that they are phrases."""
    return [f'"{hint}"', f'"{hyphen_form(hint)}"']


@SWITCHES.reading("RUL-B29", "b", temporal.ordering_note, wraps=True)
def note_of_the_worked_example(current: OrderingNote, question: str, observe: Observer) -> str:
    """The question of the worked example gets its printed note."""
    return f" {MOST_RECENT_NOTE}" if question == _EXAMPLE else current(question, observe)


def _found(question: str) -> list[tuple[int, str, str]]:
    """The ordering words in the question: place, word and note, by note and then by the order of the table."""
    return [(question.find(word), word, note) for words, note in ORDERING_WORDS for word in words if word in question]


@SWITCHES.reading("RUL-B30", "b", temporal.ordering_hints)
def first_word_of_the_question(question: str) -> list[tuple[str, str]]:
    """The substring that comes first in the question decides."""
    return [(word, note) for _, word, note in sorted(_found(question))][:1]


@SWITCHES.reading("RUL-B30", "c", temporal.ordering_hints)
def both_notes(question: str) -> list[tuple[str, str]]:
    """Both notes are appended if both kinds occur, the note for the earliest event first."""
    hints = {note: word for _, word, note in reversed(_found(question))}
    return [(hints[note], note) for note in (EARLIEST_NOTE, MOST_RECENT_NOTE) if note in hints]


@SWITCHES.reading("RUL-B30", "d", temporal.ordering_hints)
def before_is_the_most_recent(question: str) -> list[tuple[str, str]]:
    """The word before appends the note for the most recent event."""
    hints = [(word, MOST_RECENT_NOTE if word == "before" else note) for _, word, note in _found(question)]
    return sorted(hints, key=lambda hint: hint[1] == MOST_RECENT_NOTE)[:1]


@SWITCHES.reading("RUL-B31", "b", temporal.note_and_resolved)
def resolved_by_a_note(note: str, hints: Sequence[str]) -> tuple[str, bool]:
    """A note alone makes the result resolved."""
    return note, bool(hints or note)


@SWITCHES.reading("RUL-B32", "b", temporal.relative_time_edges)
@SWITCHES.reading("RUL-B122", "b", temporal.weekday_edges)
def no_edges(phrase: str) -> str:
    """A phrase is recognised wherever its characters occur, including inside words."""
    return phrase


@SWITCHES.reading("RUL-B32", "c", temporal.relative_time_edges)
def complete_whole_number(phrase: str) -> str:
    """The count is not a part of a signed, fractional or grouped number."""
    return rf"(?<![-+\u2212.])(?<!{anchors.digit_pattern()}[,/])\b{phrase}\b"


@SWITCHES.reading("RUL-B32", "d", temporal.relative_time_edges)
@SWITCHES.reading("RUL-B122", "c", temporal.weekday_edges)
def no_letters_of_any_script(phrase: str) -> str:
    """Letters of every script are word characters."""
    letter = characters("L")
    return rf"\b(?<!{letter}){phrase}(?!{letter})\b"


@SWITCHES.reading("RUL-B34", "b", temporal.in_order_of_hints)
def from_left_to_right(phrases: Sequence[Phrase]) -> Sequence[Phrase]:
    """The hints are in the order of the question, regardless of the recogniser."""
    return sorted(phrases, key=lambda phrase: phrase.match.start())


@SWITCHES.reading("RUL-B34", "c", temporal.in_order_of_hints)
def in_the_order_of_the_table(phrases: Sequence[Phrase]) -> Sequence[Phrase]:
    """The hints are in the order of the forms in the table; a phrase beyond the table comes last."""
    return sorted(phrases, key=lambda phrase: [*_FORMS, phrase.match[phrase.match.re.groups]].index(_form(phrase)))


def _form(phrase: Phrase) -> str:
    """The unit or the weekday of a phrase."""
    return phrase.match[phrase.match.re.groups]


@SWITCHES.reading("RUL-B134", "b", temporal.resolved_matches)
def first_match(matches: Sequence[Match]) -> Sequence[Match]:
    """Each recogniser resolves the first phrase that it matches."""
    return matches[:1]


@SWITCHES.reading("RUL-B34", "d", temporal.resolved_matches, wraps=True)
@SWITCHES.reading("RUL-B81", "c", temporal.resolved_matches, wraps=True)
def first_resolved_match(current: ResolvedMatches, matches: Sequence[Match]) -> Sequence[Match]:
    """Each recogniser resolves one phrase, as in RUL-B134 b."""
    return current(matches)[:1]


@SWITCHES.reading("RUL-B81", "b", temporal.distinct)
def one_hint_for_each_phrase(hints: Sequence[str]) -> Sequence[str]:
    """A date is a hint once for each phrase."""
    return hints


@SWITCHES.reading("RUL-B41", "b", temporal.text_to_augment)
def expanded_text(expansion: Expansion) -> str:
    """Retrieval receives the expanded text, including suffixes and notes."""
    return expansion.expanded_query


@SWITCHES.reading("RUL-B41", "c", temporal.text_to_augment)
def original_and_expanded_text(expansion: Expansion) -> str:
    """Retrieval receives the original question, then the expanded text if it is another one."""
    return " ".join(dict.fromkeys([expansion.original_query, expansion.expanded_query]))


@SWITCHES.reading("RUL-B42", "b", temporal.recognisers, wraps=True)
def more_recognisers(current: Callable[[], tuple[Recogniser, ...]]) -> tuple[Recogniser, ...]:
    """today, yesterday and last week are also expanded."""
    space = temporal.white_space_pattern()
    return (
        *current(),
        Recogniser("near day", temporal.weekday_edges("(today|yesterday)"), _near_day, "({})"),
        Recogniser("last week", temporal.relative_time_edges(f"last{space}(week)"), _week_before, "(around {})"),
    )


def _near_day(anchor: int, match: Match) -> int | None:
    return dates.set_day(anchor, dates.civil(anchor).day - (match[1] == "yesterday"))


def _week_before(anchor: int, match: Match) -> int | None:
    del match
    return dates.set_day(anchor, dates.civil(anchor).day - 7)


@SWITCHES.reading("RUL-B80", "b", temporal.white_space_pattern)
def ascii_white_space() -> str:
    """Only a run of ASCII white space separates the words."""
    return r"[\t\n\v\f\r ]+"


@SWITCHES.reading("RUL-B80", "c", temporal.white_space_pattern)
def one_space() -> str:
    """Exactly one space separates the words, as printed."""
    return " "


@SWITCHES.reading("RUL-B80", "d", temporal.white_space_pattern)
def white_space_of_javascript() -> str:
    r"""A run of JavaScript's ``\s`` separates the words, with U+FEFF and without U+0085."""
    return r"\s+"


@SWITCHES.reading("RUL-B80", "e", temporal.white_space_pattern)
def white_space_of_python() -> str:
    """A run of white space of the port's own language, here Python, separates the words."""
    return rf"[{WHITE_SPACE}\x1c-\x1f]+"


@SWITCHES.reading("RUL-B83", "b", temporal.comparable)
def case_folded(question: str) -> str:
    """Texts are compared by Unicode case folding; a character that folds to several stays."""
    return "".join(folded if len(folded := character.casefold()) == 1 else character for character in question)


@SWITCHES.reading("RUL-B83", "c", temporal.comparable)
def in_simple_lower_case(question: str) -> str:
    """Texts are compared in the simple lower case of Unicode, which is i for U+0130."""
    return "".join(character.lower()[0] for character in question)


@dataclass(frozen=True, slots=True)
class _OneMember(Expansion):
    def to_json(self) -> dict[str, Any]:
        return {"resolved": self.resolved}


@SWITCHES.reading("RUL-B106", "b", temporal.without_anchor)
def only_resolved(question: str) -> Expansion:
    """The result without an anchor has one member."""
    return _OneMember(question, question)


@SWITCHES.reading("RUL-B101", "b", temporal.expand_from, wraps=True)
def other_languages_pass(
    current: Callable[[int, str, Observer], Expansion], anchor: int, question: str, observe: Observer
) -> Expansion:
    """A question in another language passes unchanged, with its English phrases."""
    return Expansion(question, question) if _is_foreign(question) else current(anchor, question, observe)


@SWITCHES.reading("RUL-B101", "c", temporal.ordering_note, wraps=True)
def no_note_of_other_languages(current: OrderingNote, question: str, observe: Observer) -> str:
    """A word of another language appends no note."""
    return "" if _is_foreign(question) else current(question, observe)


def _is_foreign(question: str) -> bool:
    """Whether more words of the question are frequent in Dutch or German than in English."""
    words = regexps.runs_of(question.lower(), "L")
    foreign = sum(word in stopwords.DUTCH or word in _GERMAN for word in words)
    return foreign > sum(word in stopwords.ENGLISH for word in words)


@SWITCHES.reading("RUL-B135", "b", temporal.count_pattern)
def digits_or_number_word() -> str:
    """A count can also be an English number word."""
    small = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_UNITS)}))?|{'|'.join([*_TEENS, *_UNITS])})"
    medium = rf"(?:(?:(?:{'|'.join(_UNITS)})\s+)?hundred(?:\s+(?:and\s+)?{small})?|{small})"
    return rf"{anchors.digit_pattern()}+|(?:{medium}\s+)?thousand(?:\s+(?:and\s+)?{medium})?|{medium}|zero"


@SWITCHES.reading("RUL-B135", "c", temporal.count_pattern)
def digits_or_word_to_twelve() -> str:
    """A count can also be one of the words one to twelve."""
    return rf"{anchors.digit_pattern()}+|{'|'.join([*_TEENS[:3], *_UNITS])}"


@SWITCHES.reading("RUL-B135", "d", temporal.count_pattern)
def digits_article_or_word_to_twelve() -> str:
    """A count can also be an article, or one of the words one to twelve."""
    return f"{digits_or_word_to_twelve()}|an?"


@SWITCHES.reading("RUL-B135", "b", temporal.value_of_count, wraps=True)
@SWITCHES.reading("RUL-B135", "c", temporal.value_of_count, wraps=True)
@SWITCHES.reading("RUL-B135", "d", temporal.value_of_count, wraps=True)
def value_of_number_word(current: Callable[[str], float], text: str) -> float:
    """The value of a count in words or digits; an article is one."""
    words = regexps.runs_of(text, "L")
    total = part = 0
    for word in words:
        if word == "thousand":
            total, part = total + (part or 1) * 1000, 0
        elif word == "hundred":
            part = (part or 1) * 100
        else:
            part += _VALUES.get(word, 0)
    return float(total + part) if words else current(text)
