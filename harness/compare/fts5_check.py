"""The real engines that check expressions, so that a record lists the expressions that they refuse.

A refusal has no influence on a verdict: a specification may define a text that the engine rejects, and that is a finding
about the specification.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

ENGINES = ("sqlite-fts5-match",)

MAX_CHARACTERS = 20_000
"""Longer expressions are not checked, because the engine's time grows with the square of their length."""


@cache
def _table() -> sqlite3.Connection | None:
    import sqlite3  # few commands check an expression

    connection = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        connection.execute("CREATE VIRTUAL TABLE texts USING fts5(text)")
    except sqlite3.OperationalError:
        return None
    return connection


def engine_missing() -> str:
    """Why no expression can be checked on this machine; empty where they can."""
    import sqlite3

    return "" if _table() else f"SQLite {sqlite3.sqlite_version} of this Python has no FTS5."


@lru_cache(maxsize=65536)
def refusal(match: str) -> str:
    """The error of SQLite's FTS5 for `match`; empty if it accepts it, and for the empty string, which is not checked."""
    import sqlite3

    connection = _table()
    if not match or connection is None:
        return ""
    if len(match) > MAX_CHARACTERS:
        return f"not checked: the expression has {len(match)} characters; the limit is {MAX_CHARACTERS}"
    try:
        connection.execute("SELECT rowid FROM texts WHERE texts MATCH ?", (match,)).fetchone()
    except sqlite3.Error as error:
        return str(error)
    except UnicodeEncodeError:
        return "holds a lone surrogate, which SQLite cannot take"
    return ""
