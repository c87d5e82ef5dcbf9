"""Keyword index of given chunks: SQLite's FTS5, in memory.

The specification does not define columns, weights and tokenizer; the choice here is the choice of the cases.
"""

import sqlite3
from collections.abc import Sequence

from ...jeffs_brain.candidates import Chunk
from ...jeffs_brain.search import StageError

_CREATE = "CREATE VIRTUAL TABLE chunk USING fts5(path, title, summary, tags, content, tokenize = 'porter unicode61')"
_INSERT = "INSERT INTO chunk(rowid, path, title, summary, tags, content) VALUES (?, ?, ?, ?, ?, ?)"

# The five weights belong to the five columns.
_SEARCH = "SELECT rowid FROM chunk WHERE chunk MATCH ? ORDER BY bm25(chunk, 3.0, 10.0, 5.0, 4.0, 1.0), rowid LIMIT ?"

_MOST_ROWS = 2**63 - 1  # the largest integer of SQLite


class Fts5Index:
    """In-memory FTS5 index of chunks; tags are joined with spaces."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = tuple(chunks)
        self._database = sqlite3.connect(":memory:")
        self._database.execute(_CREATE)
        self._database.executemany(_INSERT, (_row(place, chunk) for place, chunk in enumerate(self._chunks)))

    def search_bm25(self, match: str, limit: int) -> Sequence[Chunk]:
        """The best ``limit`` chunks of a MATCH expression. Raises StageError if FTS5 refuses it."""
        try:
            rows = self._database.execute(_SEARCH, (match, min(limit, _MOST_ROWS))).fetchall()
        except sqlite3.Error as refused:
            raise StageError(str(refused)) from refused
        return [self._chunks[place] for (place,) in rows]

    def chunks(self) -> Sequence[Chunk]:
        """Every indexed chunk, in the given order."""
        return self._chunks


def _row(place: int, chunk: Chunk) -> tuple[int, str, str, str, str, str]:
    return place, chunk.path, chunk.title, chunk.summary, " ".join(chunk.tags), chunk.content
