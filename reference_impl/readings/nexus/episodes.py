"""Other readings of the retrieval fusion document's section "FTS Session Scoping": the keyword search."""

import sqlite3
from collections.abc import Iterable, Sequence

from ...decisions import decided
from ...nexus.episodes import EpisodesDecisions, EpisodeStore, StoredEpisode

ACTS_ON = ("nexus.ftsSearch",)

_ALL_EPISODES = "SELECT id, session_id, user_message, ai_response FROM episodes"


class OnlyAListWithSessionsIsAScope(EpisodesDecisions, reading="RUL-NEXUS-08=b"):
    def is_scope(self, session_ids: Sequence[int | str | None] | None) -> bool:
        """An empty list is not a scope, and the search finds the episodes of all sessions."""
        return bool(session_ids)


class OnePhrase(EpisodesDecisions, reading="RUL-NEXUS-13=b"):
    def match_expression(self, query: str) -> str:
        """The text is quoted as one phrase."""
        return _quoted(query)


class QuotedWords(EpisodesDecisions, reading="RUL-NEXUS-13=c"):
    def match_expression(self, query: str) -> str:
        """Each word is quoted."""
        return " ".join(map(_quoted, query.split()))


class NothingIsFound(EpisodesDecisions, reading="RUL-NEXUS-13=d"):
    def found_by_invalid_expression(self, error: sqlite3.OperationalError) -> list[int]:
        """The error is caught, and nothing is found."""
        return []


class NumbersAlone(EpisodesDecisions, reading="RUL-NEXUS-14=b"):
    def bound_session_ids(self, session_ids: Iterable[int | str | None]) -> tuple[int | str | None, ...]:
        """A string finds nothing."""
        return tuple(id_ for id_ in session_ids if not isinstance(id_, str))


class DescendingIds(EpisodesDecisions, reading="RUL-NEXUS-21=b"):
    def result_order(self) -> str:
        """Episodes of equal rank come by descending id."""
        return "rank, e.id DESC"


class RankedWithinTheScope(EpisodeStore, reading="RUL-NEXUS-22=b"):
    def ranked_ids(self, expression: str, limit: int, session_ids: Sequence[int | str | None] | None) -> list[int]:
        """The rank is computed over the episodes of the scope alone."""
        if not decided(EpisodesDecisions).is_scope(session_ids):
            return super().ranked_ids(expression, limit, session_ids)
        bound = decided(EpisodesDecisions).bound_session_ids(session_ids or ())
        scope = f"WHERE session_id IN ({', '.join('?' * len(bound))})"
        rows = self.database.execute(f"{_ALL_EPISODES} {scope}", bound)
        with type(self)(StoredEpisode(*row) for row in rows) as of_the_scope:
            return super(RankedWithinTheScope, of_the_scope).ranked_ids(expression, limit, session_ids)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
