"""A document of headings, paragraphs, lists and tables, and its two renderings: Markdown and one HTML page.

Whatever the spans hold is text: in either rendering nothing of it can be markup. Text that an implementation gave goes
into `Code`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from typing import TypeAlias

from harness.errors import one_line
from harness.report.markdown import code

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&$!])")
_LONGEST = 4_000
_PAGE = Path(__file__).with_name("document.html")


@dataclass(frozen=True, slots=True)
class Strong:
    """Text that stands out; `anchor` is what links on the page lead to."""

    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Text as it came, in one line, cut to `limit` characters."""

    text: str
    limit: int = 160


@dataclass(frozen=True, slots=True)
class Link:
    """The name of something; a link if there is a target. One on the same page (`#…`) leads there in HTML alone."""

    text: str
    target: str = ""


Span: TypeAlias = "str | Strong | Code | Link"
Spans: TypeAlias = "Sequence[Span]"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; the document's title has level 1. `anchor` is what links on the page lead to."""

    level: int
    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that could stand elsewhere."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list without numbers."""

    items: Sequence[Spans]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the last `numbers` columns are numbers."""

    head: Sequence[Spans]
    rows: Sequence[Sequence[Spans]]
    numbers: int = 0


Block: TypeAlias = "Heading | Paragraph | Quote | Bullets | Table"


def prose(text: str) -> Spans:
    """Written text as spans: what stands between backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return [text]
    return [Code(part, _LONGEST) if at % 2 else part for at, part in enumerate(parts)]


def as_markdown(blocks: Sequence[Block]) -> str:
    """The document as Markdown."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_plain(text)}"
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
            return _plain(span)
        case Strong(text):
            return f"**{_plain(text)}**"
        case Code(text, limit):
            return code(text, limit, in_table=in_table)
        case Link(text, target):
            return f"[{_plain(text)}]({target})" if target and not target.startswith("#") else _plain(text)


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", one_line(text, _LONGEST))


def as_html(blocks: Sequence[Block]) -> str:
    """The document as a page that loads nothing and runs nothing."""
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    body = "\n".join(_html(block) for block in blocks)
    return Template(_PAGE.read_text("utf-8")).substitute(title=_escaped(title), body=body)


def _html(block: Block) -> str:
    match block:
        case Heading(level, text, anchor):
            return f"<h{level}{_id(anchor)}>{_escaped(text)}</h{level}>"
        case Paragraph(spans):
            return f"<p>{_marked(spans)}</p>"
        case Quote(spans):
            return f"<blockquote>{_marked(spans)}</blockquote>"
        case Bullets(items):
            return f"<ul>{''.join(f'<li>{_marked(item)}</li>' for item in items)}</ul>"
        case Table(head, rows, numbers):
            first = len(head) - numbers
            top = "".join(f'<th scope="col">{_marked(cell)}</th>' for cell in head)
            lines = "".join(
                f"<tr>{''.join(_cell(cell, at >= first) for at, cell in enumerate(row))}</tr>" for row in rows
            )
            table = f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"
            return f'<div class="table" tabindex="0">{table}</div>'


def _id(anchor: str) -> str:
    return f' id="{escape(anchor)}"' if anchor else ""


def _cell(spans: Spans, number: bool) -> str:
    return f'<td class="number">{_marked(spans)}</td>' if number else f"<td>{_marked(spans)}</td>"


def _marked(spans: Spans) -> str:
    return "".join(map(_mark, spans))


def _mark(span: Span) -> str:
    match span:
        case str():
            return _escaped(span)
        case Strong(text, anchor):
            return f"<strong{_id(anchor)}>{_escaped(text)}</strong>"
        case Code(text, limit):
            return f"<code>{escape(one_line(text, limit))}</code>"
        case Link(text, target):
            return f'<a href="{escape(target)}">{_escaped(text)}</a>' if target else _escaped(text)


def _escaped(text: str) -> str:
    return escape(one_line(text, _LONGEST))
