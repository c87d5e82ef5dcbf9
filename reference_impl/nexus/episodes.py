"""Retrieval fusion, section "FTS Session Scoping": the memory service's searchEpisodes, on a real SQLite FTS5."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

# The text prints the query; the tables are the least that it can run on. The tokenizer is FTS5's own choice.
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
ORDER BY rank
LIMIT ?
"""


class QueryRefused(Exception):
    """FTS5 cannot read the query as a MATCH expression."""


@dataclass(frozen=True, slots=True)
class StoredEpisode:
    """One exchange of a session. An episode without a session is in no scope."""

    id: int
    session_id: int | None
    user_message: str
    ai_response: str


class EpisodeStore:
    """Episodes that SQLite has indexed, in memory. Close it after use."""

    def __init__(self, episodes: Iterable[StoredEpisode]) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.executescript(_TABLES)
        for one in episodes:
            self._database.execute(_INSERT_EPISODE, (one.id, one.session_id, one.user_message, one.ai_response))
            self._database.execute(_INSERT_TEXTS, (one.id, one.user_message, one.ai_response))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def search_episodes(
        self, query: str, limit: int, session_ids: Sequence[int | str | None] | None = None
    ) -> list[int]:
        """The ids of the best ``limit`` episodes of these sessions; None searches all of them, an empty list none.

        Ids are bound, never written into the statement. The order is bm25 over the whole table, other sessions'
        texts included. Raises QueryRefused.
        """
        scoped = session_ids is not None
        bound = tuple(session_ids or ())
        statement = _SEARCH.format(scope=f" AND e.session_id IN ({', '.join('?' * len(bound))})" if scoped else "")
        try:
            return [id_ for (id_,) in self._database.execute(statement, (query, *bound, limit))]
        except sqlite3.OperationalError as error:
            raise QueryRefused(str(error)) from error
