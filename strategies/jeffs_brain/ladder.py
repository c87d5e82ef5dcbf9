"""Requests of the retry ladder and of the trigram fallback: queries of many words, slugs, and words one letter apart.

Algorithms document, sections "Retry ladder" and "Trigram fallback details".
"""

from __future__ import annotations

from typing import Final

from ..common.characters import ASCII_MARKS, CASES, NUMBERS, OTHER_MARKS
from ..common.choices import Choices, Json, Recipe
from ..common.numbers import count
from ..common.texts import PLAIN, altered, character, noise, sentence, space, word
from .rankings import PATHS
from .words import NEAR_STOP_WORDS, STOP_WORDS

# Words of equal length, words whose length differs by the unit, and words of length 2 and 3.
LONGEST: Final = (
    *"kubernetes deployment invoicing ubernetesk alpha bravo ab abc straße STRASSE élan e\u0301lan".split(),
    "\U0001d49c\U0001d49c", "\U00010400bcd", "日本語", "क्षत्रिय", "İİİ", "don't", "e-mail-address", "a_b_c_d_e_f",
    "12345678901", "\U0001f600x",
)  # fmt: skip

SLUGS: Final = tuple(
    "kubernetes kubernets kuberntes cooking cook coking budget-2026 budgets travel-notes travels notes note é café cafe "
    "日本 \U0001d49c\U0001d49cx a ab abc".split()
)


def _query(source: Choices) -> str:
    parts: list[str] = []
    for choices in source.parts(5, 7, 1):
        kind = choices.below(10)
        if kind < 3:
            text = choices.pick(LONGEST)
        elif kind < 5:
            text = choices.pick(STOP_WORDS)
        elif kind == 5:
            text = choices.pick(NEAR_STOP_WORDS)
        elif kind == 6:
            text = choices.pick(LONGEST) + choices.pick((*ASCII_MARKS, *OTHER_MARKS, *NUMBERS)) + choices.pick(PLAIN)
        elif kind == 7:
            text = choices.pick(CASES) + choices.pick(PLAIN)
        else:
            text = word(choices)
        parts += [text, space(choices)]
    return "".join(parts[:-1]) if not source.one_in(12) else noise(source, 8)


def _path(choices: Choices) -> str:
    folder = choices.pick(("notes/", "", "a/b/", "Notes/X/", "/", "n//", "kubernetes/"))
    name = choices.pick(SLUGS)
    if choices.one_in(2):
        name += choices.pick(("-", "_", " ", ".", "--", "'", *OTHER_MARKS)) + choices.pick(SLUGS)
    if choices.one_in(4):
        name = altered(choices, name)
    return folder + name + choices.pick((".md", ".md", "", ".MD", ".md.md", ".txt", ".markdown", ".md/", " .md"))


def _slugged(choices: Choices) -> Json:
    return {"path": noise(choices, 8)} if choices.one_in(12) else {"path": _path(choices)}


def _cut(choices: Choices) -> str:
    kind = choices.below(8)
    if kind < 2:
        return choices.pick(SLUGS)
    if kind < 4:
        return sentence(choices, SLUGS, 3, 1)
    if kind < 6:
        return altered(choices, choices.pick((*SLUGS, *LONGEST)))
    return noise(choices, 5) if kind == 6 else choices.pick(LONGEST) + character(choices)


def _near(choices: Choices, text: str) -> str:
    """The text with one letter changed, removed or added; or another one."""
    kind, at = choices.below(6), choices.below(min(len(text), 100) + 1)
    changed = (
        text,
        text[:at] + text[at + 1 :],
        text[:at] + "x" + text[at:],
        text[:at] + character(choices) + text[at:],
    )
    return changed[kind] if kind < 4 else _cut(choices)


def _compared(choices: Choices) -> Json:
    first = _cut(choices)
    return {"a": first, "b": _near(choices, first)}


def chunk(choices: Choices, name: str) -> Json:
    """A chunk that the trigram index can find by its path."""
    kind = choices.below(8)
    path = f"notes/{choices.pick(SLUGS)}.md" if kind < 4 else choices.pick(PATHS) if kind == 4 else _path(choices)
    return {
        "id": name,
        "path": path,
        "title": "",
        "summary": "",
        "content": choices.pick(("", "kubernetes", "cooking")),
    }


def _searched(choices: Choices) -> Json:
    ids = ("a", "b", "c", "d", "e", "f") if not choices.one_in(16) else ("a", "", "a", "", "b", "b")
    chunks = [chunk(choices, name) for name in ids[: choices.below(7) if choices.one_in(6) else 4]]
    if choices.one_in(3) and chunks:  # equal similarities
        chunks += [{**chunks[0], "id": "g", "path": choices.pick(("z/", "A/", "\U0001f600/")) + chunks[0]["path"]}]
    near = [chunk["path"].rpartition("/")[2].removesuffix(".md") for chunk in chunks] or ["kubernetes"]
    words = [choices.pick(near) if not choices.one_in(4) else choices.pick(SLUGS) for _ in range(1 + choices.below(4))]
    tokens = [_near(choices, text) if choices.one_in(3) else text for text in words] if not choices.one_in(32) else []
    return {
        "chunks": chunks,
        "tokens": tokens,
        "limit": count(choices, (10, 3, 1, 2, 5, 20, 60, 4, 7, 8, 6, 100, 9, 0)),
    }


RECIPES: Final = {
    "retry.sanitise": Recipe(lambda choices: {"query": _query(choices)}, 48),
    "retry.strongestTerm": Recipe(lambda choices: {"query": _query(choices)}, 48),
    "retry.queryTokens": Recipe(lambda choices: {"query": _query(choices)}, 48),
    "trigram.slugText": Recipe(_slugged, 24),
    "trigram.grams": Recipe(lambda choices: {"text": _cut(choices)}, 20),
    "trigram.jaccard": Recipe(_compared, 28),
    "trigram.search": Recipe(_searched, 64),
}
"""Operation -> recipe."""
