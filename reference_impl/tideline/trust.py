"""Section "Trust & decay in the score": the trust factor of the source of a fact."""

from typing import Final

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
    """The trust of the source, times the confidence (limited to [0, 1]) if there is one.

    Section "Trust & decay in the score".
    """
    trust = TRUST.get(source_type, UNKNOWN) if source_type else LEGACY
    return trust if confidence is None else trust * clamp(confidence)
