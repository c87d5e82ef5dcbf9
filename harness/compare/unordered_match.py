"""Which elements of two lists belong together when their order does not count."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..model import EXACT, Json, Rules
from .canonical import equality_text
from .neighbours import Neighbours, group_of, number_of

Same = Callable[[Json, Json], bool]

MAX_LOOKS = 2_000_000
"""Pairs of elements that the search for partners looks at. Beyond it, elements are paired in the order of their numbers:
as many as possible if each has one number with a tolerance."""


def unmatched(wanted: Sequence[Json], got: Sequence[Json], same: Same, items: Rules) -> tuple[list[int], list[int]]:
    """The indices of the elements on either side that have no partner on the other, each being the partner of one.

    As many elements as possible have a partner. `same` decides whether two can be partners, by the rules of the elements.
    """
    matching = _Matching(wanted, got, same, items)
    matching.pair_equals()
    if items != EXACT and not matching.find_partners():
        matching.pair_in_order()
    return matching.alone()


class _Matching:
    """Partners so far. An element finds one also where that means new partners for others (augmenting paths).

    Without that, 1.0 and 1.1 against 1.05 and 0.95 within 0.1 would depend on who comes first.
    """

    def __init__(self, wanted: Sequence[Json], got: Sequence[Json], same: Same, items: Rules) -> None:
        self._wanted = wanted
        self._got = got
        self._same = same
        self._items = items
        self._of_wanted: dict[int, int] = {}
        self._of_got: dict[int, int] = {}
        self._exhausted: set[int] = set()
        self._looks = 0

    def pair_equals(self) -> None:
        """Pairs elements that are equal without any rule."""
        waiting: dict[str, list[int]] = {}
        for index in reversed(range(len(self._got))):
            waiting.setdefault(equality_text(self._got[index]), []).append(index)
        for index, value in enumerate(self._wanted):
            equals = waiting.get(equality_text(value))
            if equals:
                self._pair(index, equals.pop())

    def find_partners(self) -> bool:
        """Finds a partner for each element that can have one; false if that takes more than `MAX_LOOKS`."""
        if len(self._of_wanted) in (len(self._wanted), len(self._got)):
            return True
        near = Neighbours(self._got, self._items)
        return all(
            self._looks <= MAX_LOOKS and self._find_partner(index, near)
            for index in range(len(self._wanted))
            if index not in self._of_wanted
        )

    def _find_partner(self, start: int, near: Neighbours) -> bool:
        """Looks for a partner; false if that takes too long. A seeker takes its first free neighbour, or makes the
        partners of its neighbours seek. Nobody can find one where a search ended without any, so others skip it."""
        reached: dict[int, int] = {}
        seekers = [start]
        while seekers:
            seeker = seekers.pop()
            others = [other for other in near.of(self._wanted[seeker]) if other not in self._exhausted]
            self._looks += len(others) + 1
            if self._looks > MAX_LOOKS:
                return False
            for other in others:
                if other not in self._of_got and self._may_pair(seeker, other):
                    reached[other] = seeker
                    self._move_along(other, reached, start)
                    return True
            for other in others:
                if other in self._of_got and other not in reached and self._may_pair(seeker, other):
                    reached[other] = seeker
                    seekers.append(self._of_got[other])
        self._exhausted.update(reached)
        return True

    def _may_pair(self, index: int, other: int) -> bool:
        return self._same(self._wanted[index], self._got[other])

    def pair_in_order(self) -> None:
        """Pairs all elements anew, in the order of their numbers."""
        self._of_wanted.clear()
        self._of_got.clear()
        groups: dict[str, tuple[list[int], list[int]]] = {}
        for side, values in enumerate((self._wanted, self._got)):
            for index, value in enumerate(values):
                groups.setdefault(group_of(value, self._items), ([], []))[side].append(index)
        for ours, theirs in groups.values():
            self._pair_group(ours, theirs)

    def _pair_group(self, ours: Sequence[int], theirs: Sequence[int]) -> None:
        ascending = [(number_of(self._got[other], self._items)[0], other) for other in theirs]
        ascending.sort()
        at = 0
        for (number, width), index in sorted((number_of(self._wanted[index], self._items), index) for index in ours):
            while at < len(ascending) and ascending[at][0] < number - width:
                at += 1
            while at < len(ascending) and ascending[at][0] <= number:
                if self._may_pair(index, ascending[at][1]):
                    break
                at += 1
            if at < len(ascending) and self._may_pair(index, ascending[at][1]):
                self._pair(index, ascending[at][1])
                at += 1

    def _move_along(self, other: int, reached: dict[int, int], start: int) -> None:
        """Gives each seeker on the way the element it reached, and the one it had to the seeker before it."""
        seeker = reached[other]
        while seeker != start:
            left = self._of_wanted[seeker]
            self._pair(seeker, other)
            other, seeker = left, reached[left]
        self._pair(start, other)

    def _pair(self, index: int, other: int) -> None:
        self._of_wanted[index], self._of_got[other] = other, index

    def alone(self) -> tuple[list[int], list[int]]:
        """The indices without a partner, of either list."""
        return (
            [index for index in range(len(self._wanted)) if index not in self._of_wanted],
            [index for index in range(len(self._got)) if index not in self._of_got],
        )
