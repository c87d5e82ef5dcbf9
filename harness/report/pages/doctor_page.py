"""Checkup of this installation → the page that `parity doctor` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from msgspec import Struct, field
from rich.text import Text

from ...base.text_limits import MAX_NAME, MAX_TEXT
from ...errors import one_line
from ...model import Implementation
from ...transport.operation_support import OperationSupport, State
from ..document import Block, Item, LaidOut, literal, sections
from ..document_terminal import Medium, render_document
from ..laid_out import plain_table
from ..side_by_side import Line, Lines

_FOUND = "green"
_LACKING = "red"


class ToolState(Struct, frozen=True):
    """A program that adapters need. `found` is its version, empty if missing; `remedy` is empty if it suffices."""

    command: str
    found: str
    minimum: str
    needed_by: tuple[str, ...]
    remedy: str


class AdapterState(Struct, frozen=True, kw_only=True):
    """A shipped adapter. `pinned` is the implementation that it needs, `build_folder` None without a build, `reported` its
    reply to initialize, `problem` the reason why it is not ready, `is_skipped` if it is only not for this machine.
    `declared` is the support of each operation in its own table, `disagreements` are the differences between the table
    and the reply."""

    name: str
    pinned: str
    build_folder: Path | None = None
    reported: Implementation | None = None
    problem: str = ""
    is_skipped: bool = False
    declared: Mapping[str, OperationSupport] = field(default_factory=dict)
    disagreements: Sequence[str] = ()


class Checkup(Struct, frozen=True):
    """The results of all checks. `own` are lines about parity itself, `operations` the names of the corpus."""

    own: Sequence[str]
    tools: Sequence[ToolState]
    adapters: Sequence[AdapterState]
    operations: Sequence[str]


def render(checkup: Checkup, medium: Medium) -> str:
    """The whole page."""
    titled = {
        "": map(Item, checkup.own),
        "toolchains": _tools(checkup.tools),
        "adapters": _adapters(checkup.adapters),
        "operations": _operations(checkup),
    }
    return render_document(sections(titled.items()), medium)


def _tools(tools: Sequence[ToolState]) -> Iterator[Block]:
    for tool in tools:
        found = f"{tool.found} found" if tool.found else "not found"
        tone = _LACKING if tool.remedy else ""
        needed_by = ", ".join(tool.needed_by)
        yield Item(f"{tool.command}  {found}, {tool.minimum} or newer needed by {needed_by}", tone=tone)
        if tool.remedy:
            yield Item(tool.remedy, 1, tone)


def _adapters(adapters: Sequence[AdapterState]) -> Iterator[Block]:
    for adapter in adapters:
        reported = adapter.reported
        state = "ready" if reported else ("skipped" if adapter.is_skipped else "not ready")
        yield Item(f"{adapter.name}  {state}: {adapter.pinned}", tone=_FOUND if reported else _LACKING)
        if reported:
            parts = (reported.implementation, reported.version, f"({reported.language})", reported.runtime)
            yield Item(f"reports: {' '.join(part for part in parts if part)}", 1)
        if reported and reported.versions:
            yield Item(f"with: {', '.join(f'{key} {value}' for key, value in reported.versions.items())}", 1)
        if adapter.problem:  # foreign text: no line begins with it
            yield LaidOut([Lines([Line(one_line(adapter.problem, MAX_NAME), barred=True)])])
        for sentence in adapter.disagreements:
            yield Item(f"differs from its table: {sentence}", 1, _LACKING)
        if adapter.build_folder:
            yield literal(f"built in {adapter.build_folder}", 1)


def _operations(checkup: Checkup) -> Iterator[Block]:
    """A row for each operation, a column for each adapter, and the footnotes. The column of an adapter that is not ready
    shows its own table."""
    shown = [adapter for adapter in checkup.adapters if adapter.reported or adapter.declared]
    notes: dict[str, int] = {}
    table = plain_table(["operation"], gap=3)
    for adapter in shown:
        table.add_column(Text(adapter.name, style="" if adapter.reported else "dim"), no_wrap=True)
    rows = {name: [_cell(adapter, name, notes) for adapter in shown] for name in checkup.operations}
    for names, cells in _merged(rows):
        row = names[0] if len(names) == 1 else f"{_area(names[0])}.* ({len(names)} operations)"
        table.add_row(row, *cells)
    yield LaidOut([table])
    yield from (Item(f"[{number}] {note}") for note, number in notes.items())


def _merged(rows: dict[str, list[Text]]) -> Iterator[tuple[list[str], list[Text]]]:
    """The rows; the rows of an area are one row if all are the same."""
    for _, group in groupby(rows, _area):
        names = list(group)
        if all([cell.plain for cell in rows[name]] == [cell.plain for cell in rows[names[0]]] for name in names):
            yield names, rows[names[0]]
        else:
            yield from (([name], rows[name]) for name in names)


def _area(operation: str) -> str:
    return operation.partition(".")[0]


def _cell(one: AdapterState, operation: str, notes: dict[str, int]) -> Text:
    """The support of the operation, in the words of the adapter's table: direct, observed or unsupported."""
    declared, reported = one.declared.get(operation), one.reported
    offered = reported is not None and operation in reported.operations
    if reported is not None and not offered:
        reason = reported.unsupported.get(operation, "") or (declared.how if declared else "")
        if not reason:
            return Text("not offered", style=_LACKING)
        return _noted("unsupported", reason, notes, "yellow")
    if declared is None:
        unobservable = reported.unobservable.get(operation, ()) if reported else ()
        return _noted("offered", f"unobservable: {', '.join(unobservable)}" if unobservable else "", notes, _FOUND)
    if declared.state is State.UNSUPPORTED:
        return _noted("unsupported", declared.how, notes, _LACKING if offered else "yellow")
    return _noted(declared.state.value, ". ".join(_notes(declared)), notes, _FOUND if offered else "dim")


def _notes(declared: OperationSupport) -> Iterator[str]:
    """The limits of a supported operation."""
    if declared.state is State.OBSERVED:
        yield f"observed through: {declared.how}"
    if declared.through:
        yield f"shows failures of {', '.join(declared.through)} too"
    if declared.out_of_reach:
        yield f"out of reach: {declared.out_of_reach}"
    for reason in dict.fromkeys(declared.unobservable.values()):
        yield f"unobservable: {', '.join(path for path, why in declared.unobservable.items() if why == reason)} ({reason})"


def _noted(word: str, note: str, notes: dict[str, int], style: str) -> Text:
    """The word with the number of its footnote."""
    number = notes.setdefault(one_line(note, MAX_TEXT), len(notes) + 1) if note else 0
    return Text(f"{word} [{number}]" if number else word, style=style)
