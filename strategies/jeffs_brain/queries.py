"""Requests of the query DSL: raw queries, ASTs and alias tables. Query DSL document, "Grammar" to "Alias tables".

A generator of the grammar by its productions makes one draw a production; the functions here read the productions from
bytes instead, and mix them with text that is near to the grammar.
"""

from __future__ import annotations

from typing import Final

from ..common.characters import CASES, COMPOSED, NEAR_SPACE
from ..common.choices import Choices, Json, Recipe
from ..common.texts import altered, character, noise, sentence, space, word
from .words import FILLER, NEAR_STOP_WORDS, QUERY_WORDS, STOP_WORDS

_OPERATORS: Final = ("AND", "OR", "NOT")

# Quotes that are no double quote, and places of double quotes.
_QUOTES: Final = ('"', '""', '"" ""', '" "', '"""', "“", "”", "'", '\\"', '"*', '*"', '"\t"', '"(')


def query(choices: Choices) -> str:
    """A raw query: words, stop words, phrases, prefixes, operators and quotes with every kind of space between them."""
    style = choices.byte()
    if style < 24:
        return noise(choices, 8)
    if style < 80:
        return sentence(choices, QUERY_WORDS, 5, 1)
    parts: list[str] = []
    for part in choices.parts(6, 7, 1):
        gap = "" if part.one_in(16) else space(part)
        parts += [_part(part), gap]
    if not choices.one_in(8):
        del parts[-1:]
    return "".join(parts)


def _part(choices: Choices) -> str:
    kind = choices.below(32)
    if kind < 8:
        return choices.pick(QUERY_WORDS)
    if kind < 12:
        return choices.pick(_OPERATORS)
    if kind < 16:
        return f'"{phrase_text(choices)}"'
    if kind < 18:
        return choices.pick(QUERY_WORDS) + "*"
    if kind < 20:
        return choices.pick(STOP_WORDS)
    if kind == 20:
        return altered(choices, choices.pick(STOP_WORDS))
    if kind == 21:
        return choices.pick(FILLER)
    if kind == 22:
        return choices.pick(_QUOTES)
    if kind == 23:
        return altered(choices, choices.pick(_OPERATORS))
    if kind == 24:
        return choices.pick(NEAR_STOP_WORDS)
    if kind == 25:  # short words: the filter counts UTF-16 units
        return "".join(choices.many(character, 2, 1))
    if kind == 26:
        return choices.pick(CASES) + choices.pick(("", "a", "ab", "o\u0301")) + choices.pick(CASES)
    if kind == 27:
        return choices.pick(COMPOSED) + choices.pick(("", "a", "\u0301", "\u200d\u0301"))
    if kind == 28:
        return choices.pick(QUERY_WORDS) + choices.pick(NEAR_SPACE) + choices.pick(QUERY_WORDS)
    if kind == 29:
        return f"{word(choices)}*{choices.pick(('', '*', '*)', '?', 'x', '*x', '.'))}"
    return word(choices, QUERY_WORDS)


def phrase_text(choices: Choices) -> str:
    """The text between two quotes."""
    parts = [_phrase_part(choices) for _ in range(choices.below(4))]
    return choices.pick((" ", "  ", "", "\u00a0")).join(parts) if choices.one_in(4) else " ".join(parts)


def _phrase_part(choices: Choices) -> str:
    kind = choices.below(8)
    if kind < 4:
        return choices.pick(QUERY_WORDS)
    if kind == 4:
        return choices.pick(_OPERATORS)
    return word(choices, STOP_WORDS if kind == 5 else QUERY_WORDS)


def clean_text(choices: Choices) -> str:
    """The text of a token as a parser gives it, or any other text."""
    kind = choices.below(16)
    if kind < 10:
        return choices.pick(QUERY_WORDS).lower()
    if kind < 12:
        return f"{choices.pick(QUERY_WORDS).lower()} {choices.pick(QUERY_WORDS).lower()}"
    return noise(choices, 4) if kind == 12 else word(choices, STOP_WORDS if kind == 13 else QUERY_WORDS)


def token(choices: Choices) -> Json:
    """One token, often with an operator."""
    kind = choices.pick(("term", "term", "term", "phrase", "prefix"))
    plain: Json = {"kind": kind, "text": clean_text(choices)}
    return plain | choices.maybe("operator", lambda c: c.pick(_OPERATORS))


def ast(choices: Choices) -> Json:
    """An AST. ``raw`` and ``hasOperators`` need not agree with the tokens: compilation and expansion only keep them."""
    tokens = [token(part) for part in choices.parts(6, 8, 0 if choices.one_in(8) else 1)]
    raw = " ".join(one["text"] for one in tokens) if not choices.one_in(4) else query(choices)
    return {"raw": raw, "tokens": tokens, "hasOperators": choices.one_in(2)}


def alternatives(choices: Choices) -> list[str]:
    """Alternatives of one alias: words, phrases, repeated ones, ones with marks, ones without a letter."""
    found = choices.many(_alternative, 4, 0 if choices.one_in(8) else 1)
    return [*found, altered(choices, found[0])] if found and choices.one_in(4) else found


def _alternative(choices: Choices) -> str:
    kind = choices.below(12)
    if kind < 3:
        return choices.pick(QUERY_WORDS)
    if kind < 5:
        return f"{choices.pick(QUERY_WORDS)} {choices.pick(QUERY_WORDS)}"
    if kind < 7:
        return word(choices, QUERY_WORDS)
    if kind == 7:
        return choices.pick(QUERY_WORDS) + character(choices) + choices.pick(QUERY_WORDS)
    if kind == 8:
        return character(choices)
    if kind == 9:
        return noise(choices, 4)
    return choices.pick(
        ("", " ", "...", "_", "AND", "not", '"quoted words"', "kube*", "a b", "A  B", "the", "c++", "l'été")
    )


def table(choices: Choices, keys: list[str]) -> Json:
    """An alias table; most of its keys are among ``keys``."""
    found: Json = {}
    for _ in range(1 + choices.below(4)):
        key = choices.pick(keys) if keys and not choices.one_in(6) else word(choices, QUERY_WORDS)
        if choices.one_in(4):
            key = choices.pick((str.upper, str.capitalize, str.lower, str.swapcase))(key)
        found[key] = alternatives(choices)
    if choices.one_in(8):  # the exact key and the lower-cased key have different entries
        for key in list(found):
            found.setdefault(key.lower(), alternatives(choices))
    return found


def _raw(choices: Choices) -> Json:
    return {"query": query(choices)}


def _normalised(choices: Choices) -> Json:
    if choices.one_in(2):
        return {"query": query(choices)}
    return {"query": "".join(choices.many(lambda c: character(c) + c.pick(("", "a", " ", "\u200d", "\u0301")), 6, 1))}


def _compiled(choices: Choices) -> Json:
    return {"ast": ast(choices)}


def _expanded(choices: Choices) -> Json:
    found = ast(choices)
    keys = [one["text"] for one in found["tokens"] if one["kind"] == "term"] or [one["text"] for one in found["tokens"]]
    return {"ast": found, "aliases": table(choices, keys)}


def _pipeline(choices: Choices) -> Json:
    aliases = choices.one_in(2)
    text = query(choices)
    if not aliases:
        return {"query": text}
    return {"query": text, "aliases": table(choices, [part.strip('*,.!?"').lower() for part in text.split()][:8])}


RECIPES: Final = {
    "query.normalise": Recipe(_normalised, 52),
    "query.parse": Recipe(_raw, 52),
    "query.expandAliases": Recipe(_expanded, 144),
    "query.compile": Recipe(_compiled, 104),
    "query.pipeline": Recipe(_pipeline, 112),
    "stopwords.list": Recipe(lambda choices: {"language": choices.pick(("en", "nl"))}, 1),
}
"""Operation -> recipe."""
