"""Shrinking: the simplest request that still shows a finding, by the shrinker of Hypothesis.

The request becomes a sequence of choices over its own JSON: keep or drop a member or an element, and the value of a leaf.
Hypothesis begins with the choices that give the request itself, and makes them simpler.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
from hypothesis.errors import NoSuchExample, Unsatisfiable, UnsatisfiedAssumption
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec import Struct

from ..compare.canonical import sorted_text
from ..model import Json, JsonObject
from .budget import NO_LIMIT, Allowance

_KEY = b"request"
_UNSHRUNK = b"request.secondary"
"""The key under which Hypothesis keeps examples that are not shrunk yet."""
_TEXTS = st.text()
_INTEGERS = st.integers()
_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
_FLAGS = st.booleans()


class _Enough(BaseException):
    """Ends the shrinker of Hypothesis when nothing more may be spent."""


class Shrunk(Struct, frozen=True):
    """The simplest request found. `is_complete`: the search came to its end."""

    request: JsonObject
    is_complete: bool


def shrink(
    request: JsonObject, is_wanted: Callable[[JsonObject], bool], max_calls: int, allowance: Allowance = NO_LIMIT
) -> Shrunk:
    """The simplest request found for which `is_wanted` holds, after at most `max_calls` calls and within the allowance;
    `request` if none is."""
    calls: dict[str, bool] = {}
    best = request

    def condition(found: JsonObject) -> bool:
        nonlocal best
        text = sorted_text(found)
        if text not in calls:
            if len(calls) >= max_calls or not allowance.allows(len(calls)):
                raise _Enough
            calls[text] = is_wanted(found)
            if calls[text]:
                best = found
        return calls[text]

    try:
        return Shrunk(_simplest(_trimmed(request, condition), condition, max_calls), is_complete=True)
    except _Enough:
        return Shrunk(best, is_complete=False)
    except (NoSuchExample, Unsatisfiable, UnsatisfiedAssumption):  # the second: the request is too large for Hypothesis
        return Shrunk(best, is_complete=True)


def _simplest(request: JsonObject, condition: Callable[[JsonObject], bool], max_calls: int) -> JsonObject:
    """The result of the shrinker of Hypothesis."""
    database = InMemoryExampleDatabase()
    database.save(_UNSHRUNK, choices_to_bytes(list(_choices(request))))
    quiet = settings(
        max_examples=max_calls,
        database=database,
        deadline=None,
        phases=[Phase.reuse, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    return find(_simpler(request), condition, settings=quiet, database_key=_KEY)


def _trimmed(request: JsonObject, is_wanted: Callable[[JsonObject], bool]) -> JsonObject:
    """The request without the members and elements that `is_wanted` does not need, the outer ones first. Hypothesis takes
    0.1 s for each attempt with a large request (November 2026), this function none."""

    def trim(value: Json, put: Callable[[Json], JsonObject]) -> Json:
        if not isinstance(value, dict | list):
            return value
        keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))

        def with_keys(kept: list[Any], changed: Mapping[Any, Json]) -> Json:
            parts = [(key, changed.get(key, value[key])) for key in kept]
            return dict(parts) if isinstance(value, dict) else [part for _, part in parts]

        size = len(keys)
        while size:
            for start in range(len(keys) - size, -1, -size):
                fewer = keys[:start] + keys[start + size :]
                if is_wanted(put(with_keys(fewer, {}))):
                    keys = fewer
            size //= 2
        changed: dict[Any, Json] = {}
        for key in keys:

            def with_part(part: Json, key: Any = key) -> JsonObject:
                return put(with_keys(keys, {**changed, key: part}))

            changed[key] = trim(value[key], with_part)
        return with_keys(keys, changed)

    trimmed = trim(request, lambda whole: whole if isinstance(whole, dict) else request)
    return trimmed if isinstance(trimmed, dict) else request


def _choices(value: Json) -> Iterator[Any]:
    """The choices with which `_simpler` gives the value itself."""
    match value:
        case dict():
            for item in value.values():
                yield True
                yield from _choices(item)
        case list():
            for item in value:
                yield True
                yield from _choices(item)
        case None:
            return
        case _:
            yield value


@st.composite
def _simpler(draw: DrawFn, value: Any) -> Any:
    """The value, or a simpler one of the same form."""
    match value:
        case dict():
            return {key: draw(below) for key, below in _parts(value).items() if draw(_FLAGS)}
        case list():
            return [draw(_simpler(item)) for item in value if draw(_FLAGS)]
        case None:
            return None
    return draw(_leaf(value))


def _parts(value: JsonObject) -> dict[str, SearchStrategy[Any]]:
    return {key: _simpler(item) for key, item in value.items()}


def _leaf(value: Json) -> SearchStrategy[Any]:
    match value:
        case bool():
            return _FLAGS
        case int():
            return _INTEGERS
        case float() if math.isfinite(value):
            return _FLOATS
        case str():
            return _TEXTS
    return st.just(value)
