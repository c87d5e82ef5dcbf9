"""What was found of this installation → the page that `parity doctor` prints."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from harness.errors import one_line
from harness.model import Implementation
from harness.transport.operation_support import OperationSupport, State

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
    asked; `harmless` if it is only not for this machine. `declared` is how it answers each operation by its own table,
    `parting` in what it says otherwise when it is asked."""

    name: str
    pinned: str
    built_in: Path | None = None
    said: Implementation | None = None
    trouble: str = ""
    harmless: bool = False
    declared: Mapping[str, OperationSupport] = field(default_factory=dict)
    parting: Sequence[str] = ()


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
            versions = [f"{key} {value}" for key, value in one.said.versions.items()]
            yield Text(one_line(f"    says: {' '.join(part for part in said if part)}", 300))
            if versions:
                yield Text(one_line(f"    with: {', '.join(versions)}", 300))
        if one.trouble:
            yield Padding(Text(one_line(one.trouble, 400)), (0, 0, 0, 4))
        for sentence in one.parting:
            yield Padding(Text(one_line(f"part from its table: {sentence}", 400), style=_LACKING), (0, 0, 0, 4))
        if one.built_in:
            yield Text(f"    built in {one.built_in}", no_wrap=True, overflow="ignore")


def _operations(checkup: Checkup) -> Iterator[RenderableType]:
    """A row for each operation, a column for each adapter, and the footnotes. Of one that cannot be asked stands what is
    declared."""
    shown = [one for one in checkup.adapters if one.said or one.declared]
    notes: dict[str, int] = {}
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    table.add_column("  operation", no_wrap=True)
    for one in shown:
        table.add_column(Text(one.name, style="" if one.said else "dim"), no_wrap=True)
    rows = {name: [_cell(one, name, notes) for one in shown] for name in checkup.operations}
    for names, cells in _together(rows):
        row = names[0] if len(names) == 1 else f"{_area(names[0])}.* ({len(names)} operations)"
        table.add_row(f"  {row}", *cells)
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


def _cell(one: AdapterState, operation: str, notes: dict[str, int]) -> Text:
    """How the operation is answered: offered by a direct call, observed through a larger one, or unsupported."""
    declared = one.declared.get(operation)
    offered = one.said is not None and operation in one.said.operations
    if one.said is not None and not offered:
        reason = one.said.unsupported.get(operation, "") or (declared.how if declared else "")
        if not reason:
            return Text("not offered", style=_LACKING)
        return _noted("unsupported", reason, notes, "yellow")
    if declared is None:
        unobservable = one.said.unobservable.get(operation, ()) if one.said else ()
        return _noted("offered", f"not told: {', '.join(unobservable)}" if unobservable else "", notes, _FOUND)
    if declared.state is State.UNSUPPORTED:
        return _noted("unsupported", declared.how, notes, _LACKING if offered else "yellow")
    word = "offered" if declared.state is State.DIRECT else "observed"
    return _noted(word, ". ".join(_told(declared)), notes, _FOUND if offered else "dim")


def _told(declared: OperationSupport) -> Iterator[str]:
    """What a reader has to know of an operation that is answered."""
    if declared.state is State.OBSERVED:
        yield f"seen through: {declared.how}"
    if declared.out_of_reach:
        yield f"out of reach: {declared.out_of_reach}"
    for reason in dict.fromkeys(declared.unobservable.values()):
        yield f"not told: {', '.join(path for path, why in declared.unobservable.items() if why == reason)} ({reason})"


def _noted(word: str, note: str, notes: dict[str, int], style: str) -> Text:
    """The word with the number of its footnote."""
    number = notes.setdefault(one_line(note, 500), len(notes) + 1) if note else 0
    return Text(f"{word} [{number}]" if number else word, style=style)
