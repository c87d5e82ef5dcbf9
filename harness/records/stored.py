"""An index of results whose lines stay in their file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from ..compare.causes import change_of, place_of
from ..model import FAILING, ResultLine, StoredResult, common_to_many

_Value = TypeVar("_Value")


class ResultIndex:
    """Results in the order of their lines. Equal facts are kept once. `read` gives the line at an
    offset with a length, both in bytes."""

    def __init__(self, read: Callable[[int, int], ResultLine]) -> None:
        self.results: list[StoredResult] = []
        self._read = lru_cache(maxsize=1)(read)  # a report asks for several members of a line
        self._kept: dict[object, object] = {}
        self._times: dict[float | None, float | None] = {}
        self._leaves: dict[str, int] = {}

    def add(self, line: ResultLine, offset: int, length: int) -> None:
        """Adds the result of a line."""
        once, case = self._once, sys.intern(line.case)  # two records of a comparison have the same names
        if case not in self._leaves:
            self._leaves[case] = line.leaves
        self.results.append(
            StoredResult(
                case,
                sys.intern(line.at),
                self._times.setdefault(line.ms, line.ms),
                offset,
                once(length),
                once(common_to_many(line)),
                self._leaves[case],  # the cases of a record come from one corpus
                once(place_of(line)) if line.verdict in FAILING else "",
                once(change_of(line)) if line.verdict in FAILING else "",
                self._read,
            )
        )

    @property
    def cases(self) -> int:
        """The number of different cases."""
        return len(self._leaves)

    def _once(self, value: _Value) -> _Value:
        return self._kept.setdefault(value, value)  # type: ignore[return-value]
