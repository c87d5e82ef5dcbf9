"""Text for a terminal, by rich: pages of sections, and tables."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

INDENT = 2

_UNLIMITED = 10_000
"""Columns of a console on which nothing is wrapped or cut."""


def render_sections(sections: Mapping[str, Iterable[RenderableType]], *, color: bool, width: int) -> str:
    """The page for a terminal of `width` columns, without the empty sections. The section of the empty title has no
    indent; a text with `no_wrap` is a command and keeps its length."""
    out = _console(width, color=color)
    for heading, section in sections.items():
        lines = list(section)
        if not lines:
            continue
        if heading:
            out.print()
            out.print(Text(heading, style="bold cyan"))
        for line in lines:
            if isinstance(line, Text) and line.no_wrap:  # a command, to be pasted whole
                out.print(Text(" " * (INDENT if heading else 0)) + line, soft_wrap=True)
                continue
            out.print(Padding(line, (0, 0, 0, INDENT if heading else 0), expand=False))
    return "".join(f"{line}\n" for line in _lines(out))


def printed(sections: Iterator[Sequence[RenderableType]], *, color: bool, width: int = _UNLIMITED) -> str:
    """The sections with an empty line between two; lines that are longer than `width` are wrapped at words."""
    out = _console(width, color=color)
    for number, section in enumerate(filter(None, sections)):
        if number:
            out.print()
        for line in section:
            if isinstance(line, Text):  # printing joins texts into a new one, without their own settings
                out.print(line, no_wrap=line.no_wrap, overflow=line.overflow, crop=line.overflow != "ignore")
            else:
                out.print(line)
    return "".join(f"{line}\n" for line in _lines(out))


def plain_table(names: Sequence[str] = (), numbers: Sequence[str] = (), gap: int = 2) -> Table:
    """A table without lines: columns of texts with these headings, then columns of numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
    for title in names:
        table.add_column(title, no_wrap=True, overflow="ellipsis")
    for title in numbers:
        table.add_column(title, justify="right", no_wrap=True)
    return table


def table_lines(table: Table, width: int = _UNLIMITED) -> list[str]:
    """The lines of a table without colours."""
    out = _console(width, color=False)
    out.print(table)
    return _lines(out)


def _console(width: int, *, color: bool) -> Console:
    return Console(
        file=io.StringIO(),
        force_terminal=color,
        no_color=not color,
        highlight=False,
        soft_wrap=width == _UNLIMITED,
        width=width,
    )


def _lines(out: Console) -> list[str]:
    """What was printed; no line ends with blanks."""
    assert isinstance(out.file, io.StringIO)
    return [line.rstrip() for line in out.file.getvalue().splitlines()]
