"""Other readings of the retrieval fusion document's section "FTS Session Scoping": the keyword search."""

import sqlite3

from ...nexus.episodes import EpisodesDecisions, EpisodeStore, SessionIds, StoredEpisode

ACTS_ON = ("nexus.ftsSearch",)

_ALL_EPISODES = "SELECT id, session_id, user_message, ai_response FROM episodes"


class OnlyAListWithSessionsIsAScope(EpisodesDecisions, reading="RUL-NEXUS-08=b"):
    def is_scope(self, session_ids: SessionIds | None) -> bool:
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
    def bound_session_ids(self, session_ids: SessionIds) -> SessionIds:
        """A string finds nothing."""
        return [id_ for id_ in session_ids if not isinstance(id_, str)]


class DescendingIds(EpisodesDecisions, reading="RUL-NEXUS-21=b"):
    def result_order(self) -> str:
        """Episodes of equal rank come by descending id."""
        return "rank, e.id DESC"


class RankedWithinTheScope(EpisodesDecisions, reading="RUL-NEXUS-22=b"):
    def ranked_ids(self, store: EpisodeStore, expression: str, limit: int, session_ids: SessionIds | None) -> list[int]:
        """The rank is computed over the episodes of the scope alone."""
        if not self.is_scope(session_ids):
            return super().ranked_ids(store, expression, limit, session_ids)
        bound = self.bound_session_ids(session_ids or ())
        scope = f"WHERE session_id IN ({', '.join('?' * len(bound))})"
        rows = store.database.execute(f"{_ALL_EPISODES} {scope}", tuple(bound))
        with EpisodeStore(StoredEpisode(*row) for row in rows) as of_the_scope:
            return super().ranked_ids(of_the_scope, expression, limit, session_ids)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
