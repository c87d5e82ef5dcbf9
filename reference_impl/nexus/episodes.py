"""Retrieval fusion, section "FTS Session Scoping": searchEpisodes of the memory service, on SQLite FTS5."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from ..decisions import Decisions, decided

# The specification has the query; these tables are the minimum for it. The tokenizer is the default of FTS5.
_TABLES = """
CREATE TABLE episodes (id INTEGER PRIMARY KEY, session_id INTEGER, user_message TEXT, ai_response TEXT);
CREATE VIRTUAL TABLE episodes_fts USING fts5(user_message, ai_response);
"""
_INSERT_EPISODE = "INSERT INTO episodes (id, session_id, user_message, ai_response) VALUES (?, ?, ?, ?)"
_INSERT_TEXTS = "INSERT INTO episodes_fts (rowid, user_message, ai_response) VALUES (?, ?, ?)"

_SEARCH = """
SELECT e.id FROM episodes e
JOIN episodes_fts fts ON e.id = fts.rowid
WHERE episodes_fts MATCH ?{scope}
ORDER BY {order}
LIMIT ?
"""


SessionIds = Sequence[int | str | None]


class QueryRefused(Exception):
    """The query is not a valid MATCH expression of FTS5."""


@dataclass(frozen=True, slots=True)
class StoredEpisode:
    """One exchange of a session. An episode without a session belongs to no scope."""

    id: int
    session_id: int | None
    user_message: str
    ai_response: str


class EpisodeStore:
    """In-memory SQLite index of episodes. Close it after use."""

    def __init__(self, episodes: Iterable[StoredEpisode]) -> None:
        self.database = sqlite3.connect(":memory:")
        self.database.executescript(_TABLES)
        for one in episodes:
            self.database.execute(_INSERT_EPISODE, (one.id, one.session_id, one.user_message, one.ai_response))
            self.database.execute(_INSERT_TEXTS, (one.id, one.user_message, one.ai_response))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def search_episodes(self, query: str, limit: int, session_ids: SessionIds | None = None) -> list[int]:
        """Ids of the best ``limit`` episodes of these sessions. None searches all sessions, an empty list no session.
        Raises QueryRefused.
        """
        rule = decided(EpisodesDecisions)
        try:
            return rule.ranked_ids(self, rule.match_expression(query), limit, session_ids)
        except sqlite3.OperationalError as error:
            return rule.found_by_invalid_expression(error)

    def ranked_ids(self, expression: str, limit: int, session_ids: SessionIds | None) -> list[int]:
        """Runs the query of the section; the session ids are bound as parameters."""
        rule = decided(EpisodesDecisions)
        bound = rule.bound_session_ids(session_ids or ())
        scope = f" AND e.session_id IN ({', '.join('?' * len(bound))})" if rule.is_scope(session_ids) else ""
        statement = _SEARCH.format(scope=scope, order=rule.result_order())
        return [id_ for (id_,) in self.database.execute(statement, (expression, *bound, limit))]


class EpisodesDecisions(Decisions):
    """What the section leaves open about the keyword search, as adopted."""

    def ranked_ids(self, store: EpisodeStore, expression: str, limit: int, session_ids: SessionIds | None) -> list[int]:
        """RUL-NEXUS-22: the rank is bm25 over the whole table, including the texts of other sessions."""
        return store.ranked_ids(expression, limit, session_ids)

    def is_scope(self, session_ids: SessionIds | None) -> bool:
        """RUL-NEXUS-08: an empty list is a scope without sessions."""
        return session_ids is not None

    def bound_session_ids(self, session_ids: SessionIds) -> SessionIds:
        """RUL-NEXUS-14: a numeric string finds the session with that number, as SQLite compares it."""
        return session_ids

    def match_expression(self, query: str) -> str:
        """RUL-NEXUS-13: the user's text is passed to MATCH unchanged."""
        return query

    def found_by_invalid_expression(self, error: sqlite3.OperationalError) -> list[int]:
        """RUL-NEXUS-13: the answer to an invalid MATCH expression is the engine's error. Raises QueryRefused."""
        raise QueryRefused(str(error)) from error

    def result_order(self) -> str:
        """RUL-NEXUS-21: episodes of equal rank come by ascending id, as SQLite 3.40.1 returns them."""
        return "rank"
