"""Requests of the intents: texts of the words that the patterns look for, and near misses.

Algorithms document, sections "Intent-aware reweighting" and "Intent-aware reweighting (English-only)".
"""

from __future__ import annotations

from typing import Final

from ..common.characters import WHITE_SPACE
from ..common.choices import Choices, Json, Recipe
from ..common.numbers import score
from ..common.texts import PLAIN, altered, character
from .rankings import IDS, PATHS
from .words import INTENT_QUERY_PHRASES, INTENT_QUERY_WORDS, NAMES, NOTE_PHRASES, PATH_PARTS

# Pattern -> phrases that it matches, alone or in a sentence.
_PHRASES: Final = {
    "PREFERENCE_QUERY_RE": ("tip", *INTENT_QUERY_WORDS[:10], "what should i", "which should i"),
    "ENUMERATION_OR_TOTAL_QUERY_RE": (
        "list",
        "how many",
        "count",
        "total",
        "in total",
        "sum",
        "add up",
        "what are all",
    ),
    "FIRST_PERSON_FACT_LOOKUP_RE": ("did i", "have i", "was i", "were i"),
    "FACT_LOOKUP_VERB_RE": ("bought", "pick up", "picked up", *INTENT_QUERY_WORDS[16:-2]),
    "PREFERENCE_NOTE_RE": NOTE_PHRASES[:14],
    "GENERIC_NOTE_RE": NOTE_PHRASES[14:29],
    "ROLLUP_NOTE_RE": NOTE_PHRASES[29:42],
    "ATOMIC_EVENT_NOTE_RE": ("i bought", *NOTE_PHRASES[42:52]),
    "DATE_TAG_RE": NOTE_PHRASES[53:58],
}

# Between two words of a phrase: the space of the pattern, white space, and near misses.
_GAPS: Final = (" ", " ", " ", "\n", "  ", *WHITE_SPACE, "-", "", "\ufeff", "\u200b")

# Neighbours of a phrase: characters that are and are not word characters for an ASCII boundary.
_EDGES: Final = (
    " ",
    ", ",
    "\n",
    ".",
    "-",
    "_",
    "é",
    "\u0301",
    "1",
    "x",
    "s",
    "'s",
    "\u200b",
    "ß",
    "中",
    "ı",
    "\U0001f600",
)

_FOLDED: Final = {"s": "\u017f", "k": "\u212a", "i": "\u0130", "S": "\u017f"}


def phrase(choices: Choices, phrases: tuple[str, ...]) -> str:
    """One of the phrases; rarely with another space, another case, or a letter that folds to the right one."""
    text = choices.pick(phrases)
    kind = choices.below(16)
    if kind < 9:
        return text
    if kind < 11:
        return choices.pick((str.upper, str.capitalize, str.title))(text)
    if kind == 11:
        return text.replace(" ", choices.pick(_GAPS))
    if kind == 12:
        letter = choices.pick(tuple(_FOLDED))
        return text.replace(letter, _FOLDED[letter])
    if kind == 13:
        return text[:-1] if choices.one_in(2) else text + choices.pick(("s", "ed", "d", "er", "ing", "n"))
    return altered(choices, text)


def _around(choices: Choices, inner: str) -> str:
    """A phrase between two neighbours."""
    before = choices.pick(_EDGES) if choices.one_in(3) else choices.pick(("", "the "))
    after = choices.pick(_EDGES) if choices.one_in(3) else choices.pick(("", " x"))
    return before + inner + after


def query(choices: Choices) -> str:
    """A query with intents: several phrases, mostly of the patterns of queries."""
    parts = []
    for part in choices.parts(4, 7, 1):
        kind = part.below(8)
        text = phrase(part, INTENT_QUERY_PHRASES) if kind < 6 else part.pick(PLAIN)
        parts.append(_around(part, text) if kind == 5 else text)
    return " ".join(parts)


def note_text(choices: Choices) -> str:
    """A title, a summary or a content: mostly one or two phrases of the patterns of notes."""
    parts = []
    for _ in range(choices.below(3)):
        text = phrase(choices, NOTE_PHRASES)
        parts.append(_around(choices, text) if choices.one_in(4) else text)
    return " ".join(parts)


def path(choices: Choices) -> str:
    """A path with the parts that the tables look for."""
    found = "".join(choices.some(PATH_PARTS, 3)) + choices.pick(NAMES)
    return altered(choices, found) if choices.one_in(8) else found


def _matched(choices: Choices) -> Json:
    pattern = choices.pick(tuple(_PHRASES))
    own = not choices.one_in(6)
    text = _around(choices, phrase(choices, _PHRASES[pattern] if own else (*NOTE_PHRASES, *INTENT_QUERY_PHRASES)))
    if choices.one_in(8):
        text = choices.pick(NOTE_PHRASES) + choices.pick(_GAPS) + text
    return {"pattern": pattern, "text": text + character(choices) if choices.one_in(16) else text}


def note(choices: Choices) -> Json:
    """A note with the texts that the multipliers look for."""
    plain: Json = {"path": path(choices), "title": note_text(choices)}
    plain |= {"summary": note_text(choices), "content": note_text(choices)}
    return plain | choices.maybe("metadata", lambda c: {c.pick(("superseded_by", "scope")): c.pick(NAMES)}, one_in=12)


def _multiplied(choices: Choices) -> Json:
    return {"query": query(choices), "note": note(choices)}


def _result(choices: Choices, name: str) -> Json:
    plain: Json = {"id": name, "path": path(choices) if choices.one_in(2) else choices.pick(PATHS), "title": ""}
    plain |= {"summary": choices.pick(("", *NOTE_PHRASES)), "content": note_text(choices), "score": score(choices)}
    plain |= choices.maybe("bm25Rank", lambda c: c.below(5), one_in=4)
    return plain | choices.maybe("rerankScore", score, one_in=8)


def _reweighted(choices: Choices) -> Json:
    count = choices.below(5) if choices.one_in(6) else 2 + choices.below(3)
    return {"query": query(choices), "results": [_result(choices, name) for name in IDS[:count]]}


RECIPES: Final = {
    "intent.matches": Recipe(_matched, 16),
    "intent.detect": Recipe(lambda choices: {"query": query(choices)}, 36),
    "intent.multiplier": Recipe(_multiplied, 80),
    "intent.reweight": Recipe(_reweighted, 112),
}
"""Operation -> recipe."""
