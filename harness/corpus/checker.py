"""Schema checks: requests, answers, case files and the schemas themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import CorpusError, Problem, one_line
from ..model import Answered, Breach, BreachCode, Case, Json, JsonObject, Operation, replace
from .entries import folded
from .located import line_at
from .paths import shipped
from .patterns import engine, is_linear
from .schemas import SCHEME, Schemas, shown

if TYPE_CHECKING:
    import jsonschema_rs

    from .loader import Corpus
    from .validators import SchemaError, Validators

_DRAFT = "https://json-schema.org/draft/2020-12/schema"

CASE_FILE_SCHEMA = shipped() / "schemas" / "case-file.schema.json"

_DATA = frozenset({"const", "enum", "default", "examples"})
"""Keywords whose values are data, not schemas."""

_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
"""Keywords whose members are free names, each with a schema."""

_Path = tuple[str | int, ...]


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
    def _validators(self) -> Validators:
        from .validators import Validators

        return Validators(self._schemas)

    def error(self, address: str, part: str, value: Json) -> SchemaError | None:
        """The most relevant error of `value` under `$defs.<part>` of the schema at `address` (all of it if empty)."""
        reference = f"{address}#/$defs/{part}" if part else address
        if self._is_surely_valid(reference, value):
            return None
        from .validators import SchemaError, brief_error

        quick = self._quick[reference]
        if quick is not None and self._is_beyond_jsonschema:
            try:
                first = next(quick.iter_errors(value), None)
            except (ValueError, OverflowError, RecursionError):  # a text or a number that the library refuses
                return SchemaError((), "$: it is not plain JSON", Breach(BreachCode.SCHEMA_MISMATCH, "$"))
            return brief_error(first) if first else None
        return self._validators.error(reference, value)

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
                {"$ref": reference}, registry=self._registry, offline=True, pattern_options=engine()
            )
        except (ValueError, jsonschema_rs.ReferencingError):
            return None


def _surely_valid(quick: jsonschema_rs.Draft202012Validator, value: Json) -> bool:
    """Whether the value is valid; false also for a value that the library refuses, such as a lone surrogate in a name."""
    try:
        return quick.is_valid(value)
    except (ValueError, OverflowError, RecursionError):
        return False


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


def _fault(schema: JsonObject) -> tuple[_Path, str, str] | None:
    """Path, code and message of a schema that is no JSON Schema of draft 2020-12; None if it is one."""
    draft = schema.get("$schema", _DRAFT)
    if not isinstance(draft, str) or draft.removesuffix("#") != _DRAFT:
        return ("$schema",), "other-draft", f"$schema is {one_line(str(draft), 80)}, not draft 2020-12."
    import jsonschema_rs

    if jsonschema_rs.meta.is_valid(schema):
        return None
    from .validators import schema_fault

    fault = schema_fault(schema)
    return fault and (fault[0], "not-a-schema", f"The file is not a valid JSON Schema at {fault[1]}.")


def _bad_patterns(schema: Json, path: _Path = ()) -> Iterator[tuple[_Path, str]]:
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


def _bad_pattern(pattern: str, path: _Path) -> Iterator[tuple[_Path, str]]:
    if is_linear(pattern):
        return
    shown_pattern = one_line(pattern, 60)
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        yield path, f"The pattern {shown_pattern} is not a regular expression: {one_line(str(error), 80)}."
    else:
        yield path, f"The pattern {shown_pattern} cannot be matched in linear time."


def check_files(files: Mapping[str, Json], schema_file: Path = CASE_FILE_SCHEMA) -> list[Problem]:
    """A problem for every case file that breaks the schema of case files. `files` maps the path to the raw value."""
    address = f"{SCHEME}{schema_file.name}"
    checks = Checks({address: json.loads(schema_file.read_text("utf-8"))})
    problems = []
    for file, value in files.items():
        error = checks.error(address, "", value)
        if error is not None:
            place = f"{file}:{line_at(value, error.path) or 1}"
            message = f"The file breaks {schema_file.name} at {error.message}."
            problems.append(Problem(place, "file-breaks-schema", message, "See docs/writing-cases.md."))
    return problems


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


def breaches(corpus: Corpus) -> list[Problem]:
    """Every problem of the unchecked cases and files of a corpus with the schemas."""
    if problems := check_schemas(corpus.schemas):
        return problems
    unchecked = {*corpus.files} if corpus.unchecked is None else corpus.unchecked
    cases = corpus.pick(head for head in corpus.heads if f"cases/{head.suite}.yaml" in unchecked)
    problems = Checker(corpus.schemas).check_cases(cases, corpus.operations)
    return problems + check_files({name: corpus.files[name] for name in corpus.files if name in unchecked})


def check_corpus(corpus: Corpus) -> Checker:
    """Checks what is unchecked of a corpus against the schemas. Raises `CorpusError` with every problem."""
    if not corpus.is_checked and (problems := breaches(corpus)):
        raise CorpusError(problems)
    return Checker(corpus.schemas)
