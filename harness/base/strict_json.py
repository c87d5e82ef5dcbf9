"""JSON as every reader takes it: Python's own reader also accepts duplicate members, NaN and numbers beyond every double."""

from __future__ import annotations

import json
import math
from collections import Counter
from enum import StrEnum
from typing import Any, NoReturn

from .json_path import path_step

MAX_DEPTH = 200
"""Levels of mappings and lists; no message, schema or case file may nest deeper, aliases expanded."""

_MAX_DIGITS = 300
"""Digits that a double can hold in any case."""


class JsonFault(StrEnum):
    """Why a text is refused that Python's reader accepts."""

    DUPLICATE_KEY = "duplicate-key"
    NOT_FINITE = "not-finite"
    NUMBER_OVERFLOW = "number-overflow"
    TOO_DEEP = "too-deep"


class StrictJsonError(ValueError):
    """A text that other readers refuse or read differently. `found` is the name of the member or the number, `path` its
    place (`$.a[0]`), empty if nobody can tell."""

    def __init__(self, fault: JsonFault, found: str = "", path: str = "") -> None:
        super().__init__(found)
        self.fault = fault
        self.found = found
        self.path = path


def read_json(text: str, max_depth: int = MAX_DEPTH) -> Any:
    """The value of a text. Raises `StrictJsonError`, and `json.JSONDecodeError` for what is no JSON at all."""
    try:
        value = _DECODER.decode(text)
    except StrictJsonError as error:
        error.path = _refused_path(text)
        raise
    except RecursionError:
        raise StrictJsonError(JsonFault.TOO_DEEP) from None
    if text.count("[") + text.count("{") > max_depth and _depth(value) > max_depth:
        raise StrictJsonError(JsonFault.TOO_DEEP)
    return value


def duplicate(pairs: list[tuple[str, Any]]) -> str | None:
    """The first name that an object has twice."""
    return next((name for name, count in Counter(name for name, _ in pairs).items() if count > 1), None)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise StrictJsonError(JsonFault.DUPLICATE_KEY, duplicate(pairs) or "")
    return members


def _constant(name: str) -> NoReturn:
    raise StrictJsonError(JsonFault.NOT_FINITE, name)


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise StrictJsonError(JsonFault.NUMBER_OVERFLOW, text)
    return number


def _int(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        _float(text)
    return int(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int)


def _depth(value: Any) -> int:
    deepest, level = 0, [value]
    while level:
        deepest += 1
        level = [
            item
            for container in level
            if isinstance(container, list | dict)
            for item in (container.values() if isinstance(container, dict) else container)
        ]
    return deepest


class _Members(list[tuple[str, Any]]):
    """The members of an object, duplicates included."""


class _LenientDecoder:
    """Decoder that accepts what the strict one refuses. `first` is the first refused value, in the order of decoding."""

    def __init__(self) -> None:
        self.first: object = None
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._members,
            parse_constant=self._refuse,
            parse_float=self._number,
            parse_int=self._number,
        )

    def decode(self, text: str) -> Any:
        return self._decoder.decode(text)

    def _refuse(self, _: object) -> object:
        refused = object()
        self.first = self.first or refused
        return refused

    def _number(self, text: str) -> object:
        return self._refuse(text) if math.isinf(float(text)) else 0

    def _members(self, pairs: list[tuple[str, Any]]) -> _Members:
        members = _Members(pairs)
        if self.first is None and len(dict(pairs)) < len(pairs):
            self.first = members
        return members


def _refused_path(text: str) -> str:
    """The path of the first value that the strict decoder refuses."""
    decoder = _LenientDecoder()
    try:
        waiting: list[tuple[str, Any]] = [("$", decoder.decode(text))]
    except (ValueError, RecursionError):
        return ""
    while waiting:
        path, value = waiting.pop()
        if decoder.first is not None and value is decoder.first:
            name = duplicate(value) if isinstance(value, _Members) else None
            return path if name is None else path + path_step(name)
        if isinstance(value, _Members):
            waiting += reversed([(path + path_step(name), item) for name, item in value])
        elif isinstance(value, list):
            waiting += reversed([(path + path_step(index), item) for index, item in enumerate(value)])
    return ""
