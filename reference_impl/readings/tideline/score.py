"""Other readings of the section "Trust & decay in the score"."""

from ...tideline import score
from ...tideline.hybrid import HybridDecisions
from ...tideline.records import Durability, MemoryRecord
from ...tideline.score import ScoreDecisions

ACTS_ON = ("tideline.*",)


class TrustIsTheNumberOfTheTable(ScoreDecisions, reading="RUL-TIDE-13=b"):
    def trust_with_confidence(self, trust: float, confidence: float) -> float:
        """The confidence does not change the trust."""
        return trust


class AsForLegacyFacts(ScoreDecisions, reading="RUL-TIDE-14=b"):
    def trust_of_unknown_source(self) -> float:
        """Any other source has the trust of a legacy fact, 1.0."""
        return score.LEGACY


class LowestValueOfTheTable(ScoreDecisions, reading="RUL-TIDE-14=c"):
    def trust_of_unknown_source(self) -> float:
        """Any other source has the lowest trust of the table, 0.6."""
        return min(score.TRUST.values())


class FreshFactStartsAtOne(ScoreDecisions, reading="RUL-TIDE-12=b"):
    def fresh_score(self, durability: Durability) -> float:
        """A fresh fact starts at 1."""
        return 1.0


class EffectiveScoreWithTrust(ScoreDecisions, reading="RUL-TIDE-24=b"):
    def effective_score_of(self, record: MemoryRecord, now: float) -> float:
        """Trust is a part of the effective score, and so has at most half of the effect."""
        return super().effective_score_of(record, now) * score.trust_factor(record.source_type, record.confidence)


class NoFactorOfTrust(HybridDecisions, reading="RUL-TIDE-24=b"):
    def factor_of_trust(self, record: MemoryRecord) -> float:
        """Trust is no separate factor of the score."""
        return 1.0
