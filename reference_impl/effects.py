"""Effects of switches on one answer: which change it alone, and which of several it needs."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Generic, TypeVar

from .switches import following

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Effects(Generic[_Answer]):
    """The answer without switches, every switch whose point of decision it reached, and the answer under each switch
    that changes it alone.
    """

    answer: _Answer
    reached: frozenset[str]
    changes: dict[str, _Answer]


def effects(operation: str, answer: Callable[[], _Answer]) -> Effects[_Answer]:
    """The effects of every single switch on what ``answer`` returns, an answer of the operation."""
    reached: set[str] = set()
    with following(operation, (), reached):
        plain = answer()
    changes = {}
    for name in sorted(reached):
        with following(operation, [name]):
            found = answer()
        if found != plain:
            changes[name] = found
    return Effects(plain, frozenset(reached), changes)


def needed(operation: str, answer: Callable[[], _Answer], names: Collection[str]) -> list[str]:
    """The switches without those that do not change what ``answer`` returns under all of them. Raises SwitchError.

    The algorithm is QuickXplain: it leaves out many switches at a time.
    """
    reached: set[str] = set()
    with following(operation, names, reached):
        whole = answer()

    def needed_beside(fixed: list[str], candidates: list[str]) -> list[str]:
        with following(operation, fixed):
            if not candidates or answer() == whole:
                return []
        if len(candidates) == 1:
            return candidates
        half = len(candidates) // 2
        last = needed_beside([*fixed, *candidates[:half]], candidates[half:])
        return [*needed_beside([*fixed, *last], candidates[:half]), *last]

    return sorted(needed_beside([], sorted(reached.intersection(names))))
