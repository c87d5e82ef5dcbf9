"""Tables: an entry whose rows are cases. A column is a dotted path; each cell is set at that path of the entry."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.near_names import name_remedy
from ..errors import Problem, one_line
from ..model import Json
from .entries import Entry, described
from .located import Mapping, Sequence

TABLE_KEYS = frozenset({"columns", "rows"})

_MAX_STEPS = 50


def rows(entry: Entry, case_keys: frozenset[str]) -> Iterator[Entry]:
    """Yields one entry for each row of the table: a copy of the shared keys with the cells of the row.

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
        inner.problem("rows", "no-rows", "The table has no rows.", "Write `rows:` with a list for each row.")
        return
    if not columns:
        return
    for row, line in zip(listed, listed.item_lines, strict=True):
        if isinstance(row, list) and len(row) == len(columns):
            yield Entry(_set(entry.mapping, columns, row, line), entry.shown, entry.problems, entry.label, line)
        else:
            found = f"{len(row)} cells" if isinstance(row, list) else described(row)
            message, remedy = f"The row has {found}; the table has {len(columns)} columns.", "Write one cell a column."
            entry.problems.append(Problem(f"{entry.shown}:{line}", "bad-row", message, remedy, entry.label))


def _columns(inner: Entry, shared: Mapping, case_keys: frozenset[str]) -> tuple[str, ...]:
    """The columns of the table; empty if one of them has a problem."""
    before = len(inner.problems)
    columns = inner.texts("columns")
    if "id" not in columns and len(inner.problems) == before:
        remedy = "Add a column `id` with a name for each row."
        inner.problem("columns", "no-id-column", "The table has no column id.", remedy)
    for column in columns:
        _check_column(inner, column, columns, shared, case_keys)
    return columns if len(inner.problems) == before else ()


def _check_column(
    inner: Entry, column: str, columns: tuple[str, ...], shared: Mapping, case_keys: frozenset[str]
) -> None:
    """Adds a problem for a column that is unknown, lies inside another column, or leads through a scalar."""
    column_text = f"The column {one_line(column, 60)}"
    first, *way = column.split(".")
    allowed = case_keys - {"table"}
    outer = [other for other in columns if column.startswith(f"{other}.")]
    if first not in allowed:
        inner.problem(
            "columns", "unknown-column", f"{column_text} starts with no key of a case.", name_remedy(first, allowed)
        )
    elif "" in way:
        remedy = "Write a name between the dots and after the last one."
        inner.problem("columns", "bad-column", f"{column_text} has an empty step.", remedy)
    elif len(way) > _MAX_STEPS:
        message = f"{column_text} has more than {_MAX_STEPS} steps after the first."
        inner.problem("columns", "bad-column", message, "Use a shorter path, and a mapping in the cell.")
    elif outer:
        message = f"{column_text} is inside the column {outer[0]}."
        inner.problem("columns", "overlapping-columns", message, "Keep one of the two.")
    else:
        scalar = _scalar_on_the_way(shared, [first, *way])
        if scalar:
            message, remedy = f"{column_text} leads through {scalar}.", "Use a path through mappings only."
            inner.problem("columns", "column-through-scalar", message, remedy)


def _scalar_on_the_way(shared: Mapping, steps: list[str]) -> str:
    value: Json = shared
    for step in steps[:-1]:
        value = value.get(step, {}) if isinstance(value, dict) else None
        if not isinstance(value, dict):
            return described(value)
    return ""


def _set(shared: Mapping, columns: tuple[str, ...], cells: list[Json], line: int) -> Mapping:
    """A copy of the shared keys with the cells set. Mappings on the path are copied, so that rows share no changed value."""
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
