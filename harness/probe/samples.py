"""Requests for a probe: one of the corpus for each operation, and variations of it that an adapter must survive."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..compare.canonical import compact
from ..corpus.checker import Checker
from ..model import Answered, Breach, Case, Json, JsonObject, Operation

ACCENTED = "é"
ASTRAL = "😀"
_WRONG_TYPE: Json = {"parity": [None]}
"""A value that almost no member of a request allows."""
_MAX_TEXTS = 12
"""Texts of a request that get a special character, at most."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A request for one operation. `malformed` breaks its schema; `accented` and `astral` keep it."""

    operation: Operation
    request: JsonObject
    answer_error: Callable[[Json], Breach | None]
    malformed: JsonObject | None
    accented: JsonObject | None
    astral: JsonObject | None


def sample_of(name: str, cases: Sequence[Case], operations: Mapping[str, Operation], checker: Checker) -> Sample | None:
    """The sample of an operation: the shortest request among its cases, from one with an answer if there is one."""
    fitting = [case for case in cases if case.operation == name and not case.environment]
    if not fitting or name not in operations:
        return None
    case = min(fitting, key=lambda case: (not isinstance(case.expected, Answered), len(compact(case.request))))
    operation = operations[name]

    def keeps(request: JsonObject) -> bool:
        return checker.is_request(operation, request)

    def varied(character: str) -> JsonObject | None:
        return next((request for request in _with(case.request, f" caf{character}") if keeps(request)), None)

    return Sample(
        operation=operation,
        request=case.request,
        answer_error=functools.partial(checker.answer_error, operation),
        malformed=next((request for request in _malformed(case.request) if not keeps(request)), None),
        accented=varied(ACCENTED),
        astral=varied(ASTRAL),
    )


def _malformed(request: JsonObject) -> Iterator[JsonObject]:
    """Requests that probably break the schema: an empty one, then one for each member with a wrong type."""
    yield {}
    yield from ({**request, key: _WRONG_TYPE} for key in request)


def _with(request: JsonObject, text: str) -> Iterator[JsonObject]:
    """The request with `text` appended to its first text, then to its second, …"""
    for place in list(_texts(request))[:_MAX_TEXTS]:
        changed = _changed(request, place, text)
        if isinstance(changed, dict):
            yield changed


def _texts(value: Json, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, str):
        yield place
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, (*place, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, (*place, key))


def _changed(value: Json, place: tuple[str | int, ...], text: str) -> Json:
    if not place:
        return f"{value}{text}"
    first, rest = place[0], place[1:]
    if isinstance(value, list):
        return [_changed(item, rest, text) if index == first else item for index, item in enumerate(value)]
    if isinstance(value, dict):
        return {key: _changed(item, rest, text) if key == first else item for key, item in value.items()}
    return value
