"""Unobservable places of an answer: JSON Pointers to values that are not compared; and what makes two answers the same
without them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.json_path import ANY, overlaps, path_steps, pointer_steps, pointer_text
from ..model import (
    Absent,
    Answered,
    Case,
    Difference,
    Json,
    Operation,
    Raised,
    RecordedResult,
    Response,
    Rules,
    replace,
    response_leaves,
)
from .canonical import equality_text, sorted_text


def drop_paths(value: Json, pointers: Sequence[str]) -> Json:
    """`value` without the places that the JSON Pointers name; `*` stands for every element or member.

    A list that loses every element is dropped whole: an empty list would be an answer of its own.
    """
    for pointer in pointers:
        value = _without(value, tuple(pointer_steps(pointer)))
    return value


def without_places(response: Response, pointers: Sequence[str]) -> Response:
    """The response as an implementation gives it that cannot report these places."""
    if isinstance(response, Answered) and isinstance(visible := drop_paths(response.value, pointers), dict):
        return replace(response, value=visible)
    return response


def reported_paths(value: Json, pointers: Sequence[str]) -> list[str]:
    """The pointers that lead to something in `value`."""
    return [
        pointer
        for pointer in pointers
        if sorted_text(_without(value, tuple(pointer_steps(pointer)))) != sorted_text(value)
    ]


def unobserved_leaves(expected: Response, pointers: Sequence[str]) -> int:
    """The number of leaves of an expected response at or below the places that the JSON Pointers name."""
    if not pointers:
        return 0
    return response_leaves(expected) - response_leaves(expected, [pointer_steps(pointer) for pointer in pointers])


def has_visible_value(value: Json) -> bool:
    """Whether a value has a leaf to compare; the length of a list of empty objects does not count."""
    if isinstance(value, dict):
        return any(has_visible_value(item) for item in value.values())
    return not value or any(has_visible_value(item) for item in value) if isinstance(value, list) else True


def _without(value: Json, tokens: tuple[str, ...]) -> Json:
    if not tokens:
        return value
    first, rest = tokens[0], tokens[1:]
    if isinstance(value, dict):
        return {
            key: _without(item, rest) if first in (ANY, key) else item
            for key, item in value.items()
            if first not in (ANY, key) or (rest and not (rest == (ANY,) and isinstance(item, list)))
        }
    if isinstance(value, list):
        kept = ((index, item) for index, item in enumerate(value) if rest or first not in (ANY, str(index)))
        return [_without(item, rest) if first in (ANY, str(index)) else item for index, item in kept]
    return value


def as_expected(found: Response, case: Case, operation: Operation) -> Response:
    """The response with only the places that the case compares: a case leaves out what is beside its point."""
    expected = case.expected
    if not isinstance(found, Answered):
        return found
    optional = list(_optional(operation.rules))
    value: Json = found.value
    if optional:
        compared = reported_paths(expected.value, optional) if isinstance(expected, Answered) else ()
        value = drop_paths(value, [pointer for pointer in optional if pointer not in compared])
    if not isinstance(value, dict):
        return found
    return replace(expected, value=value) if isinstance(expected, Answered) else Answered(value)


def has_optional_places(operation: Operation) -> bool:
    """Whether a case of the operation can leave out what is beside its point."""
    return any(True for _ in _optional(operation.rules))


def _optional(rules: Rules, pointer: str = "") -> Iterator[str]:
    """JSON Pointers to the places that are compared only if the expected answer has them."""
    if rules.if_expected:
        yield pointer
        return
    for name, below in rules.properties.items():
        yield from _optional(below, pointer + pointer_text([name]))
    if rules.items is not None:
        yield from _optional(rules.items, pointer + pointer_text([ANY]))


def answer_key(result: RecordedResult, hidden: Sequence[str]) -> object:
    """A value that is equal for two results of one case whose answers are the same without the places `hidden` (JSON
    Pointers). The differences from the expected answer stand for an answer, so that the rules of its operation hold. Of an
    error only the type counts: a message is worded by a language or a library."""
    match result.expected, result.response:
        case _, Raised(type_):
            return "raised", type_
        case Raised(), Answered(value):
            return "answered", equality_text(drop_paths(value, hidden))
    found = (_without_hidden(part, hidden) for part in result.differences)
    return frozenset((part.path, _text(part.wanted), _text(part.got)) for part in found if part is not None)


def _text(side: Json | Absent) -> str:
    return "" if isinstance(side, Absent) else equality_text(side)


def _without_hidden(part: Difference, hidden: Sequence[str]) -> Difference | None:
    """A difference without the hidden places; None if nothing else differs."""
    path, wanted, got = path_steps(part.path), part.wanted, part.got
    for pointer in hidden:
        tokens = pointer_steps(pointer)
        if not overlaps(tokens, path):
            continue
        if len(tokens) <= len(path):
            return None
        below = pointer_text(tokens[len(path) :])
        wanted, got = (side if isinstance(side, Absent) else drop_paths(side, [below]) for side in (wanted, got))
    return None if _text(wanted) == _text(got) else Difference(part.path, wanted, got)
