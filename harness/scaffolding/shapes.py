"""Operation schemas → the members of requests and answers, as text that fits into a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import assert_never

from msgspec import Struct

from ..corpus.schemas import Schemas
from ..corpus.value_types import (
    ANY,
    Described,
    ListOf,
    ObjectOf,
    OneOf,
    OperationTypes,
    ValueType,
    Worded,
    operation_types,
)
from ..errors import one_line
from ..model import Operation

_KINDS = {
    "string": "text",
    "number": "number",
    "integer": "number",
    "boolean": "boolean",
    "array": "list",
    "object": "object",
    "null": "null",
}
_PLAIN = re.compile(r"[a-z][A-Za-z0-9]*")


class Member(Struct, frozen=True):
    """A member of a request or an answer. `kind` is `text`, `number`, `boolean`, `list`, `object`, several of these joined
    by `or`, or `any`."""

    name: str
    kind: str
    required: bool

    def __str__(self) -> str:
        return f"{one_line(self.name, 60)}{'' if self.required else '?'}: {self.kind}"


class Shape(Struct, frozen=True):
    """The members of one operation's request and answer."""

    operation: str
    request: tuple[Member, ...]
    answer: tuple[Member, ...]

    def __str__(self) -> str:
        return f"{_listed(self.request)} -> {_listed(self.answer)}"


def shapes_of(system: str, operations: Mapping[str, Operation], schemas: Schemas) -> list[Shape]:
    """The shapes of a system's operations, sorted by name."""
    return [
        _shape(operation_types(schemas, system, name))
        for name, operation in sorted(operations.items())
        if operation.system == system
    ]


def simplest(shapes: list[Shape]) -> Shape:
    """The operation to start with: the fewest members, and only texts if such an operation exists."""

    def effort(shape: Shape) -> tuple[bool, bool, int, str]:
        members = shape.request + shape.answer
        texts_alone = all(member.kind == "text" and _PLAIN.fullmatch(member.name) for member in members)
        return not (shape.request and shape.answer), not texts_alone, len(members), shape.operation

    return min(shapes, key=effort)


def _listed(members: tuple[Member, ...]) -> str:
    return f"{{{', '.join(map(str, members))}}}"


def _shape(types: OperationTypes) -> Shape:
    definitions = dict(types.definitions)
    return Shape(types.name, _members(types.request, definitions), _members(types.answer, definitions))


def _members(found: Described, definitions: Mapping[str, Described]) -> tuple[Member, ...]:
    """The members of an object; none of any other type."""
    if isinstance(found.type, Worded):
        [name] = found.type.words
        return _members(definitions[name], definitions) if name in definitions else ()
    if not isinstance(found.type, ObjectOf):
        return ()
    kinds = {item.name: list(dict.fromkeys(_kinds(item.value.type, definitions))) for item in found.type.members}
    return tuple(
        Member(item.name, ANY if ANY in kinds[item.name] else " or ".join(kinds[item.name]), item.required)
        for item in found.type.members
    )


def _kinds(type_: ValueType, definitions: Mapping[str, Described]) -> Iterator[str]:
    """The kinds of value that a type allows; `any` for a definition that leads only to itself."""
    match type_:
        case ListOf():
            yield "list"
        case ObjectOf():
            yield "object"
        case OneOf(options):
            for option in options:
                yield from _kinds(option.type, definitions)
        case Worded(words):
            for word in words:
                if word in definitions:
                    others = {name: below for name, below in definitions.items() if name != word}
                    yield from _kinds(definitions[word].type, others)
                else:
                    yield "text" if word.startswith('"') else _KINDS.get(word, ANY)
        case _:
            assert_never(type_)
