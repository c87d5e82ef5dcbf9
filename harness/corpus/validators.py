"""JSON Schema by jsonschema: the most relevant error of a value, and the validity of a schema.

The only module that imports jsonschema. It is imported on the first error, because most commands do not need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

import jsonschema_rs
from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import SchemaError as InvalidSchema
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from ..base.json_path import member, path_text
from ..compare.canonical import compact, equality_text
from ..errors import one_line
from ..model import Breach, BreachCode, Json, JsonObject
from .patterns import contains, extra_members

Path = tuple[str | int, ...]

_MAX_ERRORS = 100
"""Errors of one value among which the most relevant one is chosen; an answer can have millions."""

_MAX_MEMBERS = 8
"""Members of a schema that a breach names."""

_CODES = {
    "type": BreachCode.WRONG_TYPE,
    "additionalProperties": BreachCode.UNEXPECTED_MEMBER,
    "unevaluatedProperties": BreachCode.UNEXPECTED_MEMBER,
    "propertyNames": BreachCode.MEMBER_NAME,
    "required": BreachCode.MISSING_MEMBER,
    "enum": BreachCode.NOT_IN_ENUM,
    "const": BreachCode.NOT_CONSTANT,
    "minimum": BreachCode.BELOW_MINIMUM,
    "maximum": BreachCode.ABOVE_MAXIMUM,
    "exclusiveMinimum": BreachCode.NOT_ABOVE_MINIMUM,
    "exclusiveMaximum": BreachCode.NOT_BELOW_MAXIMUM,
    "multipleOf": BreachCode.NOT_A_MULTIPLE,
    "minLength": BreachCode.TOO_SHORT,
    "maxLength": BreachCode.TOO_LONG,
    "pattern": BreachCode.PATTERN_MISMATCH,
    "minItems": BreachCode.TOO_FEW_ITEMS,
    "maxItems": BreachCode.TOO_MANY_ITEMS,
    "uniqueItems": BreachCode.DUPLICATE_ITEMS,
    "minProperties": BreachCode.TOO_FEW_MEMBERS,
    "maxProperties": BreachCode.TOO_MANY_MEMBERS,
    "anyOf": BreachCode.NO_ALTERNATIVE,
    "oneOf": BreachCode.NO_ALTERNATIVE,
    "not": BreachCode.FORBIDDEN_VALUE,
}
"""The code for each keyword of JSON Schema; any other keyword is a `schema-mismatch`."""

_NESTED = frozenset({"additionalProperties", "unevaluatedProperties", "propertyNames", "anyOf", "oneOf", "not"})
"""Keywords with schemas as values, which are too long for a breach."""

_IN_PLACE = frozenset("$ref $dynamicRef allOf anyOf oneOf if then else dependentSchemas".split())
"""Keywords whose subschemas describe the same value, so that `properties` does not list every allowed member."""


@dataclass(frozen=True, slots=True)
class SchemaError:
    """The most relevant error of a value. `path` leads to it in the value; `message` is the text of the library, for the
    authors of a corpus; `breach` is the same as a value."""

    path: Path
    message: str
    breach: Breach


def _pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: ARG001
    if isinstance(value, str) and not contains(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Any, value: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: ARG001
    for pattern, below in patterns.items() if isinstance(value, dict) else ():
        for name, item in value.items():
            if contains(pattern, name):
                yield from validator.descend(item, below, path=name, schema_path=pattern)


def _additional_properties(validator: Any, allowed: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    extra = extra_members(value, schema) if isinstance(value, dict) else []
    if isinstance(allowed, dict):
        for name in extra:
            yield from validator.descend(value[name], allowed, path=name)
    elif extra and not allowed:
        names = ", ".join(map(repr, sorted(extra)[:_MAX_MEMBERS]))
        verb = "was" if len(extra) == 1 else "were"
        yield ValidationError(f"Additional properties are not allowed ({names} {verb} unexpected)")


def _unique_items(validator: Any, unique: Any, value: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: ARG001
    if unique and isinstance(value, list) and len(set(map(equality_text, value))) < len(value):
        yield ValidationError(f"{value!r} has non-unique elements")


_Validator = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "uniqueItems": _unique_items,
    },
)
"""jsonschema with linear-time expressions, and in time linear in the number of members and elements."""


class Validators:
    """Validators for parts of the schemas, which refer to each other by address."""

    def __init__(self, schemas: Mapping[str, JsonObject]) -> None:
        resources = [(address, DRAFT202012.create_resource(schema)) for address, schema in schemas.items()]
        empty: Registry[Any] = Registry()
        self._registry = empty.with_resources(resources)
        self._validators: dict[str, Any] = {}

    def error(self, reference: str, value: Json) -> SchemaError | None:
        """The most relevant error of `value` under the schema at the reference; None if it is valid."""
        if reference not in self._validators:
            self._validators[reference] = _Validator({"$ref": reference}, registry=self._registry)
        try:
            error = best_match(islice(self._validators[reference].iter_errors(value), _MAX_ERRORS))
        except RecursionError:
            return SchemaError((), "it nests too deeply", Breach(BreachCode.TOO_DEEP, "$"))
        except Unresolvable as unresolvable:
            named = one_line(str(unresolvable))
            breach = Breach(BreachCode.UNRESOLVED_SCHEMA, "$", found=named)
            return SchemaError((), f"the schema refers to {named}, which does not exist", breach)
        return _schema_error(error) if error is not None else None


def brief_error(error: jsonschema_rs.ValidationError) -> SchemaError:
    """An error of jsonschema-rs, with the path and the code of its keyword alone."""
    path = tuple(error.instance_path)
    breach = Breach(_CODES.get(error.kind.name, BreachCode.SCHEMA_MISMATCH), one_line(path_text(path), 1000))
    return SchemaError(path, f"{one_line(path_text(path), 80)}: {one_line(error.message, 160)}", breach)


def schema_fault(schema: JsonObject) -> tuple[Path, str] | None:
    """Place and reason why a schema is not a JSON Schema; None if it is one."""
    try:
        Draft202012Validator.check_schema(schema)
    except InvalidSchema as error:
        return tuple(error.absolute_path), _message(error)
    return None


def _schema_error(error: ValidationError) -> SchemaError:
    return SchemaError(tuple(error.absolute_path), _message(error), _breach(error))


def _breach(error: ValidationError) -> Breach:
    code = (
        _CODES.get(str(error.validator), BreachCode.SCHEMA_MISMATCH) if error.validator else BreachCode.FORBIDDEN_VALUE
    )
    path, found = path_text(error.absolute_path), cast("Json", error.instance)
    if (
        code is BreachCode.UNEXPECTED_MEMBER
        and isinstance(found, dict)
        and (extra := _unexpected(error, found)) is not None
    ):
        path, found = f"{path}{member(extra)}", found[extra]
    return Breach(code, one_line(path, 1000), _expected(error), _rendered(found))


def _unexpected(error: ValidationError, value: JsonObject) -> str | None:
    """The first member, by name, that the schema does not allow; None if `properties` alone does not decide that."""
    schema = error.schema if isinstance(error.schema, dict) else {}
    if error.validator == "unevaluatedProperties" and _IN_PLACE & schema.keys():
        return None
    return min(extra_members(value, schema), default=None)


def _expected(error: ValidationError) -> str:
    """The schema's demand at the place of an error: its members, or the value of the keyword."""
    schema = error.schema if isinstance(error.schema, dict) else {}
    members = list(schema.get("properties", {}))
    more = len(members) - _MAX_MEMBERS
    names = ", ".join(one_line(name, 40) for name in members[:_MAX_MEMBERS]) + (f" and {more} more" if more > 0 else "")
    if error.validator in ("additionalProperties", "unevaluatedProperties"):
        return names
    if error.validator == "type":
        wanted = error.validator_value
        types = " or ".join(map(str, wanted)) if isinstance(wanted, list) else str(wanted)
        return f"{types} with {names}" if types == "object" and names else types
    return "" if error.validator in _NESTED else _rendered(error.validator_value)


def _rendered(value: Any) -> str:
    try:
        return one_line(compact(value), 120)
    except (TypeError, ValueError, RecursionError):
        return one_line(repr(value), 120)


def _message(error: ValidationError | InvalidSchema) -> str:
    """`$.a: 'x' is not of type 'number'`, in the library's own words."""
    return f"{one_line(path_text(error.absolute_path), 80)}: {one_line(error.message, 160)}"
