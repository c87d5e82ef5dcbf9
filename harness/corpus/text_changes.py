"""A text and the requirements that are anchored in it → what changed since: passages that are gone or reworded, sentences
under another heading, sentences that no requirement states, and what depends on them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ..model import Case, Requirement, Ruling, Value
from .anchors import Form
from .specification_text import Passage, Span, SpecificationText, TextDocument, is_section
from .text_units import likeness, units, word_set

_NORMATIVE = re.compile(r"\b(?:MUST|SHALL|SHOULD|MAY|REQUIRED|RECOMMENDED|OPTIONAL|must|shall)\b")
_LONGEST_RUN = 3
_MAX_CANDIDATES = 3_000
"""New passages among which the nearest one is searched for: a page has a few hundred."""

_LEAST = 0.45
"""The score, 0 to 1, from which a new passage counts as the successor of a lost one. Chosen in November 2026 with ten kinds
of edits of a made text."""


class LostAnchor(Value, frozen=True):
    """An anchor that the text does not have. `nearest` is the passage without a requirement that most likely replaces it;
    None if there is none, so the passage is gone."""

    document: str
    anchor: str
    requirements: tuple[str, ...]
    nearest: Passage | None = None


class MovedPassage(Value, frozen=True):
    """A passage that stands under other headings than the requirements say, which is `section`. `is_renamed`: the text has
    no heading of that name any more."""

    passage: Passage
    section: str
    requirements: tuple[str, ...]
    is_renamed: bool


class TextChanges(Value, frozen=True):
    """What differs between a text and the anchors. `uncovered` are the passages that no requirement states, in the order of
    the text; `absent` the documents that the folder does not have. `unordered` are requirements that stand behind one of
    their section whose passage comes later. `rulings` and `cases` depend on a requirement of a lost
    anchor or of a moved passage."""

    lost: tuple[LostAnchor, ...]
    moved: tuple[MovedPassage, ...]
    uncovered: tuple[Passage, ...]
    absent: tuple[str, ...] = ()
    unordered: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    @property
    def requirements(self) -> tuple[str, ...]:
        """The requirements of the lost anchors and of the passages under another heading."""
        return tuple(dict.fromkeys(touched_by(self.lost, self.moved)))


def touched_by(lost: Iterable[LostAnchor], moved: Iterable[MovedPassage]) -> Iterator[str]:
    """The requirements of these changes."""
    yield from (id_ for anchor in lost for id_ in anchor.requirements)
    yield from (id_ for passage in moved for id_ in passage.requirements)


def is_normative(passage: Passage) -> bool:
    """Whether a passage has a word of obligation."""
    return _NORMATIVE.search(passage.words) is not None


def changes_of(
    text: SpecificationText, requirements: Iterable[Requirement], rulings: Iterable[Ruling], cases: Iterable[Case]
) -> TextChanges:
    """The changes of the text against the anchors of these requirements."""
    by_document: dict[str, list[Requirement]] = {}
    for requirement in requirements:
        if requirement.anchors:
            by_document.setdefault(requirement.document, []).append(requirement)
    lost: list[LostAnchor] = []
    moved: list[MovedPassage] = []
    uncovered: list[Passage] = []
    unordered: list[str] = []
    for name, anchored in by_document.items():
        if document := text.documents.get(name):
            found = {requirement.id: document.spans_of(requirement) for requirement in anchored}
            free = list(_free(document, [span for spans in found.values() for span in spans.values() if span]))
            uncovered += map(document.passage, _joined(document, free))
            lost += _lost(document, anchored, found, free)
            moved += _moved(document, anchored, found)
            unordered += _unordered(document, anchored, found)
    touched = {*touched_by(lost, moved)}
    return TextChanges(
        lost=tuple(lost),
        moved=tuple(moved),
        uncovered=tuple(uncovered),
        absent=tuple(name for name in by_document if name not in text.documents),
        unordered=tuple(unordered),
        rulings=tuple(ruling.id for ruling in rulings if touched.intersection(ruling.requirements)),
        cases=tuple(case.name for case in cases if touched.intersection(case.requirements)),
    )


_Found = Mapping[str, Mapping[str, Span | None]]


def _free(document: TextDocument, taken: Sequence[Span]) -> Iterator[Span]:
    """The units of which no requirement has a part."""
    covered = bytearray(len(document.form))
    for span in taken:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    for unit in units(document):
        if not any(covered[unit.start : unit.end]):
            yield unit


def _joined(document: TextDocument, free: Sequence[Span]) -> list[Span]:
    """The units, with lines of code that follow each other as one."""
    joined: list[Span] = []
    for unit in free:
        before = joined[-1] if joined else None
        is_same = before is not None and before.end == unit.start
        if before and is_same and document.form_of(before) is document.form_of(unit) is Form.CODE:
            joined[-1] = Span(before.start, unit.end)
        else:
            joined.append(unit)
    return joined


def _runs(document: TextDocument, free: Sequence[Span]) -> Iterator[Span]:
    """The units, and up to three that follow each other in one section as one: what a split passage became."""
    for first, unit in enumerate(free):
        run = unit
        yield run
        for follower in free[first + 1 : first + _LONGEST_RUN]:
            if follower.start != run.end or document.section_at(follower) != document.section_at(unit):
                break
            run = Span(unit.start, follower.end)
            yield run


class _Sought(Value, frozen=True):
    """What is known of a lost passage: its length, the words of the statements and the sections of its requirements, and the
    part of the document in which it stood."""

    length: int
    statements: tuple[frozenset[str], ...]
    sections: tuple[str, ...]
    between: tuple[int, int]


def _lost(
    document: TextDocument, requirements: Sequence[Requirement], found: _Found, free: Sequence[Span]
) -> Iterator[LostAnchor]:
    candidates = [
        (unit, word_set(document.passage(unit).words)) for unit in islice(_runs(document, free), _MAX_CANDIDATES)
    ]
    of_anchor: dict[str, list[Requirement]] = {}
    for requirement in requirements:
        for anchor, span in found[requirement.id].items():
            if span is None:
                of_anchor.setdefault(anchor, []).append(requirement)
    for anchor, stated in of_anchor.items():
        sought = _Sought(
            length=int(anchor.partition("/")[2]),
            statements=tuple(word_set(requirement.statement) for requirement in stated),
            sections=tuple({requirement.section for requirement in stated}),
            between=_between(requirements, found, stated, len(document.form)),
        )
        scored = [(_score(document, unit, words, sought), unit) for unit, words in candidates]
        score, unit = max(scored, key=lambda pair: pair[0], default=(0.0, None))
        nearest = document.passage(unit) if unit and score >= _LEAST else None
        yield LostAnchor(document.name, anchor, tuple(requirement.id for requirement in stated), nearest)


def _between(
    requirements: Sequence[Requirement], found: _Found, stated: Sequence[Requirement], end: int
) -> tuple[int, int]:
    """The part of the document in which the lost passage stood: behind the passages of the requirements before it and its
    own ones, before those of the requirements behind it."""
    ids = [requirement.id for requirement in requirements]
    starts = [min((span.start for span in found[id_].values() if span), default=-1) for id_ in ids]
    first, last = ids.index(stated[0].id), ids.index(stated[-1].id)
    before = next((start for start in reversed(starts[:first]) if start >= 0), 0)
    own = [span.start for entry in stated for span in found[entry.id].values() if span]
    before = max([before, *own])
    return before, next((start for start in starts[last + 1 :] if start > before), end)


def _score(document: TextDocument, unit: Span, words: frozenset[str], sought: _Sought) -> float:
    """How likely a unit replaces a lost passage, 0 to 1: by the words of our statements, its place and its length."""
    alike = max(likeness(words, statement) for statement in sought.statements)
    length = unit.end - unit.start
    place = 0.5 * (sought.between[0] <= unit.start < sought.between[1])
    place += 0.5 * any(is_section(section, document.section_at(unit)) for section in sought.sections)
    return 0.5 * alike + 0.3 * place + 0.2 * min(length, sought.length) / max(length, sought.length)


def _moved(document: TextDocument, requirements: Sequence[Requirement], found: _Found) -> Iterator[MovedPassage]:
    """The first passages of requirements that have all their passages, but none in their section. Those that stand below one
    new heading come together."""
    sections = {requirement.section for requirement in requirements}
    groups: dict[tuple[str, Span | tuple[str, ...]], tuple[Span, list[str]]] = {}
    for requirement in requirements:
        spans = [span for span in found[requirement.id].values() if span]
        if len(spans) < len(requirement.anchors) or any(
            is_section(requirement.section, document.section_at(span)) for span in spans
        ):
            continue
        first = min(spans, key=lambda span: span.start)
        above = document.section_at(first)
        is_renamed = not any(is_section(requirement.section, headings) for headings in document.headings)
        is_known = any(is_section(other, above[-1:]) for other in sections)
        if above and not (is_renamed and is_known):
            key = requirement.section, above if is_renamed else first
            groups.setdefault(key, (first, []))[1].append(requirement.id)
    for (section, where), (first, ids) in groups.items():
        yield MovedPassage(document.passage(first), section, tuple(ids), is_renamed=not isinstance(where, Span))


def _unordered(document: TextDocument, requirements: Sequence[Requirement], found: _Found) -> Iterator[str]:
    last: dict[str, int] = {}
    for requirement in requirements:
        spans = [span for span in found[requirement.id].values() if span]
        within = [span.start for span in spans if is_section(requirement.section, document.section_at(span))]
        if within:
            if min(within) < last.get(requirement.section, 0):
                yield requirement.id
            last[requirement.section] = max(min(within), last.get(requirement.section, 0))
