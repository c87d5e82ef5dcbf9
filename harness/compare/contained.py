"""Places of an expected answer that allow every text which contains one of some texts and has a bounded length. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from ..model import ABSENT, Absent, Answered, Difference, Json, JsonObject
from .json_diff import member
from .unobservable import steps

CONTAINS, MAX_LENGTH = "$contains", "$maxLength"

Contains = Sequence[tuple[str, Sequence[str], int]]
"""Pointers, the texts of which one is enough, and the most characters."""

LABELS = 120
"""Characters that a text may have beside those of its request: labels, separators, fill-ins of missing fields. The longest
labels of a published SDK had 82 in November 2026."""


def most_characters(request: Json) -> int:
    """The length of the longest text that can be made of `request` alone: all its texts twice, and labels."""
    return 2 * sum(len(_plain(text)) for text in _texts(request)) + LABELS


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def lacking(wanted: Json, got: Json, contains: Contains) -> Iterator[Difference]:
    """The places of `wanted` where `got` has no text that contains one of the texts and is short enough."""
    for pointer, texts, most in contains:
        path, example, found = _place(wanted, got, steps(pointer))
        text = _plain(found) if isinstance(found, str) else ""
        holds = isinstance(found, str) and len(text) <= most and any(_plain(part) in text for part in texts)
        if not isinstance(example, Absent) and not holds:
            yield Difference(path, example, found)


def with_contains(expected: Answered) -> JsonObject:
    """The expected answer as an export has it: `{$contains: [texts], $maxLength: n}` at each such place."""
    value: Json = expected.value
    for pointer, texts, most in expected.contains:
        value = _put(value, steps(pointer), {CONTAINS: list(texts), MAX_LENGTH: most})
    return value if isinstance(value, dict) else {}


def _plain(text: str) -> str:
    """The text in one letter case, with one space for each run of white space."""
    return " ".join(text.lower().split())


def _place(wanted: Json, got: Json, tokens: Sequence[str]) -> tuple[str, Json | Absent, Json | Absent]:
    """The path of a place, and both values there."""
    path, example, found = "$", cast("Json | Absent", wanted), cast("Json | Absent", got)
    for token in tokens:
        path += f"[{token}]" if isinstance(example, list) else member(token)
        example, found = _below(example, token), _below(found, token)
    return path, example, found


def _below(value: Json | Absent, token: str) -> Json | Absent:
    if isinstance(value, dict):
        return value.get(token, ABSENT)
    return value[int(token)] if isinstance(value, list) and int(token) < len(value) else ABSENT


def _put(value: Json, tokens: Sequence[str], put: Json) -> Json:
    if not tokens:
        return put
    first, *rest = tokens
    if isinstance(value, dict):
        return {key: _put(item, rest, put) if key == first else item for key, item in value.items()}
    items = value if isinstance(value, list) else []
    return [_put(item, rest, put) if str(index) == first else item for index, item in enumerate(items)]
