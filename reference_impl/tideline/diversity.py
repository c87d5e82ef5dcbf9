"""Choosing the facts to show, one after the other; by score alone unless the caller asks for variety.

The page does not know this step. Maximal marginal relevance is the repository's option ``mmrLambda``.
"""

from collections.abc import Sequence
from typing import Final

from reference_impl.tideline.hrr import cosine
from reference_impl.tideline.records import Recalled

OFF: Final = 1.0


def pick(pool: Sequence[Recalled], mmr_lambda: float, limit: int) -> list[Recalled]:
    """At most ``limit`` facts: each time the best one that is left, the first among equals.

    Best is ``lambda x score / greatest score - (1 - lambda) x greatest cosine to a fact already chosen``. With a lambda of
    1 that is a stable sort by score.
    """
    greatest = max((found.score for found in pool), default=0.0)
    scale = greatest if greatest > 0 else 1.0
    left = list(pool)
    chosen: list[Recalled] = []
    while left and len(chosen) < limit:
        likeness = [_likeness(found, chosen) if mmr_lambda < OFF else 0.0 for found in left]
        worth = [
            mmr_lambda * (found.score / scale) - (1 - mmr_lambda) * like
            for found, like in zip(left, likeness, strict=True)
        ]
        chosen.append(left.pop(worth.index(max(worth))))
    return chosen


def _likeness(found: Recalled, chosen: Sequence[Recalled]) -> float:
    """The greatest cosine to a chosen fact, at least 0; a fact without a comparable embedding is like no other."""
    own = found.record.embedding
    others = (other.record.embedding for other in chosen)
    return max([0.0, *(cosine(own, other) for other in others if own is not None and other is not None)])
