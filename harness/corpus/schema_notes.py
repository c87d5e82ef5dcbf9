"""The description and the limits of a schema, and how its values are compared, as short sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..errors import one_line
from ..model import Json, JsonObject
from .rules import FLAG_RULES
from .schemas import shown

_BEYOND = ("if", "not", "patternProperties", "propertyNames", "dependentSchemas", "dependentRequired", "prefixItems")
"""Keywords that no type shows."""


def notes(schema: JsonObject, address: str) -> Iterator[str]:
    """The description of a schema and its limits."""
    if description := text(schema.get("description")):
        yield description
    yield from _range(schema)
    yield from _count(schema, "minLength", "maxLength", "character")
    yield from _count(schema, "minItems", "maxItems", "element")
    yield from _count(schema, "minProperties", "maxProperties", "member")
    if isinstance(pattern := schema.get("pattern"), str):
        yield f"Matches {one_line(pattern)}."
    if schema.get("uniqueItems") is True:
        yield "No element twice."
    if "multipleOf" in schema:
        yield f"A multiple of {constant(schema['multipleOf'])}."
    if "default" in schema:
        yield f"Default: {constant(schema['default'])}."
    yield from _comparison(schema)
    if any(key in schema for key in _BEYOND):
        yield f"Further rules: {shown(address)}."


def _comparison(schema: JsonObject) -> Iterator[str]:
    """How the value is compared, where it is not compared exactly."""
    match schema.get("x-tolerance"):
        case {"absolute": distance}:
            yield f"Compared within {str(distance).replace('e-0', 'e-')}."
        case {"ulps": distance}:
            yield f"Compared within {distance} units in the last place."
    yield from (flag.note for flag in FLAG_RULES if schema.get(flag.key, flag.otherwise) == flag.value)
    if isinstance(engine := schema.get("x-engine"), str) and engine:
        yield f"Checked with the engine {one_line(engine)}."


def _range(schema: JsonObject) -> Iterator[str]:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        yield f"From {constant(least)} to {constant(most)}."
    elif least is not None:
        yield f"At least {constant(least)}."
    elif most is not None:
        yield f"At most {constant(most)}."
    if "exclusiveMinimum" in schema:
        yield f"More than {constant(schema['exclusiveMinimum'])}."
    if "exclusiveMaximum" in schema:
        yield f"Less than {constant(schema['exclusiveMaximum'])}."


def _count(schema: JsonObject, least_key: str, most_key: str, noun: str) -> Iterator[str]:
    least, most = schema.get(least_key), schema.get(most_key)
    if most == 0:
        yield "Empty."
    elif least is not None and least == most:
        yield f"Exactly {least} {noun}{'' if least == 1 else 's'}."
    elif least is not None and most is not None:
        yield f"From {least} to {most} {noun}s."
    elif least is not None:
        yield f"At least {least} {noun}{'' if least == 1 else 's'}."
    elif most is not None:
        yield f"At most {most} {noun}{'' if most == 1 else 's'}."


def constant(value: Json) -> str:
    """A constant of a schema as JSON."""
    return one_line(json.dumps(value, ensure_ascii=False), 80)


def text(value: Json) -> str:
    """A text of a schema on one line; empty if it is no text."""
    return one_line(" ".join(value.split()), 2000) if isinstance(value, str) else ""
