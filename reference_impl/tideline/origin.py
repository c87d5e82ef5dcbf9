"""Section "Origin filtering, fail-closed": who may see a fact."""

from dataclasses import dataclass
from typing import Final

from reference_impl.tideline.records import Channel, Origin, Owner

OWNER: Final = Owner()


@dataclass(frozen=True, slots=True)
class Route:
    """The channel by which the sender of a turn was approved."""

    channel_id: str
    conversation_id: str
    account_id: str | None = None


def is_visible(created_by: Origin | None, viewer: Origin) -> bool:
    """The owner sees the owner's facts, a peer those of the same channel, conversation, session and account.

    A fact without an origin is the owner's: it is older than the field.
    """
    return _identity(created_by or OWNER) == _identity(viewer)


def auto_recall_origin(*, sender_is_owner: bool, route: Route | None, session_key: str) -> Origin | None:
    """For whom the facts before a turn are recalled; None for nobody, so that nothing is injected.

    Being the owner stands above the route.
    """
    if sender_is_owner:
        return OWNER
    if route is None:
        return None
    return Channel(route.channel_id, route.conversation_id, session_key, route.account_id)


def _identity(origin: Origin) -> tuple[str, ...]:
    """What two origins must share to be the same one; no account and an empty one are the same."""
    if isinstance(origin, Owner):
        return ()
    return (origin.channel_id, origin.conversation_id, origin.session_key, origin.account_id or "")
