"""Tables: one entry that stands for many cases, a row each; columns are dotted paths set into the entry."""

from __future__ import annotations

from collections.abc import Iterator

from harness.corpus.entries import Entry, described, nearest
from harness.corpus.strict_yaml import Mapping, Sequence
from harness.errors import Problem, one_line
from harness.model import Json

TABLE_KEYS = frozenset({"columns", "rows"})

_MOST_STEPS = 50


def rows(entry: Entry, case_keys: frozenset[str]) -> Iterator[Entry]:
    """Each row of the entry's table as an entry of its own: the row's cells set into a copy of the shared keys.

    A cell is set as it is, `null` included. `case_keys` are the keys that a case can have.
    """
    table = entry.object("table")
    if table is None:
        return
    inner = entry.inner(table, "table")
    inner.refuse_unknown(TABLE_KEYS, "a table")
    columns = _columns(inner, entry.mapping, case_keys)
    listed = table.get("rows")
    if not isinstance(listed, Sequence) or not listed:
        inner.problem("rows", "The table has no rows.", "Write `rows:` with a list for each row.")
        return
    if not columns:
        return
    for row, line in zip(listed, listed.item_lines, strict=True):
        if isinstance(row, list) and len(row) == len(columns):
            yield Entry(_set(entry.mapping, columns, row, line), entry.shown, entry.problems, entry.label, line)
        else:
            found = f"{len(row)} cells" if isinstance(row, list) else described(row)
            message = f"The row has {found}; the table has {len(columns)} columns."
            place = f"{entry.shown}:{line}"
            entry.problems.append(Problem(place, message, "Give the row one cell a column.", entry.label))


def _columns(inner: Entry, shared: Mapping, case_keys: frozenset[str]) -> tuple[str, ...]:
    """The columns of the table; none where one of them cannot be set."""
    before = len(inner.problems)
    columns = inner.texts("columns")
    if "id" not in columns and len(inner.problems) == before:
        inner.problem("columns", "The table has no column id.", "Add a column `id` with a name for each row.")
    for column in columns:
        _check_column(inner, column, columns, shared, case_keys)
    return columns if len(inner.problems) == before else ()


def _check_column(
    inner: Entry, column: str, columns: tuple[str, ...], shared: Mapping, case_keys: frozenset[str]
) -> None:
    """Notes why a column cannot be set into a case: unknown, inside another column, or through what is no mapping."""
    shown = one_line(column, 60)
    first, *way = column.split(".")
    allowed = case_keys - {"table"}
    outer = [other for other in columns if column.startswith(f"{other}.")]
    if first not in allowed:
        inner.problem("columns", f"The column {shown} leads to no key of a case.", nearest(first, allowed))
    elif "" in way:
        inner.problem("columns", f"The column {shown} has an empty step.", "Put a name between and behind its dots.")
    elif len(way) > _MOST_STEPS:
        message = f"The column {shown} has more than {_MOST_STEPS} steps behind its first."
        inner.problem("columns", message, "Give the row one cell for what lies so deep.")
    elif outer:
        inner.problem("columns", f"The column {shown} lies inside the column {outer[0]}.", "Keep one of the two.")
    else:
        scalar = _scalar_on_the_way(shared, [first, *way])
        if scalar:
            inner.problem("columns", f"The column {shown} leads through {scalar}.", "Only mappings have members.")


def _scalar_on_the_way(shared: Mapping, steps: list[str]) -> str:
    value: Json = shared
    for step in steps[:-1]:
        value = value.get(step, {}) if isinstance(value, dict) else None
        if not isinstance(value, dict):
            return described(value)
    return ""


def _set(shared: Mapping, columns: tuple[str, ...], cells: list[Json], line: int) -> Mapping:
    """A copy of the shared keys with the cells set, copying what lies on the way so that rows share nothing they change."""
    entry = shared.copied()
    for key in ("table", "id"):
        entry.pop(key, None)
    for column, cell in zip(columns, cells, strict=True):
        *way, last = column.split(".")
        at = entry
        for step in way:
            below = at.get(step)
            inside = below.copied() if isinstance(below, Mapping) else Mapping(line)
            at.put(step, inside, line)
            at = inside
        at.put(last, cell, line)
    return entry
