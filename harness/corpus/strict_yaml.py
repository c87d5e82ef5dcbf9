"""YAML 1.2 core schema, read strictly: one document of string-keyed mappings, lists and JSON scalars, with line numbers.

A construct that YAML readers guess, merge or silently drop is a `Problem`: duplicate keys, tags, merge keys, numbers with
leading zeros, `.inf` and `.nan`, keys that are not strings, lone surrogates, and aliases that expand without bound.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import yaml

from ..base.strict_json import MAX_DEPTH
from ..errors import Problem, one_line
from ..model import Json
from .located import Mapping, Sequence

MAX_VALUES = 500_000
"""Limit on the values of a file, aliases expanded."""

_QUOTE = "Quote it if you mean a text."
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_SURROGATE = re.compile("[\ud800-\udfff]")

_WORDS: dict[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_LOOKS_NUMERIC = re.compile(r"[-+.0-9]")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


class _NotJson(Exception):
    """A plain scalar that is no JSON value, or that YAML readers take for different values."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Refused(Exception):
    """A problem that ends the reading of a file."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def parse_yaml(text: str, shown: str) -> tuple[Json, list[Problem]]:
    """The value of a text, null if it is empty, and every problem. `shown` is the path that problems show."""
    builder = _Builder(shown)
    try:
        value = builder.document(_events(text))
    except _Refused as refused:
        return None, [*builder.problems, refused.problem]
    except yaml.YAMLError as error:
        return None, [*builder.problems, _syntax_problem(error, text, shown)]
    return value, builder.problems


def _events(text: str) -> Iterator[Any]:
    """The parser's events. This loop is twice as fast as `yaml.parse`, which checks each event before it takes it."""
    loader = _LOADER(text)
    try:
        while (event := loader.get_event()) is not None:
            yield event
    finally:
        loader.dispose()


def _syntax_problem(error: yaml.YAMLError, text: str, shown: str) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    detail = one_line(str(getattr(error, "problem", None) or "it cannot be parsed"))
    if "end of stream" in detail and getattr(error, "context_mark", None) is not None:
        mark = error.context_mark  # type: ignore[attr-defined]  # the start of the unclosed value
        detail = f"{one_line(str(error.context))}, {detail}"  # type: ignore[attr-defined]
    if mark is None:
        return Problem(shown, "bad-yaml", f"The file is not valid YAML: {detail}.", "Correct the YAML.")
    lines = text.splitlines()
    indent = lines[mark.line][: mark.column + 1] if mark.line < len(lines) else ""
    if "Unicode character escape" in detail:
        remedy = "Write a character above U+FFFF as \\UXXXXXXXX; a case file cannot contain a lone surrogate."
    elif "mapping values are not allowed" in detail:
        remedy = "Quote the text; a plain text cannot contain `: `."
    elif "\t" in indent and not indent.strip():
        remedy = "Indent with spaces; YAML allows no tab there."
    else:
        remedy = "Correct the YAML; quote a text that contains `: ` or ` #`, or starts with one of `[]{}*&!|>@%`."
    return Problem(f"{shown}:{mark.line + 1}", "bad-yaml", f"The file is not valid YAML: {detail}.", remedy)


class _Builder:
    """Builder of a value from parser events; collects problems and stops at one after which reading cannot continue."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.problems: list[Problem] = []
        self._anchors: dict[str, tuple[Json, int, int] | None] = {}
        self._count = 0
        self._depth = 0
        self._deepest = 0

    def document(self, events: Iterator[Any]) -> Json:
        value: Json = None
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    message = "The file has a second document."
                    raise self._refused(event, "second-document", message, "Keep one document a file.")
                value = self._value(next(events), events)
        return value

    def _refused(self, event: Any, code: str, message: str, remedy: str) -> _Refused:
        return _Refused(Problem(self._place(event), code, message, remedy))

    def _place(self, event: Any) -> str:
        return f"{self.shown}:{event.start_mark.line + 1}"

    def _problem(self, event: Any, code: str, message: str, remedy: str) -> None:
        self.problems.append(Problem(self._place(event), code, message, remedy))

    def _value(self, event: Any, events: Iterator[Any]) -> Json:
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if event.tag is not None:
            message = f"The tag {one_line(event.tag)} is not allowed."
            self._problem(event, "tag", message, f"Remove it. {_QUOTE}")
        if event.anchor:
            return self._anchored(event, events)
        return self._bare(event, events)

    def _bare(self, event: Any, events: Iterator[Any]) -> Json:
        self._count += 1
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        self._depth += 1
        self._check_size(event, 0)
        value = self._mapping(event, events) if isinstance(event, yaml.MappingStartEvent) else self._sequence(events)
        self._depth -= 1
        return value

    def _anchored(self, event: Any, events: Iterator[Any]) -> Json:
        """An anchored value; stores the value with the number and the depth of the values inside it."""
        self._anchors[event.anchor] = None
        count, outer = self._count, self._deepest
        self._deepest = self._depth
        value = self._bare(event, events)
        self._anchors[event.anchor] = (value, self._count - count, self._deepest - self._depth)
        self._deepest = max(outer, self._deepest)
        return value

    def _alias(self, event: Any) -> Json:
        anchored = self._anchors.get(event.anchor)
        if anchored is None:
            message = f"The alias *{one_line(event.anchor)} has no anchor before it, or is inside its own anchor."
            remedy = f"Define the anchor before the alias and outside of it. {_QUOTE}"
            raise self._refused(event, "bad-alias", message, remedy)
        value, count, height = anchored
        self._count += count
        self._check_size(event, height)
        return value

    def _check_size(self, event: Any, height: int) -> None:
        """Refuses a file with too many or too deep values; the value that starts here is at least `height` levels deep."""
        self._deepest = max(self._deepest, self._depth + height)
        if self._count > MAX_VALUES:
            message = f"The file has more than {MAX_VALUES} values, aliases expanded."
            raise self._refused(event, "too-many-values", message, "Split it, or use fewer aliases.")
        if self._depth + height > MAX_DEPTH:
            message = f"Values nest deeper than {MAX_DEPTH} levels."
            raise self._refused(event, "too-deep", message, "Flatten them.")

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
                mapping.incomplete = True
            elif key in mapping:
                message = f"The key {one_line(key)} is already on line {mapping.key_lines[key]} of this mapping."
                self._problem(event, "duplicate-key", message, "Remove one of the two.")
            else:
                mapping.put(key, value, event.start_mark.line + 1)
        return mapping

    def _key(self, event: Any, events: Iterator[Any]) -> str | None:
        if isinstance(event, yaml.ScalarEvent) and not event.style and event.value == "<<":
            self._problem(event, "merge-key", "The merge key << is not allowed.", "Write the members out.")
            return None
        before = len(self.problems)
        key = self._value(event, events)
        if isinstance(key, str):
            return key
        if len(self.problems) == before:
            found = one_line(event.value, 40) if isinstance(event, yaml.ScalarEvent) else "a list or mapping"
            message = f"A key of the mapping is not a text: {found or 'nothing'}."
            self._problem(event, "key-not-a-text", message, "Quote it.")
        return None

    def _scalar(self, event: Any) -> Json:
        text: str = event.value
        if not text.isascii() and _SURROGATE.search(text):
            message = "The text contains a lone surrogate."
            self._problem(event, "lone-surrogate", message, "Use Unicode scalar values only.")
            return ""
        if event.style or event.tag is not None:
            return text
        try:
            return _plain_value(text)
        except _NotJson as error:
            self._problem(event, error.code, str(error), _QUOTE)
            return None


@lru_cache(maxsize=4096)
def _plain_value(text: str) -> Json:
    """The value of an unquoted scalar, by the core schema of YAML 1.2. Raises `_NotJson`."""
    if text in _WORDS:
        return _WORDS[text]
    if not _LOOKS_NUMERIC.match(text):
        return text
    if _NOT_FINITE.fullmatch(text):
        raise _NotJson("not-a-json-number", f"{text} is not a JSON number.")
    if _BASED.fullmatch(text):
        return _finite(int(text, 0), text)
    if not _NUMBER.fullmatch(text):
        return text
    if _LEADING_ZERO.match(text):
        raise _NotJson("leading-zero", f"The number {one_line(text, 40)} has a leading zero.")
    number = _finite(float(text), text)
    return int(text) if _INTEGER.fullmatch(text) else number


def _finite(number: float, text: str) -> float:
    try:
        overflows = math.isinf(float(number))
    except OverflowError:
        overflows = True
    if overflows:
        raise _NotJson("number-too-large", f"The number {one_line(text, 40)} is too large for a double.")
    return number
