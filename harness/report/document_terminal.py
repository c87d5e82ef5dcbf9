"""A document at a terminal, by rich."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from rich.table import Table as RichTable
from rich.text import Text

from .document import (
    PAGE_WIDTH,
    Block,
    Break,
    Code,
    Heading,
    Item,
    LaidOut,
    Paragraph,
    Quote,
    Spans,
    Table,
    as_markdown,
    shown,
    span_list,
)
from .laid_out import console, moved, printed_lines

INDENT = 2
"""Columns of a step to the right."""

NARROWEST = 8
"""Characters of a column that is cut."""


class Medium(Struct, frozen=True):
    """Where a page is read: at a terminal of `width` columns, or as Markdown, for example in an issue."""

    width: int = PAGE_WIDTH
    color: bool = False
    is_markdown: bool = False


def render_document(blocks: Iterable[Block], medium: Medium) -> str:
    """The document for its medium."""
    if medium.is_markdown:
        return as_markdown(blocks)
    out = console(medium.width, color=medium.color)
    indent = 0
    for block in blocks:
        match block:
            case Heading(level, text):
                indent = INDENT if level > 2 else 0
                out.print(*([Text()] if level > 2 else []), _text(text, "bold cyan" if level > 2 else "bold"), sep="\n")
            case Break():
                indent = 0
                out.print()
            case Item(spans, depth, tone) if any(isinstance(span, Code) for span in span_list(spans)):
                # A command is pasted whole, and no line begins with a part of a foreign text.
                out.print(Text(" " * (indent + INDENT * depth)) + _text(spans, tone), soft_wrap=True)
            case Item(spans, depth, tone):
                out.print(moved(_text(spans, tone), indent + INDENT * depth))
            case Paragraph(spans) | Quote(spans):
                out.print(moved(_text(spans), indent))
            case LaidOut(parts, depth):
                for part in parts:
                    out.print(moved(part, indent + INDENT * depth))
            case Table():
                out.print(moved(table_of(block), indent))
    return "".join(f"{line}\n" for line in printed_lines(out)).lstrip("\n")


def table_of(block: Table) -> RichTable:
    """A table of a document, for a terminal."""
    table = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_header=bool(block.head))
    rows = [[_text(cell, cut=block.is_cut) for cell in row] for row in block.rows]
    count = len(block.head or block.rows[0])
    for at, title in enumerate(map(_text, block.head or [""] * count)):
        is_number = at >= count - block.numbers
        if is_number and block.is_cut:
            title.plain = title.plain.replace(" ", "\n")
        narrowest = max((len(row[at]) for row in rows), default=0) if is_number else min(NARROWEST, len(title))
        table.add_column(
            title,
            justify="right" if is_number else "left",
            overflow="fold",
            min_width=narrowest if block.is_cut else None,
            no_wrap=block.is_cut and at == 0,
        )
    for row in rows:
        table.add_row(*row)
    return table


def _text(spans: Spans, style: str = "", *, cut: bool = False) -> Text:
    text = "".join(map(shown, span_list(spans)))
    return Text(text, style, no_wrap=True, overflow="ellipsis") if cut else Text(text, style)
