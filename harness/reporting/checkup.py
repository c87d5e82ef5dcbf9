"""What was found of this installation → the page that `parity doctor` prints."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from harness.errors import one_line
from harness.model import Implementation

_FOUND = "green"
_LACKING = "red"


@dataclass(frozen=True, slots=True)
class ToolState:
    """A program that adapters need. `found` is its version, empty if it is not here; `remedy` is empty if it will do."""

    command: str
    found: str
    minimum: str
    needed_by: tuple[str, ...]
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterState:
    """A shipped adapter. `pinned` is what it is made for, `built_in` empty if nothing is built, `trouble` why it cannot be
    asked; `harmless` if that is for want of a toolchain alone."""

    name: str
    pinned: str
    built_in: Path | None = None
    said: Implementation | None = None
    trouble: str = ""
    harmless: bool = False


@dataclass(frozen=True, slots=True)
class Checkup:
    """All that was looked at. `own` are lines on parity itself, `operations` the names of the corpus."""

    own: Sequence[str]
    tools: Sequence[ToolState]
    adapters: Sequence[AdapterState]
    operations: Sequence[str]


def render(checkup: Checkup, *, color: bool, width: int) -> str:
    """The whole page."""
    file = io.StringIO()
    out = Console(file=file, force_terminal=color, no_color=not color, highlight=False, width=width)
    for heading, section in (
        ("", [Text(line) for line in checkup.own]),
        ("toolchains", _tools(checkup.tools)),
        ("adapters", _adapters(checkup.adapters)),
        ("operations", _operations(checkup)),
    ):
        if heading:
            out.print(Text(f"\n{heading}", style="bold cyan"))
        for line in section:
            out.print(line)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def _tools(tools: Sequence[ToolState]) -> Iterator[RenderableType]:
    for tool in tools:
        found = f"{tool.found} found" if tool.found else "not found"
        line = f"  {tool.command}  {found}, {tool.minimum} or newer needed by {', '.join(tool.needed_by)}"
        yield Text(line, style=_LACKING if tool.remedy else "")
        if tool.remedy:
            yield Padding(Text(tool.remedy, style=_LACKING), (0, 0, 0, 4))


def _adapters(adapters: Sequence[AdapterState]) -> Iterator[RenderableType]:
    for one in adapters:
        state = "ready" if one.said else ("left out" if one.harmless else "cannot be asked")
        yield Text(f"  {one.name}  {state}: {one_line(one.pinned)}", style=_FOUND if one.said else _LACKING)
        if one.said:
            said = (one.said.implementation, one.said.version, f"({one.said.language})", one.said.runtime)
            facts = [f"{key} {value}" for key, value in one.said.facts.items()]
            yield Text(one_line(f"    says: {' '.join(part for part in said if part)}", 300))
            if facts:
                yield Text(one_line(f"    with: {', '.join(facts)}", 300))
        if one.trouble:
            yield Padding(Text(one_line(one.trouble, 400)), (0, 0, 0, 4))
        if one.built_in:
            yield Text(f"    built in {one.built_in}", no_wrap=True, overflow="ignore")


def _operations(checkup: Checkup) -> Iterator[RenderableType]:
    """A row for each operation, a column for each adapter that can be asked, and the footnotes."""
    asked = [one.said for one in checkup.adapters if one.said]
    notes: dict[str, int] = {}
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    table.add_column("  operation", no_wrap=True)
    for said in asked:
        table.add_column(said.name, no_wrap=True)
    rows = {name: [_cell(said, name, notes) for said in asked] for name in checkup.operations}
    for names, cells in _together(rows):
        shown = names[0] if len(names) == 1 else f"{_area(names[0])}.* ({len(names)} operations)"
        table.add_row(f"  {shown}", *cells)
    yield table
    for note, number in notes.items():
        yield Padding(Text(f"[{number}] {note}"), (0, 0, 0, 2))


def _together(rows: dict[str, list[Text]]) -> Iterator[tuple[list[str], list[Text]]]:
    """The rows; those of an area are one if all of them say the same."""
    for _, group in groupby(rows, _area):
        names = list(group)
        if all([cell.plain for cell in rows[name]] == [cell.plain for cell in rows[names[0]]] for name in names):
            yield names, rows[names[0]]
        else:
            yield from (([name], rows[name]) for name in names)


def _area(operation: str) -> str:
    return operation.partition(".")[0]


def _cell(said: Implementation, operation: str, notes: dict[str, int]) -> Text:
    if operation in said.operations:
        untold = said.untold.get(operation, ())
        if not untold:
            return Text("offered", style=_FOUND)
        return Text(f"offered {_note(notes, one_line('not told: ' + ', '.join(untold), 300))}", style=_FOUND)
    reason = said.unsupported.get(operation)
    if reason is None:
        return Text("not offered", style=_LACKING)
    return Text(f"unsupported {_note(notes, one_line(reason, 300))}", style="yellow")


def _note(notes: dict[str, int], text: str) -> str:
    return f"[{notes.setdefault(text, len(notes) + 1)}]"
