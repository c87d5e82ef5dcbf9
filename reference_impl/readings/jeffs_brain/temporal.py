"""Other readings of the query DSL document's section "Temporal expansion"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...decisions import decided
from ...javascript import dates, regexps
from ...jeffs_brain import stopwords
from ...jeffs_brain.anchors import AnchorsDecisions
from ...jeffs_brain.date_formats import hyphen_form
from ...jeffs_brain.normalise import WHITE_SPACE
from ...jeffs_brain.temporal import (
    EARLIEST_NOTE,
    MOST_RECENT_NOTE,
    ORDERING_WORDS,
    Expansion,
    Phrase,
    Recogniser,
    TemporalDecisions,
)
from .anchors import characters

ACTS_ON = ("temporal.*", "retrieval.search")

Match = re.Match[str]

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


class QuotedDates(TemporalDecisions, reading="RUL-B16=b"):
    def date_words(self, hint: str) -> list[str]:
        """Both forms of a date are quoted, so that they are phrases."""
        return [f'"{hint}"', f'"{hyphen_form(hint)}"']


class NoteOfTheWorkedExample(TemporalDecisions, reading="RUL-B29=b"):
    def ordering_note(self, question: str) -> str:
        """The question of the worked example gets its printed note."""
        return f" {MOST_RECENT_NOTE}" if question == _EXAMPLE else super().ordering_note(question)


def _found(question: str) -> list[tuple[int, str, str]]:
    """The ordering words in the question: place, word and note, by note and then by the order of the table."""
    return [(question.find(word), word, note) for words, note in ORDERING_WORDS for word in words if word in question]


class FirstWordOfTheQuestion(TemporalDecisions, reading="RUL-B30=b"):
    def ordering_hints(self, question: str) -> list[tuple[str, str]]:
        """The substring that comes first in the question decides."""
        return [(word, note) for _, word, note in sorted(_found(question))][:1]


class BothNotes(TemporalDecisions, reading="RUL-B30=c"):
    def ordering_hints(self, question: str) -> list[tuple[str, str]]:
        """Both notes are appended if both kinds occur, the note for the earliest event first."""
        hints = {note: word for _, word, note in reversed(_found(question))}
        return [(hints[note], note) for note in (EARLIEST_NOTE, MOST_RECENT_NOTE) if note in hints]


class BeforeIsTheMostRecent(TemporalDecisions, reading="RUL-B30=d"):
    def ordering_hints(self, question: str) -> list[tuple[str, str]]:
        """The word before appends the note for the most recent event."""
        hints = [(word, MOST_RECENT_NOTE if word == "before" else note) for _, word, note in _found(question)]
        return sorted(hints, key=lambda hint: hint[1] == MOST_RECENT_NOTE)[:1]


class ResolvedByANote(TemporalDecisions, reading="RUL-B31=b"):
    def note_and_resolved(self, note: str, hints: Sequence[str]) -> tuple[str, bool]:
        """A note alone makes the result resolved."""
        return note, bool(hints or note)


class NoEdges(TemporalDecisions, reading="RUL-B32=b"):
    def relative_time_edges(self, phrase: str) -> str:
        """A relative time is recognised wherever its characters occur, including inside words."""
        return phrase


class NoEdgesOfWeekdays(TemporalDecisions, reading="RUL-B122=b"):
    def weekday_edges(self, phrase: str) -> str:
        """A weekday is recognised wherever its characters occur, including inside words."""
        return phrase


class CompleteWholeNumber(TemporalDecisions, reading="RUL-B32=c"):
    def relative_time_edges(self, phrase: str) -> str:
        """The count is not a part of a signed, fractional or grouped number."""
        return rf"(?<![-+\u2212.])(?<!{decided(AnchorsDecisions).digit_pattern()}[,/])\b{phrase}\b"


class NoLettersOfAnyScript(TemporalDecisions, reading="RUL-B32=d"):
    def relative_time_edges(self, phrase: str) -> str:
        """Letters of every script are word characters at a relative time."""
        return _between_letters(phrase)


class NoLettersOfAnyScriptAtWeekdays(TemporalDecisions, reading="RUL-B122=c"):
    def weekday_edges(self, phrase: str) -> str:
        """Letters of every script are word characters at a weekday."""
        return _between_letters(phrase)


def _between_letters(phrase: str) -> str:
    letter = characters("L")
    return rf"\b(?<!{letter}){phrase}(?!{letter})\b"


class FromLeftToRight(TemporalDecisions, reading="RUL-B34=b"):
    def in_order_of_hints(self, phrases: Sequence[Phrase]) -> Sequence[Phrase]:
        """The hints are in the order of the question, regardless of the recogniser."""
        return sorted(phrases, key=lambda phrase: phrase.match.start())


class InTheOrderOfTheTable(TemporalDecisions, reading="RUL-B34=c"):
    def in_order_of_hints(self, phrases: Sequence[Phrase]) -> Sequence[Phrase]:
        """The hints are in the order of the forms in the table; a phrase beyond the table comes last."""
        return sorted(phrases, key=lambda phrase: [*_FORMS, phrase.match[phrase.match.re.groups]].index(_form(phrase)))


def _form(phrase: Phrase) -> str:
    """The unit or the weekday of a phrase."""
    return phrase.match[phrase.match.re.groups]


class FirstMatch(TemporalDecisions, reading="RUL-B134=b"):
    def resolved_matches(self, matches: Sequence[Match]) -> Sequence[Match]:
        """Each recogniser resolves the first phrase that it matches."""
        return matches[:1]


class FirstResolvedMatch(TemporalDecisions, reading=("RUL-B34=d", "RUL-B81=c")):
    def resolved_matches(self, matches: Sequence[Match]) -> Sequence[Match]:
        """Each recogniser resolves one phrase, as in RUL-B134 b."""
        return super().resolved_matches(matches)[:1]


class OneHintForEachPhrase(TemporalDecisions, reading="RUL-B81=b"):
    def distinct(self, hints: Sequence[str]) -> Sequence[str]:
        """A date is a hint once for each phrase."""
        return hints


class ExpandedText(TemporalDecisions, reading="RUL-B41=b"):
    def text_to_augment(self, expansion: Expansion) -> str:
        """Retrieval receives the expanded text, including suffixes and notes."""
        return expansion.expanded_query


class OriginalAndExpandedText(TemporalDecisions, reading="RUL-B41=c"):
    def text_to_augment(self, expansion: Expansion) -> str:
        """Retrieval receives the original question, then the expanded text if it is another one."""
        return " ".join(dict.fromkeys([expansion.original_query, expansion.expanded_query]))


class MoreRecognisers(TemporalDecisions, reading="RUL-B42=b"):
    def recognisers(self) -> tuple[Recogniser, ...]:
        """today, yesterday and last week are also expanded."""
        space = self.white_space_pattern()
        return (
            *super().recognisers(),
            Recogniser("near day", self.weekday_edges("(today|yesterday)"), _near_day, "({})"),
            Recogniser("last week", self.relative_time_edges(f"last{space}(week)"), _week_before, "(around {})"),
        )


def _near_day(anchor: int, match: Match) -> int | None:
    return dates.set_day(anchor, dates.civil(anchor).day - (match[1] == "yesterday"))


def _week_before(anchor: int, match: Match) -> int | None:
    del match
    return dates.set_day(anchor, dates.civil(anchor).day - 7)


class AsciiWhiteSpace(TemporalDecisions, reading="RUL-B80=b"):
    def white_space_pattern(self) -> str:
        """Only a run of ASCII white space separates the words."""
        return r"[\t\n\v\f\r ]+"


class OneSpace(TemporalDecisions, reading="RUL-B80=c"):
    def white_space_pattern(self) -> str:
        """Exactly one space separates the words, as printed."""
        return " "


class WhiteSpaceOfJavascript(TemporalDecisions, reading="RUL-B80=d"):
    def white_space_pattern(self) -> str:
        r"""A run of JavaScript's ``\s`` separates the words, with U+FEFF and without U+0085."""
        return r"\s+"


class WhiteSpaceOfPython(TemporalDecisions, reading="RUL-B80=e"):
    def white_space_pattern(self) -> str:
        """A run of white space of the port's own language, here Python, separates the words."""
        return rf"[{WHITE_SPACE}\x1c-\x1f]+"


class CaseFolded(TemporalDecisions, reading="RUL-B83=b"):
    def comparable(self, question: str) -> str:
        """Texts are compared by Unicode case folding; a character that folds to several stays."""
        return "".join(folded if len(folded := character.casefold()) == 1 else character for character in question)


class InSimpleLowerCase(TemporalDecisions, reading="RUL-B83=c"):
    def comparable(self, question: str) -> str:
        """Texts are compared in the simple lower case of Unicode, which is i for U+0130."""
        return "".join(character.lower()[0] for character in question)


@dataclass(frozen=True, slots=True)
class _OneMember(Expansion):
    def to_json(self) -> dict[str, Any]:
        return {"resolved": self.resolved}


class OnlyResolved(TemporalDecisions, reading="RUL-B106=b"):
    def without_anchor(self, question: str) -> Expansion:
        """The result without an anchor has one member."""
        return _OneMember(question, question)


class OtherLanguagesPass(TemporalDecisions, reading="RUL-B101=b"):
    def expand_from(self, anchor: int, question: str) -> Expansion:
        """A question in another language passes unchanged, with its English phrases."""
        return Expansion(question, question) if _is_foreign(question) else super().expand_from(anchor, question)


class NoNoteOfOtherLanguages(TemporalDecisions, reading="RUL-B101=c"):
    def ordering_note(self, question: str) -> str:
        """A word of another language appends no note."""
        return "" if _is_foreign(question) else super().ordering_note(question)


def _is_foreign(question: str) -> bool:
    """Whether more words of the question are frequent in Dutch or German than in English."""
    words = regexps.runs_of(question.lower(), "L")
    foreign = sum(word in stopwords.DUTCH or word in _GERMAN for word in words)
    return foreign > sum(word in stopwords.ENGLISH for word in words)


class DigitsOrNumberWord(TemporalDecisions, reading="RUL-B135=b"):
    def count_pattern(self) -> str:
        """A count can also be an English number word."""
        small = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_UNITS)}))?|{'|'.join([*_TEENS, *_UNITS])})"
        medium = rf"(?:(?:(?:{'|'.join(_UNITS)})\s+)?hundred(?:\s+(?:and\s+)?{small})?|{small})"
        digit = decided(AnchorsDecisions).digit_pattern()
        return rf"{digit}+|(?:{medium}\s+)?thousand(?:\s+(?:and\s+)?{medium})?|{medium}|zero"


class DigitsOrWordToTwelve(TemporalDecisions, reading="RUL-B135=c"):
    def count_pattern(self) -> str:
        """A count can also be one of the words one to twelve."""
        return rf"{decided(AnchorsDecisions).digit_pattern()}+|{'|'.join([*_TEENS[:3], *_UNITS])}"


class DigitsArticleOrWordToTwelve(DigitsOrWordToTwelve, reading="RUL-B135=d"):
    def count_pattern(self) -> str:
        """A count can also be an article, or one of the words one to twelve."""
        return f"{super().count_pattern()}|an?"


class ValueOfNumberWord(TemporalDecisions, reading=("RUL-B135=b", "RUL-B135=c", "RUL-B135=d")):
    def value_of_count(self, text: str) -> float:
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
        return float(total + part) if words else super().value_of_count(text)
