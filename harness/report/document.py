"""Document of headings, paragraphs, lists and tables, rendered as Markdown or as one HTML page.

Spans hold text; neither rendering takes any of it for markup. Text from an implementation belongs in `Code`. The template
chooses by `kind`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from ..errors import one_line
from .phrases import MAX_PROSE, MAX_VALUE
from .templates import render_template

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&$!])")
_TICKS = re.compile("`+")


@dataclass(frozen=True, slots=True)
class Strong:
    """Bold text; `anchor` is the target of links on the page."""

    kind: ClassVar[str] = "strong"
    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Literal text on one line, cut to `limit` characters."""

    kind: ClassVar[str] = "code"
    text: str
    limit: int = MAX_VALUE


@dataclass(frozen=True, slots=True)
class Link:
    """A name, and a link if there is a target. A target on the same page (`#…`) is a link in HTML only."""

    kind: ClassVar[str] = "link"
    text: str
    target: str = ""


Span: TypeAlias = "str | Strong | Code | Link"
Spans: TypeAlias = "Sequence[Span]"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; the document's title has level 1. `anchor` is the target of links on the page."""

    kind: ClassVar[str] = "heading"
    level: int
    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    kind: ClassVar[str] = "paragraph"
    spans: Spans


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation."""

    kind: ClassVar[str] = "quote"
    spans: Spans


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list without numbers."""

    kind: ClassVar[str] = "bullets"
    items: Sequence[Spans]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the last `numbers` columns are numbers."""

    kind: ClassVar[str] = "table"
    head: Sequence[Spans]
    rows: Sequence[Sequence[Spans]]
    numbers: int = 0


Block: TypeAlias = "Heading | Paragraph | Quote | Bullets | Table"


def prose(text: str) -> Spans:
    """Written text as spans; text between backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return [text]
    return [Code(part, MAX_PROSE) if at % 2 else part for at, part in enumerate(parts)]


def as_markdown(blocks: Sequence[Block]) -> str:
    """The document as Markdown."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {escaped(text)}"
        case Paragraph(spans):
            return _inline(spans)
        case Quote(spans):
            return f"> {_inline(spans)}"
        case Bullets(items):
            return "\n".join(f"- {_inline(item)}" for item in items)
        case Table(head, rows, numbers):
            aligned = [":---"] * (len(head) - numbers) + ["---:"] * numbers
            lines = [[_inline(cell, in_table=True) for cell in row] for row in (head, *rows)]
            lines.insert(1, aligned)
            return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _inline(spans: Spans, *, in_table: bool = False) -> str:
    return "".join(_span(span, in_table=in_table) for span in spans)


def _span(span: Span, *, in_table: bool) -> str:
    match span:
        case str():
            return escaped(span)
        case Strong(text):
            return f"**{escaped(text)}**"
        case Code(text, limit):
            return code(text, limit, in_table=in_table)
        case Link(text, target):
            return f"[{escaped(text)}]({target})" if target and not target.startswith("#") else escaped(text)


def code(text: str, limit: int = MAX_VALUE, *, in_table: bool = False) -> str:
    """`text` as one code span, whatever its characters."""
    shown = one_line(text, limit)
    if not shown:
        return "(empty)"
    ticks = "`" * (max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    pad = " " if "`" in (shown[0], shown[-1]) or (shown[0] == shown[-1] == " " and shown.strip()) else ""
    span = f"{ticks}{pad}{shown}{pad}{ticks}"
    return span.replace("|", "\\|") if in_table else span


def escaped(text: str) -> str:
    """Text on one line in which nothing is markup."""
    return _SPECIAL.sub(r"\\\1", one_line(text, MAX_PROSE))


def as_html(blocks: Sequence[Block]) -> str:
    """The document as a page that loads nothing and runs nothing."""
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    return render_template("document.html.jinja", title=title, blocks=blocks, longest=MAX_PROSE)


def fenced(text: str) -> str:
    """`text` as a block of code, whatever its characters."""
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
    return f"{fence}text\n{text}\n{fence}\n"
