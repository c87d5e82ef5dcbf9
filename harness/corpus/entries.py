"""Typed access to one mapping of a corpus file, collecting every problem instead of stopping at the first."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches

from harness.corpus.strict_yaml import Mapping
from harness.errors import Problem, one_line
from harness.model import Json

IDENTIFIER = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*|[a-z0-9-]+")


class Entry:
    """A mapping being read. `shown` is the file as problems name it, `label` the full name of the case it belongs to."""

    def __init__(self, mapping: Mapping, shown: str, problems: list[Problem], label: str = "", line: int = 0) -> None:
        self.mapping = mapping
        self.shown = shown
        self.problems = problems
        self.label = label
        self.line = line or mapping.line

    def problem(self, key: str, message: str, remedy: str) -> None:
        """Notes a problem at the line of `key`, or of the mapping where the key is not there."""
        line = self.mapping.key_lines.get(key, self.line)
        self.problems.append(Problem(f"{self.shown}:{line}", message, remedy, self.label))

    def refuse_unknown(self, allowed: Collection[str], what: str) -> None:
        """Notes every key that `what` does not have, with the nearest one that it has."""
        for key in self.mapping:
            if key not in allowed:
                near = get_close_matches(key, sorted(allowed), 1)
                remedy = f"Did you mean {near[0]}?" if near else f"Use one of: {', '.join(sorted(allowed))}."
                self.problem(key, f"{what} has no key {one_line(key, 60)}.", remedy)

    def text(self, key: str, *, required: bool = True, default: str = "") -> str:
        """The non-empty string under `key`."""
        if key not in self.mapping:
            if required:
                self.problem(key, f"The key {key} is missing.", f"Add `{key}: …`.")
            return default
        value = self.mapping[key]
        if isinstance(value, str) and value:
            return value
        self.problem(
            key,
            f"{key} is {described(value)}, not a text.",
            "Write a non-empty text; quote it if it looks like a number.",
        )
        return default

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of non-empty, distinct strings under `key`; empty where the key is not there."""
        value = self.mapping.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            self.problem(key, f"{key} is {described(value)}, not a list of texts.", f"Write `{key}: [one, two]`.")
            return ()
        texts = [item for item in value if isinstance(item, str)]
        for item in sorted({item for item in texts if texts.count(item) > 1}):
            self.problem(key, f"{key} lists {one_line(item, 60)} more than once.", "List it once.")
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
            self.problem(key, f"The key {key} is missing.", f"Add `{key}:` with its members.")
        return None

    def inner(self, mapping: Mapping) -> Entry:
        """A mapping inside this one, with the same label and collection."""
        return Entry(mapping, self.shown, self.problems, self.label)


def described(value: Json) -> str:
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
