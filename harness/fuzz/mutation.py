"""Mutation of requests: changes a leaf, swaps, repeats or deletes parts, or splices two requests. Pure."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from ..model import Json, JsonObject

MAX_EDITS = 3
"""Edits of one request."""

_MARKS = tuple(" \t\n\"'()-+:*.,/\\_~^{}[]<>|&!?#@0$%=;\u00a0\u0130\u00df\u0301\u200b\u2019\ufb01\u01c5\U0001f600")
"""Characters to insert: marks of query languages, and characters that Unicode rules treat in special ways."""

_NUMBERS = (0, 1, -1, 2, 10, 100, 0.5, 1e-9, -0.5, 2**31, 2**53, 1e300)

_Place: TypeAlias = "tuple[JsonObject | list[Json], str | int]"
"""A container and the key of one of its values."""


def mutated(random: Random, requests: Sequence[str]) -> JsonObject:
    """One of the requests, which are JSON, after 1 to `MAX_EDITS` edits."""
    request: JsonObject = json.loads(random.choice(requests))
    for _ in range(random.randint(1, MAX_EDITS)):
        found = list(_places(request))
        if not found:
            return request
        random.choice(_EDITS)(random, random.choice(found), json.loads(random.choice(requests)))
    return request


def _places(value: Json) -> list[_Place]:
    """Every place in the value, containers before their contents."""
    found: list[_Place] = []
    if isinstance(value, dict):
        for key, item in value.items():
            found.append((value, key))
            found += _places(item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found.append((value, index))
            found += _places(item)
    return found


def _get(place: _Place) -> Json:
    container, key = place
    return container[key]  # type: ignore[index]


def _set(place: _Place, value: Json) -> None:
    container, key = place
    container[key] = value  # type: ignore[index]


def _change(random: Random, place: _Place, other: JsonObject) -> None:
    """Changes a leaf; a container gets a leaf of another request in place of one of its own."""
    value = _get(place)
    match value:
        case bool():
            _set(place, not value)
        case int() | float():
            _set(
                place,
                _whole(random.choice((value + 1, value - 1, -value, value * 2, value / 2, random.choice(_NUMBERS)))),
            )
        case str():
            _set(place, _changed_text(random, value, other))
        case dict() | list():
            leaves = [place for place in _places(value) if not isinstance(_get(place), dict | list)]
            if leaves:
                _change(random, random.choice(leaves), other)


def _whole(number: float) -> int | float:
    """The number, without a fraction part if it is whole: some implementations read 1.0 as no integer."""
    return int(number) if abs(number) <= 2**53 and number == int(number) else number


def _changed_text(random: Random, text: str, other: JsonObject) -> str:
    at, end = sorted((random.randint(0, len(text)), random.randint(0, len(text))))
    choice = random.randrange(7)
    if choice == 0:
        return text[:at] + random.choice(_MARKS) + text[at:]
    if choice == 1:
        return text[:at] + text[end:]
    if choice == 2:
        return text[:end] + text[at:]
    if choice == 3:
        return text[:at] + text[at:end].swapcase() + text[end:]
    if choice == 4:
        words = text.split(" ")
        random.shuffle(words)
        return " ".join(words)
    texts = [found for place in _places(other) if isinstance(found := _get(place), str)] or [text]
    return random.choice(texts) if choice == 5 else text[:at] + random.choice(texts) + text[end:]


def _repeat(random: Random, place: _Place, other: JsonObject) -> None:
    """Repeats an element of a list, or the end of a text."""
    container, key = place
    value = _get(place)
    if isinstance(container, list):
        container.insert(random.randint(0, len(container)), copy.deepcopy(value))
    elif isinstance(value, str):
        _set(place, value + value[random.randint(0, len(value)) :])
    else:
        _change(random, place, other)
    del key


def _delete(random: Random, place: _Place, other: JsonObject) -> None:  # noqa: ARG001
    """Deletes a member or an element."""
    container, key = place
    del container[key]  # type: ignore[arg-type]


def _swap(random: Random, place: _Place, other: JsonObject) -> None:  # noqa: ARG001
    """Swaps a value with a sibling."""
    container, key = place
    keys: list[str | int] = [*container] if isinstance(container, dict) else [*range(len(container))]
    sibling: _Place = (container, random.choice(keys))
    first, second = _get(place), _get(sibling)
    _set(place, second)
    _set(sibling, first)
    del key


def _splice(random: Random, place: _Place, other: JsonObject) -> None:
    """Puts a value of another request in the place: one under the same name, else any."""
    found = _places(other)
    same = [other_place for other_place in found if other_place[1] == place[1]] or found
    if same:
        _set(place, copy.deepcopy(_get(random.choice(same))))


_EDITS: tuple[Callable[[Random, _Place, JsonObject], None], ...] = (_change, _change, _repeat, _delete, _swap, _splice)
