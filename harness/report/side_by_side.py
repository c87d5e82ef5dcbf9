"""Values in columns, line by line, with the differing lines marked. Pure; rich lays out the columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence, Set

from msgspec import Struct
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ..base.json_path import path_step, path_steps, path_text
from ..base.text_limits import MAX_STATEMENT, MAX_WORD
from ..compare.edits import Marks
from ..errors import one_line
from ..model import Json

_json = json.JSONEncoder(ensure_ascii=False).encode  # made once, not for each value

MARK = "> "
_PLAIN = "  "
BAR = "| "
_WIDEST_SENTENCE = 76
"""Characters of wrapped text on one line, however wide the terminal is."""
_ONE_LINE = 48
"""Characters of an object or list without a difference that is shown on one line."""
_MAX_LINES = 60
_AROUND = 3
"""Lines shown before and behind a marked one in a value that is cut."""
_NARROWEST = 40
_GAP = 3


class Line(Struct, frozen=True):
    """One line of a value; `marked` if it differs. A `barred` line is text, wrapped to the width, with a bar before each
    part."""

    text: str
    marked: bool = False
    barred: bool = False

    @property
    def width(self) -> int:
        """Its width in characters, with the mark and the bar."""
        return len(MARK) + (min(len(self.text), _WIDEST_SENTENCE) + len(BAR) if self.barred else len(self.text))


class Column(Struct, frozen=True):
    """A value under a heading of one or more lines."""

    heading: Sequence[str]
    lines: Sequence[Line]


def value_lines(
    value: Json, marked: Marks | None = None, *, lines: int = _MAX_LINES, text: int = MAX_STATEMENT
) -> list[Line]:
    """A value as at most `lines` lines of JSON with the marks, and notes on the lines between them; a text has at most
    `text` characters."""
    marked = marked or Marks()
    above = {place for path in marked.differing | marked.lacking for place in _above(path)}
    return _cut(list(_lines(value, "$", "", "", _Places(marked, above, text), within=False)), lines)


class _Places(Struct, frozen=True):
    """The marks, every place that holds a marked one, and the length at which a text is cut."""

    marks: Marks
    above: Set[str]
    longest: int


def _above(path: str) -> Iterator[str]:
    """The places that hold a place: `$` and `$.a` for `$.a[0]`."""
    steps = path_steps(path)
    yield from (path_text(steps[:length]) for length in range(len(steps)))


def _lines(value: Json, path: str, head: str, tail: str, places: _Places, *, within: bool) -> Iterator[Line]:
    within = within or path in places.marks.differing
    marked = within or path in places.marks.lacking
    inside = not within and path in places.above
    if not isinstance(value, dict | list) or not value or (not inside and _is_short(value, [_ONE_LINE])):
        yield Line(f"{head}{one_line(_json(value), places.longest)}{tail}", marked)
        return
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    yield Line(f"{head}{opening}", marked)
    indent = " " * (len(head) - len(head.lstrip(" ")) + 2)
    last = len(value) - 1
    for index, (step, name, item) in enumerate(_items(value, path)):
        yield from _lines(item, step, f"{indent}{name}", "," if index < last else "", places, within=within)
    yield Line(f"{indent[2:]}{closing}{tail}", within)


def _is_short(value: Json, room: list[int]) -> bool:
    """Whether the JSON text of a value fits into `room[0]` characters, which it takes. It looks at no more than fits."""
    if isinstance(value, dict):
        names = _takes(2 * max(1, len(value)), room) and all(_is_short(key, room) and _takes(2, room) for key in value)
        return names and all(_is_short(item, room) for item in value.values())
    if isinstance(value, list):  # two brackets, and a comma and a space between two elements
        return _takes(2 * max(1, len(value)), room) and all(_is_short(item, room) for item in value)
    if isinstance(value, str) and len(value) > room[0]:
        return False
    return _takes(len(_json(value)), room)


def _takes(characters: int, room: list[int]) -> bool:
    room[0] -= characters
    return room[0] >= 0


def _items(value: dict[str, Json] | list[Json], path: str) -> Iterator[tuple[str, str, Json]]:
    """Each member or element: its path, the text before its value, its value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield path + path_step(key), f"{one_line(_json(key), MAX_WORD)}: ", item
    else:
        for index, item in enumerate(value):
            yield path + path_step(index), "", item


def _cut(lines: list[Line], most: int) -> list[Line]:
    if len(lines) <= most:
        return lines
    marked = [index for index, line in enumerate(lines) if line.marked]
    kept = {near for index in marked for near in range(index - _AROUND, index + _AROUND + 1)}
    shown = [index for index in range(len(lines)) if index in kept or not marked][:most]
    cut: list[Line] = []
    last = -1
    for index in shown:
        if index > last + 1:
            cut.append(Line(f"… {index - last - 1} lines"))
        cut.append(lines[index])
        last = index
    return [*cut, Line(f"… {len(lines) - last - 1} lines")] if last + 1 < len(lines) else cut


class Lines(Struct, frozen=True):
    """Lines as a rich renderable."""

    lines: Sequence[Line]
    style: str = ""

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widest = max((line.width for line in self.lines), default=0)
        return Measurement(min(widest, _NARROWEST // 2), widest).with_maximum(options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines:
            lead, style = (MARK, "red") if line.marked else (_PLAIN, self.style)
            if not line.barred:
                yield Text(f"{lead}{line.text}", style, overflow="fold")
                continue
            lead += BAR
            room = max(1, options.max_width - len(lead))
            for part in Text(line.text).wrap(console, min(room, _WIDEST_SENTENCE), overflow="fold"):
                yield Text(f"{lead}{part.plain.rstrip()}", style)


def show(columns: Sequence[Column], width: int) -> Iterator[RenderableType]:
    """The columns side by side if they fit, else one below the other."""
    if _needed(columns) <= width or width // max(1, len(columns)) >= _NARROWEST:
        table = Table(box=None, padding=(0, _GAP, 0, 0), show_header=False)
        for _ in columns:
            table.add_column(overflow="fold")
        table.add_row(*(_heading(column) for column in columns))
        table.add_row(*(Lines(column.lines) for column in columns))
        yield table
        return
    for column in columns:
        yield _heading(column)
        yield Lines(column.lines)


def _needed(columns: Sequence[Column]) -> int:
    widths = (max([*map(len, column.heading), *(line.width for line in column.lines)]) for column in columns)
    return sum(widths) + len(columns) * _GAP


def _heading(column: Column) -> Text:
    return Text("\n".join(one_line(line) for line in column.heading), style="bold")
