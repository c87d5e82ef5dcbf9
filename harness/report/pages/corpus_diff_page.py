"""What differs between two corpora → the page that `parity compare --corpus` prints: numbers first, then what changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import to_builtins

from ...base.text_limits import MAX_STATEMENT
from ...corpus.corpus_diff import ChangedEntry, ChangedMember, CorpusDiff, EntryChange
from ...model import Json, JsonObject
from ..document import Block, Code, Heading, Item, Table, first_items, literal, sections
from ..document_terminal import Medium, render_document
from ..phrases import and_more
from .impact_page import answer_items
from .ruling_page import MAX_LISTED

_ANSWERS = ("expected", "readings", "request")
"""The members of a case that have a section of their own, each below the first of them that differs."""


def render(diff: CorpusDiff, medium: Medium) -> str:
    """The whole page."""
    changed = [entry for entry in diff.cases if entry.change is EntryChange.CHANGED]
    titled: list[tuple[str, Sequence[Block]]] = [
        ("", list(_head(diff))),
        ("rulings", list(_entries(diff.rulings))),
        ("requirements", list(_entries(diff.requirements))),
        ("operations", list(_entries(diff.operations))),
        (
            "cases with another expected answer",
            list(answer_items([(_placed(entry), entry.first) for entry in changed if entry.first])),
        ),
        (
            "cases with other readings",
            _names([entry for entry in changed if entry.has("readings") and not entry.first]),
        ),
        ("cases with another request", _names([entry for entry in changed if entry.has("request")])),
        ("cases with other members", _names([entry for entry in changed if not any(map(entry.has, _ANSWERS))])),
        *((f"{change} cases", _names([entry for entry in diff.cases if entry.change is change])) for change in _OUTER),
    ]
    return render_document(sections(titled), medium)


_OUTER = (EntryChange.ADDED, EntryChange.REMOVED)


def as_json(diff: CorpusDiff) -> JsonObject:
    """The changes as values."""
    return {
        sort: [
            {
                "name": entry.name,
                "at": entry.at,
                "change": entry.change.value,
                "members": {part.name: {"before": part.before, "after": part.after} for part in entry.members},
            }
            for entry in entries
        ]
        for sort, entries in diff.by_sort.items()
    }


def _head(diff: CorpusDiff) -> Iterator[Block]:
    yield Heading(2, "Changes between two corpora")
    if not any(diff.by_sort.values()):
        yield Item("Nothing differs.")
        return
    rows = [
        [sort, *(str(sum(entry.change is change for entry in entries) or "·") for change in EntryChange)]
        for sort, entries in diff.by_sort.items()
    ]
    yield Table(["", *EntryChange], rows, numbers=len(EntryChange))


def _placed(entry: ChangedEntry) -> str:
    return f"{entry.name}  {entry.at}"


def _entries(entries: Sequence[ChangedEntry]) -> Iterator[Block]:
    """The numbers of changed members, then the first entries."""
    members = Counter(part.name for entry in entries for part in entry.members)
    if len(entries) > 1 and members:
        yield Item("changed: " + ", ".join(f"{name} ({count:,})" for name, count in members.most_common()))
    for entry in entries[:MAX_LISTED]:
        what = "" if entry.change is EntryChange.CHANGED else f"  {entry.change}"
        yield literal(_placed(entry) + what)
        for part in entry.members:
            yield from _member(part)
    if more := and_more(len(entries) - MAX_LISTED):
        yield Item(f"… {more}")


def _member(part: ChangedMember) -> Iterator[Block]:
    """`adopted: a becomes b`; a long text below its name."""
    if isinstance(part.before, str) and isinstance(part.after, str) and max(map(len, (part.before, part.after))) <= 20:
        yield Item(f"{part.name}: {part.before or 'none'} becomes {part.after or 'none'}", 2)
        return
    yield Item(f"{part.name}:", 2)
    yield Item([Code(f"- {_text(part.before)}", MAX_STATEMENT)], 3, "red")
    yield Item([Code(f"+ {_text(part.after)}", MAX_STATEMENT)], 3, "green")


def _text(value: Json) -> str:
    if value is None:
        return "(none)"
    return value if isinstance(value, str) else json.dumps(to_builtins(value), ensure_ascii=False)


def _names(entries: Sequence[ChangedEntry]) -> Sequence[Block]:
    return list(first_items(list(map(_placed, entries)), MAX_LISTED, "case"))
