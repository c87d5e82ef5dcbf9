"""Section "Origin filtering, fail-closed": who sees a fact, the filter before scoring, and reinforcement after it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..decisions import Decisions, decided
from ..observer import observe
from . import hybrid
from .hrr import Hrr
from .records import Channel, MemoryRecord, Origin, Owner, Recalled

SECTION = "Origin filtering, fail-closed"

OWNER: Final = Owner()


@dataclass(frozen=True, slots=True)
class Route:
    """The channel that approved the sender of a turn."""

    channel_id: str
    conversation_id: str
    account_id: str | None = None


def matches(created_by: Origin | None, viewer: Origin | None) -> bool:
    """Whether a search with this viewer, or without a viewer, finds a fact."""
    if viewer is None:
        return decided(OriginDecisions).is_visible_without_viewer(created_by)
    return is_visible(created_by, viewer)


def is_visible(created_by: Origin | None, viewer: Origin) -> bool:
    """Whether a viewer sees a fact: the owner sees the owner's facts, a peer the facts of the same origin. Channel,
    conversation, session and account of a peer must be equal.
    """
    if created_by is None:
        return decided(OriginDecisions).is_legacy_fact_visible(viewer)
    return _identity(created_by) == _identity(viewer)


def auto_recall_origin(*, sender_is_owner: bool, route: Route | None, session_key: str) -> Origin | None:
    """The viewer of the facts before a turn; None for an unidentified sender, so that no fact is injected."""
    channel = None
    if route is not None:
        channel = Channel(route.channel_id, route.conversation_id, session_key, route.account_id)
    return decided(OriginDecisions).origin_of_owner_turn(channel) if sender_is_owner else channel


def _identity(origin: Origin) -> tuple[str | None, ...]:
    """The members that equal origins share."""
    if isinstance(origin, Owner):
        return ()
    account = decided(OriginDecisions).identity_of_account(origin)
    return (origin.channel_id, origin.conversation_id, origin.session_key, *account)


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


class OriginDecisions(Decisions):
    """What the section leaves open, as adopted."""

    def is_visible_without_viewer(self, created_by: Origin | None) -> bool:
        """RUL-TIDE-16: a search without a viewer is maintenance and sees the whole store."""
        return True

    def is_legacy_fact_visible(self, viewer: Origin) -> bool:
        """RUL-TIDE-30: a fact without an origin is older than the field and belongs to the owner."""
        return isinstance(viewer, Owner)

    def origin_of_owner_turn(self, channel: Channel | None) -> Origin:
        """RUL-TIDE-31: a turn of the owner is an owner session, whatever channel it comes from."""
        return OWNER

    def identity_of_account(self, channel: Channel) -> tuple[str | None, ...]:
        """RUL-TIDE-15: the account is a part of the origin of a peer."""
        return (self.account_of(channel),)

    def account_of(self, channel: Channel) -> str | None:
        """RUL-TIDE-28: an empty account is no account."""
        return channel.account_id or None
