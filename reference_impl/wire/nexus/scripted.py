"""Test double for ``nexus.getFused``: a memory service with scripted results, which records every call."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...decisions import Decisions, decided
from ...nexus.fusion import Episode, EpisodeId
from ...nexus.scope import SessionId


@dataclass(frozen=True, slots=True)
class FtsCall:
    """One request to /episodes/search."""

    limit: int
    session_ids: tuple[SessionId, ...]


@dataclass(slots=True)
class ScriptedMemory:
    """A service with a row for every id; a keyword search finds ``fts_ids``."""

    fts_ids: Sequence[EpisodeId]
    fetched: list[EpisodeId] = field(default_factory=list)
    fts_call: FtsCall | None = None

    def episode_by_id(self, id_: EpisodeId) -> Episode:
        """Returns the row of an id."""
        self.fetched.append(id_)
        return Episode(id_)

    def search_episodes(self, limit: int, session_ids: Sequence[SessionId]) -> Sequence[Episode]:
        """Returns the scripted rows."""
        self.fts_call = FtsCall(limit, tuple(session_ids))
        return [Episode(id_) for id_ in decided(ScriptedDecisions).returned_ids(self.fts_ids, limit)]


class ScriptedDecisions(Decisions):
    """What the specification leaves open about the memory service, as adopted."""

    def returned_ids(self, found: Sequence[EpisodeId], limit: int) -> Sequence[EpisodeId]:
        """RUL-NEXUS-15: the service returns the first rows, up to the limit of the request."""
        return found[:limit]
