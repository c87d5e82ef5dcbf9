"""Document of headings, paragraphs, lists and tables, for a terminal, as Markdown or as one HTML page.

Spans hold text as it was received; no writer takes any of it for markup, for a mention or for a control character. Text from
an implementation belongs in `Code`. The template chooses by `kind`, the terminal has `document_terminal.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from msgspec import Struct
from rich.text import Text

from ..base.text_limits import MAX_PROSE, MAX_TEXT, MAX_VALUE
from ..errors import one_line
from .laid_out import lines_of
from .phrases import and_more
from .templates import prose_parts, render_template

if TYPE_CHECKING:
    from rich.console import RenderableType

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&$!])")
_ADDRESS = re.compile(r"(@|www|:(?=//))")
"""What a forge makes a mention or a link of, even in escaped text."""
_TICKS = re.compile("`+")


class Strong(Struct, frozen=True):
    """Bold text; `anchor` is the target of links on the page."""

    kind: ClassVar[str] = "strong"
    text: str
    anchor: str = ""


class Code(Struct, frozen=True):
    """Literal text on one line, cut to `limit` characters."""

    kind: ClassVar[str] = "code"
    text: str
    limit: int = MAX_VALUE


class Link(Struct, frozen=True):
    """A name, and a link if there is a target. A target on the same page (`#…`) is a link in HTML only."""

    kind: ClassVar[str] = "link"
    text: str
    target: str = ""


Span: TypeAlias = "str | Strong | Code | Link"
Spans: TypeAlias = "str | Sequence[Span]"


class Heading(Struct, frozen=True):
    """A heading; the document's title has level 1. `anchor` is the target of links on the page."""

    kind: ClassVar[str] = "heading"
    level: int
    text: str
    anchor: str = ""


class Paragraph(Struct, frozen=True):
    """A paragraph."""

    kind: ClassVar[str] = "paragraph"
    spans: Spans


class Quote(Struct, frozen=True):
    """A quotation."""

    kind: ClassVar[str] = "quote"
    spans: Spans


class Item(Struct, frozen=True):
    """A line of a list without numbers, `depth` steps to the right of the heading. `tone` is its style at a terminal."""

    kind: ClassVar[str] = "item"
    spans: Spans
    depth: int = 0
    tone: str = ""


class Table(Struct, frozen=True):
    """A table; the last `numbers` columns are numbers. If it `is_cut`, each row is one line at a terminal: its texts behind
    the first column are cut where they do not fit. Without a `head` it has only rows."""

    kind: ClassVar[str] = "table"
    head: Sequence[Spans]
    rows: Sequence[Sequence[Spans]]
    numbers: int = 0
    is_cut: bool = False


class LaidOut(Struct, frozen=True):
    """What is laid out for a terminal, `depth` steps to the right; Markdown and HTML show its lines as they stand."""

    kind: ClassVar[str] = "laid-out"
    parts: Sequence[RenderableType]
    depth: int = 0

    @property
    def lines(self) -> str:
        """The lines on a page."""
        return "\n".join(line for part in self.parts for line in lines_of(part, PAGE_WIDTH))


class Break(Struct, frozen=True):
    """The end of a section that no heading ends."""

    kind: ClassVar[str] = "break"


Block: TypeAlias = "Heading | Paragraph | Quote | Item | Table | LaidOut | Break"

PAGE_WIDTH = 100
"""Columns of what is laid out for a terminal, on a page and where no terminal has a width."""


def sections(titled: Iterable[tuple[str, Iterable[Block]]]) -> Iterator[Block]:
    """The sections of a page that have blocks, each below its title or, without a title, apart from the one before."""
    is_first = True
    for title, blocks in titled:
        listed = list(blocks)
        if listed and title:
            yield Heading(3, title)
        elif listed and not is_first:
            yield Break()
        yield from listed
        is_first = is_first and not listed


def laid_out(lines: Iterable[str], depth: int = 0) -> Iterator[Block]:
    """These lines as they stand; nothing without any."""
    if parts := list(map(Text, lines)):
        yield LaidOut(parts, depth)


def literal(text: str, depth: int = 0, tone: str = "") -> Item:
    """A line with a command or a name, which keeps its length."""
    return Item([Code(text, MAX_TEXT)], depth, tone)


def first_items(texts: Sequence[str], most: int, noun: str = "", depth: int = 0, tone: str = "") -> Iterator[Item]:
    """The first of these names, and the number of the others."""
    yield from (literal(text, depth, tone) for text in texts[:most])
    if more := and_more(len(texts) - most, noun):
        yield Item(f"… {more}", depth, tone)


def span_list(spans: Spans) -> Sequence[Span]:
    """The spans; a text alone is one."""
    return [spans] if isinstance(spans, str) else spans


def shown(span: Span) -> str:
    """The text of a span on one line. A line feed in written text is a blank; one in literal text is an escape."""
    if isinstance(span, Code):
        return one_line(span.text, span.limit)
    return one_line(" ".join((span if isinstance(span, str) else span.text).splitlines()), MAX_PROSE)


def prose(text: str) -> Sequence[Span]:
    """Written text as spans; text between backticks is code."""
    return [Code(part, MAX_PROSE) if is_code else part for part, is_code in prose_parts(text)]


def as_markdown(blocks: Iterable[Block]) -> str:
    """The document as Markdown."""
    listed = [block for block in blocks if not isinstance(block, Break)]
    ends = [
        "\n" if isinstance(block, Item) and isinstance(next_, Item) else "\n\n" for block, next_ in pairwise(listed)
    ]
    return "".join(f"{_markdown(block)}{end}" for block, end in zip(listed, [*ends, "\n"], strict=False))


def _markdown(block: Heading | Paragraph | Quote | Item | Table | LaidOut) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {escaped(text)}"
        case Paragraph(spans):
            return inline(spans)
        case Quote(spans):
            return f"> {inline(spans)}"
        case Item(spans, depth):
            return f"{'  ' * depth}- {inline(spans)}"
        case LaidOut():
            return _fenced(block.lines)
        case Table(head, rows, numbers):
            columns = len(head or rows[0])
            aligned = [":---"] * (columns - numbers) + ["---:"] * numbers
            lines = [[inline(cell, in_table=True) for cell in row] for row in (head or [""] * columns, *rows)]
            lines.insert(1, aligned)
            return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def inline(spans: Spans, *, in_table: bool = False) -> str:
    """Spans as Markdown."""
    return "".join(_span(span, in_table=in_table) for span in span_list(spans))


def _span(span: Span, *, in_table: bool) -> str:
    match span:
        case str():
            return escaped(span)
        case Strong():
            return f"**{escaped(shown(span))}**"
        case Code(text, limit):
            return code(text, limit, in_table=in_table)
        case Link(_, target):
            text = escaped(shown(span))
            return f"[{text}]({target})" if target and not target.startswith("#") else text


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
    """Text on one line in which nothing is markup, a mention or a link."""
    return _ADDRESS.sub("\\1\N{WORD JOINER}", _SPECIAL.sub(r"\\\1", shown(text)))


def as_html(blocks: Sequence[Block]) -> str:
    """The document as a page that loads nothing and runs nothing."""
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    return render_template("document.html.jinja", title=title, blocks=blocks, shown=shown)


def _fenced(text: str) -> str:
    """`text` as a block of code, whatever its characters."""
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
    return f"{fence}text\n{text}\n{fence}"
