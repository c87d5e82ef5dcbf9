"""Operation schemas → `Operation` values: what the harness must know of an operation, read from its schema as data.

A file `schemas/<system>/<area.verb>.json` describes an operation; a file whose stem has no dot holds definitions that
others refer to. This module reads the annotations (`x-tolerance`, `x-unordered`, `x-ignored`, `x-engine`, `x-stages`);
validating with the schemas is the business of `checking`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from harness.errors import Problem, one_line
from harness.match_engine import ENGINES
from harness.model import EXACT, Json, JsonObject, Operation, Rules, Tolerance

SCHEME = "file:///schemas/"
"""The base of the addresses under which schemas refer to each other; nothing is ever fetched."""


def read_schemas(folder: Path, root: Path, problems: list[Problem]) -> dict[str, JsonObject]:
    """Every schema below `folder`, by address (`file:///schemas/<system>/<file>`)."""
    schemas: dict[str, JsonObject] = {}
    for path in sorted(folder.glob("*/*.json")):
        shown = path.relative_to(root).as_posix()
        try:
            value = json.loads(path.read_bytes().decode("utf-8"))
        except (OSError, UnicodeDecodeError, ValueError, RecursionError) as error:
            problems.append(Problem(shown, f"The schema is not JSON: {one_line(str(error))}.", "Correct the file."))
            continue
        if isinstance(value, dict):
            schemas[address(path)] = value
        else:
            problems.append(Problem(shown, "The schema is not a JSON object.", "Write an object with `$defs`."))
    return schemas


def address(path: Path) -> str:
    """The address of the schema in the file at `path`."""
    return f"{SCHEME}{path.parent.name}/{path.name}"


def operations(schemas: Mapping[str, JsonObject], problems: list[Problem]) -> dict[str, Operation]:
    """The operations that the schemas describe, by name."""
    found: dict[str, Operation] = {}
    for base in schemas:
        system, name = base.removeprefix(SCHEME).removesuffix(".json").split("/", 1)
        if "." not in name:
            continue
        shown = f"schemas/{system}/{name}.json"
        if name in found:
            other = found[name].system
            problems.append(Problem(shown, f"The system {other} has an operation {name} too.", "Give it another name."))
            continue
        operation = _operation(name, system, base, schemas, shown, problems)
        if operation is not None:
            found[name] = operation
    return found


def _operation(
    name: str, system: str, base: str, schemas: Mapping[str, JsonObject], shown: str, problems: list[Problem]
) -> Operation | None:
    schema = schemas[base]
    definitions = schema.get("$defs")
    missing = [
        key for key in ("request", "answer", "error") if not isinstance(definitions, dict) or key not in definitions
    ]
    if missing or not isinstance(definitions, dict):
        problems.append(
            Problem(shown, f"The schema has no $defs.{missing[0]}.", "Add request, answer and error under $defs.")
        )
        return None
    error = definitions["error"]
    listed = error.get("enum") if isinstance(error, dict) else None
    stages = schema.get("x-stages", [])
    reader = _RulesReader(schemas, shown, problems)
    rules = reader.read(definitions["answer"], base)
    if not isinstance(stages, list) or not all(isinstance(stage, str) and stage.startswith("/") for stage in stages):
        problems.append(Problem(shown, "x-stages is not a list of JSON Pointers.", 'Write `["/trace/mode", …]`.'))
        stages = []
    return Operation(
        name=name,
        system=system,
        rules=rules,
        stages=tuple(str(stage) for stage in stages),
        error_types=frozenset(str(kind) for kind in listed) if isinstance(listed, list) else frozenset(),
    )


class _RulesReader:
    """Follows an answer schema (through `$ref`, combinators, members and items) and keeps only the annotations."""

    def __init__(self, schemas: Mapping[str, JsonObject], shown: str, problems: list[Problem]) -> None:
        self._schemas = schemas
        self._shown = shown
        self._problems = problems
        self._open: set[str] = set()

    def read(self, schema: Json, base: str) -> Rules:
        if not isinstance(schema, dict):
            return EXACT
        rules = self._own(schema, base)
        for part in self._parts(schema):
            rules = _merged(rules, self.read(part, base))
        reference = schema.get("$ref")
        return _merged(rules, self._referred(reference, base)) if isinstance(reference, str) else rules

    def _own(self, schema: JsonObject, base: str) -> Rules:
        members = schema.get("properties")
        properties = {}
        if isinstance(members, dict):
            properties = {key: rules for key, below in members.items() if (rules := self.read(below, base)) != EXACT}
        items = self.read(schema.get("items"), base)
        return Rules(
            tolerance=self._tolerance(schema),
            unordered=schema.get("x-unordered") is True,
            ignored=schema.get("x-ignored") is True,
            engine=self._engine(schema),
            properties=properties,
            items=items if items != EXACT else None,
        )

    @staticmethod
    def _parts(schema: JsonObject) -> list[Json]:
        parts: list[Json] = []
        for key in ("allOf", "anyOf", "oneOf"):
            listed = schema.get(key)
            parts += listed if isinstance(listed, list) else []
        return parts + [schema[key] for key in ("if", "then", "else") if key in schema]

    def _referred(self, reference: str, base: str) -> Rules:
        target = urljoin(base, reference)
        if target in self._open:
            return EXACT  # a recursive value is compared exactly below its first turn
        where, fragment = urldefrag(target)
        schema: Json = self._schemas.get(where)
        if schema is None:
            self._problem(f"The reference {one_line(reference, 80)} leads to no schema.")
            return EXACT
        for token in fragment.split("/")[1:]:
            token = token.replace("~1", "/").replace("~0", "~")
            schema = schema.get(token) if isinstance(schema, dict) else None
        if schema is None:
            self._problem(f"The reference {one_line(reference, 80)} leads to nothing.")
            return EXACT
        self._open.add(target)
        rules = self.read(schema, where)
        self._open.discard(target)
        return rules

    def _problem(self, message: str) -> None:
        self._problems.append(Problem(self._shown, message, "Correct the schema."))

    def _tolerance(self, schema: JsonObject) -> Tolerance | None:
        given = schema.get("x-tolerance")
        if given is None:
            return None
        absolute = given.get("absolute") if isinstance(given, dict) else None
        ulps = given.get("ulps") if isinstance(given, dict) else None
        reason = given.get("reason") if isinstance(given, dict) else None
        if not reason or (absolute is None) == (ulps is None):
            self._problem("x-tolerance has not one of absolute and ulps, with a reason.")
            return None
        if isinstance(ulps, int) and not isinstance(ulps, bool) and ulps >= 0:
            return Tolerance(ulps=ulps)
        if isinstance(absolute, int | float) and not isinstance(absolute, bool) and absolute >= 0:
            return Tolerance(absolute=float(absolute))
        self._problem("x-tolerance is not a number of zero or more.")
        return None

    def _engine(self, schema: JsonObject) -> str:
        engine = schema.get("x-engine", "")
        if engine and engine not in ENGINES:
            self._problem(f"x-engine names {one_line(str(engine), 60)}; known: {', '.join(ENGINES)}.")
            return ""
        return str(engine)


def _merged(one: Rules, other: Rules) -> Rules:
    """The rules of a place that two schemas describe."""
    if other == EXACT:
        return one
    if one == EXACT:
        return other
    properties = dict(one.properties)
    for key, rules in other.properties.items():
        properties[key] = _merged(properties.get(key, EXACT), rules)
    items = _merged(one.items or EXACT, other.items or EXACT)
    return Rules(
        tolerance=one.tolerance or other.tolerance,
        unordered=one.unordered or other.unordered,
        ignored=one.ignored or other.ignored,
        engine=one.engine or other.engine,
        properties=properties,
        items=items if items != EXACT else None,
    )
