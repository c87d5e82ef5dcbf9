"""Section "Trust & decay in the score": the effective score of a fact, and its modulator.

The modulator is on the page; the decay is from the repository.
"""

import math
from typing import Final

from ..decisions import Decisions, decided
from .records import Durability, MemoryRecord

DAY: Final = 86_400_000
HALF_LIFE_DAYS: Final = 11.25
DECAY_BETA: Final = 0.8
REINFORCEMENT: Final = 0.1


def effective_score(durability: Durability, now: float) -> float:
    """The importance, reduced since the last access and raised by accesses, in [0, 1]; 1 for a permanent fact. The
    half-life grows with importance. An access in the future counts as an access now. From the repository.
    """
    if durability.tier == "permanent":
        return 1.0
    days = max(0.0, (now - durability.last_accessed_at) / DAY)
    rate = math.log(2) / (HALF_LIFE_DAYS * (1 + durability.importance)) * DECAY_BETA * (1 + durability.decay_rate)
    faded = decided(DecayDecisions).fresh_score(durability) * math.exp(-rate * days)
    return clamp(faded * (1 + REINFORCEMENT * math.log1p(durability.access_count)))


def modulator(effective: float) -> float:
    """``0.5 + 0.5 x effectiveScore``: a decayed fact keeps half of its relevance."""
    return 0.5 + 0.5 * effective


def clamp(value: float) -> float:
    """Limits a number to [0, 1]."""
    return max(0.0, min(1.0, value))


class DecayDecisions(Decisions):
    """What the section leaves open, as adopted."""

    def effective_score_of(self, record: MemoryRecord, now: float) -> float:
        """RUL-TIDE-24: trust is no part of the effective score of a fact."""
        return effective_score(record.durability, now)

    def fresh_score(self, durability: Durability) -> float:
        """RUL-TIDE-12: a fresh fact starts at its importance."""
        return durability.importance
