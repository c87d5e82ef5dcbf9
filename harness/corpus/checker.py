"""Schema checks: requests, answers, and the schemas themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from ..errors import Problem, one_line
from ..model import Answered, Breach, Case, Json, JsonObject, Operation, replace
from .entries import folded
from .json_schema import Checks, Path, is_linear, is_schema, schema_fault
from .located import line_at
from .schemas import SCHEME, Schemas, shown

_DRAFT = "https://json-schema.org/draft/2020-12/schema"

_DATA = frozenset({"const", "enum", "default", "examples"})
"""Keywords whose values are data, not schemas."""

_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
"""Keywords whose members are free names, each with a schema."""


class Checker:
    """Checks of requests and answers against the schemas of their operations."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._strict = Checks(schemas.values)

    @cached_property
    def _lax(self) -> Checks:
        return Checks({address: _relaxed(schema) for address, schema in self._schemas.values.items()})

    def answer_error(self, operation: Operation, answer: Json) -> Breach | None:
        """The breach of an implementation's answer against its schema; None if there is none.

        A missing member is no breach: the comparison reports it as a difference.
        """
        error = self._lax.error(_address(operation), "answer", answer)
        return replace(error.breach, schema=shown(_address(operation))) if error else None

    def request_error(self, operation: Operation, request: Json) -> Breach | None:
        """The breach of a request against its schema; None if there is none."""
        error = self._strict.error(_address(operation), "request", request)
        return replace(error.breach, schema=shown(_address(operation))) if error else None

    def is_request(self, operation: Operation, request: Json) -> bool:
        """Whether the operation's schema allows the request."""
        return self.request_error(operation, request) is None

    def is_surely_request(self, operation: Operation, request: Json) -> bool:
        """The same, quick also for a request that breaks its schema."""
        return self._strict.is_surely_valid(_address(operation), "request", request)

    def check_cases(self, cases: Iterable[Case], operations: Mapping[str, Operation]) -> list[Problem]:
        """A problem for every request and expected answer that breaks its schema."""
        problems = []
        for case in cases:
            operation = operations[case.operation]
            problems += self._problem(case, operation, "request", case.request)
            for response in (case.expected, *case.readings.values()):
                if isinstance(response, Answered):
                    problems += self._problem(case, operation, "answer", response.value)
        return folded(problems)

    def _problem(self, case: Case, operation: Operation, part: str, value: Json) -> list[Problem]:
        error = self._strict.error(_address(operation), part, value)
        if error is None:
            return []
        file, _, line = case.at.rpartition(":")
        what = "request" if part == "request" else "expected answer"
        message = f"The {what} breaks its schema at {error.message}."
        remedy = f"Correct the case; the schema is $defs.{part} in {shown(_address(operation))}."
        has_lines = part == "answer" or not case.fixtures  # a fixture has the lines of another file
        place = f"{file}:{(has_lines and line_at(value, error.path)) or line}"
        return [Problem(place, f"{part}-breaks-schema", message, remedy, case.name)]


def check_schemas(schemas: Schemas) -> list[Problem]:
    """A problem for every schema that is no JSON Schema, and for every pattern without a match in linear time."""
    problems = []
    for address, schema in schemas.values.items():
        fault = _fault(schema)
        if fault is not None:
            path, code, message = fault
            problems.append(schemas.problem(address, path, code, message, "Correct the schema (draft 2020-12)."))
            continue
        for path, message in _bad_patterns(schema):
            remedy = "Write a regular expression without look-around, backreferences and large repeat counts."
            problems.append(schemas.problem(address, path, "bad-pattern", message, remedy))
    return problems


def _fault(schema: JsonObject) -> tuple[Path, str, str] | None:
    """Path, code and message of a schema that is no JSON Schema of draft 2020-12; None if it is one."""
    draft = schema.get("$schema", _DRAFT)
    if not isinstance(draft, str) or draft.removesuffix("#") != _DRAFT:
        return ("$schema",), "other-draft", f"$schema is {one_line(str(draft), 80)}, not draft 2020-12."
    if is_schema(schema):
        return None
    fault = schema_fault(schema)
    return fault and (fault[0], "not-a-schema", f"The file is not a valid JSON Schema at {fault[1]}.")


def _bad_patterns(schema: Json, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Path and message of each `pattern`, or name below `patternProperties`, that is no regular expression."""
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from _bad_patterns(item, (*path, index))
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key == "pattern" and isinstance(value, str):
                yield from _bad_pattern(value, (*path, key))
            if key == "patternProperties" and isinstance(value, dict):
                for pattern in value:
                    yield from _bad_pattern(pattern, (*path, key, pattern))
            if key in _NAMED and isinstance(value, dict):
                for name, below in value.items():
                    yield from _bad_patterns(below, (*path, key, name))
            elif key not in _DATA:
                yield from _bad_patterns(value, (*path, key))


def _bad_pattern(pattern: str, path: Path) -> Iterator[tuple[Path, str]]:
    if is_linear(pattern):
        return
    shown_pattern = one_line(pattern, 60)
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        yield path, f"The pattern {shown_pattern} is not a regular expression: {one_line(str(error), 80)}."
    else:
        yield path, f"The pattern {shown_pattern} cannot be matched in linear time."


def _address(operation: Operation) -> str:
    return f"{SCHEME}{operation.system}/{operation.name}.json"


def _relaxed(schema: JsonObject) -> JsonObject:
    """The schema without `required` and with `anyOf` for `oneOf`, because alternatives without their members overlap."""

    def walk(value: Json) -> Json:
        if isinstance(value, list):
            return [walk(item) for item in value]
        if not isinstance(value, dict):
            return value
        kept = {key: walk(item) for key, item in value.items() if not (key == "required" and isinstance(item, list))}
        if isinstance(kept.get("oneOf"), list):
            parts = kept.get("allOf", [])
            kept["allOf"] = [*(parts if isinstance(parts, list) else []), {"anyOf": kept.pop("oneOf")}]
        return kept

    return {key: walk(item) for key, item in schema.items() if key != "required"}
