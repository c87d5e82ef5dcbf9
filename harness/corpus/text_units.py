"""A document → its units: the sentences of its paragraphs, its table rows and its lines of code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model import Requirement
from .anchors import Form, Line, reduced
from .specification_text import Passage, Span, SpecificationText, TextDocument, is_section

_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]`*]*\s+(?=[\"'“‘(\[*]*[A-Z0-9`])")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|cf|vs|etc|approx|no|fig|sec)\.$", re.IGNORECASE)
_ENDS_BLOCK = re.compile(r"[.!?:;][\"'”’)\]`*]*\s*$")
_WORD = re.compile(r"[^\W_]+")
_MOST = 5
"""Passages that are offered for a requirement."""

_SHORT = 40
_LONG = 120
"""A line of a plain text goes on in the next one if its length is between these, or it is Markdown."""


def units(document: TextDocument) -> Iterator[Span]:
    """The units of a document, in order."""
    is_markdown = any(line.level and line.column for line in document.lines)
    block: list[tuple[Line, Span]] = []
    for line, span in document.of_lines:
        if block and not _goes_on(block[-1][0], line, is_markdown):
            yield from _sentences(document, block)
            block = []
        block.append((line, span))
    if block:
        yield from _sentences(document, block)


def passages_with(text: SpecificationText, words: str) -> Iterator[tuple[str, Passage]]:
    """The passages that contain these words, in any layout, each with its anchor."""
    wanted = reduced(words)[0]
    for document in text.documents.values():
        for unit in units(document):
            if wanted and wanted in document.form[unit.start : unit.end]:
                yield document.anchor(unit), document.passage(unit)


def passages_like(text: SpecificationText, requirement: Requirement) -> Iterator[tuple[str, Passage]]:
    """The passages that are most like a requirement without its anchors, the likest first, those of its section before the
    others; each with its anchor."""
    document = text.documents.get(requirement.document)
    if document:
        wanted = word_set(requirement.statement)

        def rank(unit: Span) -> tuple[bool, float]:
            within = is_section(requirement.section, document.section_at(unit))
            return within, likeness(word_set(document.passage(unit).words), wanted)

        for unit in sorted(units(document), key=rank, reverse=True)[:_MOST]:
            yield document.anchor(unit), document.passage(unit)


def word_set(text: str) -> frozenset[str]:
    """The words of a text, in lower case."""
    return frozenset(map(str.lower, _WORD.findall(text)))


def likeness(first: frozenset[str], second: frozenset[str]) -> float:
    """The share of common words in both and in the shorter one, 0 to 1: a part of a longer passage is like it."""
    if not first or not second:
        return 0.0
    common = len(first & second)
    return common / (len(first) + len(second)) + 0.5 * common / min(len(first), len(second))


def _goes_on(before: Line, line: Line, is_markdown: bool) -> bool:
    """Whether a line continues the paragraph of the one before it."""
    if before.form is not Form.PROSE or line.form is not Form.PROSE or line.starts_item:
        return False
    if line.number != before.number + 1:
        return False
    return is_markdown or (_SHORT <= len(before.words) <= _LONG and not _ENDS_BLOCK.search(before.words))


def _sentences(document: TextDocument, block: list[tuple[Line, Span]]) -> Iterator[Span]:
    if block[0][0].form is not Form.PROSE:
        yield from (span for _, span in block if span.end > span.start)
        return
    text = "\n".join(line.words for line, _ in block)
    origins: list[int] = []  # for each character of the paragraph's form its place in `text`
    before = 0
    for line, span in block:
        origins.extend(before + document.source_of(at) for at in range(span.start, span.end))
        before += len(line.words) + 1
    cuts = [end.end() for end in _SENTENCE_END.finditer(text) if not _ABBREVIATION.search(text[: end.start() + 1])]
    first, start = block[0][1].start, 0
    for cut in [*cuts, len(text)]:
        stop = next((index for index in range(start, len(origins)) if origins[index] >= cut), len(origins))
        if stop > start:
            yield Span(first + start, first + stop)
        start = stop
