"""Other readings of the section "Origin filtering, fail-closed": the visibility of a fact."""

from ...tideline import origin
from ...tideline.origin import OriginDecisions
from ...tideline.records import Channel, Origin

ACTS_ON = ("tideline.*",)


class AccountDoesNotMatter(OriginDecisions, reading="RUL-TIDE-15=b"):
    """The account is no part of the origin of a peer."""

    def identity_of_account(self, channel: Channel) -> tuple[str | None, ...]:
        return ()


class NothingWithoutViewer(OriginDecisions, reading="RUL-TIDE-16=b"):
    """A search without a viewer fails closed and sees nothing."""

    def is_visible_without_viewer(self, created_by: Origin | None) -> bool:
        return False


class EmptyAccountIsAnAccount(OriginDecisions, reading="RUL-TIDE-28=b"):
    """An empty account differs from no account."""

    def account_of(self, channel: Channel) -> str | None:
        return channel.account_id


class NobodyOwnsALegacyFact(OriginDecisions, reading="RUL-TIDE-30=b"):
    """Nobody owns a fact without an origin, so no viewer sees it."""

    def is_legacy_fact_visible(self, viewer: Origin) -> bool:
        return False


class ChannelBeforeOwner(OriginDecisions, reading="RUL-TIDE-31=b"):
    """A turn of the owner in a channel recalls the channel's facts."""

    def origin_of_owner_turn(self, channel: Channel | None) -> Origin:
        return channel or origin.OWNER
