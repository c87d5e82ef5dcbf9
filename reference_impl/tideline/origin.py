"""Section "Origin filtering, fail-closed": the visibility of a fact."""

from dataclasses import dataclass
from typing import Final

from .records import Channel, Origin, Owner

OWNER: Final = Owner()


@dataclass(frozen=True, slots=True)
class Route:
    """The channel that approved the sender of a turn."""

    channel_id: str
    conversation_id: str
    account_id: str | None = None


def is_visible(created_by: Origin | None, viewer: Origin) -> bool:
    """Whether a viewer sees a fact: the owner sees the owner's facts, a peer the facts of the same origin.

    Channel, conversation, session and account of a peer must be equal. A fact without an origin is older than the field
    and belongs to the owner. Section "Origin filtering, fail-closed".
    """
    return _identity(created_by or OWNER) == _identity(viewer)


def auto_recall_origin(*, sender_is_owner: bool, route: Route | None, session_key: str) -> Origin | None:
    """The viewer of the facts before a turn; None for an unidentified sender, so that no fact is injected.

    The owner flag takes precedence over the route. Section "Origin filtering, fail-closed".
    """
    if sender_is_owner:
        return OWNER
    if route is None:
        return None
    return Channel(route.channel_id, route.conversation_id, session_key, route.account_id)


def _identity(origin: Origin) -> tuple[str, ...]:
    """The members that equal origins share; a missing account equals an empty one."""
    if isinstance(origin, Owner):
        return ()
    return (origin.channel_id, origin.conversation_id, origin.session_key, origin.account_id or "")
