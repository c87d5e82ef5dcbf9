"""Section "Trust & decay in the score": how far the source of a fact is trusted."""

from typing import Final

from reference_impl.tideline.decay import clamp

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

# Facts written before sources were recorded.
LEGACY: Final = 1.0

# A source that the table does not know; the number is the repository's.
UNKNOWN: Final = 0.9


def trust_factor(source_type: str | None, confidence: float | None) -> float:
    """The source's trust, times the confidence in the fact (clamped to [0, 1]) where there is one."""
    trust = TRUST.get(source_type, UNKNOWN) if source_type else LEGACY
    return trust if confidence is None else trust * clamp(confidence)
