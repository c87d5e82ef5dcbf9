"""Probes: short phrases that SDKs derive from a query, for further searches and for factors."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from reference_impl.decisions import Decisions, decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain.intent import IntentDecisions
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions
from reference_impl.readings.jeffs_brain.metadata import FIRST_PERSON, PersonDecisions, lowered

ACTS_ON = ("retrieval.search",)

PROBES: Final = 2
_MIN_WORDS: Final = 2
_MAX_WORDS: Final = 4

ENUMERATION: Final = regexps.compile_ignoring_case(
    r"\b(?:how many|count|total|in total|sum|add up|list|what are all)\b"
)
MONEY: Final = regexps.compile_ignoring_case(r"\b(?:spent|spend|cost|costed|paid|pay)\b")
SPECIFIC: Final = regexps.compile_ignoring_case(r"\b(?:specific|exact)\b")

_MARKS: Final = ".,;:!?\"'()[]{}<>"
_CONNECTORS: Final = frozenset({"and", "or", "plus"})
_TRIMMED: Final = frozenset({"many", "much", "long"})
_HEADS: Final = frozenset("development item items language languages product products".split())
STOP_WORDS: Final = frozenset(
    "the and for with what who when where why how did does was were are you your about this that have has had from into "
    "than then them they their".split()
)
_BOUNDARIES: Final = frozenset(
    "a an the and or plus for with what who when where why how did does do was were is are am you your about this that "
    "these those have has had from into than then them they their i me my we our us it if to of on in at by amount "
    "total all list finally decided decide wondering wonder remembered remember thinking back previous conversation can "
    "could would should remind follow specific exact spent spend bought buy ordered order purchased purchase paid pay "
    "submitted submit many much long last today yesterday tomorrow week month year monday tuesday wednesday thursday "
    "friday saturday sunday".split()
)
_LOW_SIGNAL: Final = frozenset(
    "after before day days event events first happen happened month months second third time times week weeks year "
    "years".split()
)
_ACTION_DATES: Final = tuple(
    (regexps.compile_ignoring_case(pattern), probe)
    for pattern, probe in [
        (r"\bsubmit(?:ted)?\b", "submission date"),
        (r"\bbook(?:ed|ing)?\b", "booking date"),
        (r"\b(?:buy|bought|purchase(?:d)?|order(?:ed)?)\b", "purchase date"),
        (r"\bjoin(?:ed)?\b", "join date"),
        (r"\b(?:start(?:ed)?|begin|began)\b", "start date"),
        (r"\b(?:finish(?:ed)?|complete(?:d)?)\b", "completion date"),
        (r"\baccept(?:ed|ance)?\b", "acceptance date"),
    ]
)
_ACTION_WORDS: Final = frozenset(
    "accept accepted acceptance begin began book booked booking buy bought complete completed completion date finish "
    "finished join joined order ordered purchase purchased start started submit submitted submission".split()
)
_INSPIRATION: Final = ("inspiration", "inspired", "ideas", "stuck", "uninspired")
_INSPIRATION_WORDS: Final = frozenset("find finding fresh idea ideas inspiration inspired new stuck uninspired".split())


def words_of(query: str) -> list[str]:
    """The words of the query in lower case, without marks at their ends."""
    rule = decided(RetryLadderDecisions)
    words = (word.strip(_MARKS) for word in rule.words_of(strings.to_lower_case(query)))
    return [word for word in words if word]


def action_date_probes(query: str) -> list[str]:
    """The dates that a question with `when` is about, such as `booking date`."""
    text = lowered(query)
    if "when" not in text:
        return []
    return [probe for pattern, probe in _ACTION_DATES if pattern.search(text)][:PROBES]


class OwnPatterns(Decisions):
    """A pattern that no text of the specification has."""

    def is_about_money(self, text: str) -> bool:
        """Whether a text has a word such as `paid`."""
        return MONEY.search(text) is not None


class OwnPatternsInUnicode(OwnPatterns, deviation="own-patterns-in-unicode"):
    def is_about_money(self, text: str) -> bool:
        r"""``\b`` and the flag i follow Unicode, as in Python: U+017F is an s, and in `i²` no word ends behind the i."""
        return re.search(MONEY.pattern, text, re.IGNORECASE) is not None


class PersonInUnicode(PersonDecisions, deviation="own-patterns-in-unicode"):
    def names_the_first_person(self, text: str) -> bool:
        """As for words of payment."""
        return re.search(FIRST_PERSON.pattern, text, re.IGNORECASE) is not None


class Characters(Decisions):
    """How a probe counts the characters of a word."""

    def length(self, word: str) -> int:
        """The length of a word."""
        return strings.length(word)

    def has_digit(self, word: str) -> bool:
        """Whether a word has a digit."""
        return re.search("[0-9]", word) is not None


class CodePoints(Characters, deviation="probes-of-code-points"):
    def length(self, word: str) -> int:
        """The length of a word is counted in code points, and a digit of any script is a digit."""
        return len(word)

    def has_digit(self, word: str) -> bool:
        return any(character.isdigit() for character in word)


class Probes:
    """The derivation of the probes of a query."""

    boundaries: Collection[str] = _BOUNDARIES

    def length(self, word: str) -> int:
        """The length of a word."""
        return decided(Characters).length(word)

    def has_digit(self, word: str) -> bool:
        """Whether a word has a digit."""
        return decided(Characters).has_digit(word)

    def question_tokens(self, query: str) -> list[str]:
        """The distinct words of three or more characters without digits that are no stop words."""
        found = (w for w in words_of(query) if self.length(w) >= 3 and not self.has_digit(w))
        return list(dict.fromkeys(word for word in found if word not in STOP_WORDS))

    def focus_tokens(self, query: str, skipped: Collection[str]) -> list[str]:
        """The question tokens that are not skipped."""
        return [token for token in self.question_tokens(query) if token not in skipped]

    def phrase_probes(self, query: str) -> list[str]:
        """At most two phrases: those beside a connector, then those between boundaries."""
        words = words_of(query)
        return list(islice(dict.fromkeys(filter(None, self._phrases(words))), PROBES)) if len(words) > 1 else []

    def _phrases(self, words: Sequence[str]) -> Iterator[str]:
        for index, word in enumerate(words):
            if word in _CONNECTORS:
                yield joined(self._near(reversed(words[:index]))[::-1])
                yield joined(self._near(words[index + 1 :]))
        segment: list[str] = []
        for word in [*words, ""]:
            if self.is_boundary(word):
                yield self.best_phrase(segment)
                segment = []
            else:
                segment.append(word)

    def is_boundary(self, word: str) -> bool:
        """Whether a word ends a phrase."""
        return word in self.boundaries or self.length(word) < 2 or self.has_digit(word)

    def _near(self, words: Iterable[str]) -> list[str]:
        """The nearest words that belong to a phrase; boundaries before them are passed over."""
        near: list[str] = []
        for word in words:
            if not self.is_boundary(word):
                near.append(word)
            elif near:
                break
        return near[:_MAX_WORDS]

    def best_phrase(self, segment: Sequence[str]) -> str:
        """The longest phrase of at most four words; empty for fewer than two."""
        words = self.trimmed(segment)
        if len(words) <= _MAX_WORDS:
            return joined(words)
        for size in range(_MAX_WORDS, _MIN_WORDS - 1, -1):
            spans = [self.trimmed(words[start : start + size]) for start in range(len(words) - size + 1)]
            spans = [span for span in spans if len(span) >= _MIN_WORDS]
            if spans:
                return joined(max(spans, key=lambda span: 100 * len(span) + sum(map(self.length, span))))
        return ""

    def trimmed(self, words: Sequence[str]) -> Sequence[str]:
        """The words without `many`, `much` and `long` in front."""
        start = next((index for index, word in enumerate(words) if word not in _TRIMMED), len(words))
        return words[start:]

    def filtered_phrase_probes(self, query: str) -> list[str]:
        """The phrase probes that do not consist of words of time alone."""
        return [phrase for phrase in self.phrase_probes(query) if self.focus_tokens(phrase, _LOW_SIGNAL)]

    def specific_probes(self, query: str) -> list[str]:
        """The probes of a question for a specific recommendation: two fixed phrases for a back-end language."""
        text = lowered(query)
        if not (SPECIFIC.search(text) and re.search(r"\b(?:recommend(?:ed)?|remind me)\b", text, re.ASCII)):
            return []
        if "back-end" in text and re.search(r"\blanguages?\b", text, re.ASCII):
            return ["back-end programming language", "back-end development"]
        return []

    def money_probes(self, query: str) -> list[str]:
        """The phrases of a question for a sum of money."""
        text = lowered(query)
        is_total = decided(IntentDecisions).matches("ENUMERATION_OR_TOTAL_QUERY_RE", text)
        if not (is_total and decided(OwnPatterns).is_about_money(text)):
            return []
        return list(dict.fromkeys(_priced(phrase) for phrase in self.filtered_phrase_probes(query)))[:PROBES]

    def action_date_context_probes(self, query: str) -> list[str]:
        """The words of a question with `when`, each phrase with the date that the question is about."""
        tokens = self.focus_tokens(query, _ACTION_WORDS)
        spans = [tokens[-2:], tokens[:2]] if tokens else []
        found = (f"{joined(span, 1)} {probe}" for probe in action_date_probes(query) for span in spans)
        return list(dict.fromkeys(found))[:PROBES]

    def inspiration_probes(self, query: str) -> list[str]:
        """The probe of a question for inspiration, about its last word."""
        tokens = self.focus_tokens(query, _INSPIRATION_WORDS)
        return self.sources(tokens[-1]) if tokens and asks_for_inspiration(query) else []

    def sources(self, focus: str) -> list[str]:
        """Where inspiration for a word is found."""
        return [f"{focus} social media tutorials"]

    def priority_sub_queries(self, query: str) -> list[str]:
        """The first two probes of all kinds that are not the query itself."""
        return self._first(query, self._priority_kinds())

    def sub_queries(self, query: str) -> list[str]:
        """The first two probes of all kinds, also action dates and single words."""
        *kinds, phrases = self._priority_kinds()
        return self._first(query, [*kinds, action_date_probes, self._inspired(phrases), self._longest_words])

    def _priority_kinds(self) -> list[Callable[[str], list[str]]]:
        return [
            self.specific_probes,
            self.money_probes,
            self.action_date_context_probes,
            self.inspiration_probes,
            self.filtered_phrase_probes,
        ]

    def _first(self, query: str, kinds: Iterable[Callable[[str], list[str]]]) -> list[str]:
        probes = dict.fromkeys(probe for kind in kinds for probe in kind(query))
        probes.pop(lowered(query), None)
        return [*probes][:PROBES]

    def _inspired(self, kind: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
        """The probes of a kind; in a question for inspiration, without those that only name it."""

        def probes(query: str) -> list[str]:
            found = kind(query)
            if not asks_for_inspiration(query):
                return found
            return [probe for probe in found if self.focus_tokens(probe, _INSPIRATION_WORDS)]

        return probes

    def _longest_words(self, query: str) -> list[str]:
        tokens = self.question_tokens(" ".join(self.filtered_phrase_probes(query)) or query)
        if len(tokens) < _MIN_WORDS:
            return []
        skipped = _INSPIRATION_WORDS if asks_for_inspiration(query) else ()
        longest = sorted(tokens, key=self.length, reverse=True)
        return [token for token in longest if token not in skipped]


def asks_for_inspiration(query: str) -> bool:
    """Whether a query contains a word such as `ideas`."""
    return any(hint in lowered(query) for hint in _INSPIRATION)


def joined(words: Sequence[str], least: int = _MIN_WORDS) -> str:
    """The words as a phrase; empty for fewer than `least`."""
    return " ".join(words) if len(words) >= least else ""


def shared(text: str, phrase: str, form: Callable[[str], str]) -> float:
    """The share of the words of a phrase that a text has, as written or in this form; 1 for the whole phrase."""
    text, phrase = _without_marks(text), _without_marks(phrase)
    if not phrase:
        return 0.0
    if phrase in text:
        return 1.0
    words, wanted = text.split(" "), phrase.split(" ")
    found = {*words, *map(form, words)}
    return sum(form(word) in found for word in wanted) / len(wanted)


def _without_marks(text: str) -> str:
    rule = decided(RetryLadderDecisions)
    return " ".join(rule.words_of(re.sub(r"[-/()\[\],.:;?!]", " ", strings.to_lower_case(text))))


def _priced(phrase: str) -> str:
    """The part of a phrase that a price is about."""
    words = phrase.split(" ")
    is_product = words[-1] in _HEADS
    if len(words) >= 3 and "-" in words[0] and is_product:
        return f"{words[0]} {words[-1]}"
    head = joined(words[-2:]) if is_product else words[-1]
    return f"{head} cost" if head != phrase and len(words) <= 2 else phrase
