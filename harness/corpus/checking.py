"""Validating requests, answers and case files with their JSON Schemas. The only module that loads jsonschema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from harness.corpus.schemas import SCHEME
from harness.errors import Problem, one_line
from harness.model import Answered, Case, Json, JsonObject, Operation


class Checker:
    """Checks values against the operations' schemas."""

    def __init__(self, schemas: Mapping[str, JsonObject]) -> None:
        self._schemas = schemas
        self._validators: dict[tuple[str, str], Draft202012Validator] = {}

    @cached_property
    def _strict(self) -> Registry[Any]:
        return _registry(self._schemas)

    @cached_property
    def _lax(self) -> Registry[Any]:
        return _registry({base: _relaxed(schema) for base, schema in self._schemas.items()})

    def _validator(self, operation: Operation, part: str, lax: bool) -> Draft202012Validator:
        key = (operation.name, f"{part}{' lax' if lax else ''}")
        if key not in self._validators:
            reference = f"{SCHEME}{operation.system}/{operation.name}.json#/$defs/{part}"
            registry = self._lax if lax else self._strict
            self._validators[key] = Draft202012Validator({"$ref": reference}, registry=registry)
        return self._validators[key]

    def answer_error(self, operation: Operation, answer: Json) -> str:
        """What an implementation's answer has that its schema does not allow; empty if nothing.

        A member that is missing is no breach: it is a difference, and comparing reports it.
        """
        return _first_error(self._validator(operation, "answer", lax=True), answer)

    def check_cases(self, cases: Iterable[Case], operations: Mapping[str, Operation]) -> list[Problem]:
        """A problem for every request and expected answer that breaks its schema."""
        problems = []
        for case in cases:
            operation = operations[case.operation]
            found = _first_error(self._validator(operation, "request", lax=False), case.request)
            if found:
                problems.append(
                    Problem(case.at, f"The request breaks its schema: {found}.", _remedy(operation), case.name)
                )
            for outcome in (case.expected, *case.readings.values()):
                if not isinstance(outcome, Answered):
                    continue
                found = _first_error(self._validator(operation, "answer", lax=False), outcome.value)
                if found:
                    message = f"The expected answer breaks its schema: {found}."
                    problems.append(Problem(case.at, message, _remedy(operation), case.name))
        return problems


def check_schemas(schemas: Mapping[str, JsonObject]) -> list[Problem]:
    """A problem for every schema that is not a schema."""
    problems = []
    for base, schema in schemas.items():
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            shown = f"schemas/{base.removeprefix(SCHEME)}"
            problems.append(Problem(shown, f"Not a JSON Schema: {one_line(error.message)}.", "Correct the schema."))
    return problems


def check_files(files: Mapping[str, Json], schema_file: Path) -> list[Problem]:
    """A problem for every case file that breaks the schema of case files. `files` maps the shown path to its value."""
    validator = Draft202012Validator(json.loads(schema_file.read_text("utf-8")))
    problems = []
    for shown, value in files.items():
        found = _first_error(validator, value)
        if found:
            problems.append(
                Problem(shown, f"The file breaks {schema_file.name}: {found}.", "See docs/writing-cases.md.")
            )
    return problems


def _registry(schemas: Mapping[str, JsonObject]) -> Registry[Any]:
    resources = [(base, DRAFT202012.create_resource(schema)) for base, schema in schemas.items()]
    empty: Registry[Any] = Registry()
    return empty.with_resources(resources)


def _relaxed(schema: JsonObject) -> JsonObject:
    """The schema without `required`, and with `anyOf` for `oneOf`, since alternatives that lack members overlap."""

    def walk(value: Json) -> Json:
        if isinstance(value, list):
            return [walk(item) for item in value]
        if not isinstance(value, dict):
            return value
        kept = {key: walk(item) for key, item in value.items() if not (key == "required" and isinstance(item, list))}
        if "oneOf" in kept:
            kept["anyOf"] = kept.pop("oneOf")
        return kept

    return {key: walk(item) for key, item in schema.items() if key != "required"}


def _first_error(validator: Draft202012Validator, value: Json) -> str:
    try:
        error = best_match(validator.iter_errors(value))
    except RecursionError:
        return "it nests too deeply"
    except Unresolvable as unresolvable:
        return f"the schema refers to {one_line(str(unresolvable))}, which is not there"
    return _described(error) if error is not None else ""


def _described(error: ValidationError) -> str:
    path = "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    return f"{one_line(path, 80)}: {one_line(error.message, 160)}"


def _remedy(operation: Operation) -> str:
    return f"See schemas/{operation.system}/{operation.name}.json."
