"""Requests of the fusion: ranked lists with shared and repeated ids, ties, and weights at the limits of their range.

Retrieval fusion, sections "How RRF Works", "fuseEpisodeResults" and "Architecture".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..common.choices import Choices, Json, Recipe
from ..common.numbers import WEIGHTS

IDS: Final[Sequence[int | str]] = (1, 2, 3, 4, 5, 6, "1", "2", "a", 0, -1, "", 2**53 - 1)
SETTINGS: Final = (1, 0.5, 0, 0.3, 2, 5, 0.1, 0.7, 1.5, 4.999999999, 3, 1e-9)

# Weights whose contributions at two ranks are equal, or differ in the last digit only.
_TIED: Final = ((1, 1), (1, 0.5), (0.5, 0.5), (61, 62), (1, 62 / 61), (0.1, 0.2), (3, 3), (0.3, 0.1))

_LIMITS: Final = (3, 10, 1, 2, 5, 20, 4, 0, -1, -2, 2**31, 2**53 - 1)


def id_(choices: Choices) -> int | str:
    """The id of an episode: a small number, or its text, or another id."""
    return choices.pick(IDS) if choices.one_in(4) else 1 + choices.below(6)


def ids(choices: Choices, most: int = 6) -> list[int | str]:
    """A ranking of episodes: rarely empty, mostly without repeats."""
    found = choices.many(id_, most, 0 if choices.one_in(8) else 1)
    return found if choices.one_in(6) else list(dict.fromkeys(found))


def _row(choices: Choices, number: int | str, side: str) -> Json:
    columns: tuple[Json, ...] = ({}, {"from": side}, {"user_message": "x", "from": side}, {"score": 1}, {"id2": None})
    return {"id": number, **choices.pick(columns)}


def _weights(choices: Choices) -> Json:
    pair = choices.pick(_TIED) if choices.one_in(2) else (choices.pick(WEIGHTS), choices.pick(WEIGHTS))
    return {"semanticWeight": pair[0], "keywordWeight": pair[1]}


def _fused(choices: Choices) -> Json:
    semantic = ids(choices)
    keyword = choices.shuffled(semantic) if choices.one_in(4) else ids(choices)
    request: Json = {"semantic": [_row(choices, one, "s") for one in semantic]}
    request |= {"keyword": [_row(choices, one, "k") for one in keyword], **_weights(choices)}
    return request | choices.maybe("limit", lambda c: c.pick(_LIMITS))


def _rank(choices: Choices) -> int | None:
    kind = choices.byte()
    if kind < 32:
        return None
    return 1 + choices.below(100) if kind < 240 else choices.pick((60, 1000, 2**31, 2**53))


def _scored(choices: Choices) -> Json:
    return {"semanticRank": _rank(choices), "keywordRank": _rank(choices), **_weights(choices)}


def setting(choices: Choices) -> float:
    """A weight that the settings allow."""
    return choices.pick(SETTINGS) if not choices.one_in(4) else choices.below(501) / 100


def settings(choices: Choices) -> Json:
    """Both weights of the settings, or one of them, or none."""
    found = choices.maybe("semanticWeight", setting)
    return found | ({"keywordWeight": setting(choices)} if not choices.one_in(5) else {})


def chat(choices: Choices) -> Json:
    """One chat request: both rankings, the recent episodes, the limit and the scope."""
    semantic, found = ids(choices), ids(choices, 8)
    recent = choices.some([*semantic, *found, 9], 3) if choices.one_in(2) else []
    request: Json = {"semanticIds": semantic, "ftsIds": found, "recentIds": recent}
    request["semanticLimit"] = choices.pick((3, 5, 1, 2, 10, 4, 6, 0, 1000000))
    request["sessionId"] = id_(choices)
    return request | choices.maybe("projectSessionIds", lambda c: c.many(id_, 3), one_in=3)


def _get_fused(choices: Choices) -> Json:
    request = chat(choices)
    return request | ({"settings": settings(choices)} if not choices.one_in(6) else {})


def _value(choices: Choices) -> Any:
    """A value of a patch: mostly a weight, else any JSON value."""
    kind = choices.below(10)
    if kind < 5:
        return setting(choices)
    if kind < 7:
        return choices.pick((0, 5, -1e-9, 5.000000001, -1, 6, 5e-324, 1e308, 2**53))
    return choices.pick((None, True, False, "1", "", "abc", [], [1], {}, {"value": 1}))


def patch(choices: Choices) -> Json:
    """The body of a patch: weights, refused values, other members."""
    found: Json = {}
    for name in ("semanticWeight", "keywordWeight"):
        if not choices.one_in(3):
            found[name] = _value(choices)
    if choices.one_in(8):
        found[choices.pick(("rrfK", "RRF_K", "semantic_weight", "KeywordWeight", "", "__proto__"))] = _value(choices)
    return dict(reversed(found.items())) if choices.one_in(4) else found


def _patched(choices: Choices) -> Json:
    current = {"semanticWeight": setting(choices), "keywordWeight": setting(choices)}
    return {"current": current, "patch": patch(choices)}


def _one(choices: Choices) -> Json:
    kind = choices.below(8)
    if kind < 2:
        return {"getSettings": {}}
    return {"patchSettings": patch(choices)} if kind < 5 else {"getFused": chat(choices)}


RECIPES: Final = {
    "nexus.fuse": Recipe(_fused, 64),
    "nexus.rrfScore": Recipe(_scored, 12),
    "nexus.getFused": Recipe(_get_fused, 64),
    "nexus.patchSettings": Recipe(_patched, 24),
    "nexus.getSettings": Recipe(lambda _: {"fresh": True}, 1),
    "nexus.constants": Recipe(lambda _: {}, 1),
    "nexus.serveRequests": Recipe(lambda choices: {"requests": choices.many(_one, 5, 1)}, 160),
}
"""Operation -> recipe."""
