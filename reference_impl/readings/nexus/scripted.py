"""Other readings of the scripted memory service for ``nexus.getFused``."""

from collections.abc import Sequence

from ...nexus.fusion import EpisodeId
from ...wire.nexus.scripted import ScriptedDecisions

ACTS_ON = ("nexus.*",)


class AllRows(ScriptedDecisions, reading="RUL-NEXUS-15=b"):
    def returned_ids(self, found: Sequence[EpisodeId], limit: int) -> Sequence[EpisodeId]:
        """The service returns all scripted rows."""
        return found
