"""Which elements of two lists belong together when their order does not count."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..model import Json
from .canonical import equality_text

Same = Callable[[Json, Json], bool]


def unmatched(wanted: Sequence[Json], got: Sequence[Json], same: Same | None) -> tuple[list[int], list[int]]:
    """The indices of the elements on either side that have no partner on the other, each being the partner of one.

    As many elements as possible have a partner. `same` decides whether two can be partners; without it, equal ones can.
    """
    matching = _Matching(wanted, got, same)
    matching.pair_equals()
    if same is not None:
        for index in range(len(wanted)):
            matching.find_partner(index)
    return matching.alone()


class _Matching:
    """Partners so far. An element finds one also where that means new partners for others (augmenting paths).

    Without that, 1.0 and 1.1 against 1.05 and 0.95 within 0.1 would depend on who comes first.
    """

    def __init__(self, wanted: Sequence[Json], got: Sequence[Json], same: Same | None) -> None:
        self._wanted = wanted
        self._got = got
        self._same = same
        self._of_wanted: dict[int, int] = {}
        self._of_got: dict[int, int] = {}

    def pair_equals(self) -> None:
        waiting: dict[str, list[int]] = {}
        for index in reversed(range(len(self._got))):
            waiting.setdefault(equality_text(self._got[index]), []).append(index)
        for index, value in enumerate(self._wanted):
            equals = waiting.get(equality_text(value))
            if equals:
                self._pair(index, equals.pop())

    def find_partner(self, start: int) -> None:
        reached: dict[int, int] = {}
        seekers = [] if start in self._of_wanted else [start]
        while seekers:
            seeker = seekers.pop()
            for other, value in enumerate(self._got):
                if other in reached or not (self._same and self._same(self._wanted[seeker], value)):
                    continue
                reached[other] = seeker
                if other not in self._of_got:
                    self._move_along(other, reached, start)
                    return
                seekers.append(self._of_got[other])

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
        return (
            [index for index in range(len(self._wanted)) if index not in self._of_wanted],
            [index for index in range(len(self._got)) if index not in self._of_got],
        )
