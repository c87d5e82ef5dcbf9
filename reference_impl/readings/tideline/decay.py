"""Other readings of the section "Trust & decay in the score": the effective score."""

from ...tideline import trust
from ...tideline.decay import DecayDecisions
from ...tideline.hybrid import HybridDecisions
from ...tideline.records import Durability, MemoryRecord

ACTS_ON = ("tideline.*",)


class FreshFactStartsAtOne(DecayDecisions, reading="RUL-TIDE-12=b"):
    def fresh_score(self, durability: Durability) -> float:
        """A fresh fact starts at 1."""
        return 1.0


class EffectiveScoreWithTrust(DecayDecisions, reading="RUL-TIDE-24=b"):
    def effective_score_of(self, record: MemoryRecord, now: float) -> float:
        """Trust is a part of the effective score, and so has at most half of the effect."""
        return super().effective_score_of(record, now) * trust.trust_factor(record.source_type, record.confidence)


class NoFactorOfTrust(HybridDecisions, reading="RUL-TIDE-24=b"):
    def factor_of_trust(self, record: MemoryRecord) -> float:
        """Trust is no separate factor of the score."""
        return 1.0
