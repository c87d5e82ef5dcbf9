"""An index of results whose lines stay in their file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..compare.failure_place import place_of
from ..model import FAILING, ResultLine, StoredResult, brief_of

_Value = TypeVar("_Value")


class ResultIndex:
    """Results in the order of their lines. Equal names, tuples and outcomes are kept once. `read` gives the line at an
    offset with a length, both in bytes."""

    def __init__(self, read: Callable[[int, int], ResultLine]) -> None:
        self.results: list[StoredResult] = []
        self._read = _LastLine(read)
        self._known: dict[object, object] = {}
        self._first: dict[str, StoredResult] = {}

    def add(self, line: ResultLine, offset: int, length: int) -> None:
        """Adds the result of a line."""
        once = self._once
        first = self._first.get(line.case)  # the cases of a record come from one corpus
        result = StoredResult(
            case=first.case if first else line.case,
            at=first.at if first and first.at == line.at else line.at,
            operation=once(line.operation),
            implementation=once(line.implementation),
            requirements=once(line.requirements),
            ruling=once(line.ruling),
            separates=once(line.separates),
            cited_by_rulings=once(line.cited_by_rulings),
            tags=once(line.tags),
            expectation=once(line.expectation),
            unobserved=line.unobserved,
            ms=line.ms,
            brief=once(brief_of(line.outcome)),
            leaves=first.leaves if first else line.leaves,
            place=once(place_of(line)) if line.verdict in FAILING else "",
            is_flaky=line.is_flaky,
            has_refusals=line.has_refusals,
            read=self._read,
            offset=offset,
            length=once(length),
        )
        self._first.setdefault(result.case, result)
        self.results.append(result)

    def _once(self, value: _Value) -> _Value:
        return self._known.setdefault(value, value)  # type: ignore[return-value]


class _LastLine:
    """Reads lines and keeps the last one, because a report asks for several of its members."""

    def __init__(self, read: Callable[[int, int], ResultLine]) -> None:
        self._read = read
        self._last: tuple[int, ResultLine] | None = None

    def __call__(self, offset: int, length: int) -> ResultLine:
        if self._last is None or self._last[0] != offset:
            self._last = offset, self._read(offset, length)
        return self._last[1]
