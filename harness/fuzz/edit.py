"""The single edit of a request that removes a difference."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import category

from ..base.json_path import places, without_indices
from ..compare.alignment import edits
from ..compare.canonical import compact
from ..compare.edits import Changed, Missing, Unexpected, middles
from ..compare.json_diff import differences
from ..model import Absent, Json, JsonObject


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
    found = edits(list(differences(request, passing)), request, passing)
    match found:
        case (Changed(path, str(before), str(after)),):
            removed, added = middles(before, after)
            return Edit(without_indices(path), *(compact(text) if text else "" for text in (removed, added)))
        case (Changed(path, before, after),):
            sides = ("" if isinstance(side, Absent) else compact(side) for side in (before, after))
            return Edit(without_indices(path), *sides)
        case (Missing(path, _, value),):
            return Edit(f"{without_indices(path)}[*]", removed=compact(value))
        case (Unexpected(path, _, value),):
            return Edit(f"{without_indices(path)}[*]", added=compact(value))
    return NO_EDIT


def filled_lists(value: Json, paths: Sequence[str]) -> set[str]:
    """The places of the lists with elements that these paths enter."""
    entered = [without_indices(path) for path in paths]
    lists = {place for place, below in places(value) if isinstance(below, list) and below}
    return {place for place in lists if any(path.startswith(f"{place}[") for path in entered)}


def _classes(text: str) -> str:
    """The characters of a text, those outside ASCII as their category."""
    return "".join(f"{character if character.isascii() else category(character)} " for character in text)
