"""The independent engines that expressions are given to, so that a record can say what a real engine refuses.

What an engine says has no influence on a verdict: a specification may define a text that the engine rejects, and that is
a finding about the specification.
"""

from __future__ import annotations

import sqlite3
from functools import cache, lru_cache

ENGINES = ("sqlite-fts5-match",)


@cache
def _table() -> sqlite3.Connection | None:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        connection.execute("CREATE VIRTUAL TABLE texts USING fts5(text)")
    except sqlite3.OperationalError:
        return None
    return connection


def engine_missing() -> str:
    """Why no expression can be checked on this machine; empty where they can."""
    return "" if _table() else f"SQLite {sqlite3.sqlite_version} of this Python has no FTS5."


LONGEST = 20_000
"""Characters of an expression up to which the engine is asked; it takes time that grows with their square."""


@lru_cache(maxsize=65536)
def refusal(match: str) -> str:
    """What SQLite's FTS5 says against `match`; empty if it accepts it, and for the empty string, which is never asked."""
    connection = _table()
    if not match or connection is None:
        return ""
    if len(match) > LONGEST:
        return f"not asked: the expression has {len(match)} characters, and {LONGEST} are the most that are tried"
    try:
        connection.execute("SELECT rowid FROM texts WHERE texts MATCH ?", (match,)).fetchone()
    except sqlite3.Error as error:
        return str(error)
    except UnicodeEncodeError:
        return "holds a lone surrogate, which SQLite cannot take"
    return ""
