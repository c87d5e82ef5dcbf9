"""Effects of switches on one answer: which change it alone or together, and which of several it needs."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Generic, TypeVar

from .switches import SwitchError, following

_Answer = TypeVar("_Answer")

_MOST_ANSWERS = 500
"""Answers of combinations that are kept: a message has room for them."""


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


@dataclass(frozen=True, slots=True)
class Combinations(Generic[_Answer]):
    """The answer without further switches, and the answer under each combination that gives another one than its parts.
    Every combination of up to ``size`` switches was tried.
    """

    answer: _Answer
    answers: dict[frozenset[str], _Answer]
    size: int
    tried: int


def combinations(
    operation: str,
    answer: Callable[[], _Answer],
    base: Collection[str],
    names: Collection[str],
    size: int,
    limit: int,
) -> Combinations[_Answer]:
    """The effects of up to ``size`` of the names together, beside the switches of ``base``; at most ``limit`` are tried.

    A combination is tried only if each switch in it is reached under those before it: another one has the answer of a
    part. The combinations that grow from another answer come first. A name of a ruling in ``base`` takes its place.
    """

    def under(chosen: frozenset[str]) -> tuple[_Answer, frozenset[str]]:
        rulings = set(map(_ruling, chosen))
        reached: set[str] | None = set() if len(chosen) < size else None  # the largest ones grow no further
        with following(operation, [*chosen, *(one for one in base if _ruling(one) not in rulings)], reached):
            given = answer()
        return given, frozenset(reached.intersection(names) if reached else ())

    plain, first = under(frozenset())
    known = {frozenset[str](): plain}
    different: dict[frozenset[str], _Answer] = {}
    grown = {frozenset[str](): first}
    for reached_size in range(size):
        frontier, grown = sorted(grown.items(), key=lambda item: (known[item[0]] == plain, sorted(item[0]))), {}
        for part, reached in frontier:
            rulings = set(map(_ruling, part))
            for name in sorted(reached):
                whole = part | {name}
                if _ruling(name) in rulings or whole in known:
                    continue
                if len(known) > limit or len(different) == _MOST_ANSWERS:
                    return Combinations(plain, different, reached_size, len(known) - 1)
                try:
                    found, grown[whole] = under(whole)
                except SwitchError:
                    continue
                known[whole] = found
                if all(found != known.get(whole - {one}, plain) for one in whole):
                    different[whole] = found
    return Combinations(plain, different, size, len(known) - 1)


def _ruling(name: str) -> str:
    return name.partition("=")[0]
