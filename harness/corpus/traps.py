"""Language traps: `traps.yaml` of a system → the `trap:<language>` tags of a case.

A trap is a condition on the request, the expected answer or the environment of a case under which a usual function of a
language gives another result than the specification. The tags are derived where somebody asks for them: no verdict needs
them.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, cast

from ..errors import Problem
from ..model import Answered, Case, Json, JsonObject
from .json_schema import file_faults

FILE = "traps"
"""Name of the file of a system without its suffix."""

PREFIX = "trap:"
"""The beginning of a derived tag."""

_KINDS = ("text", "category", "not-in-form", "items")


class Condition(NamedTuple):
    """One condition on the values at `place`, such as `request.query`; without a second part, on everything below it.

    `kind` is a key of the file: `text` (a regular expression finds something in a text or a number), `category` (a character
    beyond ASCII has this general category), `not-in-form` (a text is not in this normal form), `items` (a list has at least
    so many elements).
    """

    place: str
    kind: str
    wanted: str | int


class Trap(NamedTuple):
    """One entry of the file: each language has the trap if an operation matches and all conditions hold."""

    id: str
    languages: tuple[str, ...]
    operations: tuple[str, ...]
    conditions: tuple[tuple[str, str, str | int], ...]


def read_traps(value: Json, shown: str, operations: Iterable[str], problems: list[Problem]) -> tuple[Trap, ...]:
    """The traps of a file. `shown` is the path that problems show, `operations` the operations that exist."""
    found = file_faults(value, "traps.schema.json")
    entries = [] if found else cast("dict[str, Any]", value)["traps"]
    traps = tuple(map(_trap, entries))
    names = [*operations]
    for trap in traps:
        found += [f"{trap.id}: {glob} matches no operation." for glob in trap.operations if not _matched(glob, names)]
        found += [f"{trap.id}: {text} is no regular expression." for text in _broken(trap)]
    if len({trap.id for trap in traps}) < len(traps):
        found.append("Two traps have the same id.")
    problems += [Problem(shown, "bad-traps", message, "Follow schemas/traps.schema.json.") for message in found]
    return () if found else traps


def may_be_trap(glob: str) -> bool:
    """Whether a glob over tags can match a derived one."""
    fixed = re.split(r"[*?[]", glob, maxsplit=1)[0]
    return fixed.startswith(PREFIX) or (fixed != glob and PREFIX.startswith(fixed))


def trap_tags(case: Case, traps: Mapping[str, tuple[Trap, ...]]) -> tuple[str, ...]:
    """The tags of the case, and behind them those of the languages that have a trap there. `traps` is by system."""
    languages = {language for trap in traps_of(case, traps.get(case.system, ())) for language in trap.languages}
    return tuple(dict.fromkeys([*case.tags, *(f"{PREFIX}{language}" for language in sorted(languages))]))


def traps_of(case: Case, traps: tuple[Trap, ...]) -> Iterator[Trap]:
    """The traps whose conditions the case fulfils."""
    values: dict[str, _Values] = {}
    for trap in traps_of_operation(case.operation, traps):
        if all(_holds(Condition(*condition), case, values) for condition in trap.conditions):
            yield trap


@lru_cache(maxsize=256)
def traps_of_operation(operation: str, traps: tuple[Trap, ...]) -> tuple[Trap, ...]:
    """The traps of an operation, whatever their conditions."""
    return tuple(trap for trap in traps if any(fnmatchcase(operation, glob) for glob in trap.operations))


def _trap(entry: dict[str, Any]) -> Trap:
    kinds = ((condition, kind) for condition in entry["when"] for kind in _KINDS if kind in condition)
    conditions = tuple((condition.get("at", "request"), kind, condition[kind]) for condition, kind in kinds)
    return Trap(entry["id"], tuple(entry["languages"]), tuple(entry["operations"]), conditions)


def _matched(glob: str, names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, glob) for name in names)


def _broken(trap: Trap) -> Iterator[str]:
    for _, kind, wanted in trap.conditions:
        if kind == "text":
            try:
                _pattern(str(wanted))
            except re.error:
                yield str(wanted)


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


class _Values(NamedTuple):
    """What a place has: the sizes of its lists, and each text, number or name once, as a text."""

    sizes: tuple[int, ...]
    texts: tuple[str, ...]


def _holds(condition: Condition, case: Case, values: dict[str, _Values]) -> bool:
    """Whether some value at the place fulfils the condition. `values` keeps what each place has."""
    place, kind, wanted = condition
    if place not in values:
        found = [*_below(_at(case, place))]
        sizes = tuple(len(value) for value in found if isinstance(value, list))
        values[place] = _Values(sizes, tuple(dict.fromkeys(_texts(found))))
    sizes, texts = values[place]
    match kind:
        case "text":
            return any(map(_pattern(str(wanted)).search, texts))
        case "items":
            return any(size >= int(wanted) for size in sizes)
        case "category":
            characters = (character for text in texts for character in text)
            return any(unicodedata.category(character) == wanted for character in characters if character > "\x7f")
        case _:
            form = cast("Literal['NFC']", wanted)
            return not all(unicodedata.is_normalized(form, text) for text in texts)


def _texts(values: Iterable[Json]) -> Iterator[str]:
    for value in values:
        if not isinstance(value, list | dict):
            yield value if isinstance(value, str) else json.dumps(value)


def _at(case: Case, place: str) -> Json:
    """The value at a place of a case; None if it has none."""
    first, *names = place.split(".")
    answer = case.expected.value if isinstance(case.expected, Answered) else None
    parts: JsonObject = {"request": case.request, "answer": answer, "environment": {**dict(case.environment)}}
    value = parts[first]
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _below(value: Json) -> Iterator[Json]:
    """The value and everything below it, the names of members too."""
    if value is not None:
        yield value
    if isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from _below(member)
    elif isinstance(value, list):
        for item in value:
            yield from _below(item)
