"""Other readings of the scripted memory service for ``nexus.getFused``."""

from collections.abc import Sequence

from ...nexus import scripted
from ...nexus.fusion import EpisodeId
from ...switches import Switches

SWITCHES = Switches("nexus.*")


@SWITCHES.reading("RUL-NEXUS-15", "b", scripted.returned_ids)
def all_rows(found: Sequence[EpisodeId], limit: int) -> Sequence[EpisodeId]:
    """The service returns all scripted rows."""
    del limit
    return found
