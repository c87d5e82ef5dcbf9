"""The text of a specification, from a folder of someone who has it → the passages at which requirements are anchored.

The corpus has no word of the text. `read_text` finds its documents among the files of a folder, by name or by content, and
`SpecificationText.quotation` gives the words behind a requirement.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from textwrap import dedent
from typing import Final

from ..errors import UsageError
from ..model import Requirement, Value
from .anchors import ANCHOR, Form, Line, anchor_of, digest_of, lines_of, reduced

SUFFIXES: Final = (".md", ".mdx", ".markdown", ".txt")
_OPENED = re.compile(r"\s+[`*]*$")
"""White space and Markdown marks before the words that follow a passage."""

_INDENTATION = re.compile(r"\s*")
_MAX_BYTES = 2_000_000
_MAX_FILES = 200
_TAIL = re.compile(r"\s*#$|(?<!\s)\s(?:\(.*|[—–] .*)$")
"""What follows the title of a section on its line."""

_LEAST_SHARE = 0.2
"""The share of a document's anchors that a file of another name has to have, of a sample."""

_SAMPLE = 40


class Passage(Value, frozen=True):
    """A place of a text. `words` are those of the file: a sentence on one line, Markdown marks except bold included.
    `section` are the headings above it, the outermost first. `line` to `last` are its lines in the file `path`, which is the
    name of the file in the folder."""

    document: str
    path: str
    line: int
    last: int
    form: Form
    words: str
    section: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """`path:line`."""
        return f"{self.path}:{self.line}"

    @property
    def is_lines(self) -> bool:
        """Whether it consists of several lines of code."""
        return "\n" in self.words


class Quotation(Value, frozen=True):
    """What the text says where a requirement is anchored: its passages in the order of the text, and the anchors that the
    text does not have, because a sentence is changed or gone."""

    passages: tuple[Passage, ...]
    gone: tuple[str, ...] = ()


class Span(Value, frozen=True):
    """A part of a document in its form without layout: from the character `start` to before `end`."""

    start: int
    end: int


class TextDocument:
    """One document of a text. `name` is that of the requirements; `path` the file that holds it."""

    def __init__(self, name: str, path: str, text: str, sections: Iterable[str] = ()) -> None:
        self.name = name
        self.path = path
        self.lines = list(_with_headings(lines_of(unicodedata.normalize("NFC", text)), sections))
        forms, sources = [], []
        self._starts: list[int] = []  # where each line with words starts in `form`
        self._numbers: list[int] = []  # and the index of that line
        length = 0
        for index, line in enumerate(self.lines):
            if line.form in (Form.BLANK, Form.HEADING):
                continue
            form, indices = reduced(line.words)
            self._starts.append(length)
            self._numbers.append(index)
            forms.append(form)
            sources.extend(indices)
            length += len(form)
        self.form = "".join(forms)
        self._sources = sources

    @cached_property
    def headings(self) -> Sequence[tuple[str, ...]]:
        """For each line the headings above it, the outermost first."""
        above: list[tuple[int, str]] = []
        found = []
        for line in self.lines:
            if line.form is Form.HEADING:
                above = [*((level, title) for level, title in above if level < line.level), (line.level, line.words)]
            found.append(tuple(title for _, title in above))
        return found

    @cached_property
    def _bounds(self) -> tuple[list[int], frozenset[int]]:
        """Where words begin and where words end, in `form`."""
        begins, ends = [], set()
        for start, index in zip(self._starts, self._numbers, strict=True):
            stop = self._line_end(start)
            words, previous = self.lines[index].words, -2
            for at in range(start, stop):
                source = self._sources[at]
                if at == start or (source > previous + 1 and re.search(r"\s", words[previous + 1 : source])):
                    begins.append(at)
                    ends.add(at)
                previous = source
            ends.add(stop)
        return begins, frozenset(ends)

    def _line_end(self, start: int) -> int:
        after = bisect_right(self._starts, start)
        return self._starts[after] if after < len(self._starts) else len(self.form)

    @cached_property
    def _digests(self) -> dict[int, dict[str, list[int]]]:
        return {}

    @cached_property
    def of_lines(self) -> Sequence[tuple[Line, Span]]:
        """Each line with words, but no heading, and its part of `form`."""
        return [
            (self.lines[index], Span(start, self._line_end(start)))
            for start, index in zip(self._starts, self._numbers, strict=True)
        ]

    def source_of(self, at: int) -> int:
        """Where the character `at` of `form` stands in the words of its line."""
        return self._sources[at]

    def spans(self, anchor: str) -> Sequence[Span]:
        """Every place that has this anchor."""
        if not ANCHOR.fullmatch(anchor):  # a record can have any text
            return []
        digest, _, written = anchor.partition("/")
        length = int(written)
        if length not in self._digests:
            begins, ends = self._bounds
            by_digest: dict[str, list[int]] = {}
            for start in begins:
                if start + length in ends:
                    by_digest.setdefault(digest_of(self.form[start : start + length]), []).append(start)
            self._digests[length] = by_digest
        return [Span(start, start + length) for start in self._digests[length].get(digest, ())]

    def passage(self, span: Span) -> Passage:
        """The words of a part."""
        first, last = (bisect_right(self._starts, at) - 1 for at in (span.start, span.end - 1))
        parts = []
        for number in range(first, last + 1):
            line = self.lines[self._numbers[number]]
            begin = _begin(line.words, self._sources[span.start]) if number == first else 0
            is_whole = self._line_end(self._starts[number]) <= span.end
            parts.append(
                line.words[begin:] if is_whole else _OPENED.sub("", line.words[begin : self._sources[span.end]])
            )
        start, stop = self._numbers[first], self._numbers[last]
        forms = {self.lines[number].form for number in self._numbers[first : last + 1]}
        form = Form.CODE if Form.CODE in forms else self.lines[start].form
        words = dedent("\n".join(parts)) if form is Form.CODE else " ".join(" ".join(parts).split()).replace("**", "")
        above = self.headings[start]
        return Passage(
            self.name, self.path, self.lines[start].number, self.lines[stop].number, form, words.strip(), above
        )

    def spans_of(self, requirement: Requirement) -> dict[str, Span | None]:
        """Each anchor of a requirement with its place, in the requirement's section if the passage stands there too."""
        found: dict[str, Span | None] = {}
        for anchor in requirement.anchors:
            spans = self.spans(anchor)
            within = (span for span in spans if is_section(requirement.section, self.section_at(span)))
            found[anchor] = next(within, spans[0] if spans else None)
        return found

    def anchor(self, span: Span) -> str:
        """The anchor of a part."""
        return anchor_of(self.form[span.start : span.end])

    def section_at(self, span: Span) -> tuple[str, ...]:
        """The headings above a part."""
        return self.headings[self._first(span)]

    def form_of(self, span: Span) -> Form:
        """The form of the first line of a part."""
        return self.lines[self._first(span)].form

    def _first(self, span: Span) -> int:
        return self._numbers[bisect_right(self._starts, span.start) - 1]


class SpecificationText:
    """The documents of a text that a folder has, by name."""

    def __init__(self, documents: Mapping[str, TextDocument], folder: Path) -> None:
        self.documents = documents
        self.folder = folder

    def quotation(self, requirement: Requirement) -> Quotation | None:
        """The words behind a requirement; None if it has no anchor or the folder lacks its document."""
        document = self.documents.get(requirement.document)
        if document is None or not requirement.anchors:
            return None
        spans = document.spans_of(requirement)
        present = sorted({span for span in spans.values() if span}, key=lambda span: (span.start, span.end))
        gone = tuple(anchor for anchor, span in spans.items() if span is None)
        return Quotation(tuple(map(document.passage, present)), gone)

    def words(self, requirement: Requirement) -> str:
        """The words behind a requirement on one line, ` … ` between passages, those of its section first; or nothing."""
        quotation = self.quotation(requirement)
        passages = quotation.passages if quotation else ()
        ordered = sorted(passages, key=lambda passage: not is_section(requirement.section, passage.section))
        return " … ".join(" ".join(passage.words.split()) for passage in ordered)


def read_text(folder: Path, requirements: Iterable[Requirement]) -> SpecificationText:
    """The documents of these requirements that are in a folder: the files with their names, or, if there is none, the files
    that have most of their anchors. Raises `UsageError` if it is no folder or has no document."""
    texts = dict(_texts(folder))
    by_name = {path.stem: path for path in reversed(texts)}
    stated: dict[str, list[Requirement]] = {}
    for requirement in requirements:
        if requirement.anchors or requirement.document in by_name:
            stated.setdefault(requirement.document, []).append(requirement)
    titles = {
        name: {part for cited in of_document for part in _parts(cited.section)} for name, of_document in stated.items()
    }
    documents = {
        name: TextDocument(name, by_name[name].name, texts[by_name[name]], titles[name])
        for name in stated
        if name in by_name
    }
    if not documents:
        every = set().union(*titles.values())
        unnamed = [TextDocument("", path.name, text, every) for path, text in texts.items()]
        for name, of_document in stated.items():
            share, best = max(((_share(made, of_document), made.path) for made in unnamed), default=(0.0, ""))
            if share >= _LEAST_SHARE:
                documents[name] = TextDocument(name, best, texts[folder / best], titles[name])
    if not documents:
        wanted = ", ".join(stated) or "none: no requirement has an anchor"
        raise UsageError(
            f"{folder}: no file of this folder ({', '.join(SUFFIXES)}) holds a document of the specification. "
            f"Documents that requirements are anchored in: {wanted}. Name a file DOCUMENT.md, or the right folder."
        )
    return SpecificationText(documents, folder)


def _texts(folder: Path) -> Iterator[tuple[Path, str]]:
    """The texts of a folder, not those of folders below it."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder. Name the folder that holds the specification's documents.")
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.is_file())
        for path in files[:_MAX_FILES]:
            if path.stat().st_size <= _MAX_BYTES:
                yield path, path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path}: the file is not UTF-8. Convert it, or move it to another folder.") from None
    except OSError as error:
        raise UsageError(
            f"{error.filename or folder}: cannot be read: {error.strerror}. Name another folder."
        ) from None


def _share(document: TextDocument, requirements: Sequence[Requirement]) -> float:
    """The share of the anchors that a document has, 0 to 1, by the first ones."""
    anchors = sorted({anchor for requirement in requirements for anchor in requirement.anchors})[:_SAMPLE]
    return sum(bool(document.spans(anchor)) for anchor in anchors) / len(anchors) if anchors else 0.0


def _begin(words: str, source: int) -> int:
    """Where a passage begins: before the marks of its first word, or with the indentation of its line."""
    while source and words[source - 1] in "`*":
        source -= 1
    indentation = _INDENTATION.match(words)
    return 0 if indentation and indentation.end() >= source else source


def is_section(section: str, headings: Sequence[str]) -> bool:
    """Whether a requirement's section, `Part, Inner part`, names one of the headings; a heading may have more words."""
    parts = [key for key in map(_key, _parts(section)) if key]
    return any(_key(heading).startswith(part) for heading in headings for part in parts)


def _parts(section: str) -> list[str]:
    """The titles that a requirement's section can mean: its own, and those of its parts."""
    return [section, *section.split(", ")]


@lru_cache(maxsize=4096)
def _key(title: str) -> str:
    """A title by its letters and digits, without its number."""
    return re.sub(r"[\W_]+", "", re.sub(r"^\s*\d+(\.\d+)*[.)]\s+", "", title)).lower()


def _with_headings(lines: Iterable[Line], sections: Iterable[str]) -> Iterator[Line]:
    """The lines of a text; in a text without Markdown, a line that is the title of a known section is a heading."""
    listed = list(lines)
    if any(line.form is Form.HEADING for line in listed):
        yield from listed
        return
    keys = {key for section in sections if (key := _key(_TAIL.sub("", section)))}
    for line in listed:
        is_title = line.form is Form.PROSE and not line.starts_item and _key(_TAIL.sub("", line.words)) in keys
        yield Line(line.number, Form.HEADING, line.words.strip(), level=1) if is_title else line
