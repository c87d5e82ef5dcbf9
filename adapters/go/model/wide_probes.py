"""Probes of more kinds: counts of types, days between events, lists and titles. Defines no switch."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from adapters.ts.model.probes import (
    ENUMERATION,
    MONEY,
    PROBES,
    SPECIFIC,
    STOP_WORDS,
    Probes,
    joined,
    shared,
    words_of,
)
from reference_impl.decisions import decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions
from reference_impl.readings.jeffs_brain.metadata import lowered

ACTS_ON = ("retrieval.search",)

MOST: Final = 8
_MAX_WORDS: Final = 4

_compiled = regexps.compile_ignoring_case

DAYS_BETWEEN: Final = _compiled(r"\bhow many days?\s+ago\s+did\s+i\s+([^\n]+?)\s+when\s+i\s+([^\n]+?)(?:[?.!]|$)")
_HOW_MANY_DAYS: Final = _compiled(r"\bhow many days?\b[^\n]*\b(?:when|between|before|after)\b")
_EVENT_BOUNDARY: Final = _compiled(r"^(?:when|while|after|before|between|and|then|ago|days?|day)$")
_TYPES: Final = _compiled(
    r"\b(?:different\s+)?(?:types?|kinds?|varieties)\s+of\s+([^\n]+?)\s+(?:have|has|had|do|does|did|am|are|is|was|were"
    r"|use|used|using|try|tried|trying|make|made|cook|cooked|in|for|with)\b"
)
_SCOPE: Final = _compiled(r"\b(?:in|for|with)\s+(?:my|our|the|a|an)?\s*([^\n]+?)(?:[?.!]|$)")
_INCLUDING: Final = _compiled(r"\bincluding\s+([^\n]+)$")
_TITLE: Final = re.compile(r"\b[A-Z][A-Za-z0-9'’.-]*(?:\s+[A-Z][A-Za-z0-9'’.-]*){1,4}\b", re.ASCII)
_END_OF_LIST: Final = _compiled(r"\b(?:since|from|across|over|during|when|where)\b[^\n]*$")
_AND: Final = _compiled(r"\s+and\s+")
_PIECES: Final = (
    _compiled(r"\bpieces?\s+for\s+(?:the\s+)?"),
    _compiled(r"\b(?:pieces?|items?|parts?|entries?|tasks?|things?)\s+of\s+"),
)

_MARKS: Final = ".,;:!?\"'()[]{}<>"
_COUNTED: Final = frozenset("completed including number piece pieces".split())
_SKIPPED: Final = frozenset(
    "amount current currently different day days event events exact first many much number previous pass passed recent "
    "same specific total type types".split()
)
_PAST: Final = dict(
    pair.split(":")
    for pair in "buy:bought begin:began catch:caught drive:drove ride:rode see:saw sell:sold take:took "
    "travel:travelled".split()
)
# Ending, least length of the word, letters that go, letters that come.
_PLURALS: Final = (
    ("ss", 0, 0, ""),
    ("us", 0, 0, ""),
    ("ies", 5, 3, "y"),
    ("oes", 5, 2, ""),
    ("ches", 6, 2, ""),
    ("shes", 6, 2, ""),
    ("xes", 5, 2, ""),
    ("ses", 5, 2, ""),
    ("s", 4, 1, ""),
)


def singular(word: str) -> str:
    """The singular of a word, by its ending."""
    for ending, least, gone, added in _PLURALS:
        if word.endswith(ending) and len(word) >= least:
            return word[: len(word) - gone] + added
    return word


def without_genitive(word: str) -> str:
    """The word without a genitive ending."""
    return word.removesuffix("'s").removesuffix("’s")


def past(verb: str) -> str:
    """The past of a verb, by a list or by its ending."""
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    return f"{verb[:-1]}ied" if verb.endswith("y") and len(verb) > 1 else f"{verb}ed"


class WideProbes(Probes):
    """The derivation with more kinds of probes; lengths are counted in bytes."""

    boundaries = frozenset({*Probes.boundaries, "different", "type", "types"})

    def length(self, word: str) -> int:
        """The length of a word in UTF-8 bytes."""
        return len(word.encode("utf-8", "surrogatepass"))

    def has_digit(self, word: str) -> bool:
        """Whether a word has a decimal digit of any script."""
        return any(map(str.isdecimal, word))

    def trimmed(self, words: Sequence[str]) -> Sequence[str]:
        """As in the base; nothing for fewer than two words."""
        found = super().trimmed(words)
        return found if len(found) >= PROBES else []

    def specific_probes(self, query: str) -> list[str]:
        """The phrases of a question for a specific recommendation."""
        text = lowered(query)
        if SPECIFIC.search(text) and ("recommend" in text or "remind me" in text):
            return self.filtered_phrase_probes(query)
        return []

    def sources(self, focus: str) -> list[str]:
        """Two phrases for inspiration about a word."""
        return [f"{focus} inspiration", f"{focus} examples"]

    def shared(self, text: str, phrase: str) -> float:
        """The share of the words of a phrase that a text has, in their singular."""
        return shared(text, phrase, singular)

    def priority_queries(self, query: str) -> list[str]:
        """The first eight probes of all kinds."""
        kinds: list[Callable[[str], Iterable[str]]] = [
            self.type_probes,
            self.event_probes,
            self.list_probes,
            self.priority_sub_queries,
            self.title_probes,
        ]
        return [*dict.fromkeys(probe for kind in kinds for probe in kind(query))][:MOST]

    def counts_types(self, query: str) -> bool:
        """Whether a query counts types of something."""
        return ENUMERATION.search(lowered(query)) is not None and _TYPES.search(query) is not None

    def type_probes(self, query: str) -> list[str]:
        """What is counted and its scope, in both orders."""
        counted, scope = _TYPES.search(query), _SCOPE.search(query)
        if not (self.counts_types(query) and counted and scope):
            return []
        category, area = self._first_word(counted[1]), self._first_word(scope[1])
        return [f"{area} {category}", f"{category} {area}"] if category and area and category != area else []

    def _first_word(self, text: str) -> str:
        words = (singular(without_genitive(word)) for word in words_of(text))
        return next((word for word in words if word and not self.is_skipped(word)), "")

    def is_skipped(self, word: str) -> bool:
        """Whether a word names nothing."""
        return self.is_bound(word) or word in _SKIPPED or self.has_digit(word)

    def is_bound(self, word: str) -> bool:
        """Whether a word ends a name."""
        return word in self.boundaries or word in STOP_WORDS

    def event_probes(self, query: str) -> list[str]:
        """The events of a question for a number of days, each also with its verb in the past."""
        if not _HOW_MANY_DAYS.search(lowered(query)):
            return []
        found = [*dict.fromkeys(self._of_clauses(query))] or [*dict.fromkeys(self._of_windows(query))]
        return found[:MOST]

    def _of_clauses(self, query: str) -> Iterator[str]:
        if clauses := DAYS_BETWEEN.search(query):
            for clause in clauses.groups():
                yield from self._tenses(self.question_tokens(clause))

    def _of_windows(self, query: str) -> Iterator[str]:
        window: list[str] = []
        for word in [*words_of(query), ""]:
            if _EVENT_BOUNDARY.match(word) or self.is_boundary(word):
                yield from self._tenses(window)
                window = []
            else:
                window.append(word)

    def _tenses(self, words: Sequence[str]) -> list[str]:
        first, *rest = self.trimmed(words)[:_MAX_WORDS] or [""]
        return [joined([first, *rest]), joined([past(first), *rest])] if rest else []

    def list_probes(self, query: str) -> list[str]:
        """The items behind `including` in a question for a count that is not about money."""
        rule = decided(RetryLadderDecisions)
        text, listed = lowered(query), _INCLUDING.search(query)
        if listed is None or not ENUMERATION.search(text) or MONEY.search(text):
            return []
        cleaned = _END_OF_LIST.sub("", rule.trimmed(listed[1]).rstrip("?.! ")).replace(", and ", ", ")
        items = (self._item(item) for part in cleaned.split(",") for item in _divided(rule.trimmed(part)))
        return list(islice(dict.fromkeys(filter(None, items)), MOST))

    def _item(self, text: str) -> str:
        probe = lowered(text)
        for pattern in _PIECES:
            probe = pattern.sub("", probe)
        words = [word for word in self.question_tokens(probe) if word not in self.boundaries and word not in _COUNTED]
        return joined(words[-_MAX_WORDS:], 1)

    def title_probes(self, query: str) -> list[str]:
        """At most two titles in a question for something earlier or specific."""
        hints = ("previous chat", "previous conversation", "remind me", "specific")
        if not any(hint in lowered(query) for hint in hints):
            return []
        titles = (joined(list(self._title_words(match[0]))) for match in _TITLE.finditer(query))
        return list(islice(dict.fromkeys(filter(None, titles)), PROBES))

    def _title_words(self, title: str) -> Iterator[str]:
        for word in decided(RetryLadderDecisions).words_of(title):
            found = strings.to_lower_case(without_genitive(word.strip(_MARKS)))
            if found and not self.is_bound(found):
                yield found


def _divided(part: str) -> list[str]:
    """The items that `and` joins in a part of a list; one pair of words stays together."""
    text = strings.to_lower_case(part)
    return _AND.split(part) if " and " in text and "flea and tick" not in text else [part]
