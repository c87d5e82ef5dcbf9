"""Section "Trust & decay in the score": what is left of a fact's weight, and how gently it enters the score.

The page gives the modulator; the decay itself is the repository's.
"""

import math
from typing import Final

from reference_impl.tideline.records import Durability

DAY: Final = 86_400_000
HALF_LIFE_DAYS: Final = 11.25
DECAY_BETA: Final = 0.8
REINFORCEMENT: Final = 0.1


def effective_score(durability: Durability, now: float) -> float:
    """Importance, faded since the last access, strengthened by accesses; in [0, 1]. A permanent fact stays at 1.

    The half-life grows with importance. An access in the future counts as one now.
    """
    if durability.tier == "permanent":
        return 1.0
    days = max(0.0, (now - durability.last_accessed_at) / DAY)
    rate = math.log(2) / (HALF_LIFE_DAYS * (1 + durability.importance)) * DECAY_BETA * (1 + durability.decay_rate)
    faded = durability.importance * math.exp(-rate * days)
    return clamp(faded * (1 + REINFORCEMENT * math.log1p(durability.access_count)))


def modulator(effective: float) -> float:
    """``0.5 + 0.5 x effectiveScore``: a fully decayed fact keeps half of its relevance."""
    return 0.5 + 0.5 * effective


def clamp(value: float) -> float:
    """The nearest number in [0, 1]."""
    return max(0.0, min(1.0, value))
