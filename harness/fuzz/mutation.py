"""Mutation of requests: changes a leaf, swaps, repeats or deletes parts, or splices two requests. Pure."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from ..model import Json, JsonObject

MAX_EDITS = 3
"""Edits of one request."""

_MARKS = tuple(" \t\n\"'()-+:*.,/\\_~^{}[]<>|&!?#@0$%=;\u00a0\u0130\u00df\u0301\u200b\u2019\ufb01\u01c5\U0001f600")
"""Characters to insert: marks of query languages, and characters that Unicode rules treat in special ways."""

_NUMBERS = (0, 1, -1, 2, 10, 100, 0.5, 1e-9, -0.5, 2**31, 2**53, 1e300)


class _Place(Struct, frozen=True):
    """A container, and the key of one of its values."""

    container: Any
    key: str | int

    @property
    def value(self) -> Any:
        return self.container[self.key]

    def put(self, value: Json) -> None:
        self.container[self.key] = value


def mutated(random: Random, requests: Sequence[str]) -> JsonObject:
    """One of the requests, which are JSON, after 1 to `MAX_EDITS` edits."""
    request: JsonObject = json.loads(random.choice(requests))
    for _ in range(random.randint(1, MAX_EDITS)):
        found = list(_places(request))
        if not found:
            return request
        random.choice(_EDITS)(random, random.choice(found), json.loads(random.choice(requests)))
    return request


def _places(value: Json) -> Iterator[_Place]:
    """Every place in the value, containers before their contents."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for place in [_Place(value, key) for key in keys]:
        yield place
        yield from _places(place.value)


def _change(random: Random, place: _Place, other: JsonObject) -> None:
    """Changes a leaf; a container gets a leaf of another request in place of one of its own."""
    match place.value:
        case bool() as value:
            place.put(not value)
        case int() | float() as value:
            choices = (value + 1, value - 1, -value, value * 2, value / 2, random.choice(_NUMBERS))
            place.put(_whole(random.choice(choices)))
        case str() as value:
            place.put(_changed_text(random, value, other))
        case dict() | list() as value:
            leaves = [leaf for leaf in _places(value) if not isinstance(leaf.value, dict | list)]
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
    texts = [place.value for place in _places(other) if isinstance(place.value, str)] or [text]
    return random.choice(texts) if choice == 5 else text[:at] + random.choice(texts) + text[end:]


def _repeat(random: Random, place: _Place, other: JsonObject) -> None:
    """Repeats an element of a list, or the end of a text."""
    value = place.value
    if isinstance(place.container, list):
        place.container.insert(random.randint(0, len(place.container)), copy.deepcopy(value))
    elif isinstance(value, str):
        place.put(value + value[random.randint(0, len(value)) :])
    else:
        _change(random, place, other)


def _delete(random: Random, place: _Place, other: JsonObject) -> None:  # noqa: ARG001
    """Deletes a member or an element."""
    del place.container[place.key]


def _swap(random: Random, place: _Place, other: JsonObject) -> None:  # noqa: ARG001
    """Swaps a value with a sibling."""
    container = place.container
    keys: list[str | int] = [*container] if isinstance(container, dict) else [*range(len(container))]
    sibling = _Place(container, random.choice(keys))
    first, second = place.value, sibling.value
    place.put(second)
    sibling.put(first)


def _splice(random: Random, place: _Place, other: JsonObject) -> None:
    """Puts a value of another request in the place: one under the same name, else any."""
    found = list(_places(other))
    same = [donor for donor in found if donor.key == place.key] or found
    if same:
        place.put(copy.deepcopy(random.choice(same).value))


_EDITS: tuple[Callable[[Random, _Place, JsonObject], None], ...] = (_change, _change, _repeat, _delete, _swap, _splice)
