"""Shrinking: the simplest request that still shows a finding, by the shrinker of Hypothesis.

The request becomes a sequence of choices over its own JSON: keep or drop a member or an element, and the value of a leaf.
Hypothesis begins with the choices that give the request itself, and makes them simpler.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
from hypothesis.errors import NoSuchExample, UnsatisfiedAssumption
from hypothesis.strategies import DrawFn, SearchStrategy

from ..compare.canonical import canonical_text
from ..model import Json, JsonObject

_KEY = b"request"
_UNSHRUNK = b"request.secondary"
"""The key under which Hypothesis keeps examples that are not shrunk yet."""
_TEXTS = st.text()
_INTEGERS = st.integers()
_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
_FLAGS = st.booleans()


def shrink(request: JsonObject, is_wanted: Callable[[JsonObject], bool], max_calls: int) -> JsonObject:
    """The simplest request found for which `is_wanted` holds, after at most `max_calls` calls; `request` if none is."""
    calls: dict[str, bool] = {}
    best = request

    def condition(found: JsonObject) -> bool:
        nonlocal best
        text = canonical_text(found)
        if text not in calls:
            if len(calls) >= max_calls:
                return False
            calls[text] = is_wanted(found)
            if calls[text]:
                best = found
        return calls[text]

    database = InMemoryExampleDatabase()
    database.save(_UNSHRUNK, choices_to_bytes(list(_choices(request))))
    quiet = settings(
        max_examples=max_calls,
        database=database,
        deadline=None,
        phases=[Phase.reuse, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    try:
        return find(_simpler(request), condition, settings=quiet, database_key=_KEY)
    except (NoSuchExample, UnsatisfiedAssumption):
        return best


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
