"""Places of an expected answer that allow every text which contains one of some texts. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from ..model import ABSENT, Absent, Answered, Difference, Json, JsonObject
from .json_diff import member
from .unobservable import steps

CONTAINS = "$contains"

Contains = Sequence[tuple[str, Sequence[str]]]


def lacking(wanted: Json, got: Json, contains: Contains) -> Iterator[Difference]:
    """The places of `wanted` where `got` has no text that contains one of the texts."""
    for pointer, texts in contains:
        path, example, found = _place(wanted, got, steps(pointer))
        holds = isinstance(found, str) and any(_plain(text) in _plain(found) for text in texts)
        if not isinstance(example, Absent) and not holds:
            yield Difference(path, example, found)


def with_contains(expected: Answered) -> JsonObject:
    """The expected answer as a case file has it: `{$contains: [texts]}` at each such place."""
    value: Json = expected.value
    for pointer, texts in expected.contains:
        value = _put(value, steps(pointer), {CONTAINS: list(texts)})
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
