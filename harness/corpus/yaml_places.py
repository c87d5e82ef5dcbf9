"""Places of the values of a case file in its text: edits that keep its style, its order and its comments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import yaml
from msgspec import Struct

from ..base.json_path import Step
from ..errors import escape
from ..model import Json

_PLAIN = re.compile(r"(?!(?:null|true|false)$)[a-z][a-z0-9_-]*")
"""A text that needs no quotes."""

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class TextEdit(Struct, frozen=True, order=True):
    """Another text in place of the characters from `start` up to `end`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[TextEdit]) -> str:
    """The text after the edits, which do not overlap."""
    parts, at = [], 0
    for edit in sorted({*edits}):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def yaml_value(value: Json) -> str:
    """A value as YAML on one line: JSON, in which every character that cannot be seen is an escape of YAML."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else escape(c) for c in text)


def composed(text: str) -> Any:
    """The root node of a YAML text, whose nodes know their places."""
    return yaml.compose(text, Loader=_LOADER)


def node_at(node: Any, steps: Sequence[Step]) -> Any:
    """The node below another one; None if it does not exist."""
    for step in steps:
        match node:
            case yaml.MappingNode():
                node = next((value for key, value in node.value if key.value == step), None)
            case yaml.SequenceNode() if isinstance(step, int) and step < len(node.value):
                node = node.value[step]
            case _:
                return None
    return node


def without_member(mapping: Any, key: str) -> TextEdit | None:
    """The edit that removes a member; None if the mapping does not have it, or nothing else."""
    members = mapping.value
    at = next((number for number, (name, _) in enumerate(members) if name.value == key), None)
    if at is None or len(members) == 1:
        return None
    if at + 1 < len(members):
        return TextEdit(members[at][0].start_mark.index, members[at + 1][0].start_mark.index, "")
    return TextEdit(members[at - 1][1].end_mark.index, members[at][1].end_mark.index, "")


class PlacedValue(Struct, frozen=True):
    """A value of a case in its file: `steps` from the root of the file, and the node. `is_shared`: other places of
    the file have it too."""

    steps: tuple[Step, ...]
    node: Any
    is_shared: bool = False

    def edit(self, value: Json, text: str) -> TextEdit:
        """The edit that puts another value there; `text` is that of the file."""
        start, end = self.node.start_mark.index, self.node.end_mark.index
        end = start + len(text[start:end].rstrip())  # the end of a block is the start of what follows
        is_plain = isinstance(value, str) and text[start:end] == self.node.value and _PLAIN.fullmatch(value)
        return TextEdit(start, end, str(value) if is_plain else yaml_value(value))


class _PlacedCase(Struct, frozen=True):
    """A case or a row of a table: the place of its entry, and of each cell by its column."""

    steps: tuple[Step, ...]
    entry: Any
    cells: Mapping[str, tuple[tuple[Step, ...], Any]] = {}
    rows: int = 1


class PlacedCases:
    """The cases of a file with the places of their values. The file has no problem."""

    def __init__(self, text: str) -> None:
        root = composed(text)
        self._aliased = frozenset(_aliased(root, set()))
        suite = node_at(root, ["suite"])
        self._cases = {f"{suite.value}/{name}": placed for name, placed in _placed(node_at(root, ["cases"]))}

    def value(self, case: str, steps: Sequence[Step]) -> PlacedValue | None:
        """The value of a case below these steps; None if it does not stand in one place."""
        placed = self._cases[case]
        path = list(map(str, steps))
        for length in range(len(path), 0, -1):
            if cell := placed.cells.get(".".join(path[:length])):
                return self._value(*cell, steps[length:])
        if any(column.startswith(".".join(path) + ".") for column in placed.cells):
            return None
        return self._value(placed.steps, placed.entry, steps, is_shared=placed.rows > 1)

    def _value(
        self, begin: tuple[Step, ...], node: Any, steps: Sequence[Step], *, is_shared: bool = False
    ) -> PlacedValue | None:
        """The value below a node, whose steps are `begin`."""
        way = [node_at(node, steps[:length]) for length in range(len(steps) + 1)]
        if way[-1] is None:
            return None
        return PlacedValue((*begin, *steps), way[-1], is_shared or any(id(part) in self._aliased for part in way))


def _aliased(node: Any, seen: set[int]) -> Iterator[int]:
    """The identities of the nodes that stand in several places."""
    if id(node) in seen:
        yield id(node)
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for part in node.value:
            yield from _aliased(part, seen)
    elif isinstance(node, yaml.MappingNode):
        for _, part in node.value:
            yield from _aliased(part, seen)


def _placed(cases: Any) -> Iterator[tuple[str, _PlacedCase]]:
    for at, entry in enumerate(cases.value):
        name, steps = node_at(entry, ["id"]).value, ("cases", at)
        table = node_at(entry, ["table"])
        if table is None:
            yield name, _PlacedCase(steps, entry)
            continue
        columns = [column.value for column in node_at(table, ["columns"]).value]
        rows = node_at(table, ["rows"]).value
        for number, row in enumerate(rows):
            cells = {
                column: ((*steps, "table", "rows", number, index), cell)
                for index, (column, cell) in enumerate(zip(columns, row.value, strict=True))
            }
            yield f"{name}.{cells['id'][1].value}", _PlacedCase(steps, entry, cells, len(rows))
