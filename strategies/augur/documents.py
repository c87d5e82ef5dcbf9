"""Requests about documents: fingerprints of nearly equal lists, the cache of stores, filters and languages.

``fingerprint.ts``, ``augur.ts``, ``fusion.ts`` (composeFilter) and ``signals.ts`` (detectLanguage).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..common.choices import Choices, Json, Recipe
from ..common.texts import character, sentence

LANGUAGES: Final = ("ja", "ko", "zh", "ru", "ar", "hi", "th", "he", "el", "en")

# First and last characters of each script, and their neighbours.
SCRIPTS: Final = tuple(
    "かカ\u3040\u30ff\u303f\u3100한\uac00\ud7af\u1100\u11ff\ud7b0\u1200中\u4e00\u9fff\ua000\u4dffЖ\u0400\u04ff\u0500"
    "ع\u0600\u06ff\u0750\u077f\u0700\u0780अ\u0900\u097f\u0980ก\u0e00\u0e7f\u0e80א\u0590\u05ffΩ\u0370\u03ff\u036f・ー々〇"
)

_IDS: Final = ("a", "b", "c", "", "ab", "1", "a\u0000", "é", "\U0001f600")
_CONTENTS: Final = (
    "x",
    "y",
    "",
    "bc",
    "c",
    "hello world",
    "日本",
    "\U0001d49c",
    "\u00ff",
    "e\u0301",
    "long " * 20,
    "\u0000x",
    "\u0100",
)


def document(choices: Choices) -> Json:
    """A document; ids and contents have few values, so that two lists are nearly equal."""
    found: Json = {"id": choices.pick(_IDS), "content": choices.pick(_CONTENTS)}
    return found | choices.maybe("metadata", lambda c: {"k": c.pick(("v", "w"))}, one_in=4)


def _fingerprinted(choices: Choices) -> Json:
    return {"documents": choices.many(document, 4, 0 if choices.one_in(16) else 1)}


def _moved(left: Sequence[Json]) -> list[Json]:
    """The same documents; the first content begins with the end of its id."""
    first, *rest = left
    return [{**first, "id": first["id"][:-1], "content": first["id"][-1:] + first["content"]}, *rest]


def _compared(choices: Choices) -> Json:
    left = choices.many(document, 3, 1)
    kind = choices.below(7)
    if kind < 2:
        right = left
    elif kind == 2:
        right = choices.shuffled(left)
    elif kind == 3:
        right = [{**one, "metadata": {"other": "x"}} for one in left]
    elif kind == 4:
        right = _moved(left)
    else:
        right = left[:-1] if kind == 5 else [*left, document(choices)]
    return {"left": left, "right": right}


def _ad_hoc(choices: Choices) -> Json:
    known = [choices.many(document, 2, 1) for _ in range(1 + choices.below(4))]
    searches: list[Json] = []
    for _ in range(1 + choices.below(8)):
        kind = choices.below(8)
        searches.append({} if kind == 6 else {"documents": [] if kind == 7 else choices.pick(known)})
    request: Json = {"adapter": choices.pick(("pinecone", "pgvector", "in-memory", "")), "searches": searches}
    return request | choices.maybe("adHocCacheSize", lambda c: c.pick((1, 2, 0, 8, 3, -1)))


def _value(choices: Choices) -> Any:
    return choices.pick(("x", "en", "", None, 1, 0, True, ["x"], {"a": "b"}, 1.5))


def _composed(choices: Choices) -> Json:
    filters = choices.pick(
        (None, {}, {"k": "v"}, {"lang": "fr"}, {"Lang": "fr"}, {"lang": None, "k": "v"}, {"lang": ""})
    )
    if choices.one_in(3):
        filters = {choices.pick(("lang", "k", "topic", "")): _value(choices) for _ in range(choices.below(3))}
    language = choices.pick(("ja", *LANGUAGES, "pt-BR", "")) if not choices.one_in(5) else None
    return {"userFilter": filters, "autoLang": language}


def foreign(choices: Choices) -> str:
    """A text with characters of one or two scripts."""
    parts = [sentence(choices, most=2)]
    parts += [choices.pick(SCRIPTS) for _ in range(1 + choices.below(2))]
    return choices.pick(("", " ")).join(reversed(parts) if choices.one_in(2) else parts)


def _detected(choices: Choices) -> Json:
    return {"text": sentence(choices) + character(choices) if choices.one_in(8) else foreign(choices)}


RECIPES: Final = {
    "augur.fingerprintDocs": Recipe(_fingerprinted, 24),
    "augur.sameFingerprint": Recipe(_compared, 24),
    "augur.searchAdHoc": Recipe(_ad_hoc, 64),
    "augur.composeFilter": Recipe(_composed, 12),
    "augur.detectLanguage": Recipe(_detected, 24),
}
"""Operation -> recipe."""
