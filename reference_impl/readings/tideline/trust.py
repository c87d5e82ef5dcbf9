"""Other readings of the section "Trust & decay in the score": the trust factor."""

from ...switches import Switches
from ...tideline import trust

SWITCHES = Switches("tideline.*")


@SWITCHES.reading("RUL-TIDE-13", "b", trust.trust_with_confidence)
def trust_is_the_number_of_the_table(trust: float, confidence: float) -> float:
    """The confidence does not change the trust."""
    del confidence
    return trust


@SWITCHES.reading("RUL-TIDE-14", "b", trust.trust_of_unknown_source)
def as_for_legacy_facts() -> float:
    """Any other source has the trust of a legacy fact, 1.0."""
    return trust.LEGACY


@SWITCHES.reading("RUL-TIDE-14", "c", trust.trust_of_unknown_source)
def lowest_value_of_the_table() -> float:
    """Any other source has the lowest trust of the table, 0.6."""
    return min(trust.TRUST.values())
