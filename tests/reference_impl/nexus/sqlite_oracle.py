"""Asks SQLite's own FTS5 which episodes a search finds, by the statement that the retrieval fusion document prints.

    python tests/reference_impl/nexus/sqlite_oracle.py FIXTURE.yaml QUERY LIMIT [SESSION-IDS]

SESSION-IDS is a JSON list; without it the search has no scope. It prints the ids, best first, with their ranks, or what
SQLite says of the query. It shares no code with the reference implementation.
"""

import json
import sqlite3
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml

SCHEMA = """
CREATE TABLE episodes (id INTEGER PRIMARY KEY, session_id INTEGER, user_message TEXT, ai_response TEXT);
CREATE VIRTUAL TABLE episodes_fts USING fts5(user_message, ai_response);
"""


def indexed(episodes: Iterable[dict[str, Any]]) -> sqlite3.Connection:
    """A database of the episodes."""
    database = sqlite3.connect(":memory:")
    database.executescript(SCHEMA)
    for row in episodes:
        database.execute("INSERT INTO episodes VALUES (:id, :session_id, :user_message, :ai_response)", row)
        database.execute(
            "INSERT INTO episodes_fts (rowid, user_message, ai_response) VALUES (:id, :user_message, :ai_response)", row
        )
    return database


def found(
    database: sqlite3.Connection, query: str, limit: int, session_ids: Sequence[object] | None
) -> list[tuple[int, float]]:
    """Ids and ranks, best first."""
    scope = "" if session_ids is None else f"AND e.session_id IN ({', '.join('?' for _ in session_ids)}) "
    statement = (
        "SELECT e.id, rank FROM episodes e JOIN episodes_fts fts ON e.id = fts.rowid "
        f"WHERE episodes_fts MATCH ? {scope}ORDER BY rank LIMIT ?"
    )
    return database.execute(statement, (query, *(session_ids or ()), limit)).fetchall()


def main(arguments: list[str]) -> int:
    """Prints what the search finds; 0 when it was answered, 1 when SQLite rejects it, 2 for other arguments."""
    if len(arguments) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    path, query, limit, *scope = arguments
    database = indexed(yaml.safe_load(Path(path).read_text(encoding="utf-8")))
    try:
        rows = found(database, query, int(limit), json.loads(scope[0]) if scope else None)
    except sqlite3.Error as error:
        print(f"refused: {error}")
        return 1
    print("\n".join(f"{id_}  {rank:.9f}" for id_, rank in rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
