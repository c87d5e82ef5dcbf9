"""Operation schemas → the members of requests and answers, as text that fits into a comment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..corpus.rules import follow, resolved
from ..corpus.schemas import SCHEME, Schemas
from ..errors import one_line
from ..model import Json, JsonObject, Operation

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


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a request or an answer. `kind` is `text`, `number`, `boolean`, `list`, `object`, several of these joined
    by `or`, or `any`."""

    name: str
    kind: str
    required: bool

    def __str__(self) -> str:
        return f"{one_line(self.name, 60)}{'' if self.required else '?'}: {self.kind}"


@dataclass(frozen=True, slots=True)
class Shape:
    """The members of one operation's request and answer."""

    operation: str
    request: tuple[Member, ...]
    answer: tuple[Member, ...]

    def __str__(self) -> str:
        return f"{_listed(self.request)} -> {_listed(self.answer)}"


def shapes_of(system: str, operations: Mapping[str, Operation], schemas: Schemas) -> list[Shape]:
    """The shapes of a system's operations, sorted by name."""
    return [
        Shape(name, _members(schemas, name, system, "request"), _members(schemas, name, system, "answer"))
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


def _members(schemas: Schemas, operation: str, system: str, part: str) -> tuple[Member, ...]:
    address = f"{SCHEME}{system}/{operation}.json"
    schema = follow(schemas.values[address], ("$defs", part))
    properties, required = follow(schema, ("properties",)), follow(schema, ("required",))
    return tuple(
        Member(name, " or ".join(_kinds(value, address, schemas)) or "any", _among(name, required))
        for name, value in (properties.items() if isinstance(properties, dict) else ())
    )


def _among(name: str, listed: Json) -> bool:
    return isinstance(listed, list) and name in listed


def _kinds(schema: Json, address: str, schemas: Schemas, seen: frozenset[str] = frozenset()) -> list[str]:
    """The kinds of value that a schema allows; empty if the schema does not limit them. `seen` are the references on the
    way here, so that a circular reference ends."""
    if not isinstance(schema, dict):
        return []
    reference = schema.get("$ref")
    if isinstance(reference, str):
        where, steps = resolved(reference, address)
        place = "#".join((where, *map(str, steps)))
        target = follow(schemas.values.get(where), steps)
        return [] if place in seen else _kinds(target, where, schemas, seen | {place})
    if "oneOf" in schema or "anyOf" in schema:
        choices = schema.get("oneOf", schema.get("anyOf"))
        found = [_kinds(choice, address, schemas, seen) for choice in (choices if isinstance(choices, list) else [])]
        return list(dict.fromkeys(kind for kinds in found for kind in kinds)) if all(found) else []
    return _own_kinds(schema)


def _own_kinds(schema: JsonObject) -> list[str]:
    stated = schema.get("type")
    if isinstance(stated, list):
        return [_KINDS.get(str(kind), "any") for kind in stated]
    if isinstance(stated, str):
        return [_KINDS.get(stated, "any")]
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return ["text"] if isinstance(values, list) and values and all(isinstance(value, str) for value in values) else []
