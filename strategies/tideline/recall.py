"""Requests of the recall: stores of few facts with shared words, both lanes, ties, limits and viewers.

Recall page, sections "Two lanes", "Origin filtering, fail-closed" and "The context block".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..common.choices import Choices, Json, Recipe
from ..common.numbers import fraction
from .facts import NOW, channel, lexical, origin
from .texts import STOP_WORDS, WORDS, text

_IDS: Final = tuple("abcdefgh")
_SHARED: Final = WORDS[:4]


def _query(choices: Choices) -> str:
    kind = choices.below(16)
    if kind < 13:
        return " ".join(choices.some(_SHARED, 3, 1))
    if kind == 13:
        return " ".join([*choices.some(_SHARED, 2, 1), choices.pick(STOP_WORDS)])
    return (
        text(choices) if kind == 14 else choices.pick(("coffees", "espress", "berlín", "the of", "", "coffee coffee"))
    )


def _facts(choices: Choices, most: int = 5) -> list[Json]:
    parts = choices.parts(most, 18, 0 if choices.one_in(8) else 2)
    found = [lexical(part, name, _SHARED) for name, part in zip(_IDS, parts, strict=False)]
    if choices.one_in(16) and found:  # more facts than any default limit
        found += [{**found[0], "memoryId": f"m{number}", "createdAt": NOW - number} for number in range(8)]
    if choices.one_in(20) and found:
        found.append({**found[0], "memoryId": choices.pick(("a", "z")), "createdAt": NOW})
    return found


def _vector(choices: Choices, dims: int) -> list[float]:
    return [choices.pick((1, 0, 0.5, -1, 0.25, 2)) for _ in range(dims)]


def _embedded(choices: Choices, facts: Sequence[Json], dims: int) -> list[Json]:
    """The facts with embeddings: of the size of the embedder, rarely of another size, or none."""
    found = []
    for fact in facts:
        if choices.one_in(10):
            found.append({**fact, "embed": "none"})
        else:
            size = dims + choices.pick((0, 1)) if choices.one_in(16) else dims
            found.append({**fact, "embedding": _vector(choices, size)})
    return found


def _hashed(choices: Choices, facts: Sequence[Json]) -> list[Json]:
    """The facts with HRR vectors of their content, or without vectors."""
    return [{**fact, "embed": "none" if choices.one_in(5) else "hrr"} for fact in facts]


def _options(choices: Choices) -> Json:
    found = choices.maybe("limit", lambda c: c.pick((3, 1, 2, 8, 0, -1, 100)), one_in=4)
    found |= choices.maybe("minSim", lambda c: c.pick((0.3, 0, -1, 0.9, 1, 0.5, 2)), one_in=4)
    return found | choices.maybe("mmrLambda", fraction, one_in=4)


def _recalled(choices: Choices) -> Json:
    query = _query(choices)
    if choices.one_in(8):
        request: Json = {"records": _hashed(choices, _facts(choices, 3)), "embedder": {"kind": "hrr"}}
    else:
        dims = 2 + choices.below(2)
        embedder: Json = {"kind": "table", "dims": dims, "vectors": {query: _vector(choices, dims)}}
        embedder["default"] = _vector(choices, dims)
        embedder |= choices.maybe("minSim", lambda c: c.pick((0.1, 0.5, 0, -1)), one_in=6)
        request = {"records": _embedded(choices, _facts(choices), dims), "embedder": embedder}
    request |= {"query": query, "now": NOW}
    return request | choices.maybe("options", _options)


def _lexical(choices: Choices) -> Json:
    request: Json = {"records": _facts(choices), "query": _query(choices), "now": NOW}
    flags = choices.byte()
    options = {} if not flags & 1 else {"modulate": bool(flags & 2)}
    options |= {} if not flags & 4 else {"breakdown": bool(flags & 8)}
    return request | ({"options": options} if flags & 16 else {})


def _proportion(choices: Choices) -> Json:
    """Two facts that the query finds: both contain its word, and no filter or floor removes them."""
    request = _recalled(choices)
    request.pop("options", None)
    request["query"] = "coffee"
    request["records"] = [
        {**record, "memoryId": name, "content": f"coffee {record['content']}", "confidence": 0.5}
        for name, record in zip(_IDS, request["records"][:5], strict=False)
    ]
    fact = {**lexical(choices, "p", _SHARED), "content": "coffee", "confidence": 1, "embed": "none"}
    request["records"].append(fact)
    names = [record["memoryId"] for record in request["records"]]
    return {**request, "of": choices.pick(names), "to": choices.pick(names[::-1])}


def _searched(choices: Choices) -> Json:
    options = choices.maybe("limit", lambda c: c.pick((3, 1, 2, 8, 0, -1)), one_in=4)
    options |= choices.maybe("origin", origin, one_in=3)
    options |= choices.maybe("markAccessed", lambda c: c.one_in(2), one_in=3)
    return {"records": _hashed(choices, _facts(choices, 4)), "query": _query(choices), "now": NOW, "options": options}


def _blocked(choices: Choices) -> Json:
    request: Json = {"records": _hashed(choices, _facts(choices, 4)), "query": _query(choices), "now": NOW}
    request["threatScan"] = "strict" if choices.one_in(2) else "none"
    request |= choices.maybe("maxChars", lambda c: c.pick((1200, 60, 100, 200, 350, 80, 150, 40, 70, 0)), one_in=6)
    request |= choices.maybe("limit", lambda c: c.pick((3, 1, 2, 0)), one_in=4)
    if choices.one_in(6):
        request["origin"] = origin(choices)
        if choices.one_in(2):
            request["records"] = [{**record, "createdBy": request["origin"]} for record in request["records"]]
    return request


def _automatic(choices: Choices) -> Json:
    viewer = None if choices.one_in(16) else channel(choices) if choices.one_in(4) else {"kind": "owner"}
    records = [{**fact, "lifecycle": "active"} for fact in _facts(choices, 6)]
    if not choices.one_in(3) and viewer is not None:
        records = [{**fact, "createdBy": viewer} for fact in records]
    if choices.one_in(24):  # a text above the limit of the block
        records = [{**fact, "content": f"{fact['content']} {'! ' * 1800}"} for fact in records]
    return {"records": _hashed(choices, records), "query": _query(choices), "now": NOW, "origin": viewer}


RECIPES: Final = {
    "tideline.bm25": Recipe(_lexical, 112),
    "tideline.recall": Recipe(_recalled, 144),
    "tideline.ranking": Recipe(_recalled, 144),
    "tideline.proportion": Recipe(_proportion, 168),
    "tideline.search": Recipe(_searched, 112),
    "tideline.context": Recipe(_blocked, 112),
    "tideline.autoRecall": Recipe(_automatic, 144),
    "tideline.autoRecallFacts": Recipe(_automatic, 144),
}
"""Operation -> recipe."""
