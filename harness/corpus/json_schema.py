"""JSON Schema: the only module that knows the two libraries behind it.

jsonschema-rs decides quickly whether a value is valid. jsonschema checks schemas and describes errors; it is imported at
the first error, because most commands do not need it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from ..base.json_path import member, path_text
from ..compare.canonical import compact, equality_text
from ..errors import one_line
from ..model import Breach, BreachCode, Json, JsonObject
from .paths import shipped

if TYPE_CHECKING:
    import jsonschema_rs
    from jsonschema.exceptions import ValidationError

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


_SURROGATE = re.compile("[\ud800-\udfff]")


class SchemaError(Struct, frozen=True):
    """The most relevant error of a value. `path` leads to it in the value; `message` is the text of the library, for the
    authors of a corpus; `breach` is the same as a value."""

    path: Path
    message: str
    breach: Breach


class Checks:
    """Errors of values against schemas: jsonschema-rs accepts valid values quickly, jsonschema describes the errors.

    Measured in November 2026 on a corpus of 5,000 cases without errors: jsonschema alone takes 1.4 s. Both are imported at
    the first value, since a checked corpus needs neither.
    """

    def __init__(self, schemas: Mapping[str, JsonObject]) -> None:
        self._schemas = schemas
        self._quick: dict[str, jsonschema_rs.Draft202012Validator | None] = {}

    @cached_property
    def _registry(self) -> jsonschema_rs.Registry:
        import jsonschema_rs

        return jsonschema_rs.Registry(list(self._schemas.items()), draft=jsonschema_rs.Draft202012)

    @cached_property
    def _described(self) -> DescribedErrors:
        return DescribedErrors(self._schemas)

    def error(self, address: str, part: str, value: Json) -> SchemaError | None:
        """The most relevant error of `value` under `$defs.<part>` of the schema at `address` (all of it if empty)."""
        reference = f"{address}#/$defs/{part}" if part else address
        if self._is_surely_valid(reference, value):
            return None
        quick = self._quick[reference]
        if quick is not None and self._is_beyond_jsonschema:
            try:
                first = next(quick.iter_errors(value), None)
            except (ValueError, OverflowError, RecursionError):  # a text or a number that the library refuses
                return SchemaError((), "$: it is not plain JSON", Breach(BreachCode.SCHEMA_MISMATCH, "$"))
            return _brief_error(first) if first else None
        return self._described.error(reference, value)

    def is_surely_valid(self, address: str, part: str, value: Json) -> bool:
        """Whether `value` is valid there; also false for a value or a schema that the quick library refuses."""
        return self._is_surely_valid(f"{address}#/$defs/{part}", value)

    def _is_surely_valid(self, reference: str, value: Json) -> bool:
        if reference not in self._quick:
            self._quick[reference] = self._compiled(reference)
        quick = self._quick[reference]
        return quick is not None and _surely_valid(quick, value)

    @cached_property
    def _is_beyond_jsonschema(self) -> bool:
        """Whether jsonschema may match a pattern with Python's `re`, in exponential time: it does for the members that
        `unevaluatedProperties` allows."""
        text = json.dumps(list(self._schemas.values()))
        return '"unevaluatedProperties"' in text and '"patternProperties"' in text

    def _compiled(self, reference: str) -> jsonschema_rs.Draft202012Validator | None:
        """The compiled schema; None if it cannot be compiled, and jsonschema then reports the reason."""
        import jsonschema_rs

        try:
            return jsonschema_rs.Draft202012Validator(
                {"$ref": reference}, registry=self._registry, offline=True, pattern_options=_engine()
            )
        except (ValueError, jsonschema_rs.ReferencingError):
            return None


def _surely_valid(quick: jsonschema_rs.Draft202012Validator, value: Json) -> bool:
    """Whether the value is valid; false also for a value that the library refuses, such as a lone surrogate in a name."""
    try:
        return quick.is_valid(value)
    except (ValueError, OverflowError, RecursionError):
        return False


class DescribedErrors:
    """The most relevant error of values under parts of schemas, which refer to each other by address; by jsonschema."""

    def __init__(self, schemas: Mapping[str, JsonObject]) -> None:
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012

        resources = [(address, DRAFT202012.create_resource(schema)) for address, schema in schemas.items()]
        empty: Registry[Any] = Registry()
        self._registry = empty.with_resources(resources)
        self._validators: dict[str, Any] = {}

    def error(self, reference: str, value: Json) -> SchemaError | None:
        """The most relevant error of `value` under the schema at the reference; None if it is valid."""
        from jsonschema.exceptions import best_match
        from referencing.exceptions import Unresolvable

        if reference not in self._validators:
            self._validators[reference] = _linear_validator()({"$ref": reference}, registry=self._registry)
        try:
            error = best_match(islice(self._validators[reference].iter_errors(value), _MAX_ERRORS))
        except RecursionError:
            return SchemaError((), "it nests too deeply", Breach(BreachCode.TOO_DEEP, "$"))
        except Unresolvable as unresolvable:
            named = one_line(str(unresolvable))
            breach = Breach(BreachCode.UNRESOLVED_SCHEMA, "$", found=named)
            return SchemaError((), f"the schema refers to {named}, which does not exist", breach)
        return _schema_error(error) if error is not None else None


@cache
def _linear_validator() -> Any:
    """jsonschema with linear-time expressions, and in time linear in the number of members and elements."""
    from jsonschema import Draft202012Validator, validators

    keywords = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "uniqueItems": _unique_items,
    }
    return validators.extend(Draft202012Validator, keywords)  # type: ignore[no-untyped-call]


def _error(message: str) -> ValidationError:
    from jsonschema.exceptions import ValidationError

    return ValidationError(message)


def _pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: ARG001
    if isinstance(value, str) and not contains(pattern, value):
        yield _error(f"{value!r} does not match {pattern!r}")


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
        yield _error(f"Additional properties are not allowed ({names} {verb} unexpected)")


def _unique_items(validator: Any, unique: Any, value: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: ARG001
    if unique and isinstance(value, list) and len(set(map(equality_text, value))) < len(value):
        yield _error(f"{value!r} has non-unique elements")


def _brief_error(error: jsonschema_rs.ValidationError) -> SchemaError:
    """An error of jsonschema-rs, with the path and the code of its keyword alone."""
    path = tuple(error.instance_path)
    breach = Breach(_CODES.get(error.kind.name, BreachCode.SCHEMA_MISMATCH), one_line(path_text(path), 1000))
    return SchemaError(path, _message(path, error.message), breach)


def file_faults(value: Json, schema: str) -> list[str]:
    """Every error of a file's value under `schemas/<schema>`, with its place."""
    import jsonschema_rs

    if _surely_valid(jsonschema_rs.Draft202012Validator(_of_file(schema), pattern_options=_engine()), value):
        return []
    from jsonschema import Draft202012Validator

    errors = Draft202012Validator(_of_file(schema)).iter_errors(value)
    return [_message(error.absolute_path, error.message) for error in errors]


@cache
def _of_file(name: str) -> JsonObject:
    return cast("JsonObject", json.loads((shipped() / "schemas" / name).read_text("utf-8")))


def is_schema(schema: JsonObject) -> bool:
    """Whether it is a JSON Schema of draft 2020-12."""
    import jsonschema_rs

    return jsonschema_rs.meta.is_valid(schema)


def schema_fault(schema: JsonObject) -> tuple[Path, str] | None:
    """Place and reason why a schema is not a JSON Schema; None if it is one."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError as InvalidSchema

    try:
        Draft202012Validator.check_schema(schema)
    except InvalidSchema as error:
        return tuple(error.absolute_path), _message(error.absolute_path, error.message)
    return None


def _schema_error(error: ValidationError) -> SchemaError:
    return SchemaError(tuple(error.absolute_path), _message(error.absolute_path, error.message), _breach(error))


def _breach(error: ValidationError) -> Breach:
    code = _CODES.get(str(error.validator), BreachCode.SCHEMA_MISMATCH)
    code = code if error.validator else BreachCode.FORBIDDEN_VALUE
    path, found = path_text(error.absolute_path), cast("Json", error.instance)
    if code is BreachCode.UNEXPECTED_MEMBER and isinstance(found, dict):
        extra = _unexpected(error, found)
        path, found = (path, found) if extra is None else (f"{path}{member(extra)}", found[extra])
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


def _message(path: Iterable[str | int], text: str) -> str:
    """`$.a: 'x' is not of type 'number'`, in the library's own words."""
    return f"{one_line(path_text(path), 80)}: {one_line(text, 160)}"


@cache
def _engine() -> jsonschema_rs.RegexOptions:
    """The engine of regular expressions: the `regex` crate. It has no look-around and no backreference, so each expression
    takes time linear in the text. Python's `re` needs more than an hour for `(a+)+$` and 40 letters."""
    import jsonschema_rs

    return jsonschema_rs.RegexOptions()


def is_linear(pattern: str) -> bool:
    """Whether the engine accepts the expression."""
    return _compiled(pattern) is not None


def contains(pattern: str, text: str) -> bool:
    """Whether `text` has a match anywhere; false for an expression that `is_linear` refuses. A lone surrogate counts as
    U+FFFD."""
    compiled = _compiled(pattern)
    return compiled is not None and compiled.is_valid(_SURROGATE.sub("\ufffd", text))


@lru_cache(maxsize=1000)
def _compiled(pattern: str) -> jsonschema_rs.Draft202012Validator | None:
    import jsonschema_rs

    try:
        return jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=_engine())
    except (ValueError, UnicodeEncodeError):
        return None


def extra_members(value: JsonObject, schema: JsonObject) -> list[str]:
    """The members of `value` that neither `properties` nor `patternProperties` of `schema` names, in their order."""
    named, patterns = _table(schema.get("properties")), list(_table(schema.get("patternProperties")))
    return [name for name in value if name not in named and not any(contains(pattern, name) for pattern in patterns)]


def _table(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
