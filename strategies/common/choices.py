"""Requests from bytes: a request is a pure function of a short byte string.

One draw of Hypothesis costs 25 to 60 µs, and a list of eight elements 300 µs (measured on 2026-11-22, Hypothesis 6.170).
So a strategy draws one byte string, and the function reads its choices from it. Hypothesis shrinks the bytes. A byte of 0
is the simplest choice everywhere: the first option, an empty list, an absent member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Json = dict[str, Any]
Build = Callable[["Choices"], Json]

_T = TypeVar("_T")

DEFAULT_SIZE = 64
"""Bytes of a recipe without a size of its own."""

ABSENT = 90
"""A part whose first byte is below this is absent: 35 % of the parts."""


class Choices:
    """Reads choices from bytes. After the last byte, every choice is the simplest one."""

    __slots__ = ("_at", "_bytes")

    def __init__(self, entropy: bytes) -> None:
        self._bytes = entropy
        self._at = 0

    def byte(self) -> int:
        """The next byte, 0 to 255."""
        at = self._at
        if at >= len(self._bytes):
            return 0
        self._at = at + 1
        return self._bytes[at]

    def below(self, count: int) -> int:
        """A number from 0 to ``count - 1``; two bytes if ``count`` is above 128, four if it is above 32768."""
        if count <= 128:
            return self.byte() % count
        number = self.byte() << 8 | self.byte()
        if count > 32768:
            number = number << 16 | self.byte() << 8 | self.byte()
        return number % count

    def pick(self, options: Sequence[_T]) -> _T:
        """One of the options; the first is the simplest."""
        return options[self.below(len(options))]

    def one_in(self, count: int) -> bool:
        """True once in ``count`` choices; false is the simplest."""
        return self.byte() % count == count - 1

    def many(self, item: Callable[[Choices], _T], most: int, least: int = 0) -> list[_T]:
        """From ``least`` to ``most`` items."""
        return [item(self) for _ in range(least + self.below(most - least + 1))]

    def some(self, options: Sequence[_T], most: int, least: int = 0) -> list[_T]:
        """From ``least`` to ``most`` of the options; an option can repeat."""
        return [self.pick(options) for _ in range(least + self.below(most - least + 1))]

    def shuffled(self, options: Sequence[_T]) -> list[_T]:
        """The options in another order; the simplest is the given order."""
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]

    def parts(self, most: int, size: int, least: int = 0) -> Iterator[Choices]:
        """From ``least`` to ``most`` parts, each with ``size`` bytes of its own.

        A part whose first byte is small is absent, so that shrinking removes any part and leaves the others unchanged.
        """
        for place in range(most):
            start = self._at
            self._at = start + 1 + size
            is_present = start < len(self._bytes) and self._bytes[start] >= ABSENT
            if is_present or place < least:
                yield Choices(self._bytes[start + 1 : start + 1 + size])

    def maybe(self, name: str, value: Callable[[Choices], object], *, one_in: int = 2) -> Json:
        """``{name: value}`` once in ``one_in`` choices, else an empty object."""
        return {name: value(self)} if self.one_in(one_in) else {}


@dataclass(frozen=True, slots=True)
class Recipe:
    """A function from choices to a request, and the number of bytes that it needs."""

    build: Build
    size: int = DEFAULT_SIZE

    def request(self, entropy: bytes) -> Json:
        """The request of these bytes; every byte string has one."""
        return self.build(Choices(entropy))

    def strategy(self) -> SearchStrategy[Json]:
        """The strategy of the requests."""
        return st.binary(min_size=self.size, max_size=self.size).map(self.request)
