"""Retrieval fusion, sections "Architecture" and "Data Shape Consistency": getFusedEpisodes."""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from ..decisions import Decisions, decided
from ..observer import observe
from .fusion import Episode, EpisodeId, Scored, fuse_episode_results
from .scope import SessionId
from .settings import Settings

SECTION = "Data Shape Consistency"

# Factor on the keyword limit, because recent episodes are removed after the search.
FTS_HEADROOM: Final = 2


class MemoryService(Protocol):
    """The calls of the memory service in one chat request; the service already has the query."""

    def episode_by_id(self, id_: EpisodeId) -> Episode:
        """The full row of an id."""

    def search_episodes(self, limit: int, session_ids: Sequence[SessionId]) -> Sequence[Episode]:
        """Full rows that match the query, best first."""


def get_fused_episodes(
    memory: MemoryService,
    semantic_ids: Sequence[EpisodeId],
    recent_ids: Iterable[EpisodeId],
    session_ids: Sequence[SessionId],
    semantic_limit: int,
    settings: Settings,
) -> list[Scored]:
    """The best ``semantic_limit`` episodes of both strategies, without recent ones. Section "Architecture".
    ``semantic_ids`` is the vector ranking. Recent episodes are removed from both lists before ranks and limits apply.
    Section "Data Shape Consistency".
    """
    recent = frozenset(recent_ids)
    semantic = [memory.episode_by_id(id_) for id_ in semantic_ids if id_ not in recent]
    observe(SECTION, "semantic episodes", [episode.id for episode in semantic])
    keyword: list[Episode] = []
    if decided(RetrievalDecisions).is_keyword_search_on(settings):
        found = memory.search_episodes(semantic_limit * FTS_HEADROOM, session_ids)
        keyword = [episode for episode in found if episode.id not in recent]
        observe(SECTION, "keyword episodes", [episode.id for episode in keyword])
    return fuse_episode_results(semantic, keyword, settings, semantic_limit)


class RetrievalDecisions(Decisions):
    """What the two sections leave open, as adopted."""

    def is_keyword_search_on(self, settings: Settings) -> bool:
        """RUL-NEXUS-07: only a keyword weight of 0 switches the keyword search off; a negative one does not."""
        return settings.keyword_weight != 0
