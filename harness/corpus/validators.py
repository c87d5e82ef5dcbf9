"""JSON Schema by jsonschema: whether a schema is one, and in words what a value has against its schema.

The only module that loads jsonschema; it is loaded when a run needs it, since listing cases does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from harness.errors import one_line
from harness.model import Json, JsonObject

Path = tuple[str | int, ...]

_MOST_ERRORS = 100
"""So many of a value's errors are looked at for the one that tells most, since a stranger's answer can have millions."""


@dataclass(frozen=True, slots=True)
class SchemaBreach:
    """Where a value breaks its schema, and how. `members` are the names that the schema has at that place, if the value
    has others there (`found` says which), or if it `wants_object` and the value there is none."""

    path: Path
    found: str
    members: tuple[str, ...] = ()
    wants_object: bool = False


class Validators:
    """Validators for parts of the schemas, which refer to each other by address."""

    def __init__(self, schemas: Mapping[str, JsonObject]) -> None:
        resources = [(address, DRAFT202012.create_resource(schema)) for address, schema in schemas.items()]
        empty: Registry[Any] = Registry()
        self._registry = empty.with_resources(resources)
        self._validators: dict[str, Draft202012Validator] = {}

    def breach(self, reference: str, value: Json) -> SchemaBreach | None:
        """How `value` breaks the schema under the reference; nothing if it does not."""
        if reference not in self._validators:
            self._validators[reference] = Draft202012Validator({"$ref": reference}, registry=self._registry)
        try:
            error = best_match(islice(self._validators[reference].iter_errors(value), _MOST_ERRORS))
        except RecursionError:
            return SchemaBreach((), "it nests too deeply")
        except Unresolvable as unresolvable:
            return SchemaBreach((), f"the schema refers to {one_line(str(unresolvable))}, which is not there")
        return _breach(error) if error is not None else None


def schema_fault(schema: JsonObject) -> tuple[Path, str] | None:
    """Where and why a schema is no JSON Schema; nothing if it is one."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return tuple(error.absolute_path), _worded(error)
    return None


def _breach(error: ValidationError) -> SchemaBreach:
    wants_object = error.validator == "type" and error.validator_value == "object"
    properties = error.schema.get("properties") if isinstance(error.schema, dict) else None
    tells = wants_object or error.validator == "additionalProperties"
    members = tuple(properties) if tells and isinstance(properties, dict) else ()
    return SchemaBreach(tuple(error.absolute_path), _worded(error), members, wants_object)


def _worded(error: ValidationError | SchemaError) -> str:
    path = "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    return f"{one_line(path, 80)}: {one_line(error.message, 160)}"
