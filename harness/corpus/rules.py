"""Annotations of an answer schema → `Rules`: how each place of an answer is compared.

The annotations are `x-tolerance`, `x-unordered`, `x-ignored`, `x-compared` and `x-engine`. The reader follows `$ref`,
combinators, members and items.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

from msgspec import Struct

from ..base.json_path import follow, pointer_steps
from ..compare.canonical import compact
from ..compare.fts5_check import ENGINES
from ..errors import one_line
from ..model import EXACT, Json, JsonObject, Rules, Tolerance, replace

_INDEX = re.compile(r"[0-9]{1,9}")
_TOLERANCE_FORM = 'Write {"absolute": NUMBER, "reason": TEXT} or {"ulps": NUMBER, "reason": TEXT}.'


class Fault(Struct, frozen=True):
    """One mistake in an annotation: the schema, the place in it, the kind, what is wrong, what to do."""

    address: str
    path: tuple[str | int, ...]
    code: str
    message: str
    remedy: str


class FlagRule(NamedTuple):
    """A comparison rule that is on or off: a `member` of `Rules`, the annotation with its `value` and the one `otherwise`,
    and the `note` for readers of a schema."""

    member: str
    key: str
    value: bool | str
    otherwise: bool | str
    note: str


FLAG_RULES = (
    FlagRule("unordered", "x-unordered", True, False, "In any order."),
    FlagRule("ignored", "x-ignored", True, False, "Never compared."),
    FlagRule("if_expected", "x-compared", "if-expected", "always", "Compared only if the expected answer has it."),
)


class RulesReader:
    """Reader of the annotations of answer schemas; `faults` collects the mistakes in them."""

    def __init__(self, schemas: Mapping[str, JsonObject]) -> None:
        self.faults: list[Fault] = []
        self._schemas = schemas
        self._open: set[str] = set()

    def read(self, address: str, *path: str | int) -> Rules:
        """The rules of the part at `path` of the schema at `address`."""
        schema = follow(self._schemas[address], path)
        if not isinstance(schema, dict):
            return EXACT
        rules = self._own(schema, address, path)
        for part in _parts(schema):
            rules = _merged(rules, self.read(address, *path, *part))
        if isinstance(reference := schema.get("$ref"), str):
            rules = _merged(rules, self._referred(reference, address))
        if not (rules.unordered and rules.items):
            return rules
        message = "x-unordered stands over elements with comparison rules of their own."
        remedy = "Remove the rules of the elements, or x-unordered: elements without order are compared exactly."
        self._fault(address, path, "x-unordered", message, remedy)
        return replace(rules, items=None)

    def _own(self, schema: JsonObject, address: str, path: tuple[str | int, ...]) -> Rules:
        members = schema.get("properties")
        properties = {}
        for key in members if isinstance(members, dict) else {}:
            below = self.read(address, *path, "properties", key)
            if below != EXACT:
                properties[key] = below
        items = self.read(address, *path, "items") if "items" in schema else EXACT
        return Rules(
            **{flag.member: self._flag(flag, schema, address, path) for flag in FLAG_RULES},
            tolerance=self._tolerance(schema.get("x-tolerance"), address, path),
            engine=self._engine(schema.get("x-engine", ""), address, path),
            properties=properties,
            items=items if items != EXACT else None,
        )

    def _referred(self, reference: str, address: str) -> Rules:
        where, steps = resolved(reference, address)
        target = f"{where}#{steps}"
        if target in self._open:
            return EXACT  # a recursive value is compared exactly below its first level
        if follow(self._schemas.get(where), steps) is None:
            return EXACT  # `read_operations` reports the dead reference
        self._open.add(target)
        rules = self.read(where, *steps)
        self._open.discard(target)
        return rules

    def _fault(self, address: str, path: tuple[str | int, ...], key: str, message: str, remedy: str) -> None:
        self.faults.append(Fault(address, (*path, key), f"bad-{key}", message, remedy))

    def _flag(self, flag: FlagRule, schema: JsonObject, address: str, path: tuple[str | int, ...]) -> bool:
        given = schema.get(flag.key, flag.otherwise)
        if type(given) is not type(flag.value) or given not in (flag.value, flag.otherwise):
            value, otherwise = (str(value).lower() for value in (flag.value, flag.otherwise))
            message = f"{flag.key} is neither {value} nor {otherwise}."
            self._fault(address, path, flag.key, message, f'Write "{flag.key}": {compact(flag.value)}.')
        return given == flag.value

    def _tolerance(self, given: Json, address: str, path: tuple[str | int, ...]) -> Tolerance | None:
        if given is None:
            return None
        stated = {key: value for key, value in given.items() if key != "reason"} if isinstance(given, dict) else {}
        reason = given.get("reason") if isinstance(given, dict) else None
        key, value = next(iter(stated.items()), ("", None))
        usable = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        if len(stated) == 1 and isinstance(reason, str) and reason and usable:
            if key == "ulps" and isinstance(value, int):
                return Tolerance(ulps=value)
            if key == "absolute" and isinstance(value, int | float):
                return Tolerance(absolute=float(value))
        message = "x-tolerance needs a reason and one of absolute and ulps, with a number of at least 0."
        self._fault(address, path, "x-tolerance", message, _TOLERANCE_FORM)
        return None

    def _engine(self, engine: Json, address: str, path: tuple[str | int, ...]) -> str:
        if engine == "" or engine in ENGINES:
            return str(engine)
        message = f"The engine {one_line(str(engine), 60)} of x-engine is unknown."
        self._fault(address, path, "x-engine", message, f"Use one of: {', '.join(ENGINES)}.")
        return ""


def _parts(schema: JsonObject) -> list[tuple[str | int, ...]]:
    """The paths of subschemas that describe the same value as `schema`."""
    found: list[tuple[str | int, ...]] = [(key,) for key in ("if", "then", "else") if key in schema]
    for key in ("allOf", "anyOf", "oneOf"):
        listed = schema.get(key)
        found += [(key, index) for index in range(len(listed))] if isinstance(listed, list) else []
    return found


def resolved(reference: str, address: str) -> tuple[str, tuple[str | int, ...]]:
    """The target of a `$ref` in the schema at `address`: the address of a schema, and the steps into it."""
    try:
        where, fragment = urldefrag(urljoin(address, reference))
    except ValueError:  # not a URL: no schema has this address
        return reference, ()
    if fragment and not fragment.startswith("/"):
        return where, (fragment,)  # anchors are not supported
    tokens = pointer_steps(unquote(fragment))
    return where, tuple(int(token) if _INDEX.fullmatch(token) else token for token in tokens)


def _merged(one: Rules, other: Rules) -> Rules:
    """The rules of a place with two schemas."""
    if other == EXACT:
        return one
    if one == EXACT:
        return other
    properties = dict(one.properties)
    for key, rules in other.properties.items():
        properties[key] = _merged(properties.get(key, EXACT), rules)
    items = _merged(one.items or EXACT, other.items or EXACT)
    here = {name: getattr(one, name) or getattr(other, name) for name in Rules.__struct_fields__}
    return Rules(**{**here, "properties": properties, "items": items if items != EXACT else None})
