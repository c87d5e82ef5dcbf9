"""Section "Trust & decay in the score": the trust of a source, the effective score of a fact, and its modulator.

The table of trust and the modulator are on the page; the decay is from the repository.
"""

import math
from typing import Final

from ..decisions import Decisions, decided
from .records import Durability, MemoryRecord

TRUST: Final = {
    "user_instruction": 1.0,
    "owner_message": 1.0,
    "extraction": 0.9,
    "dream": 0.85,
    "compaction": 0.85,
    "channel_message": 0.8,
    "tool_output": 0.65,
    "retrieved_document": 0.6,
}

# Facts that are older than the field for the source.
LEGACY: Final = 1.0

# A source that is not in the table; the number is from the repository.
UNKNOWN: Final = 0.9

DAY: Final = 86_400_000
HALF_LIFE_DAYS: Final = 11.25
DECAY_BETA: Final = 0.8
REINFORCEMENT: Final = 0.1


def trust_factor(source_type: str | None, confidence: float | None) -> float:
    """The trust of the source, times the confidence (limited to [0, 1]) if there is one."""
    rule = decided(ScoreDecisions)
    trust = (TRUST.get(source_type) or rule.trust_of_unknown_source()) if source_type else LEGACY
    return trust if confidence is None else rule.trust_with_confidence(trust, confidence)


def effective_score(durability: Durability, now: float) -> float:
    """The importance, reduced since the last access and raised by accesses, in [0, 1]; 1 for a permanent fact. The
    half-life grows with importance. An access in the future counts as an access now. From the repository.
    """
    if durability.tier == "permanent":
        return 1.0
    days = max(0.0, (now - durability.last_accessed_at) / DAY)
    rate = math.log(2) / (HALF_LIFE_DAYS * (1 + durability.importance)) * DECAY_BETA * (1 + durability.decay_rate)
    faded = decided(ScoreDecisions).fresh_score(durability) * math.exp(-rate * days)
    return clamp(faded * (1 + REINFORCEMENT * math.log1p(durability.access_count)))


def modulator(effective: float) -> float:
    """``0.5 + 0.5 x effectiveScore``: a decayed fact keeps half of its relevance."""
    return 0.5 + 0.5 * effective


def clamp(value: float) -> float:
    """Limits a number to [0, 1]."""
    return max(0.0, min(1.0, value))


class ScoreDecisions(Decisions):
    """What the section leaves open, as adopted."""

    def trust_of_unknown_source(self) -> float:
        """RUL-TIDE-14: a source that the table does not list has trust 0.9."""
        return UNKNOWN

    def trust_with_confidence(self, trust: float, confidence: float) -> float:
        """RUL-TIDE-13: trust is multiplied by the confidence, which is limited to [0, 1]."""
        return trust * clamp(confidence)

    def effective_score_of(self, record: MemoryRecord, now: float) -> float:
        """RUL-TIDE-24: trust is no part of the effective score of a fact."""
        return effective_score(record.durability, now)

    def fresh_score(self, durability: Durability) -> float:
        """RUL-TIDE-12: a fresh fact starts at its importance."""
        return durability.importance
