"""YAML 1.2 core schema, read strictly: one document of string-keyed mappings, lists and JSON scalars, with line numbers.

What YAML would guess, merge or silently drop is a `Problem` here: duplicate keys, tags, merge keys, numbers with leading
zeros, `.inf` and `.nan`, keys that are not strings, lone surrogates, and aliases that expand without bound.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from harness.errors import Problem, one_line
from harness.model import Json

MOST_VALUES = 500_000
"""A file that stands for more values than this (aliases expanded) is refused."""

MOST_DEPTH = 200

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

_NULL = {"", "~", "null", "Null", "NULL"}
_TRUE = {"true", "True", "TRUE"}
_FALSE = {"false", "False", "FALSE"}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Mapping(dict[str, Json]):
    """A mapping that knows the line it starts on and the line of each key."""

    __slots__ = ("key_lines", "line")

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.key_lines: dict[str, int] = {}


class Sequence(list[Json]):
    """A list that knows the line of each item."""

    __slots__ = ("item_lines",)

    def __init__(self) -> None:
        super().__init__()
        self.item_lines: list[int] = []


class _Refused(Exception):
    """Reading a file cannot go on; the problem says why."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def read_yaml(path: Path, shown: str) -> tuple[Json, list[Problem]]:
    """The value of the file at `path`, and every problem met; `shown` is the path as problems name it."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        return None, [Problem(shown, f"The file cannot be read: {error.strerror}.", "Check its permissions.")]
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        return None, [
            Problem(f"{shown}:{line}", "The file is not UTF-8.", "Save it as UTF-8 without a byte-order mark.")
        ]
    if text.startswith("\ufeff"):
        return None, [Problem(f"{shown}:1", "The file starts with a byte-order mark.", "Save it as UTF-8 without one.")]
    return parse_yaml(text, shown)


def parse_yaml(text: str, shown: str) -> tuple[Json, list[Problem]]:
    """The same as `read_yaml`, of a text."""
    builder = _Builder(shown)
    try:
        value = builder.document(yaml.parse(text, Loader=_LOADER))
    except _Refused as refused:
        return None, [*builder.problems, refused.problem]
    except RecursionError:
        return None, [*builder.problems, Problem(shown, "The file nests too deeply.", "Flatten it.")]
    except yaml.YAMLError as error:
        return None, [*builder.problems, _syntax_problem(error, text, shown)]
    return value, builder.problems


def _syntax_problem(error: yaml.YAMLError, text: str, shown: str) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    detail = one_line(str(getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be parsed"))
    if mark is not None:
        place = f"{shown}:{mark.line + 1}"
    else:
        position = getattr(error, "position", None)
        place = f"{shown}:{text[:position].count(chr(10)) + 1}" if isinstance(position, int) else shown
    if "Unicode character escape" in detail:
        remedy = "Write a character beyond U+FFFF as \\UXXXXXXXX; a lone surrogate cannot stand in a case file."
    elif "control characters" in detail or ("not allowed" in detail and "character" in detail):
        remedy = 'Write a control character as an escape in double quotes, such as "\\u0007".'
    else:
        remedy = "Correct the YAML there; quote a text that holds `: `, ` #` or starts with one of `[]{}*&!|>@%`."
    return Problem(place, f"This is not YAML: {detail}.", remedy)


class _Builder:
    """Turns parser events into values, collecting what can be passed over and refusing what cannot."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.problems: list[Problem] = []
        self._anchors: dict[str, tuple[Json, int] | None] = {}
        self._count = 0
        self._depth = 0

    def document(self, events: Iterator[Any]) -> Json:
        value: Json = None
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._refused(event, "The file holds a second document.", "Keep one document a file.")
                value = self._value(next(events), events)
        return value

    def _refused(self, event: Any, message: str, remedy: str) -> _Refused:
        return _Refused(Problem(self._place(event), message, remedy))

    def _place(self, event: Any) -> str:
        return f"{self.shown}:{event.start_mark.line + 1}"

    def _problem(self, event: Any, message: str, remedy: str) -> None:
        self.problems.append(Problem(self._place(event), message, remedy))

    def _value(self, event: Any, events: Iterator[Any]) -> Json:
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if event.tag is not None:
            self._problem(
                event, f"The tag {one_line(event.tag)} is not allowed.", "Remove it; write plain JSON values."
            )
        anchor = event.anchor
        before = self._count
        if anchor:
            self._anchors[anchor] = None
        self._add(event, 1)
        if isinstance(event, yaml.ScalarEvent):
            value = self._scalar(event)
        else:
            self._depth += 1
            if self._depth > MOST_DEPTH:
                raise self._refused(event, f"Values nest deeper than {MOST_DEPTH} levels.", "Flatten them.")
            value = (
                self._mapping(event, events) if isinstance(event, yaml.MappingStartEvent) else self._sequence(events)
            )
            self._depth -= 1
        if anchor:
            self._anchors[anchor] = (value, self._count - before)
        return value

    def _alias(self, event: Any) -> Json:
        known = self._anchors.get(event.anchor)
        if known is None:
            raise self._refused(
                event,
                f"The alias *{one_line(event.anchor)} stands for nothing, or for a value that contains it.",
                "Define the anchor before its alias.",
            )
        self._add(event, known[1])
        return known[0]

    def _add(self, event: Any, count: int) -> None:
        self._count += count
        if self._count > MOST_VALUES:
            raise self._refused(
                event, f"The file stands for more than {MOST_VALUES} values.", "Split it, or use fewer aliases."
            )

    def _sequence(self, events: Iterator[Any]) -> Sequence:
        items = Sequence()
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.item_lines.append(event.start_mark.line + 1)
            items.append(self._value(event, events))
        return items

    def _mapping(self, start: Any, events: Iterator[Any]) -> Mapping:
        mapping = Mapping(start.start_mark.line + 1)
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._key(event, events)
            value = self._value(next(events), events)
            if key is None:
                continue
            if key in mapping:
                self._problem(
                    event,
                    f"The key {one_line(key)} stands twice in this mapping (first on line {mapping.key_lines[key]}).",
                    "Remove one of the two.",
                )
                continue
            mapping[key] = value
            mapping.key_lines[key] = event.start_mark.line + 1
        return mapping

    def _key(self, event: Any, events: Iterator[Any]) -> str | None:
        plain_merge = isinstance(event, yaml.ScalarEvent) and not event.style and event.value == "<<"
        if plain_merge:
            self._problem(event, "The merge key << is not allowed.", "Write the members out.")
            return None
        key = self._value(event, events)
        if isinstance(key, str):
            return key
        self._problem(event, "A key of this mapping is not a string.", "Quote it.")
        return None

    def _scalar(self, event: Any) -> Json:
        text: str = event.value
        if _SURROGATE.search(text):
            self._problem(event, "A lone surrogate cannot stand in a case file.", "Use Unicode scalar values only.")
            return ""
        return self._plain(event, text) if not event.style and event.tag is None else text

    def _plain(self, event: Any, text: str) -> Json:
        if text in _NULL:
            return None
        if text in _TRUE or text in _FALSE:
            return text in _TRUE
        if _NOT_FINITE.fullmatch(text):
            self._problem(event, f"{text} is not a JSON number.", "Quote it if a string is meant.")
            return None
        if _BASED.fullmatch(text):
            return int(text, 0)
        if not _NUMBER.fullmatch(text):
            return text
        if _LEADING_ZERO.match(text):
            self._problem(
                event, f"The number {one_line(text, 40)} has a leading zero.", "Quote it if a string is meant."
            )
            return None
        return self._number(event, text)

    def _number(self, event: Any, text: str) -> Json:
        number = float(text)
        if math.isinf(number):
            self._problem(event, f"The number {one_line(text, 40)} is too large for a double.", "Use a smaller one.")
            return None
        return int(text) if _INTEGER.fullmatch(text) else number
