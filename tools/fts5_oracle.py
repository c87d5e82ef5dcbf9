"""Checks a MATCH string with SQLite's FTS5: the notes that it finds, and whether column weights change their order.

    python tools/fts5_oracle.py cases/jeffs_brain/fixtures/notes.yaml 'kubernetes'

It shares no code with the reference implementation. It prints one id a line, best first. It exits with 1 if two notes tie
or if one of many other weightings changes the order: such a MATCH string is no evidence about an implementation.
"""

from __future__ import annotations

import random
import sqlite3
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import yaml

COLUMNS = ("path", "title", "summary", "tags", "content")
WEIGHTS = (3.0, 10.0, 5.0, 4.0, 1.0)
OTHER_WEIGHTINGS = 300
SMALLEST_GAP = 1e-9

Ranking = list[tuple[str, float]]


def indexed(notes: list[dict[str, object]]) -> sqlite3.Connection:
    """Builds an FTS5 table of the notes, with the tokenizer `porter unicode61`, and a table of their ids."""
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE VIRTUAL TABLE note USING fts5({', '.join(COLUMNS)}, tokenize='porter unicode61')")
    database.execute("CREATE TABLE name (row INTEGER PRIMARY KEY, id TEXT)")
    for row, note in enumerate(notes, 1):
        database.execute(
            "INSERT INTO note (rowid, path, title, summary, tags, content) VALUES (?, ?, ?, ?, ?, ?)",
            (row, *(column_text(note.get(column, "")) for column in COLUMNS)),
        )
        database.execute("INSERT INTO name VALUES (?, ?)", (row, note["id"]))
    return database


def column_text(value: object) -> str:
    """The text of a column; tags are joined with spaces."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def ranking(database: sqlite3.Connection, match: str, weights: tuple[float, ...]) -> Ranking:
    """Ids and bm25 values of the notes that `match` finds, best (most negative) first."""
    placeholders = ", ".join("?" * len(weights))
    query = (
        f"SELECT name.id, bm25(note, {placeholders}) AS value FROM note JOIN name ON name.row = note.rowid "
        "WHERE note MATCH ? ORDER BY value, name.id"
    )
    return [(identifier, value) for identifier, value in database.execute(query, (*weights, match))]


def other_weightings() -> Iterator[tuple[float, ...]]:
    """Yields equal weights, then random weights, uniform on a log scale between 1/16 and 16."""
    yield (1.0,) * len(COLUMNS)
    drawn = random.Random(0)
    for _ in range(OTHER_WEIGHTINGS):
        yield tuple(2 ** drawn.uniform(-4, 4) for _ in COLUMNS)


def settled(database: sqlite3.Connection, match: str, found: Ranking) -> bool:
    """Whether no two notes tie and all other weightings give the same order."""
    tied = any(abs(one - other) < SMALLEST_GAP for (_, one), (_, other) in pairwise(found))
    order = [identifier for identifier, _ in found]
    return not tied and all(
        [identifier for identifier, _ in ranking(database, match, weights)] == order for weights in other_weightings()
    )


def main(arguments: list[str]) -> int:
    """Prints the ids that the MATCH string finds; returns 0 if their order is stable, 1 if not, 2 for wrong arguments."""
    if len(arguments) != 2:
        print("usage: fts5_oracle.py NOTES.yaml MATCH", file=sys.stderr)
        return 2
    path, match = arguments
    try:
        database = indexed(yaml.safe_load(Path(path).read_text(encoding="utf-8")))
        found = ranking(database, match, WEIGHTS)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, TypeError, AttributeError, KeyError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        print(
            f"{path}: the file is not a readable list of notes ({reason}). Name a YAML list of notes.", file=sys.stderr
        )
        return 2
    except sqlite3.Error as error:
        print(f"{match}: FTS5 refuses the MATCH string: {error}. Correct it.", file=sys.stderr)
        return 2
    for identifier, value in found:
        print(f"{identifier}  {value:.6f}")
    return 0 if settled(database, match, found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
