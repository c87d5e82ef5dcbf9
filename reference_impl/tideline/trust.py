"""Section "Trust & decay in the score": the trust factor of the source of a fact."""

from typing import Final

from ..decisions import Decisions, decided
from .decay import clamp

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


def trust_factor(source_type: str | None, confidence: float | None) -> float:
    """The trust of the source, times the confidence (limited to [0, 1]) if there is one."""
    trust = trust_of_source(source_type) if source_type else LEGACY
    return trust if confidence is None else decided(TrustDecisions).trust_with_confidence(trust, confidence)


def trust_of_source(source_type: str) -> float:
    """The number of the table, or the number of every other source."""
    return TRUST[source_type] if source_type in TRUST else decided(TrustDecisions).trust_of_unknown_source()


class TrustDecisions(Decisions):
    """What the section leaves open, as adopted."""

    def trust_of_unknown_source(self) -> float:
        """RUL-TIDE-14: a source that the table does not list has trust 0.9."""
        return UNKNOWN

    def trust_with_confidence(self, trust: float, confidence: float) -> float:
        """RUL-TIDE-13: trust is multiplied by the confidence, which is limited to [0, 1]."""
        return trust * clamp(confidence)
