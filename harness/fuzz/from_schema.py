"""A strategy of requests from the JSON Schema of an operation, for operations without a strategy of their own.

It knows the keywords that request schemas use. Requests that break another keyword are discarded before they are sent.
"""

from __future__ import annotations

from typing import cast

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..base.json_path import follow
from ..corpus.rules import resolved
from ..corpus.schemas import SCHEME, Schemas
from ..model import Json, JsonObject, Operation

_MAX_ITEMS = 5
_MAX_NUMBER = 2**53
_WORDS = ("a", "b", "foo", "bar", "AND", "OR", "the", "2026-01-31", "x-y", "Ünï", "1", '"', "*", "(")
_TEXTS = st.one_of(st.lists(st.sampled_from(_WORDS), max_size=6).map(" ".join), st.text(max_size=12))
_ANY: SearchStrategy[Json] = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), _TEXTS)


def requests_by_schema(operation: Operation, schemas: Schemas) -> SearchStrategy[JsonObject]:
    """Requests of the operation."""
    reader = _Reader(schemas)
    found = reader.at(f"{SCHEME}{operation.system}/{operation.name}.json", ("$defs", "request"))
    return cast("SearchStrategy[JsonObject]", found)


class _Reader:
    """Schemas → strategies; each place of a schema is read once, so that a schema can refer to itself."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._found: dict[tuple[object, ...], SearchStrategy[Json]] = {}

    def at(self, address: str, steps: tuple[str | int, ...]) -> SearchStrategy[Json]:
        """Values of the schema at a place."""
        key = (address, *steps)
        if key not in self._found:
            schema = follow(self._schemas.values.get(address), steps)
            self._found[key] = st.deferred(lambda: self._found[key])
            self._found[key] = self._read(schema if isinstance(schema, dict) else {}, address)
        return self._found[key]

    def _read(self, schema: JsonObject, address: str) -> SearchStrategy[Json]:
        if isinstance(reference := schema.get("$ref"), str):
            return self.at(*resolved(reference, address))
        if "const" in schema:
            return st.just(schema["const"])
        if isinstance(values := schema.get("enum"), list):
            return st.sampled_from(values)
        for keyword in ("oneOf", "anyOf"):
            if isinstance(parts := schema.get(keyword), list):
                base = {key: value for key, value in schema.items() if key != keyword}
                return st.one_of([self._read({**base, **part}, address) for part in parts if isinstance(part, dict)])
        kinds = schema.get("type")
        if isinstance(kinds, list):
            return st.one_of([self._read({**schema, "type": kind}, address) for kind in kinds])
        return self._of_type(kinds, schema, address)

    def _of_type(self, kind: Json, schema: JsonObject, address: str) -> SearchStrategy[Json]:
        match kind:
            case "string":
                return _TEXTS
            case "integer" | "number":
                return _numbers(schema, whole=kind == "integer")
            case "boolean":
                return st.booleans()
            case "null":
                return st.none()
            case "array":
                items = schema.get("items")
                element = self._read(items, address) if isinstance(items, dict) else _ANY
                least = int(_bound(schema, "minItems", 0))
                most = max(least, int(_bound(schema, "maxItems", _MAX_ITEMS)))
                return cast("SearchStrategy[Json]", st.lists(element, min_size=least, max_size=most))
            case "object":
                return self._objects(schema, address)
        return self._objects(schema, address) if "properties" in schema else _ANY

    def _objects(self, schema: JsonObject, address: str) -> SearchStrategy[Json]:
        properties, required = schema.get("properties", {}), schema.get("required", [])
        members = {
            key: self._read(below, address)
            for key, below in (properties.items() if isinstance(properties, dict) else ())
            if isinstance(below, dict)
        }
        needed = set(required) if isinstance(required, list) else set()
        fixed = {key: strategy for key, strategy in members.items() if key in needed}
        optional = {key: strategy for key, strategy in members.items() if key not in needed}
        values: SearchStrategy[JsonObject] = st.fixed_dictionaries(fixed, optional=optional)
        others = schema.get("additionalProperties")
        if isinstance(others, dict):
            free = st.dictionaries(_TEXTS, self._read(others, address), max_size=_MAX_ITEMS)
            values = st.builds(lambda own, more: {**more, **own}, values, free)
        return cast("SearchStrategy[Json]", values)


def _numbers(schema: JsonObject, *, whole: bool) -> SearchStrategy[Json]:
    low, high = _bound(schema, "minimum", -_MAX_NUMBER), _bound(schema, "maximum", _MAX_NUMBER)
    near = st.integers(max(int(low), -20), max(min(int(high), 100), int(low)))
    if whole:
        return st.one_of(near, st.integers(int(low), int(high)))
    return st.one_of(near, st.floats(low, high, allow_nan=False))


def _bound(schema: JsonObject, keyword: str, otherwise: float) -> float:
    value = schema.get(keyword)
    return value if isinstance(value, int | float) else otherwise
