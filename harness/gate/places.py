"""Places of causes in an SDK's source: their form in a known-divergence file, and their line in the files of a copy.

A place is written `FILE#SYMBOL@ANCHOR`, as in `search/query_parser.go#Parse@3fa9c1d2e0a1/31`. `FILE` is relative to the
folder of the SDK. `ANCHOR` is that of one or more whole lines without white space, in the form of `corpus/anchors.py`, so
that edits elsewhere do not change the place. `SYMBOL` tells people, and equal lines, where it is. `FILE:LINE` is the form
of older files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from ..corpus.anchors import ANCHOR, anchor_of
from ..model import Cause, Value, replace
from .known_divergences import KnownDivergences

_PLACE = re.compile(rf"([^#]+)#([^#@]+)(?:@({ANCHOR.pattern}))?")
_WORD = re.compile(r"[\w$]+")
_NAME = re.compile(r"([\w$]+)(?:\(|\s*[:=<])")
"""The name in a line that declares something, whatever the language."""
_MAX_ROWS = 5
_CLOSING = (")", "]", "}")


class SourcePlace(Value, frozen=True):
    """A place in a file of the SDK's folder. `line` counts from 1; 0: the copy does not have it; None: nobody searched."""

    file: str
    symbol: str = ""
    anchor: str = ""
    line: int | None = None

    def line_in(self, text: str) -> int | None:
        """The line of the place in the file's text; 0 if it is not there, or if equal lines leave it open."""
        rows = text.split("\n")
        if not self.anchor:
            return self.line if self.line is None or self.line <= len(rows) else 0
        lines = [*_lines_of(self.anchor, rows)]
        if len(lines) > 1:
            lines = [line for line in lines if self.symbol in _WORD.findall(" ".join(_heads(rows, line)))]
        return lines[0] if len(lines) == 1 else 0

    def anchored(self, text: str) -> SourcePlace:
        """The place by the fewest whole lines from its line on that tell it from others; itself if there are none."""
        rows = text.split("\n")
        if self.anchor or not self.line or self.line > len(rows):
            return self
        names = [name[1] for head in _heads(rows, self.line) if (name := _NAME.search(head))]
        for count in range(1, _MAX_ROWS + 1) if names else ():
            passage = "".join("".join(rows[self.line - 1 :][:count]).split())
            place = SourcePlace(self.file, names[-1], anchor_of(passage))
            if passage and place.line_in(text) == self.line:
                return place
        return self

    def __str__(self) -> str:
        """As a known-divergence file has it."""
        line = f":{self.line}" if self.line else ""
        return (
            f"{self.file}#{self.symbol}{f'@{self.anchor}' if self.anchor else ''}" if self.symbol else self.file + line
        )


def source_place(text: str) -> SourcePlace | None:
    """The place that the text stands for; None if it has no form of a place."""
    if whole := _PLACE.fullmatch(text):
        return SourcePlace(whole[1], whole[2], whole[3] or "")
    file, _, line = text.rpartition(":")
    if not text or "#" in text:
        return None
    return SourcePlace(file, line=int(line)) if file and line.isdecimal() and len(line) < 9 else SourcePlace(text)


def place_of(cause: Cause) -> SourcePlace | None:
    """The place of a cause of a record, with the line that the judged copy has; None without one."""
    place = source_place(cause.place)
    return place if place is None or cause.line is None else replace(place, line=cause.line)


def located(causes: Iterable[Cause], text_of: Callable[[str], str | None]) -> tuple[Cause, ...]:
    """The causes with their lines in a copy. `text_of` gives the text of a file of the SDK's folder, None if it has none."""
    text_of = cache(text_of)

    def line_of(place: SourcePlace | None) -> int | None:
        text = text_of(place.file) if place else None
        return place.line_in(text) if place and text is not None else 0

    return tuple(replace(cause, line=line_of(source_place(cause.place))) if cause.place else cause for cause in causes)


def with_anchors(known: KnownDivergences, text_of: Callable[[str], str | None]) -> KnownDivergences:
    """The file with the older places in the form with an anchor, where the copy has their lines."""

    def written(text: str) -> str:
        place = source_place(text)
        source = text_of(place.file) if place and place.line else None
        return str(place.anchored(source)) if place and source is not None else text

    return replace(known, divergences=tuple(replace(entry, place=written(entry.place)) for entry in known.divergences))


def _lines_of(anchor: str, rows: Sequence[str]) -> Iterator[int]:
    """The numbers of the lines at which whole lines with this anchor begin."""
    forms = ["".join(row.split()) for row in rows]
    length = int(anchor.partition("/")[2])
    for start, first in enumerate(forms):
        passage, end = first, start + 1
        while first and len(passage) < length and end < len(forms):
            passage, end = passage + forms[end], end + 1
        if len(passage) == length and anchor_of(passage) == anchor:
            yield start + 1


def _heads(rows: Sequence[str], line: int) -> Iterator[str]:
    """A line, and those that head the blocks around it, by their indentation; the innermost first. A line that begins with a
    closing bracket heads none."""
    yield rows[line - 1]
    inner = _indentation(rows[line - 1])
    for row in reversed(rows[: line - 1]):
        if row.strip() and not row.lstrip().startswith(_CLOSING) and _indentation(row) < inner:
            yield row
            inner = _indentation(row)


def _indentation(row: str) -> int:
    whole = row.expandtabs()
    return len(whole) - len(whole.lstrip())
