"""Two corpora → the requirements, rulings, operations and cases that differ. Pure. Places in files are no difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Raw, Struct, to_builtins

from ..compare.contained import response_value
from ..compare.verdict import response_differences
from ..model import EXACT, Case, Difference, Json, JsonObject, Operation, Requirement, Ruling
from .loader import Corpus


class EntryChange(StrEnum):
    """What happened to an entry of a corpus."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class ChangedMember(Struct, frozen=True):
    """A member that differs, with both values as JSON; None where an entry does not have it."""

    name: str
    before: Json
    after: Json


class ChangedEntry(Struct, frozen=True):
    """An entry that differs: its name, its place in the newer corpus that has it, and its members if both have it. Of a
    case with another expected answer, `first` is the first difference."""

    name: str
    at: str
    change: EntryChange
    members: tuple[ChangedMember, ...] = ()
    first: Difference | None = None

    def has(self, member: str) -> bool:
        """Whether this member differs."""
        return any(part.name == member for part in self.members)


class CorpusDiff(Struct, frozen=True):
    """What differs between two corpora, by sort of entry."""

    requirements: tuple[ChangedEntry, ...]
    rulings: tuple[ChangedEntry, ...]
    operations: tuple[ChangedEntry, ...]
    cases: tuple[ChangedEntry, ...]

    @property
    def by_sort(self) -> Mapping[str, tuple[ChangedEntry, ...]]:
        """The changed entries by the name of their sort."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def corpus_diff(before: Corpus, after: Corpus) -> CorpusDiff:
    """What changed from one corpus to another."""
    cases = [{case.name: case for case in corpus.cases} for corpus in (before, after)]
    return CorpusDiff(
        requirements=tuple(_changes(before.requirements, after.requirements)),
        rulings=tuple(_changes(before.rulings, after.rulings)),
        operations=tuple(_changes(before.operations, after.operations)),
        cases=tuple(_changes(*cases)),
    )


_Entries = Mapping[str, Any]


def _changes(before: _Entries, after: _Entries) -> Iterator[ChangedEntry]:
    """The entries that differ, in the order of the newer corpus; the removed ones last."""
    for name, entry in after.items():
        if name not in before:
            yield ChangedEntry(name, _at(entry), EntryChange.ADDED)
        elif not _is_stored_alike(before[name], entry) and (members := tuple(_members(before[name], entry))):
            yield ChangedEntry(name, _at(entry), EntryChange.CHANGED, members, _first(before[name], entry))
    for name, entry in before.items():
        if name not in after:
            yield ChangedEntry(name, _at(entry), EntryChange.REMOVED)


def _at(entry: Requirement | Ruling | Operation | Case) -> str:
    return f"schemas/{entry.system}/{entry.name}.json" if isinstance(entry, Operation) else entry.at


def _is_stored_alike(before: Any, after: Any) -> bool:
    """Whether two cases are equal as they are stored, so that nothing needs to be decoded."""
    if not (isinstance(before, Case) and isinstance(before.body, Raw) and isinstance(after.body, Raw)):
        return False
    others = (name for name in Case.__struct_fields__ if name not in ("body", "at"))
    return bytes(before.body) == bytes(after.body) and all(
        getattr(before, name) == getattr(after, name) for name in others
    )


def _members(before: Any, after: Any) -> Iterator[ChangedMember]:
    old, new = _values(before), _values(after)
    for name in dict.fromkeys([*new, *old]):
        if old.get(name) != new.get(name):
            yield ChangedMember(name, old.get(name), new.get(name))


def _values(entry: Any) -> dict[str, Any]:
    """The members of an entry as JSON, without its place."""
    if isinstance(entry, Case):
        values = to_builtins({**judged_values(entry), **{name: getattr(entry, name) for name in _OF_CASE}})
    else:
        values = to_builtins(entry)
    return {name: value for name, value in values.items() if name != "at"}


def judged_values(case: Case) -> JsonObject:
    """The request of a case and its expected answers, as JSON."""
    expected = response_value(case.expected)
    readings: JsonObject = {name: response_value(response) for name, response in case.readings.items()}
    return {
        "request": case.request,
        "expected": expected,
        "readings": readings | {case.adopted: expected} if readings else {},
    }


_OF_CASE = (
    "operation", "ruling", "adopted", "requirements", "origin", "revision", "tags", "environment", "negative", "note",
    "evidence",
)  # fmt: skip
"""The other members of a case."""


def _first(before: Any, after: Any) -> Difference | None:
    if not isinstance(before, Case):
        return None
    return next(response_differences(before.expected, after.expected, EXACT), None)
