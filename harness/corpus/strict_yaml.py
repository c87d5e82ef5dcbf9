"""YAML 1.2 core schema, read strictly: one document of string-keyed mappings, lists and JSON scalars, with line numbers.

What YAML would guess, merge or silently drop is a `Problem` here: duplicate keys, tags, merge keys, numbers with leading
zeros, `.inf` and `.nan`, keys that are not strings, lone surrogates, and aliases that expand without bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

from harness.corpus.scalars import NotJson, plain_value
from harness.corpus.source import read_text
from harness.errors import Problem, one_line
from harness.model import Json

MAX_VALUES = 500_000
"""A file that stands for more values than this (aliases expanded) is refused."""

MAX_DEPTH = 200
"""A value inside more mappings and lists than this (aliases expanded) is refused."""

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_SURROGATE = re.compile("[\ud800-\udfff]")


class Mapping(dict[str, Json]):
    """A mapping that knows the line it starts on and the line of each key.

    `incomplete` tells that a member was refused, so that what is missing is no news.
    """

    __slots__ = ("incomplete", "key_lines", "line")

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.key_lines: dict[str, int] = {}
        self.incomplete = False

    def copied(self) -> Mapping:
        """A mapping of its own with the same members, places and all."""
        twin = Mapping(self.line)
        twin.update(self)
        twin.key_lines.update(self.key_lines)
        twin.incomplete = self.incomplete
        return twin

    def put(self, key: str, value: Json, line: int) -> None:
        """Sets a member together with its line."""
        self[key] = value
        self.key_lines[key] = line


class Sequence(list[Json]):
    """A list that knows the line of each item."""

    __slots__ = ("item_lines",)

    def __init__(self) -> None:
        super().__init__()
        self.item_lines: list[int] = []


def line_at(value: Json, path: Iterable[str | int]) -> int:
    """The line of the deepest step of `path` into `value` that is there; 0 where not even the first one is."""
    line = 0
    for step in path:
        if isinstance(value, Mapping) and isinstance(step, str) and step in value:
            line, value = value.key_lines[step], value[step]
        elif isinstance(value, Sequence) and isinstance(step, int) and step < len(value):
            line, value = value.item_lines[step], value[step]
        else:
            break
    return line


class _Refused(Exception):
    """Reading a file cannot go on; the problem says why."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def read_yaml(path: Path, shown: str) -> tuple[Json, list[Problem]]:
    """The value of the file at `path`, and every problem met; `shown` is the file as problems name it."""
    problems: list[Problem] = []
    text = read_text(path, shown, problems)
    return parse_yaml(text, shown) if text is not None else (None, problems)


def parse_yaml(text: str, shown: str) -> tuple[Json, list[Problem]]:
    """The same of a text; an empty one is null."""
    builder = _Builder(shown)
    try:
        value = builder.document(_events(text))
    except _Refused as refused:
        return None, [*builder.problems, refused.problem]
    except yaml.YAMLError as error:
        return None, [*builder.problems, _syntax_problem(error, text, shown)]
    return value, builder.problems


def _events(text: str) -> Iterator[Any]:
    """The parser's events; twice as quick as `yaml.parse`, which looks at each event before it takes it."""
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
        mark = error.context_mark  # type: ignore[attr-defined]  # where what never ends begins
        detail = f"{one_line(str(error.context))}, {detail}"  # type: ignore[attr-defined]
    if mark is None:
        return Problem(shown, f"This is not YAML: {detail}.", "Correct the YAML.")
    lines = text.splitlines()
    indent = lines[mark.line][: mark.column + 1] if mark.line < len(lines) else ""
    if "Unicode character escape" in detail:
        remedy = "Write a character beyond U+FFFF as \\UXXXXXXXX; a lone surrogate cannot stand in a case file."
    elif "mapping values are not allowed" in detail:
        remedy = "Quote the text; a plain one cannot hold `: `."
    elif "\t" in indent and not indent.strip():
        remedy = "Indent with spaces; YAML takes no tab there."
    else:
        remedy = "Correct the YAML there; quote a text that holds `: `, ` #` or starts with one of `[]{}*&!|>@%`."
    return Problem(f"{shown}:{mark.line + 1}", f"This is not YAML: {detail}.", remedy)


class _Builder:
    """Turns parser events into values, collecting what can be passed over and refusing what cannot."""

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
                event, f"The tag {one_line(event.tag)} is not allowed.", "Remove it; quote it if a text is meant."
            )
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
        """A value with a name, kept together with how many values it stands for and how deep they go."""
        self._anchors[event.anchor] = None
        count, outer = self._count, self._deepest
        self._deepest = self._depth
        value = self._bare(event, events)
        self._anchors[event.anchor] = (value, self._count - count, self._deepest - self._depth)
        self._deepest = max(outer, self._deepest)
        return value

    def _alias(self, event: Any) -> Json:
        known = self._anchors.get(event.anchor)
        if known is None:
            message = f"The alias *{one_line(event.anchor)} stands for nothing, or for a value that contains it."
            raise self._refused(
                event, message, "Quote it if a text is meant; else define the anchor before its alias, outside of it."
            )
        value, count, height = known
        self._count += count
        self._check_size(event, height)
        return value

    def _check_size(self, event: Any, height: int) -> None:
        """Refuses too many values, and too deep ones: what begins here goes at least `height` levels deeper."""
        self._deepest = max(self._deepest, self._depth + height)
        if self._count > MAX_VALUES:
            message = f"The file stands for more than {MAX_VALUES} values."
            raise self._refused(event, message, "Split it, or use fewer aliases.")
        if self._depth + height > MAX_DEPTH:
            raise self._refused(event, f"Values nest deeper than {MAX_DEPTH} levels.", "Flatten them.")

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
                first = f"(first on line {mapping.key_lines[key]})"
                self._problem(event, f"The key {one_line(key)} stands twice in this mapping {first}.", "Remove one.")
            else:
                mapping.put(key, value, event.start_mark.line + 1)
        return mapping

    def _key(self, event: Any, events: Iterator[Any]) -> str | None:
        if isinstance(event, yaml.ScalarEvent) and not event.style and event.value == "<<":
            self._problem(event, "The merge key << is not allowed.", "Write the members out.")
            return None
        before = len(self.problems)
        key = self._value(event, events)
        if isinstance(key, str):
            return key
        if len(self.problems) == before:
            found = one_line(event.value, 40) if isinstance(event, yaml.ScalarEvent) else "a list or mapping"
            self._problem(event, f"A key of this mapping is not a text: {found or 'nothing'}.", "Quote it.")
        return None

    def _scalar(self, event: Any) -> Json:
        text: str = event.value
        if not text.isascii() and _SURROGATE.search(text):
            self._problem(event, "A lone surrogate cannot stand in a case file.", "Use Unicode scalar values only.")
            return ""
        if event.style or event.tag is not None:
            return text
        try:
            return plain_value(text)
        except NotJson as complaint:
            self._problem(event, str(complaint), "Quote it if a text is meant.")
            return None
