"""Typed access to one mapping of a corpus file, collecting every problem instead of stopping at the first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from harness.corpus import strict_yaml
from harness.corpus.strict_yaml import Mapping
from harness.errors import Problem, one_line
from harness.model import Json


class Entry:
    """A mapping being read. `shown` is the file as problems name it, `label` the full name of the case it belongs to."""

    def __init__(self, mapping: Mapping, shown: str, problems: list[Problem], label: str = "", line: int = 0) -> None:
        self.mapping = mapping
        self.shown = shown
        self.problems = problems
        self.label = label
        self.line = line or mapping.line

    @property
    def at(self) -> str:
        """Where the mapping starts, as `file:line`."""
        return f"{self.shown}:{self.line}"

    def place(self, key: str, index: int | None = None) -> str:
        """The place of the member `key`, or of an item of the list under it; of the mapping where that is not there."""
        path = (key,) if index is None else (key, index)
        return f"{self.shown}:{strict_yaml.line_at(self.mapping, path) or self.line}"

    def problem(self, key: str, message: str, remedy: str) -> None:
        """Notes a problem at the line of `key`, or of the mapping where the key is not there."""
        self.problems.append(Problem(self.place(key), message, remedy, self.label))

    def refuse_unknown(self, allowed: Collection[str], what: str) -> None:
        """Notes every key that `what` (`a case`) does not have, with the nearest one that it has."""
        for key in self.mapping:
            if key not in allowed:
                self.problem(key, f"{one_line(key, 60)} is not a key of {what}.", nearest(key, allowed))

    def text(self, key: str, *, required: bool = True, default: str = "") -> str:
        """The non-empty string under `key`."""
        if key not in self.mapping:
            if required:
                self._missing(key)
            return default
        value = self.mapping[key]
        if isinstance(value, str) and value:
            return value
        remedy = "Write a text, in quotes where it looks like a number, a truth value or null."
        self.problem(key, f"{key} is {described(value)}, not a text.", remedy)
        return default

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of non-empty, distinct strings under `key`; empty where the key is not there."""
        value = self.mapping.get(key, [])
        if not isinstance(value, list):
            self.problem(key, f"{key} is {described(value)}, not a list of texts.", f"Write `{key}: [one, two]`.")
            return ()
        texts: list[str] = []
        for index, item in enumerate(value):
            if not isinstance(item, str) or not item:
                self._item_problem(key, index, f"{key} lists {described(item)}, not a text.", "Write or quote a text.")
            elif item in texts:
                self._item_problem(key, index, f"{key} lists {one_line(item, 60)} more than once.", "List it once.")
            else:
                texts.append(item)
        return tuple(texts)

    def flag(self, key: str) -> bool:
        """The boolean under `key`, false where the key is not there."""
        value = self.mapping.get(key, False)
        if isinstance(value, bool):
            return value
        self.problem(key, f"{key} is {described(value)}, not true or false.", f"Write `{key}: true`, or leave it out.")
        return False

    def object(self, key: str, *, required: bool = True) -> Mapping | None:
        """The mapping under `key`."""
        value = self.mapping.get(key)
        if isinstance(value, Mapping):
            return value
        if key in self.mapping:
            self.problem(key, f"{key} is {described(value)}, not a mapping.", f"Write `{key}:` with members below it.")
        elif required:
            self._missing(key)
        return None

    def inner(self, mapping: Mapping, key: str = "") -> Entry:
        """A mapping inside this one, with the same label and collection; its place is that of its `key`, if given."""
        return Entry(mapping, self.shown, self.problems, self.label, self.mapping.key_lines.get(key, mapping.line))

    def _missing(self, key: str) -> None:
        if not self.mapping.incomplete:
            self.problem(key, f"The key {key} is missing.", f"Add `{key}: …`.")

    def _item_problem(self, key: str, index: int, message: str, remedy: str) -> None:
        self.problems.append(Problem(self.place(key, index), message, remedy, self.label))


def nearest(name: str, allowed: Collection[str]) -> str:
    """A remedy for a name that is not allowed: the nearest one that is, or all of them."""
    near = get_close_matches(name, sorted(allowed), 1)
    return f"Did you mean {near[0]}?" if near else f"Use one of: {', '.join(sorted(allowed))}."


def folded(problems: Sequence[Problem], rows: int = 0, at: str = "") -> list[Problem]:
    """The problems, one mistake as one: what has one place and message, and what all `rows` of the table `at` have."""
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
    return Problem(
        place, first.message, first.remedy, tables.pop() if len(same) > 1 and len(tables) == 1 else first.case
    )


def described(value: Json | Sequence[Json]) -> str:
    """What kind of value it is, in words: `the number 5`, `a list`."""
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
