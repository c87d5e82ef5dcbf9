"""Cases → one table for each suite, with the members that vary."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from ..compare.json_diff import member
from ..model import Answered, Case, Json

MAX_COLUMNS = 40
"""The most values of a request member for the columns of a grid."""

CaseRow = Mapping[str, str]


def render(cases: Sequence[Case]) -> str:
    """A grid if exactly two members of the request vary; otherwise a row for each case with all members that vary."""
    return "\n".join(_table(suite, list(group)) for suite, group in groupby(cases, key=lambda case: case.suite))


def _table(suite: str, cases: Sequence[Case]) -> str:
    rows = [_row(case) for case in cases]
    paths = list(dict.fromkeys(path for row in rows for path in row))
    varying = [path for path in paths if len({row.get(path) for row in rows}) > 1] or paths
    requests = [path for path in varying if path.startswith("request")]
    answers = [path for path in varying if not path.startswith("request")]
    title, lines = _grid(rows, requests, answers) or ("", _list(cases, rows, varying))
    return "\n".join([f"{suite}{title}", *_aligned(lines), ""])


def _row(case: Case) -> CaseRow:
    outcome: Json = case.expected.value if isinstance(case.expected, Answered) else {"error": case.expected.type}
    return dict([*_leaves(case.recorded_request, "request"), *_leaves(outcome, "answer")])


def _leaves(value: Json, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _leaves(item, path + member(key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}[{index}]")
    else:
        yield path, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


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


def _list(cases: Sequence[Case], rows: Sequence[CaseRow], varying: Sequence[str]) -> list[list[str]]:
    names = [case.name.removeprefix(f"{case.suite}/") for case in cases]
    return [
        ["case", *varying],
        *([name, *(row.get(path, "") for path in varying)] for name, row in zip(names, rows, strict=True)),
    ]


def _aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
