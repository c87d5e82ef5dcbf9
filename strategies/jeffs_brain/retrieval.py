"""Requests of the whole search: indexes whose answers fire each rung of the ladder, both legs, ties and failures.

Algorithms document, sections "Hybrid pipeline", "Retry ladder" and "Trace".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..common.choices import Choices, Json, Recipe
from ..common.numbers import fraction
from . import intents, ladder, queries
from .rankings import IDS, PATHS, ranking, text_of_note
from .words import NOTE_PHRASES, STOP_WORDS

# Words that no list of stop words has, of different lengths.
_WORDS: Final = (
    *"kubernetes deployment cluster upgrade bicycle invoice garden travel budget coffee".split(),
    *"recommend bought list advice kubernets cooking".split(),
)
_LIMITS: Final = (3, 10, 1, 2, 0, 5, 60)

_IDS: Final = (*IDS, "a", "b")


def _chunk(choices: Choices, name: str) -> Json:
    flags = choices.byte()
    plain: Json = {
        "id": name,
        "path": choices.pick(PATHS) if flags & 1 else intents.path(choices) if flags & 2 else f"n/{name}.md",
        "title": choices.pick(NOTE_PHRASES) if flags & 4 else name.upper() if flags & 8 else "",
        "summary": choices.pick(NOTE_PHRASES) if flags & 16 else "short" if flags & 32 else "",
        "content": text_of_note(choices) if flags & 64 else "body",
    }
    return plain


def _chunks(choices: Choices, most: int = 5, least: int = 0) -> list[Json]:
    start = choices.below(3)
    count = least + choices.below(most - least + 1)
    found = [_chunk(choices, _IDS[start + place]) for place in range(count)]
    if choices.one_in(12) and found:
        found.append({**found[0], "path": choices.pick(PATHS)})
    return found


def _keys(words: Sequence[str]) -> list[str]:
    """MATCH strings of the first call and of the rungs, for a query of these words."""
    longest = max(words, key=len)
    together = "".join(words)
    return [" OR ".join(words), longest, together, " OR ".join(sorted(set(words))), f'"{" ".join(words)}"', words[0]]


def _scripted(choices: Choices) -> tuple[str, Json]:
    """A query, and a script that answers its first call or one of its rungs."""
    words = choices.some(_WORDS, 3, 1)
    keys = _keys(words)
    glue = choices.pick((" ", " ", " ", "-", ", ", " the ", "/", " AND ", "'", "\u2013", "  "))
    query = glue.join(words)
    if glue == " AND ":
        keys[0] = glue.join(words)
    if choices.one_in(6):
        query = choices.pick(('"', "NOT ", "?", "THE ", "in ")) + query
    if choices.one_in(8):
        query = intents.query(choices)
    elif choices.one_in(8):
        query = queries.query(choices)
    elif choices.one_in(16):
        query = choices.pick((*STOP_WORDS, "?!", "...", "", " ", '""', "*", "NOT", "\u200b", "AND \u2013"))
    script = {keys[choices.below(2) if not choices.one_in(4) else choices.below(6)]: _chunks(choices, 5, 1)}
    if choices.one_in(3):
        script[choices.pick(keys)] = _chunks(choices, 3)
    index: Json = {"script": script}
    if not choices.one_in(3):
        index["otherwise"] = _chunks(choices, 5, 0 if choices.one_in(4) else 1)
    if choices.one_in(8):
        index["fails"] = True if choices.one_in(3) else choices.some(keys[:3], 2, 1)
    return query, index


def _real(choices: Choices) -> tuple[str, Json]:
    """A query, and chunks for a real index. Each content has its own length, so that ranks are rarely equal."""
    words = choices.some(_WORDS, 3, 1)
    chunks = []
    for place in range(1 + choices.below(4)):
        content = " ".join([*choices.some(words, 2), *(f"filler{place}x{number}" for number in range(1 + 3 * place))])
        title = choices.pick(words) if choices.one_in(3) else ""
        chunks.append({**_chunk(choices, IDS[place]), "title": title, "content": content})
        chunks[-1]["path"] = f"n/{choices.pick(ladder.SLUGS)}-{place}.md"
    glue = choices.pick((" ", " AND ", "-", " NOT ", "* "))
    return glue.join(words) + choices.pick(("", "*", "s", "?")), {"chunks": chunks}


def _vector(choices: Choices, index: Json) -> Json:
    kind = choices.below(12)
    if kind == 10:
        return {"embedding": []}
    if kind == 11:
        return {"fails": choices.pick(("embed", "search"))}
    known = [chunk for chunks in index.get("script", {}).values() for chunk in chunks] or index.get("chunks", [])
    hits = known[:4] if kind < 4 else choices.shuffled(known[:4]) if kind < 8 else _chunks(choices)
    plain = [{name: value for name, value in hit.items() if name != "metadata"} for hit in hits]
    return {"hits": [{**hit, "similarity": fraction(choices)} for hit in plain]}


def _settings(choices: Choices) -> Json:
    flags = choices.byte()
    found: Json = {}
    if flags & 1:
        found["mode"] = choices.pick(("hybrid", "bm25", "semantic", "auto"))
    if flags & 6 == 6:
        found["topK"] = choices.pick((3, 10, 1, 2, 5, 60, 4, 0))
    if flags & 24 == 24:
        found["candidateK"] = choices.pick((60, 10, 1, 2, 5, 3, 4, 0))
    if flags & 96 == 96:
        found["rerankTopN"] = choices.pick(_LIMITS)
    if choices.one_in(8):
        found["rerank"] = choices.one_in(2)
    if choices.one_in(10):
        found["skipRetryLadder"] = not choices.one_in(3)
    return found | choices.maybe("questionDate", lambda c: c.pick(("2026-04-18", "2026/04/18 (Sat)")), one_in=32)


def _searched(choices: Choices) -> Json:
    settings = _settings(choices)
    query, index = _real(choices) if choices.one_in(10) else _scripted(choices)
    request: Json = {"index": index, "request": {"query": query, **settings}}
    if not choices.one_in(3):
        request["vector"] = _vector(choices, index)
    kind = choices.below(4)
    if kind > 1:
        request["ranking"] = {"fails": True} if choices.one_in(8) else ranking(choices, 1 + choices.below(5))
    if choices.one_in(6):
        request["aliases"] = queries.table(choices, query.lower().split()[:8])
    if choices.one_in(4):
        request["trigramChunks"] = [ladder.chunk(choices, name) for name in ("t", "u", "a")]
    return request


RECIPES: Final = {"retrieval.search": Recipe(_searched, 160)}
"""Operation -> recipe."""
