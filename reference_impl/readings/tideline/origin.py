"""Other readings of the section "Origin filtering, fail-closed": the visibility of a fact."""

from ...tideline import origin
from ...tideline.origin import OriginDecisions
from ...tideline.records import Channel, Origin

ACTS_ON = ("tideline.*",)


class AccountDoesNotMatter(OriginDecisions, reading="RUL-TIDE-15=b"):
    def identity_of_account(self, channel: Channel) -> tuple[str | None, ...]:
        """The account is no part of the origin of a peer."""
        return ()


class NothingWithoutViewer(OriginDecisions, reading="RUL-TIDE-16=b"):
    def is_visible_without_viewer(self, created_by: Origin | None) -> bool:
        """A search without a viewer fails closed and sees nothing."""
        return False


class EmptyAccountIsAnAccount(OriginDecisions, reading="RUL-TIDE-28=b"):
    def account_of(self, channel: Channel) -> str | None:
        """An empty account differs from no account."""
        return channel.account_id


class NobodyOwnsALegacyFact(OriginDecisions, reading="RUL-TIDE-30=b"):
    def is_legacy_fact_visible(self, viewer: Origin) -> bool:
        """Nobody owns a fact without an origin, so no viewer sees it."""
        return False


class ChannelBeforeOwner(OriginDecisions, reading="RUL-TIDE-31=b"):
    def origin_of_owner_turn(self, channel: Channel | None) -> Origin:
        """A turn of the owner in a channel recalls the channel's facts."""
        return channel or origin.OWNER
