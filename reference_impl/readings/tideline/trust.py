"""Other readings of the section "Trust & decay in the score": the trust factor."""

from ...tideline import trust
from ...tideline.trust import TrustDecisions

ACTS_ON = ("tideline.*",)


class TrustIsTheNumberOfTheTable(TrustDecisions, reading="RUL-TIDE-13=b"):
    def trust_with_confidence(self, trust: float, confidence: float) -> float:
        """The confidence does not change the trust."""
        return trust


class AsForLegacyFacts(TrustDecisions, reading="RUL-TIDE-14=b"):
    def trust_of_unknown_source(self) -> float:
        """Any other source has the trust of a legacy fact, 1.0."""
        return trust.LEGACY


class LowestValueOfTheTable(TrustDecisions, reading="RUL-TIDE-14=c"):
    def trust_of_unknown_source(self) -> float:
        """Any other source has the lowest trust of the table, 0.6."""
        return min(trust.TRUST.values())
