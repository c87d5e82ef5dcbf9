"""Text ↔ anchors: a specification's text in a form that layout does not change, and the digests of passages in it.

An anchor is written `DIGEST/LENGTH`. `LENGTH` counts the characters of the passage in this form, and `DIGEST` is the first
12 hexadecimal digits of their SHA-256. The form has no white space, no Markdown marks, no marks of list items and no
arrows; its quotes are straight and its characters composed (Unicode NFKC). A passage keeps its anchor if its lines are
wrapped in another way, if a table loses its bars, or if a fence is added around code.
"""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from msgspec import field

from ..model import Value

ANCHOR: Final = re.compile(r"[0-9a-f]{12}/[1-9][0-9]{0,4}")
"""The form of an anchor."""

_DIGITS = 12
_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)[\s#]*")
_ITEM = re.compile(r"\s*(?:[-+*•]|\d{1,3}[.)])\s+")
_RULE = re.compile(r"[\s|:=*_-]*")
_LINK = re.compile(r"\[([^\]\[]*)\]\((?:https?:|mailto:|\.{0,2}/|#)[^)\s]*\)")
_TOKEN = re.compile(r"\*\*|\\(?=[|<>_*#])|&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,31});|.", re.DOTALL)
_STRAIGHT = {**dict.fromkeys("“”„«»", '"'), **dict.fromkeys("‘’‚", "'"), "`": "", "→": "", "\ufeff": "", "\u200b": ""}


class Form(StrEnum):
    """What a line of a text is."""

    PROSE = "sentence"
    ROW = "table row"
    CODE = "code line"
    HEADING = "heading"
    BLANK = "blank"


class Line(Value, frozen=True):
    """A line of a text. `number` counts from 1. `words` is what stands on it without the marks of its form, from the column
    `column` on. `level` is that of a heading, 1 to 6; `starts_item`: a list item begins here."""

    number: int
    form: Form
    words: str
    column: int = field(default_factory=int)
    level: int = field(default_factory=int)
    starts_item: bool = field(default_factory=bool)


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a text, Markdown or plain. Fences, rules and front matter are blank."""
    fenced = in_front_matter = False
    before = Form.BLANK
    for number, raw in enumerate(text.split("\n"), 1):
        raw = raw.removesuffix("\r")
        is_front = raw.rstrip() == "---" and (in_front_matter or number == 1)
        is_fence = _FENCE.match(raw) is not None
        if is_front or is_fence or in_front_matter or (not fenced and _RULE.fullmatch(raw)) or not raw.strip():
            in_front_matter ^= is_front
            fenced ^= is_fence
            line = Line(number, Form.BLANK, "")
        else:
            line = _line(number, raw, fenced, before)
        before = line.form
        yield line


def _line(number: int, raw: str, fenced: bool, before: Form) -> Line:
    if fenced:
        return _without_item(number, raw, Form.CODE)
    if heading := _HEADING.fullmatch(raw):
        return Line(number, Form.HEADING, heading[2], heading.start(2), len(heading[1]))
    if raw.lstrip().startswith("|"):
        return Line(number, Form.ROW, raw.replace("|", " "))
    is_code = raw.startswith(("    ", "\t")) and before in (Form.BLANK, Form.CODE) and not _ITEM.match(raw)
    return _without_item(number, raw, Form.CODE if is_code else Form.PROSE)


def _without_item(number: int, raw: str, form: Form) -> Line:
    mark = _ITEM.match(raw)
    column = mark.end() if mark else 0
    return Line(number, form, raw[column:], column, starts_item=form is Form.PROSE and mark is not None)


def reduced(words: str) -> tuple[str, list[int]]:
    """The words in the form that layout does not change, and for each of its characters the index of its source."""
    unlinked = _LINK.sub(lambda link: f" {link[1]}".ljust(len(link[0])), words)
    found: list[str] = []
    sources: list[int] = []
    for token in _TOKEN.finditer(unlinked):
        if token[0] in ("**", "\\"):
            continue
        written = html.unescape(token[0]) if len(token[0]) > 1 else token[0]
        for character in unicodedata.normalize("NFKC", written):
            if kept := _STRAIGHT.get(character, character).strip():
                found.append(kept)
                sources.append(token.start())
    return "".join(found), sources


def anchor_of(form: str) -> str:
    """The anchor of a passage, which `reduced` gave."""
    return f"{digest_of(form)}/{len(form)}"


def digest_of(form: str) -> str:
    """The digest of a passage that `reduced` gave."""
    return hashlib.sha256(form.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
