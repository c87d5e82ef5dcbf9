"""Requests of the fusion: score lists with gaps and ties, weights near their limits, and rankings with shared ids.

Pull request, section "Adaptive weighted-RRF fusion", and ``fusion.ts``.
"""

from __future__ import annotations

from typing import Final

from ..common.choices import Choices, Json, Recipe
from ..common.numbers import score

IDS: Final = tuple("abcdef")
_LIMITS: Final = (0, 1, 0.1, 0.9, -0.2, 0.2, 0.5, -1, 2, 1e300, -1e-9, 0.30000000000000004)


def scores(choices: Choices) -> list[float]:
    """Scores of a ranking: mostly sorted, around ten of them at times, with ties and equal gaps."""
    count = (
        choices.below(6) if choices.one_in(4) else 9 + choices.below(5) if choices.one_in(5) else 2 + choices.below(4)
    )
    found = [score(choices) for _ in range(count)]
    if choices.one_in(8) and found:
        found = [found[0]] * len(found)
    return found if choices.one_in(5) else sorted(found, reverse=True)


def limit(choices: Choices) -> float:
    """A number near the limits of weights and shifts."""
    return choices.pick(_LIMITS) if choices.one_in(2) else choices.below(101) / 100


def _clamped(choices: Choices) -> Json:
    return {"x": limit(choices), "lo": limit(choices), "hi": limit(choices)}


def _adapted(choices: Choices) -> Json:
    return {"baseWeight": limit(choices), "vecScores": scores(choices), "kwScores": scores(choices)}


def _signals(choices: Choices) -> Json:
    flags = choices.byte()
    found: Json = {"wordCount": choices.pick((3, 1, 2, 5, 6, 7, 0, 4, 100)), "isQuestion": choices.one_in(2)}
    found |= {"hasQuotedPhrase": flags & 3 == 3, "hasSpecificTokens": flags & 12 == 12, "hasCodeLike": flags & 48 == 48}
    for name in ("hasDateOrVersion", "hasNamedEntity", "hasNegation"):
        found |= choices.maybe(name, lambda c: c.one_in(2), one_in=3)
    return {"signals": found}


def ranking(choices: Choices, most: int = 6) -> list[Json]:
    """A ranking: mostly distinct ids, best first."""
    ids = choices.some(IDS, most, 0 if choices.one_in(8) else 1)
    if not choices.one_in(8):
        ids = list(dict.fromkeys(ids))
    found = sorted((score(choices) for _ in ids), reverse=True)
    return [{"id": name, "score": value} for name, value in zip(ids, found, strict=True)]


def _fused(choices: Choices) -> Json:
    vec = ranking(choices)
    kw = choices.shuffled(vec) if choices.one_in(4) else ranking(choices)
    request: Json = {"vec": vec, "kw": kw, "vectorWeight": 0.5 if choices.one_in(4) else limit(choices)}
    return request | choices.maybe("k", lambda c: c.pick((60, 1, 0, 0.5, 1e9, 10)), one_in=4)


RECIPES: Final = {
    "augur.clamp": Recipe(_clamped, 12),
    "augur.topGapNormalized": Recipe(lambda choices: {"scores": scores(choices)}, 40),
    "augur.adaptWeight": Recipe(_adapted, 72),
    "augur.pickVectorWeight": Recipe(_signals, 12),
    "augur.weightedRrf": Recipe(_fused, 56),
}
"""Operation -> recipe."""
