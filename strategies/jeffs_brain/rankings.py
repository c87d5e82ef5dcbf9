"""Requests of fusion and reranking: ranked lists with shared ids, equal scores, equal paths and empty fields.

Algorithms document, sections "Reciprocal Rank Fusion (RRF)", "Unanimity shortcut" and "Rerank tail preservation".
"""

from __future__ import annotations

from typing import Final

from ..common.characters import WHITE_SPACE
from ..common.choices import Choices, Json, Recipe
from ..common.numbers import score
from ..common.texts import character, noise, sentence

IDS: Final = tuple("abcdefgh")
_OTHER_IDS: Final = ("", "A", "1", "10", "2", "é", "e\u0301", "\U0001d49c", "__proto__", "constructor", "a ", "0")

# Paths whose order differs by the unit of comparison: code units, code points, bytes, locale.
PATHS: Final = (
    "n/a.md", "n/b.md", "n/c.md", "n/a.md", "N/a.md", "n/B.md", "n/é.md", "n/e\u0301.md", "n/z.md", "n/10.md", "n/9.md",
    "n/\uff5e.md", "n/\U00010000.md", "n/\U0001f600.md", "n/\ufb01.md", "n/a", "n/a/b.md", "n/a-b.md", "n/a b.md",
    "n/_.md", "",
)  # fmt: skip

_TEXTS: Final = ("", "Title", "other", " ", "0", "\u200b")

_K: Final = (60, 60, 1, 0, -1, 0.5, 10, 1e-9, 1e9, 59.5, -60, 2**53, 61, -0.5, 1e308, 5e-324)


def id_(choices: Choices) -> str:
    """The id of a chunk, one of few, so that two lists share it."""
    return choices.pick(_OTHER_IDS) if choices.one_in(24) else choices.pick(IDS)


def candidate(choices: Choices) -> Json:
    """An entry of a ranked list; each of its texts can be empty."""
    flags = choices.byte()
    plain: Json = {
        "id": id_(choices),
        "path": choices.pick(PATHS),
        "title": "T" if flags & 1 else choices.pick(_TEXTS) if flags & 64 else "",
        "summary": "S" if flags & 2 else "",
        "content": choices.pick(_TEXTS) if flags & 4 else "body",
    }
    if flags & 8:
        plain["bm25Rank"] = choices.below(4)
    if flags & 16:
        plain["vectorSimilarity"] = choices.pick((0.5, 0, 0.9, -0.25, 1))
    return plain


def _fused(choices: Choices) -> Json:
    lists = [
        [candidate(part) for part in ranking.parts(4, 7, 0 if ranking.one_in(4) else 1)]
        for ranking in choices.parts(4, 33, 1)
    ]
    if choices.one_in(4):  # the same ids in another order, so that sums are equal
        lists.append(choices.shuffled(lists[0]))
    return {"lists": lists if not choices.one_in(40) else []} | choices.maybe("k", lambda c: c.pick(_K), one_in=3)


def _unanimity(choices: Choices) -> Json:
    least = 0 if choices.one_in(16) else 3
    bm25 = choices.some(IDS[:5], 6, least)
    vector = list(bm25)
    for _ in range(choices.below(3) if choices.one_in(3) else choices.below(2)):
        if vector:
            vector[choices.below(len(vector))] = id_(choices)
    if choices.one_in(8):
        vector = choices.some(IDS[:3], 5, least)
    if choices.one_in(16):
        vector = vector[: choices.below(4)]
    limits = (2, 1, 3, 0, 1, 2, -1, 2, 1, 4, 2**31)
    return {"bm25": bm25, "vector": vector} | choices.maybe("agreeMin", lambda c: c.pick(limits), one_in=2)


def _long(choices: Choices) -> str:
    """A text near the 280 units of a snippet, often with a character of two units at the cut."""
    cut = "x" * (274 + choices.below(8)) + choices.pick(
        ("\U0001f600", "é", "e\u0301", "\U0001f600\U0001f600", " ", "y")
    )
    return cut + choices.pick(("", " end", "\U0001f600", "z" * 20, "  "))


def text_of_note(choices: Choices) -> str:
    """A title, a summary or a content: empty, white space, a sentence, or long."""
    kind = choices.below(10)
    if kind < 3:
        return ""
    if kind < 6:
        return sentence(choices, most=4, least=1)
    if kind == 6:
        return _long(choices)
    if kind == 7:
        return choices.pick(WHITE_SPACE) + sentence(choices, most=3) + choices.pick((*WHITE_SPACE, "\ufeff", "\u0085"))
    if kind == 8:
        return choices.pick((*WHITE_SPACE, "\ufeff", "\u200b")) * (1 + choices.below(3))
    return noise(choices, 5)


def _document(choices: Choices) -> Json:
    title, summary = text_of_note(choices), text_of_note(choices)
    content = text_of_note(choices) if choices.one_in(2) else choices.pick(("", " ", "\n")) + _long(choices)
    return {"title": title, "summary": summary, "content": content}


def ranking(choices: Choices, length: int) -> Json:
    """The answer of a reranker over ``length`` documents: an order, with omitted, repeated and unknown documents."""
    if choices.one_in(5):
        return {"order": "reverse"}
    order = choices.shuffled(range(length))
    for _ in range(choices.below(3) if choices.one_in(3) else 0):
        if order:
            at, change = choices.below(len(order)), choices.below(3)
            order[at : at + 1] = ([], [order[at], order[at]], [choices.pick((length, -1, length + 1, 99, 0))])[change]
    return {"hits": [{"index": index, "score": score(choices)} for index in order]}


def _applied(choices: Choices) -> Json:
    results = [{**candidate(choices), "id": name} for name in IDS[: choices.below(7) if choices.one_in(6) else 5]]
    top = choices.pick((3, 20, 5, 4, 2, 1, 0, 6, 2**31))
    return {"results": results, "topN": top, "ranking": ranking(choices, min(top, len(results)))}


def stored(choices: Choices, name: str, path: str) -> Json:
    """A chunk with texts and tags, for an index."""
    texts = {field: sentence(choices, most=3) for field in ("title", "summary", "content")}
    plain: Json = {"id": name, "path": path, **texts}
    plain |= choices.maybe("tags", lambda c: c.many(character, 2), one_in=8)
    return plain | choices.maybe("metadata", lambda c: {c.pick(("superseded_by", "tier")): "x"}, one_in=16)


RECIPES: Final = {
    "fusion.rrf": Recipe(_fused, 144),
    "rerank.unanimity": Recipe(_unanimity, 24),
    "rerank.documentText": Recipe(_document, 48),
    "rerank.apply": Recipe(_applied, 64),
}
"""Operation -> recipe."""
