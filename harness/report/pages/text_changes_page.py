"""Changes of a specification's text → the parts of the page of `parity coverage --text`, and JSON; passages → a page with
their anchors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...base.text_limits import MAX_NAME, MAX_PROSE
from ...corpus.specification_text import Passage
from ...corpus.text_changes import LostAnchor, MovedPassage, TextChanges, is_normative
from ...errors import plural
from ...model import Json, JsonObject
from ..document import Block, Code, Item, Spans, Table, literal
from ..document_terminal import Medium, render_document
from ..phrases import first_and_more

_MAX_IDS = 3
"""Requirements of one line."""


def change_sections(changes: TextChanges, folder: str) -> Iterator[tuple[str, Iterable[Block]]]:
    """The parts of the page, each with its title."""
    yield f"Passages that {folder} does not have, with the nearest new one:", _table(map(_lost, changes.lost))
    yield "Passages under another heading:", _table(map(_moved, changes.moved))
    obliging = [passage for passage in changes.uncovered if is_normative(passage)]
    other = [passage for passage in changes.uncovered if not is_normative(passage)]
    yield "Passages of obligation (MUST, SHOULD, MAY) without a requirement:", _table(map(_row, obliging))
    yield "Other passages without a requirement:", _table(map(_row, other))
    unordered = [Item(", ".join(changes.unordered))] if changes.unordered else []
    yield "Requirements that do not stand in the order of the text:", unordered
    yield "What the changes touch:", _touched(changes)


def change_sums(changes: TextChanges) -> Iterator[str]:
    """The totals."""
    if changes.absent:
        yield f"Documents that the folder does not have: {', '.join(changes.absent)}."
    found = sum(lost.nearest is not None for lost in changes.lost)
    if changes.lost:
        yield f"{plural(len(changes.lost), 'passage')} changed or gone; {found} with a new passage in place."
    else:
        yield "Every passage that a requirement names is in the text."
    obliging = sum(map(is_normative, changes.uncovered))
    if changes.uncovered:
        yield f"{plural(len(changes.uncovered), 'passage')} without a requirement, {obliging} of obligation."


def _table(rows: Iterable[Sequence[Spans]]) -> Iterator[Block]:
    if listed := list(rows):
        yield Table([], listed, is_cut=True)


def _ids(requirements: Sequence[str]) -> str:
    return ", ".join(first_and_more(requirements, _MAX_IDS))


def _lost(lost: LostAnchor) -> Sequence[Spans]:
    if lost.nearest is None:
        return [_ids(lost.requirements), "gone", lost.document, ""]
    return [_ids(lost.requirements), "changed", *_row(lost.nearest)]


def _moved(moved: MovedPassage) -> Sequence[Spans]:
    heading = moved.passage.section[-1]
    how = "the heading is new" if moved.is_renamed else "now below"
    return [_ids(moved.requirements), f"{moved.section} → {heading} ({how})", *_row(moved.passage)]


def _row(passage: Passage) -> Sequence[Spans]:
    return [[Code(passage.place, MAX_NAME)], [Code(" ".join(passage.words.split()), MAX_PROSE)]]


def _touched(changes: TextChanges) -> Iterator[Block]:
    if not changes.lost:
        return
    yield Item(f"{plural(len(changes.requirements), 'requirement')}: {', '.join(changes.requirements)}")
    yield Item(f"{plural(len(changes.rulings), 'ruling')}{': ' if changes.rulings else ''}{', '.join(changes.rulings)}")
    yield Item(plural(len(changes.cases), "case"))
    if changes.cases:
        yield literal(f"parity cases --select {','.join(f'requirement:{id_}' for id_ in changes.requirements)}", 1)


def changes_as_json(changes: TextChanges) -> JsonObject:
    """The same as JSON."""
    return {
        "lost": [
            {
                "requirements": [*lost.requirements],
                "document": lost.document,
                "anchor": lost.anchor,
                **({"nearest": _as_json(lost.nearest)} if lost.nearest else {}),
            }
            for lost in changes.lost
        ],
        "moved": [
            {
                "requirements": [*moved.requirements],
                "section": moved.section,
                "renamed": moved.is_renamed,
                **_as_json(moved.passage),
            }
            for moved in changes.moved
        ],
        "uncovered": [{**_as_json(passage), "obligation": is_normative(passage)} for passage in changes.uncovered],
        "absent": [*changes.absent],
        "unordered": [*changes.unordered],
        "touched": {
            "requirements": [*changes.requirements],
            "rulings": [*changes.rulings],
            "cases": [*changes.cases],
        },
    }


def _as_json(passage: Passage) -> dict[str, Json]:
    return {"at": passage.place, "headings": [*passage.section], "words": passage.words}


def render_anchors(found: Iterable[tuple[str, Passage]], medium: Medium) -> str:
    """Each passage with the line that a requirement has for it."""
    blocks: list[Block] = []
    for anchor, passage in found:
        blocks += [
            Item([Code(passage.place, MAX_NAME), f"  {' / '.join(passage.section)}"]),
            Item(passage.words, 1),
            literal(f"anchors: [{anchor}]", 1),
        ]
    return render_document(blocks, medium)
