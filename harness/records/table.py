"""Table of a record's results: columns of numbers in memory, requests and answers in the file."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from typing import TypeVar

from ..model import (
    CaseEntry,
    OutcomeEntry,
    RecordedResult,
)

_Value = TypeVar("_Value")
_NO_TIME = math.nan


class ResultTable:
    """Columns with one number for each result: its case, implementation, outcome, milliseconds, offset and length.

    A result needs 36 bytes, and a case about 400. `read` gives the whole result of the line at an offset with a length,
    both in bytes; the last one read is kept.
    """

    def __init__(self, read: Callable[[int, int], RecordedResult]) -> None:
        self.cases: list[CaseEntry] = []
        self.outcomes: list[OutcomeEntry] = []
        self.names: list[str] = []
        self.case, self.outcome, self.name = array("i"), array("i"), array("i")
        self.ms, self.offset, self.length = array("d"), array("q"), array("q")
        self.read = read
        self._last: tuple[int, RecordedResult] | None = None
        self._numbers: dict[object, int] = {}
        self._shared: dict[object, object] = {}

    def __len__(self) -> int:
        return len(self.case)

    def case_number(self, entry: CaseEntry) -> int:
        """The number of a case that the table does not hold yet. Equal tuples and operations are kept once."""
        self.cases.append(
            CaseEntry(
                case=entry.case,
                at=entry.at,
                operation=self._kept_once(entry.operation),
                requirements=self._kept_once(entry.requirements),
                ruling=self._kept_once(entry.ruling),
                separates=self._kept_once(entry.separates),
                cited_by_rulings=self._kept_once(entry.cited_by_rulings),
                tags=self._kept_once(entry.tags),
                leaves=entry.leaves,
            )
        )
        return len(self.cases) - 1

    def outcome_number(self, entry: OutcomeEntry) -> int:
        """The number of an outcome; equal ones have one number."""
        return self._number(entry, self.outcomes, entry)

    def name_number(self, name: str) -> int:
        """The number of an implementation."""
        return self._number(("name", name), self.names, name)

    def _number(self, key: object, values: list[_Value], value: _Value) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(values)
            values.append(value)
        return number

    def _kept_once(self, value: _Value) -> _Value:
        return self._shared.setdefault(value, value)  # type: ignore[return-value]

    def add(self, case: int, name: int, outcome: int, ms: float | None, offset: int, length: int) -> None:
        """Adds a result."""
        self.case.append(case)
        self.name.append(name)
        self.outcome.append(outcome)
        self.ms.append(_NO_TIME if ms is None else ms)
        self.offset.append(offset)
        self.length.append(length)

    def whole(self, row: int) -> RecordedResult:
        """The result with all its members, from the file."""
        if self._last is None or self._last[0] != row:
            self._last = row, self.read(self.offset[row], self.length[row])
        return self._last[1]

    def extend(self, other: ResultTable, offset: int) -> None:
        """Adds the results of another table, whose lines begin at `offset` behind those of this one."""
        known = {entry: number for number, entry in enumerate(self.cases)}
        case_of = [known[one] if one in known else self.case_number(one) for one in other.cases]
        outcome_of = [self.outcome_number(one) for one in other.outcomes]
        name_of = [self.name_number(one) for one in other.names]
        for case, name, outcome in zip(other.case, other.name, other.outcome, strict=True):
            self.case.append(case_of[case])
            self.name.append(name_of[name])
            self.outcome.append(outcome_of[outcome])
        self.ms.extend(other.ms)
        self.offset.extend(offset + one for one in other.offset)
        self.length.extend(other.length)

    def has_double(self) -> bool:
        """Whether an implementation has two verdicts on one case."""
        numbers: dict[str, int] = {}
        number_of = [numbers.setdefault(case.case, len(numbers)) for case in self.cases]
        seen = [bytearray(len(numbers)) for _ in self.names]
        for case, name in zip(self.case, self.name, strict=True):
            number = number_of[case]
            if seen[name][number]:
                return True
            seen[name][number] = 1
        return False
