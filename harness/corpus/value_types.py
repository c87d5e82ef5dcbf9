"""Operation schemas → the types of requests and answers, as values: references resolved, limits in words.

A definition that several places refer to, or that contains itself, is named and stands once; every other one stands at
its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from ..base.json_path import follow
from ..model import Json, JsonObject
from .rules import resolved
from .schema_notes import constant, notes, text
from .schemas import SCHEME, Schemas, shown

ANY = "any"
"""The word for a value that the schema does not limit."""


class Worded(Struct, frozen=True):
    """A value of one of these kinds: `string`, a constant as JSON, the name of a definition, `any`."""

    words: tuple[str, ...]


class ListOf(Struct, frozen=True):
    """A list of such elements."""

    items: Described


class ObjectOf(Struct, frozen=True):
    """An object with these members; `others` is the type of members with any other name, None if there are none."""

    members: tuple[MemberType, ...]
    others: Described | None = None


class OneOf(Struct, frozen=True):
    """A value of one of these types."""

    options: tuple[Described, ...]


ValueType: TypeAlias = "Worded | ListOf | ObjectOf | OneOf"


class Described(Struct, frozen=True):
    """A type with its description and limits, one a note."""

    type: ValueType
    notes: tuple[str, ...] = ()


class MemberType(Struct, frozen=True):
    """A member of an object; `required` unless it may be absent."""

    name: str
    required: bool
    value: Described


class OperationTypes(Struct, frozen=True):
    """The types of one operation: its request, its answer, the definitions that both refer to by name, and its error
    types. `file` is its schema."""

    name: str
    file: str
    title: str
    description: str
    request: Described
    answer: Described
    definitions: tuple[tuple[str, Described], ...]
    errors: tuple[str, ...]


def operation_types(schemas: Schemas, system: str, operation: str) -> OperationTypes:
    """The types of an existing operation."""
    address = operation_address(system, operation)
    schema = schemas.values[address]
    reader = _Reader(schemas, address)
    request, answer = (reader.read(follow(schema, ("$defs", part)), address) for part in ("request", "answer"))
    errors = follow(schema, ("$defs", "error", "enum"))
    return OperationTypes(
        name=operation,
        file=shown(address),
        title=operation_title(schemas, system, operation),
        description=text(schema.get("description")),
        request=request,
        answer=answer,
        definitions=tuple(reader.definitions()),
        errors=tuple(str(error) for error in errors) if isinstance(errors, list) else (),
    )


def operation_title(schemas: Schemas, system: str, operation: str) -> str:
    """What the operation does, in a few words: the title of its schema; the end of the description if the title is only
    the name."""
    schema = schemas.values[operation_address(system, operation)]
    title = text(schema.get("title"))
    if title != operation:
        return title
    description = text(schema.get("description")).removesuffix(".")
    words = description.partition(": ")[2] or description
    return f"{words[:1].upper()}{words[1:]}" or title


def operation_address(system: str, operation: str) -> str:
    """The address of an operation's schema."""
    return f"{SCHEME}{system}/{operation}.json"


def self_contained(schemas: Schemas, system: str, operation: str) -> JsonObject:
    """The schema of an operation with every definition that it refers to under its own `$defs`."""
    address = operation_address(system, operation)
    bundle = _Bundle(schemas)
    schema = schemas.values[address]
    parts = {part: bundle.local(follow(schema, ("$defs", part)), address) for part in ("request", "answer", "error")}
    kept = {key: value for key, value in schema.items() if key != "$defs"}
    return {**kept, "$defs": {**parts, **bundle.definitions()}}


class _Names:
    """The targets of references, each under a short name of its own."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, tuple[str | int, ...]], str] = {}

    def name(self, where: str, steps: tuple[str | int, ...]) -> str:
        """The last step to the target, with the name of its file where two targets share it."""
        found = self._names.get((where, steps))
        if found is None:
            stem = where.rpartition("/")[2].removesuffix(".json")
            last = str(steps[-1]) if steps else stem
            taken = {*self._names.values(), "request", "answer", "error"}
            candidates = (last, f"{stem}.{last}", *(f"{stem}.{last}.{number}" for number in range(2, 1000)))
            found = self._names[where, steps] = next(candidate for candidate in candidates if candidate not in taken)
        return found


class _Bundle:
    """Schemas with all references to `#/$defs/NAME`."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._names = _Names()
        self._found: dict[str, Json] = {}

    def local(self, value: Json, address: str) -> Json:
        """The schema with local references; their targets are collected."""
        if isinstance(value, list):
            return [self.local(item, address) for item in value]
        if not isinstance(value, dict):
            return value
        copy = {key: self.local(item, address) for key, item in value.items()}
        reference = value.get("$ref")
        if isinstance(reference, str):
            where, steps = resolved(reference, address)
            name = self._names.name(where, steps)
            copy["$ref"] = f"#/$defs/{name}"
            if name not in self._found:
                self._found[name] = None
                self._found[name] = self.local(follow(self._schemas.values.get(where), steps), where)
        return copy

    def definitions(self) -> dict[str, Json]:
        """The definitions by name."""
        return dict(self._found)


class _Reader:
    """Reader of the types of one operation."""

    def __init__(self, schemas: Schemas, address: str) -> None:
        self._schemas = schemas
        self._names = _Names()
        self._definitions: dict[str, Described | None] = {}
        self._named = _named(schemas, address)

    def read(self, schema: Json, address: str) -> Described:
        """The type that a schema describes."""
        if not isinstance(schema, dict):
            return Described(Worded((ANY if schema is not False else "nothing",)))
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self._referred(reference, schema, address)
        return Described(self._type(self._joined(schema, address), address), tuple(notes(schema, address)))

    def definitions(self) -> Iterator[tuple[str, Described]]:
        """The named definitions, in the order in which they are referred to."""
        for name, definition in self._definitions.items():
            if definition is not None:
                yield name, definition

    def _referred(self, reference: str, schema: JsonObject, address: str) -> Described:
        where, steps = resolved(reference, address)
        target = follow(self._schemas.values.get(where), steps)
        own = tuple(notes(schema, address))
        if (where, steps) not in self._named:
            found = self.read(target, where)
            return Described(found.type, tuple(dict.fromkeys([*own, *found.notes])))
        name = self._names.name(where, steps)
        if name not in self._definitions:
            self._definitions[name] = None
            self._definitions[name] = self.read(target, where)
        return Described(Worded((name,)), own)

    def _joined(self, schema: JsonObject, address: str) -> JsonObject:
        """The schema with the members of its `allOf` parts."""
        parts = schema.get("allOf")
        if not isinstance(parts, list):
            return schema
        joined = {key: value for key, value in schema.items() if key != "allOf"}
        for part in parts:
            whole = self._joined(self._target(part, address), address)
            for key in ("properties", "required"):
                old, new = joined.get(key), whole.get(key)
                if isinstance(old, dict) and isinstance(new, dict):
                    joined[key] = {**old, **new}
                elif isinstance(old, list) and isinstance(new, list):
                    joined[key] = [*old, *new]
                elif new is not None:
                    joined[key] = new
            joined = {**whole, **joined}
        return joined

    def _target(self, schema: Json, address: str) -> JsonObject:
        if not isinstance(schema, dict):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        where, steps = resolved(reference, address)
        target = follow(self._schemas.values.get(where), steps)
        return target if isinstance(target, dict) else {}

    def _type(self, schema: JsonObject, address: str) -> ValueType:
        for key in ("oneOf", "anyOf"):
            options = schema.get(key)
            if isinstance(options, list):
                return _one_of([self.read(option, address) for option in options])
        if "const" in schema:
            return Worded((constant(schema["const"]),))
        values = schema.get("enum")
        if isinstance(values, list):
            return Worded(tuple(map(constant, values)))
        stated = schema.get("type")
        kinds = [str(kind) for kind in stated] if isinstance(stated, list) else [str(stated)] if stated else []
        if not kinds:
            kinds = ["object"] if "properties" in schema else ["array"] if "items" in schema else [ANY]
        return _one_of([Described(self._of_kind(kind, schema, address)) for kind in kinds])

    def _of_kind(self, kind: str, schema: JsonObject, address: str) -> ValueType:
        if kind == "array":
            return ListOf(self.read(schema.get("items", True), address))
        if kind != "object":
            return Worded((kind,))
        properties, required = schema.get("properties"), schema.get("required")
        listed = required if isinstance(required, list) else []
        members = properties.items() if isinstance(properties, dict) else ()
        others = schema.get("additionalProperties", True)
        return ObjectOf(
            tuple(MemberType(name, name in listed, self.read(value, address)) for name, value in members),
            None if others is False else self.read(others, address),
        )


def _one_of(options: list[Described]) -> ValueType:
    """The options as one type: words if each is a word without notes."""
    words: list[str] = []
    for option in options:
        if not isinstance(option.type, Worded) or option.notes:
            return options[0].type if len(options) == 1 and not options[0].notes else OneOf(tuple(options))
        words += option.type.words
    return Worded(tuple(dict.fromkeys(words)))


def _named(schemas: Schemas, address: str) -> set[tuple[str, tuple[str | int, ...]]]:
    """The targets that need a name: large ones with several references to them, and recursive ones."""
    uses: Counter[tuple[str, tuple[str | int, ...]]] = Counter()
    recursive = set()

    def visit(value: Json, where: str, path: tuple[tuple[str, tuple[str | int, ...]], ...]) -> None:
        if isinstance(value, dict):
            reference = value.get("$ref")
            if isinstance(reference, str):
                target = resolved(reference, where)
                uses[target] += 1
                if target in path:
                    recursive.add(target)
                elif uses[target] == 1:
                    visit(follow(schemas.values.get(target[0]), target[1]), target[0], (*path, target))
            for item in value.values():
                visit(item, where, path)
        elif isinstance(value, list):
            for item in value:
                visit(item, where, path)

    for part in ("request", "answer"):
        visit(follow(schemas.values[address], ("$defs", part)), address, ())
    return recursive | {target for target, count in uses.items() if count > 1 and _is_large(schemas, target)}


def _is_large(schemas: Schemas, target: tuple[str, tuple[str | int, ...]]) -> bool:
    """Whether a definition needs several lines."""
    found = follow(schemas.values.get(target[0]), target[1])
    return isinstance(found, dict) and any(key in found for key in ("properties", "oneOf", "anyOf", "allOf"))
