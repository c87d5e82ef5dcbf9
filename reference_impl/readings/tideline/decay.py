"""Other readings of the section "Trust & decay in the score": the effective score."""

from collections.abc import Callable

from ...switches import Switches
from ...tideline import decay, hybrid, trust
from ...tideline.records import Durability, MemoryRecord

SWITCHES = Switches("tideline.*")


@SWITCHES.reading("RUL-TIDE-12", "b", decay.fresh_score)
def fresh_fact_starts_at_one(durability: Durability) -> float:
    """A fresh fact starts at 1."""
    del durability
    return 1.0


@SWITCHES.reading("RUL-TIDE-24", "b", decay.effective_score_of, wraps=True)
def effective_score_with_trust(
    current: Callable[[MemoryRecord, float], float], record: MemoryRecord, now: float
) -> float:
    """Trust is a part of the effective score, and so has at most half of the effect."""
    return current(record, now) * trust.trust_factor(record.source_type, record.confidence)


@SWITCHES.reading("RUL-TIDE-24", "b", hybrid.factor_of_trust)
def no_factor_of_trust(record: MemoryRecord) -> float:
    """Trust is no separate factor of the score."""
    del record
    return 1.0
