"""Retrieval fusion, section "FTS Session Scoping": searchEpisodes of the memory service, on SQLite FTS5."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

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
ORDER BY rank
LIMIT ?
"""


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
        """Ids of the best ``limit`` episodes of these sessions. Section "FTS Session Scoping".

        None searches all sessions, an empty list no session. Session ids are bound as parameters. The rank is bm25 over
        the whole table, including the texts of other sessions. Raises QueryRefused.
        """
        scoped = session_ids is not None
        bound = tuple(session_ids or ())
        statement = _SEARCH.format(scope=f" AND e.session_id IN ({', '.join('?' * len(bound))})" if scoped else "")
        try:
            return [id_ for (id_,) in self._database.execute(statement, (query, *bound, limit))]
        except sqlite3.OperationalError as error:
            raise QueryRefused(str(error)) from error
