"""A document at a terminal, by rich."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .document import (
    PAGE_WIDTH,
    Block,
    Code,
    Heading,
    Item,
    LaidOut,
    Paragraph,
    Quote,
    Spans,
    as_markdown,
    shown,
    span_list,
)
from .laid_out import console, printed_lines

INDENT = 2
"""Columns of a step to the right."""


@dataclass(frozen=True, slots=True)
class Medium:
    """Where a page is read: at a terminal of `width` columns, or as Markdown, for example in an issue."""

    width: int = PAGE_WIDTH
    color: bool = False
    is_markdown: bool = False


def render_document(blocks: Iterable[Block], medium: Medium) -> str:
    """The document for its medium."""
    if medium.is_markdown:
        return as_markdown(list(blocks))
    out = console(medium.width, color=medium.color)
    indent = 0
    for block in blocks:
        match block:
            case Heading(level, text):
                indent = INDENT if level > 2 else 0
                out.print(*([Text()] if level > 2 else []), _text(text, "bold cyan" if level > 2 else "bold"), sep="\n")
            case Item(spans, depth, tone) if any(isinstance(span, Code) for span in span_list(spans)):
                # A command is pasted whole, and no line begins with a part of a foreign text.
                out.print(Text(" " * (indent + INDENT * depth)) + _text(spans, tone), soft_wrap=True)
            case Item(spans, depth, tone):
                out.print(_moved(_text(spans, tone), indent + INDENT * depth))
            case Paragraph(spans) | Quote(spans):
                out.print(_moved(_text(spans), indent))
            case LaidOut(parts):
                for part in parts:
                    out.print(_moved(part, indent))
            case rows:
                table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
                for at, cell in enumerate(rows.head):
                    is_number = at >= len(rows.head) - rows.numbers
                    table.add_column(_text(cell), justify="right" if is_number else "left", overflow="fold")
                for row in rows.rows:
                    table.add_row(*map(_text, row))
                out.print(_moved(table, indent))
    return "".join(f"{line}\n" for line in printed_lines(out))


def _moved(part: RenderableType, columns: int) -> Padding:
    return Padding(part, (0, 0, 0, columns), expand=False)


def _text(spans: Spans, style: str = "") -> Text:
    return Text("".join(map(shown, span_list(spans))), style)
