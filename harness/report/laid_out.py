"""Tables and other parts that rich lays out for a terminal, as text."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

_UNLIMITED = 10_000
"""Columns of a console on which nothing is wrapped or cut."""


def printed(sections: Iterator[Sequence[RenderableType]], *, color: bool, width: int = _UNLIMITED) -> str:
    """The sections with an empty line between two; lines that are longer than `width` are wrapped at words."""
    out = console(width, color=color)
    for number, section in enumerate(filter(None, sections)):
        if number:
            out.print()
        for line in section:
            if isinstance(line, Text):  # printing joins texts into a new one, without their own settings
                out.print(line, no_wrap=line.no_wrap, overflow=line.overflow, crop=line.overflow != "ignore")
            else:
                out.print(line)
    return "".join(f"{line}\n" for line in printed_lines(out))


def plain_table(names: Sequence[str] = (), numbers: Sequence[str] = (), gap: int = 2) -> Table:
    """A table without lines: columns of texts with these headings, then columns of numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
    for title in names:
        table.add_column(title, no_wrap=True, overflow="ellipsis")
    for title in numbers:
        table.add_column(title, justify="right", no_wrap=True)
    return table


def lines_of(part: RenderableType, width: int = _UNLIMITED) -> list[str]:
    """The lines of a table, or of anything else that is laid out, without colours."""
    out = console(width, color=False)
    out.print(part)
    return printed_lines(out)


def console(width: int, *, color: bool) -> Console:
    return Console(
        file=io.StringIO(),
        force_terminal=color,
        no_color=not color,
        highlight=False,
        emoji=False,
        soft_wrap=width == _UNLIMITED,
        width=width,
    )


def printed_lines(out: Console) -> list[str]:
    """What was printed; no line ends with blanks."""
    assert isinstance(out.file, io.StringIO)
    return [line.rstrip() for line in out.file.getvalue().splitlines()]
