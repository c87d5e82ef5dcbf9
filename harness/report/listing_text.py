"""Why a gate lists a result as it does, as text."""

from __future__ import annotations

from ..gate.listing import NewReason
from ..gate.summary import new_reason
from ..model import OutcomeFacts

NEW_REASON_TEXT = {
    NewReason.NOT_LISTED: "not a known divergence",
    NewReason.OTHER_ANSWER: "another answer than the model predicts",
    NewReason.OTHER_SIGNATURE: "known divergence with another signature",
    NewReason.UNSUPPORTED_NOT_LISTED: "not listed as unsupported",
    NewReason.LISTED_AS_UNSUPPORTED: "listed as unsupported, and answered now",
}
"""The text of each reason for a new result."""


def listing_text(result: OutcomeFacts) -> str:
    """The reason of a result's listing; empty without one."""
    reason = new_reason(result)
    if reason is not None:
        return NEW_REASON_TEXT[reason]
    return result.expectation.reason if result.expectation else ""
