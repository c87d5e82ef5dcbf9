"""Cases → one table for each suite, with the members that vary, for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import groupby

from ...base.json_path import leaves
from ...base.text_limits import MAX_TEXT
from ...errors import one_line, plural
from ...model import Answered, Case, Json
from ..document import Block, Code, Item, Table, sections
from ..document_terminal import NARROWEST, Medium, render_document

MAX_COLUMNS = 40
"""The most values of a request member for the columns of a grid."""

_READABLE = 20
"""Characters of a column up to which it is not cut in a table of members; a suite with more of them than fit gets a table of
whole requests and answers."""

CASE = "case"
"""The column with the name of the case."""

_WHOLE = (CASE, "request", "answer")

_GAP = 2

CaseRow = Mapping[str, str]


def render(cases: Sequence[Case], medium: Medium, columns: Sequence[str] = ()) -> str:
    """The tables. A grid if exactly two members of the request vary; otherwise a row for each case with the members that
    vary. `columns` are names of columns, or globs over them, in the order of the table."""
    suites = groupby(cases, key=lambda case: case.suite)
    parts = (_suite(suite, list(group), medium.width, columns) for suite, group in suites)
    return render_document(sections(("", part) for part in parts), medium)


def unknown_columns(cases: Sequence[Case], columns: Sequence[str]) -> list[str]:
    """The names and globs that no column of the cases matches."""
    names = {name for case in cases for name in _row(case)}
    return [column for column in columns if not any(_matches(name, column) for name in names)]


def _suite(suite: str, cases: Sequence[Case], width: int, columns: Sequence[str]) -> Iterator[Block]:
    rows = [_row(case) for case in cases]
    known = list(dict.fromkeys(path for row in rows for path in row))
    more = ""
    if columns:
        chosen = list(dict.fromkeys(path for column in columns for path in known if _matches(path, column)))
        title, lines = "", _list(rows, chosen)
    else:
        paths = [path for path in known if path.startswith(("request.", "request[", "answer.", "answer["))]
        varying = [path for path in paths if len({row.get(path) for row in rows}) > 1] or paths
        requests = [path for path in varying if path.startswith("request")]
        answers = [path for path in varying if not path.startswith("request")]
        grid = _grid(rows, requests, answers)
        is_narrow = grid is not None and len(grid[1][0]) * (NARROWEST + _GAP) <= width
        title, lines = grid if grid and is_narrow else ("", _list(rows, [CASE, *varying]))
        if not title and _needed(lines) > width:
            lines, more = _list(rows, _WHOLE), f"members that vary (--columns): {', '.join(varying)}"
    fitting, hidden = _fitting(lines, width)
    yield Item(f"{suite}{title}")
    head, *cells = [[[Code(cell, MAX_TEXT)] for cell in line] for line in fitting]
    yield Table(head, cells, is_cut=True)
    more = f"{plural(len(hidden), 'more column')} (--columns): {', '.join(hidden)}" if hidden else more
    if more:
        yield Item(one_line(more, width))


def _needed(lines: Sequence[Sequence[str]]) -> int:
    """Characters of a line whose columns are cut to a readable width."""
    return sum(min(_READABLE, max(map(len, column))) + _GAP for column in zip(*lines, strict=True)) - _GAP


def _matches(name: str, pattern: str) -> bool:
    """Whether a column has this name, lies below this member, or matches the glob. A `[` in a pattern is literal."""
    below = name.startswith((f"{pattern}.", f"{pattern}[")) and pattern not in _WHOLE
    return below or fnmatchcase(name, pattern.replace("[", "[[]"))


def _row(case: Case) -> CaseRow:
    outcome: Json = case.expected.value if isinstance(case.expected, Answered) else {"error": case.expected.type}
    facts = {
        CASE: case.name.removeprefix(f"{case.suite}/"),
        "request": _json(case.recorded_request),
        "answer": _json(outcome),
        "at": case.at,
        "operation": case.operation,
        "origin": case.origin,
        "requirements": " ".join(case.requirements),
        "ruling": " ".join(filter(None, (case.ruling, *case.cited_by_rulings))),
        "tags": " ".join(case.tags),
        "note": case.note,
    }
    return {
        **facts,
        **{path: _shown(value) for path, value in leaves(case.recorded_request, "request")},
        **{path: _shown(value) for path, value in leaves(outcome, "answer")},
    }


def _shown(value: Json) -> str:
    return value if isinstance(value, str) else _json(value)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _grid(
    rows: Sequence[CaseRow], requests: Sequence[str], answers: Sequence[str]
) -> tuple[str, list[list[str]]] | None:
    """Rows by one member of the request, columns by the other; a cell is the shortest member of the answer."""
    if len(requests) != 2 or not answers or len({tuple(map(row.get, requests)) for row in rows}) < len(rows):
        return None
    values = {path: list(dict.fromkeys(row.get(path, "") for row in rows)) for path in requests}
    across, down = sorted(requests, key=lambda path: len(values[path]))
    if len(values[across]) > MAX_COLUMNS or len(values[across]) * len(values[down]) > 2 * len(rows):
        return None
    shown = min(answers, key=lambda path: _unfitness([row.get(path) for row in rows]))
    cells = {(row.get(down, ""), row.get(across, "")): row.get(shown, "") for row in rows}
    title = f": {shown}, by {down} (down) and {across} (across)"
    head = ["", *values[across]]
    return title, [head, *([side, *(cells.get((side, top), "") for top in values[across])] for side in values[down])]


def _unfitness(values: Sequence[str | None]) -> tuple[bool, bool, int]:
    """How badly a member represents the answer: few values, often absent, or long."""
    there = [value for value in values if value is not None]
    return len(set(there)) <= 2, len(there) < len(values) * 0.9, sum(map(len, there))


def _list(rows: Sequence[CaseRow], columns: Sequence[str]) -> list[list[str]]:
    return [list(columns), *([row.get(path, "") for path in columns] for row in rows)]


def _fitting(lines: Sequence[Sequence[str]], width: int) -> tuple[list[list[str]], list[str]]:
    """The columns that fit if each is cut to `NARROWEST` characters, and the names of the others. Columns with many
    values are kept first; the first column always is."""
    columns = list(zip(*lines, strict=True))
    narrow = [min(NARROWEST, max(map(len, column))) + _GAP for column in columns]
    ranked = sorted(range(1, len(columns)), key=lambda at: (-sum(map(bool, columns[at])), -len(set(columns[at])), at))
    kept, used = {0}, narrow[0] - _GAP if narrow else 0
    for at in ranked:
        if used + narrow[at] > width:
            break
        kept.add(at)
        used += narrow[at]
    hidden = [column[0] for at, column in enumerate(columns) if at not in kept]
    return [[cell for at, cell in enumerate(line) if at in kept] for line in lines], hidden
