"""Selection of the final facts by maximal marginal relevance, with the option ``mmrLambda`` below 1.

The page does not have this step; the option is from the repository.
"""

from collections.abc import Sequence
from typing import Final

from .hrr import cosine
from .records import Recalled

OFF: Final = 1.0


def pick(pool: Sequence[Recalled], mmr_lambda: float, limit: int) -> list[Recalled]:
    """Selects at most ``limit`` facts: each time the best remaining one, the first of equal ones. From the repository.
    The value of a fact is ``lambda x score / greatest score - (1 - lambda) x greatest cosine to a selected fact``.
    """
    greatest = max((found.score for found in pool), default=0.0)
    scale = greatest if greatest > 0 else 1.0
    left = list(pool)
    chosen: list[Recalled] = []
    while left and len(chosen) < limit:
        likeness = [_likeness(found, chosen) for found in left]
        worth = [
            mmr_lambda * (found.score / scale) - (1 - mmr_lambda) * like
            for found, like in zip(left, likeness, strict=True)
        ]
        chosen.append(left.pop(worth.index(max(worth))))
    return chosen


def _likeness(found: Recalled, chosen: Sequence[Recalled]) -> float:
    """The greatest cosine to a selected fact, at least 0; 0 for a fact without a comparable embedding."""
    own = found.record.embedding
    others = (other.record.embedding for other in chosen)
    return max([0.0, *(cosine(own, other) for other in others if own is not None and other is not None)])
