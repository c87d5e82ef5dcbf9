"""Operation schemas → `Operation` values: strict JSON reading, operation names, error types, stages, dependence,
references.

A file `schemas/<system>/<area.verb>.json` describes an operation; a file whose stem has no dot holds definitions that
other schemas refer to. Nothing is downloaded. `harness.corpus.checker` validates values with the schemas.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import assert_never

from msgspec import Struct

from ..base.json_path import follow
from ..base.near_names import name_remedy
from ..base.strict_json import MAX_DEPTH, JsonFault, StrictJsonError, read_json
from ..errors import Problem, one_line
from ..model import Json, JsonObject, Operation
from .cited_names import NameTable
from .located import line_at
from .rules import Fault, RulesReader, resolved

SCHEME = "file:///schemas/"
"""The base of the addresses under which schemas refer to each other."""

_NAME = re.compile(r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)+")
_PARTS = ("request", "answer", "error")
_KEYWORDS = ("x-stages", "x-uses", "x-requirements", "x-acceptance")
"""Keywords of parity at the root of an operation's schema."""


class Schemas(Struct, frozen=True):
    """The schemas of a corpus by address (`file:///schemas/<system>/<file>`), and their texts.

    `unread` has the addresses of existing schemas that could not be read.
    """

    values: Mapping[str, JsonObject]
    texts: dict[str, str]
    unread: Collection[str] = ()

    def problem(self, address: str, path: tuple[str | int, ...], code: str, message: str, remedy: str) -> Problem:
        """A problem at `path` of the schema at `address`, with its line."""
        from .strict_yaml import parse_yaml

        value, _ = parse_yaml(self.texts[address], "")  # JSON is YAML, and this reader records lines
        return Problem(f"{shown(address)}:{line_at(value, path) or 1}", code, message, remedy)


def shown(address: str) -> str:
    """The file of a schema, as problems show it."""
    return f"schemas/{address.removeprefix(SCHEME)}"


def parse_schema(text: str, path: str, problems: list[Problem]) -> JsonObject | None:
    """The schema of a JSON text, or None and a problem; `path` is the file that problems show."""
    try:
        value = read_json(text)
    except json.JSONDecodeError as error:
        place, message = f"{path}:{error.lineno}", f"The file is not valid JSON: {error.msg}."
        problems.append(Problem(place, "bad-json", message, "Correct the JSON."))
        return None
    except StrictJsonError as error:
        code, message, remedy = _refusal(error)
        problems.append(Problem(f"{path}:{_line_of(error, text)}", code, message, remedy))
        return None
    if isinstance(value, dict):
        return value
    message = "The schema is not a JSON object."
    problems.append(Problem(f"{path}:1", "not-a-mapping", message, "Write an object with `$defs`."))
    return None


def _refusal(error: StrictJsonError) -> tuple[str, str, str]:
    """The code, the message and the remedy for a text that is JSON, and that not every reader reads alike."""
    correct = "Correct the JSON."
    match error.fault:
        case JsonFault.DUPLICATE_KEY:
            return "duplicate-key", f"The object has the member {one_line(error.found, 60)} twice.", correct
        case JsonFault.NOT_FINITE:
            return "not-a-json-number", f"{error.found} is not a JSON number.", correct
        case JsonFault.NUMBER_OVERFLOW:
            return "number-too-large", f"The number {one_line(error.found, 40)} is too large for a double.", correct
        case JsonFault.TOO_DEEP:
            return "too-deep", f"The schema nests deeper than {MAX_DEPTH} levels.", "Flatten it."
    assert_never(error.fault)


def _line_of(error: StrictJsonError, text: str) -> int:
    """The line of a number in the text, or the one that the strict YAML reader refuses too."""
    if error.fault in (JsonFault.NOT_FINITE, JsonFault.NUMBER_OVERFLOW):
        return text.count("\n", 0, text.index(error.found)) + 1
    from .strict_yaml import parse_yaml

    _, problems = parse_yaml(text, "")
    return int(problems[0].place.removeprefix(":")) if problems else 1


def read_operations(schemas: Schemas, problems: list[Problem]) -> NameTable[Operation]:
    """The operations that the schemas describe, by name."""
    named: NameTable[Operation] = NameTable(broken={_system_and_name(address)[1] for address in schemas.unread})
    reader = RulesReader(schemas.values)
    for address in schemas.values:
        system, name = _system_and_name(address)
        if "." not in name:
            continue
        before = len(problems)
        if not _NAME.fullmatch(name):
            message = f"The file name {one_line(name, 60)}.json is not the name of an operation."
            problems.append(Problem(shown(address), "bad-operation-name", message, "Rename it to area.verb.json."))
        elif name in named.found:
            message = f"The system {named.found[name].system} already has an operation {name}."
            problems.append(Problem(shown(address), "duplicate-operation", message, "Rename one of the two."))
        else:
            try:
                operation = _operation(name, system, address, schemas, reader, problems)
            except RecursionError:
                operation = None
                message = "The references of the schema nest too deeply."
                problems.append(Problem(shown(address), "too-deep", message, "Shorten the chain of references."))
            if operation is not None:
                named.found[name] = operation
        if len(problems) > before:
            named.broken.add(name)
    problems += [_problem(schemas, fault) for fault in dict.fromkeys(reader.faults)]
    problems += _dead_references(schemas)
    problems += _dead_uses(named, schemas)
    return named


def _system_and_name(address: str) -> tuple[str, str]:
    system, _, name = address.removeprefix(SCHEME).removesuffix(".json").partition("/")
    return system, name


def _problem(schemas: Schemas, fault: Fault) -> Problem:
    return schemas.problem(fault.address, fault.path, fault.code, fault.message, fault.remedy)


def _operation(
    name: str, system: str, address: str, schemas: Schemas, reader: RulesReader, problems: list[Problem]
) -> Operation | None:
    schema = schemas.values[address]
    if unknown := next((key for key in schema if key.startswith("x-") and key not in _KEYWORDS), None):
        message = f"{one_line(unknown, 60)} is no keyword at the root of a schema."
        problems.append(
            schemas.problem(address, (unknown,), "unknown-keyword", message, name_remedy(unknown, _KEYWORDS))
        )
        return None
    definitions = schema.get("$defs")
    missing = [part for part in _PARTS if not isinstance(definitions, dict) or part not in definitions]
    if missing:
        message = f"The schema has no {' and no '.join(f'$defs.{part}' for part in missing)}."
        remedy = "Add request, answer and error under $defs."
        problems.append(schemas.problem(address, ("$defs",), "missing-definition", message, remedy))
        return None
    kinds = follow(schema, ("$defs", "error", "enum"))
    if not isinstance(kinds, list) or not kinds or not all(isinstance(kind, str) and kind for kind in kinds):
        message = "$defs.error does not list the types of errors."
        remedy = 'Write {"enum": ["unclassified"]}, or the error types that an implementation may return.'
        problems.append(schemas.problem(address, ("$defs", "error"), "no-error-types", message, remedy))
        return None
    stages, uses = schema.get("x-stages", []), schema.get("x-uses", [])
    if not isinstance(stages, list) or not all(isinstance(stage, str) and stage.startswith("/") for stage in stages):
        message, remedy = "x-stages is not a list of JSON Pointers.", 'Write ["/first/stage", "/second"].'
        problems.append(schemas.problem(address, ("x-stages",), "bad-stages", message, remedy))
        return None
    if not isinstance(uses, list) or not all(isinstance(used, str) for used in uses):
        message, remedy = "x-uses is not a list of operations.", 'Write ["area.verb", "area.other"].'
        problems.append(schemas.problem(address, ("x-uses",), "bad-uses", message, remedy))
        return None
    by_keyword: dict[str, Mapping[str, tuple[str, ...]]] = {}
    for keyword in ("x-requirements", "x-acceptance"):
        places = _places(schema.get(keyword, {}))
        if places is None:
            message = f"{keyword} does not map requirements to lists of JSON Pointers."
            remedy = 'Write {"REQ-01": ["/first/place"], "REQ-1*": ["/list/*/member"]}.'
            problems.append(schemas.problem(address, (keyword,), "bad-requirement-places", message, remedy))
            return None
        by_keyword[keyword] = places
    return Operation(
        name=name,
        system=system,
        rules=reader.read(address, "$defs", "answer"),
        stages=tuple(str(stage) for stage in stages),
        error_types=tuple(dict.fromkeys(map(str, kinds))),
        places=by_keyword["x-requirements"],
        acceptance=by_keyword["x-acceptance"],
        uses=tuple(map(str, uses)),
    )


def _places(given: Json) -> dict[str, tuple[str, ...]] | None:
    """Places of the answer by requirement; None if they are not a table of JSON Pointers."""
    places: dict[str, tuple[str, ...]] = {}
    for name, pointers in given.items() if isinstance(given, dict) else ():
        listed = pointers if isinstance(pointers, list) else []
        places[name] = tuple(name for name in listed if isinstance(name, str) and name.startswith("/"))
        if not listed or len(places[name]) != len(listed):
            return None
    return places if isinstance(given, dict) else None


def _dead_uses(named: NameTable[Operation], schemas: Schemas) -> Iterator[Problem]:
    """A problem for every `x-uses` that names an operation which its system does not have, and for a circle of them."""
    for name, operation in named.found.items():
        allowed = {other.name for other in named.found.values() if other.system == operation.system}
        for index, used in enumerate(operation.uses):
            if used not in allowed and used not in named.broken:
                message = f"The system {operation.system} has no operation {one_line(used, 60)}."
                yield _use_problem(
                    schemas, operation, index, "unknown-use", message, name_remedy(used, allowed - {name})
                )
    try:
        TopologicalSorter({name: operation.uses for name, operation in named.found.items()}).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]  # each uses the next one
        first = named.found[circle[0]]
        message = f"The operations use each other in a circle: {', '.join(circle)}."
        remedy = "Name only operations by which the text defines this one."
        yield _use_problem(schemas, first, first.uses.index(circle[1]), "circular-uses", message, remedy)


def _use_problem(schemas: Schemas, operation: Operation, index: int, code: str, message: str, remedy: str) -> Problem:
    address = f"{SCHEME}{operation.system}/{operation.name}.json"
    return schemas.problem(address, ("x-uses", index), code, message, remedy)


def _dead_references(schemas: Schemas) -> list[Problem]:
    """A problem for every `$ref` whose target does not exist."""
    problems = []
    for address, schema in schemas.values.items():
        for path, reference in _references(schema, ()):
            where, steps = resolved(reference, address)
            if where not in schemas.unread and follow(schemas.values.get(where), steps) is None:
                message = f"The target of the reference {one_line(reference, 80)} does not exist."
                remedy = "Correct the reference, or add its target."
                problems.append(schemas.problem(address, path, "dead-reference", message, remedy))
    return problems


def _references(value: Json, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, list):
        return [reference for index, item in enumerate(value) for reference in _references(item, (*path, index))]
    if not isinstance(value, dict):
        return []
    found = [pair for key, item in value.items() for pair in _references(item, (*path, key))]
    reference = value.get("$ref")
    return [*found, ((*path, "$ref"), reference)] if isinstance(reference, str) else found
