"""The single edit of a request that removes a difference."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from unicodedata import category

from ..base.json_path import member, places, without_indices
from ..compare.canonical import compact
from ..model import Json, JsonObject


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """One change of a request. `place` is where, with `[*]` for any element; `removed` and `added` are the part of a text,
    or a whole value as JSON, before and after. The empty edit stands for an unknown one."""

    place: str = ""
    removed: str = ""
    added: str = ""

    def __str__(self) -> str:
        if self.removed and self.added:
            return f"{self.place}: {self.added} in place of {self.removed}"
        return f"{self.place}: with {self.added}" if self.added else f"{self.place}: without {self.removed}"

    def applies_to(self, request: JsonObject) -> bool:
        """Whether a request has what this edit removes: the part of a text, in which a character outside ASCII stands for
        its Unicode category, or any other value at the place. True if that is unknown."""
        if not self.removed:
            return True
        part = json.loads(self.removed)
        return any(
            not (isinstance(part, str) and isinstance(value, str)) or _classes(part) in _classes(value)
            for place, value in places(request)
            if place == self.place
        )


NO_EDIT = Edit()


def edit_between(request: JsonObject, passing: JsonObject) -> Edit:
    """The edit of the failing request that gives the passing one; the empty edit if more than one place differs."""
    found = list(_edits(request, passing, "$"))
    return found[0] if len(found) == 1 else NO_EDIT


def filled_lists(value: Json, paths: Sequence[str]) -> set[str]:
    """The places of the lists with elements that these paths enter."""
    entered = [without_indices(path) for path in paths]
    lists = {place for place, below in places(value) if isinstance(below, list) and below}
    return {place for place in lists if any(path.startswith(f"{place}[") for path in entered)}


def _edits(before: Json, after: Json, place: str) -> Iterator[Edit]:
    match before, after:
        case dict(), dict():
            for key in (*before, *(key for key in after if key not in before)):
                below = place + member(key)
                if key not in after:
                    yield Edit(below, removed=compact(before[key]))
                elif key not in before:
                    yield Edit(below, added=compact(after[key]))
                else:
                    yield from _edits(before[key], after[key], below)
        case list(), list():
            yield from _list_edits(before, after, f"{place}[*]")
        case str(), str() if before != after:
            removed, added = _middles(before, after)
            yield Edit(place, *(compact(text) if text else "" for text in (removed, added)))
        case _ if compact(before) != compact(after):
            yield Edit(place, compact(before), compact(after))


def _list_edits(before: list[Json], after: list[Json], place: str) -> Iterator[Edit]:
    """The edits of a list: elements in the middle that are removed or added, or changed one by one."""
    removed, added = _middles(before, after)
    if len(removed) == len(added):
        for element, other in zip(removed, added, strict=True):
            yield from _edits(element, other, place)
        return
    yield from (Edit(place, removed=compact(element)) for element in removed)
    yield from (Edit(place, added=compact(element)) for element in added)


_Middle = TypeVar("_Middle", str, list[Json])


def _middles(before: _Middle, after: _Middle) -> tuple[_Middle, _Middle]:
    """Both sequences without their common beginning and their common end."""
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    return before[start : len(before) - end], after[start : len(after) - end]


def _common(before: Sequence[Json], after: Sequence[Json]) -> int:
    """Length of the common beginning."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((at for at, (a, b) in pairs if compact(a) != compact(b)), min(len(before), len(after)))


def _classes(text: str) -> str:
    """The characters of a text, those outside ASCII as their category."""
    return "".join(f"{character if character.isascii() else category(character)} " for character in text)
