"""The single edit of a request that removes a difference."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from unicodedata import category

from ..base.json_path import member, without_indices
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
            for value in _values_at(request, "$", self.place)
        )


NO_EDIT = Edit()


def edit_between(request: JsonObject, passing: JsonObject) -> Edit:
    """The edit of the failing request that gives the passing one; the empty edit if more than one place differs."""
    found = list(_edits(request, passing, "$"))
    return found[0] if len(found) == 1 else NO_EDIT


def filled_lists(value: Json, paths: Sequence[str]) -> set[str]:
    """The places of the lists with elements that these paths enter."""
    places = {without_indices(path) for path in paths}
    return {here for place in places for here in _filled_lists(value, "$", place)}


def _filled_lists(value: Json, here: str, place: str) -> Iterator[str]:
    match value:
        case list() if value and place.startswith(f"{here}["):
            yield here
            for below in value:
                yield from _filled_lists(below, f"{here}[*]", place)
        case dict() if place.startswith(here):
            for key, below in value.items():
                yield from _filled_lists(below, here + member(key), place)


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
        for one, other in zip(removed, added, strict=True):
            yield from _edits(one, other, place)
        return
    yield from (Edit(place, removed=compact(one)) for one in removed)
    yield from (Edit(place, added=compact(one)) for one in added)


_Part = TypeVar("_Part", str, list[Json])


def _middles(before: _Part, after: _Part) -> tuple[_Part, _Part]:
    """Both sequences without their common beginning and their common end."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    return before[head : len(before) - tail], after[head : len(after) - tail]


def _common(one: Sequence[Json], other: Sequence[Json]) -> int:
    """Length of the common beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if compact(a) != compact(b)), min(len(one), len(other)))


def _classes(text: str) -> str:
    """The characters of a text, those outside ASCII as their category."""
    return "".join(f"{one} " if one.isascii() else f"{category(one)} " for one in text)


def _values_at(value: Json, here: str, place: str) -> Iterator[Json]:
    """The values at a place."""
    if here == place:
        yield value
    elif place.startswith(here):
        match value:
            case dict():
                for key, below in value.items():
                    yield from _values_at(below, here + member(key), place)
            case list():
                for below in value:
                    yield from _values_at(below, f"{here}[*]", place)
