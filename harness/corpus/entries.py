"""Typed access to one mapping of a corpus file. Reading collects every problem and never stops at the first."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..errors import Problem, one_line
from ..model import Documented, Json
from .located import Mapping, line_at

TODO = "TODO"
"""A text that a person still has to write, or its beginning. A loader or a gate refuses it."""


class Entry:
    """Reader of one mapping. `shown` is the path that problems show, `label` the full name of the case it belongs to."""

    def __init__(self, mapping: Mapping, shown: str, problems: list[Problem], label: str = "", line: int = 0) -> None:
        self.mapping = mapping
        self.shown = shown
        self.problems = problems
        self.label = label
        self.line = line or mapping.line

    @property
    def at(self) -> str:
        """Start of the mapping, as `file:line`."""
        return f"{self.shown}:{self.line}"

    def place(self, key: str, index: int | None = None) -> str:
        """Place of the member `key`, or of an item of its list. A missing member has the place of the mapping."""
        path = (key,) if index is None else (key, index)
        return f"{self.shown}:{line_at(self.mapping, path) or self.line}"

    def problem(self, key: str, code: str, message: str, remedy: str) -> None:
        """Adds a problem at the line of `key`, or of the mapping if the key is missing."""
        self.problems.append(Problem(self.place(key), code, message, remedy, self.label))

    def refuse_unknown(self, allowed: Collection[str], what: str) -> None:
        """Adds a problem for every key that is not `allowed`. `what` names the mapping: `a case`."""
        for key in self.mapping:
            if key not in allowed:
                self.problem(
                    key, "unknown-key", f"{one_line(key, 60)} is not a key of {what}.", name_remedy(key, allowed)
                )

    def text(self, key: str, *, required: bool = True, default: str = "") -> str:
        """The non-empty string under `key`."""
        if key not in self.mapping:
            if required:
                self._missing(key)
            return default
        value = self.mapping[key]
        if isinstance(value, str) and value:
            return value
        remedy = "Write a text, in quotes if it looks like a number, a truth value or null."
        self.problem(key, "not-a-text", f"{key} is {described(value)}, not a text.", remedy)
        return default

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of non-empty, distinct strings under `key`; empty if the key is missing."""
        value = self.mapping.get(key, [])
        if not isinstance(value, list):
            message = f"{key} is {described(value)}, not a list of texts."
            self.problem(key, "not-a-list", message, f"Write `{key}: [one, two]`.")
            return ()
        texts: list[str] = []
        for index, item in enumerate(value):
            if not isinstance(item, str) or not item:
                message = f"{key} lists {described(item)}, not a text."
                self._item_problem(key, index, "not-a-text", message, "Write a text, or quote it.")
            elif item in texts:
                message = f"{key} lists {one_line(item, 60)} more than once."
                self._item_problem(key, index, "duplicate-item", message, "List it once.")
            else:
                texts.append(item)
        return tuple(texts)

    def flag(self, key: str) -> bool:
        """The boolean under `key`; false if the key is missing."""
        value = self.mapping.get(key, False)
        if isinstance(value, bool):
            return value
        message = f"{key} is {described(value)}, not true or false."
        self.problem(key, "not-a-boolean", message, f"Write `{key}: true`, or remove the key.")
        return False

    def object(self, key: str, *, required: bool = True) -> Mapping | None:
        """The mapping under `key`."""
        value = self.mapping.get(key)
        if isinstance(value, Mapping):
            return value
        if key in self.mapping:
            message = f"{key} is {described(value)}, not a mapping."
            self.problem(key, "not-a-mapping", message, f"Write `{key}:` with members below it.")
        elif required:
            self._missing(key)
        return None

    def inner(self, mapping: Mapping, key: str = "") -> Entry:
        """Reader of a mapping inside this one, with the same label and problems. Its place is the place of `key`."""
        return Entry(mapping, self.shown, self.problems, self.label, self.mapping.key_lines.get(key, mapping.line))

    def _missing(self, key: str) -> None:
        if not self.mapping.incomplete:
            self.problem(key, "missing-key", f"The key {key} is missing.", f"Add `{key}: …`.")

    def _item_problem(self, key: str, index: int, code: str, message: str, remedy: str) -> None:
        self.problems.append(Problem(self.place(key, index), code, message, remedy, self.label))


def documented_of(entry: Entry) -> Documented | None:
    """The member `documented` of a ruling or a known divergence; None if it is missing or broken."""
    found = entry.object("documented", required=False)
    if found is None:
        return None
    inner = entry.inner(found, "documented")
    inner.refuse_unknown({"where", "says"}, "documented")
    where, says = inner.text("where"), inner.text("says")
    return Documented(where, says) if where and says else None


def not_a_mapping(value: Json, place: str, what: str, remedy: str) -> Problem:
    """The problem of a file whose value is no mapping; `what` names the expected content: `a suite`."""
    if value is None:
        return Problem(place, "empty-file", "The file is empty.", remedy)
    return Problem(place, "not-a-mapping", f"The file contains {described(value)}, not {what}.", remedy)


def item_not_a_mapping(item: Json, place: str, subject: str) -> Problem:
    """The problem of a list item that is no mapping; `subject` names the item: `A case`."""
    message = f"{subject} is {described(item)}, not a mapping."
    return Problem(place, "not-a-mapping", message, "Write `- id: …` with the other keys below it.")


def duplicate_id(identifier: str, at: str) -> tuple[str, str, str]:
    """Code, message and remedy of an id that a requirement or a ruling at `at` already has."""
    return "duplicate-id", f"The id {identifier} is already used at {at}.", "Give this one another id."


def name_remedy(name: str, allowed: Collection[str]) -> str:
    """A remedy for a name that is not allowed: the nearest allowed name, or all of them."""
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(allowed), 1)
    return f"Did you mean {near[0]}?" if near else f"Use one of: {', '.join(sorted(allowed))}."


def folded(problems: Sequence[Problem], rows: int = 0, at: str = "") -> list[Problem]:
    """Merges problems with the same place and message, and problems that all `rows` rows of the table at `at` share."""
    by_message: dict[str, dict[str, list[Problem]]] = {}
    for problem in problems:
        by_message.setdefault(problem.message, {}).setdefault(problem.place, []).append(problem)
    found = []
    for by_place in by_message.values():
        same = [problem for here in by_place.values() for problem in here]
        if len({problem.case for problem in same}) >= rows > 1:
            found.append(_folded(same, at if len(by_place) > 1 else same[0].place))
        else:
            found += [_folded(here, place) for place, here in by_place.items()]
    return found


def _folded(same: Sequence[Problem], place: str) -> Problem:
    first, tables = same[0], {problem.case.partition(".")[0] for problem in same}
    case = tables.pop() if len(same) > 1 and len(tables) == 1 else first.case
    return Problem(place, first.code, first.message, first.remedy, case)


def described(value: Json | Sequence[Json]) -> str:
    """The kind of a value, in words: `the number 5`, `a list`."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {one_line(repr(value), 40)}"
        case str():
            return f"the text {one_line(value, 40)}" if value else "an empty text"
        case list():
            return "a list"
        case _:
            return "a mapping"
