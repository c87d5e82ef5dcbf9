"""Section "Origin filtering, fail-closed": filtering before scoring, and reinforcement after it."""

from collections.abc import Sequence
from dataclasses import replace

from ..observer import observe
from . import hybrid
from .hrr import Hrr
from .origin import matches
from .records import MemoryRecord, Origin, Recalled

SECTION = "Origin filtering, fail-closed"


def candidates(records: Sequence[MemoryRecord], now: float, viewer: Origin | None) -> list[MemoryRecord]:
    """The active, valid and visible facts."""
    return [
        record
        for record in records
        if record.lifecycle == "active"
        and (record.valid_to is None or record.valid_to > now)
        and matches(record.created_by, viewer)
    ]


def search(
    records: Sequence[MemoryRecord], query: str, now: float, viewer: Origin | None, limit: int = hybrid.DEFAULT_LIMIT
) -> list[Recalled]:
    """Hybrid recall over the visible facts; changes no record."""
    visible = candidates(records, now, viewer)
    observe(SECTION, "candidates", [record.memory_id for record in visible])
    return hybrid.recall(visible, query, now, Hrr(), hybrid.Settings(limit))


def reinforced(records: Sequence[MemoryRecord], found: Sequence[Recalled], now: float) -> list[MemoryRecord]:
    """The store after a recall with ``markAccessed``: each recalled fact has one more access, at ``now``. From the
    repository.
    """
    accessed = {recalled.record.memory_id for recalled in found}
    return [_accessed(record, now) if record.memory_id in accessed else record for record in records]


def _accessed(record: MemoryRecord, now: float) -> MemoryRecord:
    durability = replace(record.durability, access_count=record.durability.access_count + 1, last_accessed_at=now)
    return replace(record, durability=durability)
