"""Other readings of the section "Origin filtering, fail-closed": the visibility of a fact."""

from ...switches import Switches
from ...tideline import origin
from ...tideline.records import Channel, Origin

SWITCHES = Switches("tideline.*")


@SWITCHES.reading("RUL-TIDE-15", "b", origin.identity_of_account)
def account_does_not_matter(channel: Channel) -> tuple[str | None, ...]:
    """The account is no part of the origin of a peer."""
    del channel
    return ()


@SWITCHES.reading("RUL-TIDE-16", "b", origin.is_visible_without_viewer)
def nothing_without_viewer(created_by: Origin | None) -> bool:
    """A search without a viewer fails closed and sees nothing."""
    del created_by
    return False


@SWITCHES.reading("RUL-TIDE-28", "b", origin.account_of)
def empty_account_is_an_account(channel: Channel) -> str | None:
    """An empty account differs from no account."""
    return channel.account_id


@SWITCHES.reading("RUL-TIDE-30", "b", origin.is_legacy_fact_visible)
def nobody_owns_a_legacy_fact(viewer: Origin) -> bool:
    """Nobody owns a fact without an origin, so no viewer sees it."""
    del viewer
    return False


@SWITCHES.reading("RUL-TIDE-31", "b", origin.origin_of_owner_turn)
def channel_before_owner(channel: Channel | None) -> Origin:
    """A turn of the owner in a channel recalls the channel's facts."""
    return channel or origin.OWNER
