"""Pages of sections, for a terminal by rich or as Markdown; tables for a terminal."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .document import code, escaped, fenced
from .phrases import MAX_TEXT

INDENT = 2

Sections: TypeAlias = "Mapping[str, Iterable[RenderableType]]"
"""The parts of a page by their headings. A text is one line: the blanks at its beginning are its level, and
with `no_wrap` it is a command or a name that keeps its length. Anything else is laid out for a terminal."""

_UNLIMITED = 10_000
"""Columns of a console on which nothing is wrapped or cut."""


@dataclass(frozen=True, slots=True)
class Medium:
    """Where a page is read: at a terminal of `width` columns, or as Markdown, for example in an issue."""

    width: int = 100
    color: bool = False
    is_markdown: bool = False


def render_sections(sections: Sections, medium: Medium) -> str:
    """The page without its empty sections. The section of the empty title has no indent."""
    if medium.is_markdown:
        return _as_markdown(sections, medium.width)
    out = _console(medium.width, color=medium.color)
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


def _as_markdown(sections: Sections, width: int) -> str:
    """The page as Markdown: the first line is its title, a text is an item of a list, the rest is a block of code."""
    parts = []
    for heading, section in sections.items():
        lines = list(section)
        if not lines:
            continue
        texts = [line for line in lines if isinstance(line, Text)]
        if heading:
            parts.append(f"### {escaped(heading)}\n")
        elif texts:
            parts.append(f"## {_inert(texts.pop(0).plain)}\n")
            lines = lines[1:]
        if len(texts) == len(lines):
            parts += [f"{item}\n" for text in texts for item in _items(text)]
        else:
            out = _console(width, color=False)
            for line in lines:
                out.print(line)
            parts.append(fenced("\n".join(_lines(out))))
        parts.append("\n")
    return "".join(parts)


def _items(line: Text) -> Iterator[str]:
    """The lines of a text, each an item below the lines with less blanks at their beginning."""
    for text in line.plain.splitlines():
        words = text.strip()
        level = (len(text) - len(text.lstrip())) // 2
        yield f"{'  ' * level}- {code(words, MAX_TEXT) if line.no_wrap else _inert(words)}"


def _inert(text: str) -> str:
    """Text that is neither markup nor a mention nor a link of a forge, which makes both of plain text."""
    return re.sub(r"(@|www|:(?=//))", "\\1\N{WORD JOINER}", escaped(text))


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
