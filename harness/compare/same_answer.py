"""Recorded answers to one case → whether they are the same answer. Pure.

Two answers are the same if they are equal in every member that both implementations report. Two errors are the same if
their types are: a message is worded by a language or a library, and is never compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..base.json_path import overlaps, path_steps, pointer_steps, pointer_text
from ..model import Absent, Answered, Difference, Json, Raised, RecordedResult
from .canonical import equality_text
from .unobservable import drop_paths


def answer_key(result: RecordedResult, hidden: Sequence[str]) -> object:
    """A value that is equal for two results of one case whose answers are the same without the places `hidden` (JSON
    Pointers). The differences from the expected answer stand for an answer, so that the rules of its operation hold."""
    match result.expected, result.response:
        case _, Raised(type_):
            return "raised", type_
        case Raised(), Answered(value):
            return "answered", equality_text(drop_paths(value, hidden))
    found = (_without(part, hidden) for part in result.differences)
    return frozenset((part.path, _text(part.wanted), _text(part.got)) for part in found if part is not None)


def _text(side: Json | Absent) -> str:
    return "" if isinstance(side, Absent) else equality_text(side)


def _without(part: Difference, hidden: Sequence[str]) -> Difference | None:
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
