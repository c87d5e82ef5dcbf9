"""Results that stay in the file of their record."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from itertools import compress
from typing import TypeVar, overload

from ..model import (
    CaseEntry,
    Choice,
    Difference,
    EngineRefusal,
    ErrorKind,
    IndexedResults,
    Json,
    Listing,
    Outcome,
    OutcomeEntry,
    OutcomeFacts,
    Passes,
    Readings,
    RecordedResult,
    Response,
    Row,
    TallyKey,
    Undecided,
    Verdict,
    corpus_place,
)
from .table import ResultTable

_Value = TypeVar("_Value")
_DIFFERING = (Verdict.FAIL, Verdict.VARIANT)


class StoredResult(RecordedResult):
    """A result that is read from the file when its request, its responses or its differences are needed."""

    __slots__ = ("_row", "_table")
    _table: ResultTable
    _row: int

    def __init__(self, table: ResultTable, row: int) -> None:
        object.__setattr__(self, "_table", table)
        object.__setattr__(self, "_row", row)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredResult) and other._table is self._table:
            return other._row == self._row
        return isinstance(other, RecordedResult) and self.whole() == other.whole()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"StoredResult({self.case!r}, {self.implementation!r}, {self.verdict.value})"

    def whole(self) -> RecordedResult:
        return self._table.whole(self._row)

    @property
    def _case(self) -> CaseEntry:
        return self._table.cases[self._table.case[self._row]]

    @property
    def _outcome(self) -> OutcomeEntry:
        return self._table.outcomes[self._table.outcome[self._row]]

    @property
    def case(self) -> str:
        return self._case.case

    @property
    def at(self) -> str:
        return self._case.at

    @property
    def operation(self) -> str:
        return self._case.operation

    @property
    def requirements(self) -> tuple[str, ...]:
        return self._case.requirements

    @property
    def ruling(self) -> str:
        return self._case.ruling

    @property
    def separates(self) -> tuple[str, ...]:
        return self._case.separates

    @property
    def cited_by_rulings(self) -> tuple[str, ...]:
        return self._case.cited_by_rulings

    @property
    def tags(self) -> tuple[str, ...]:
        return self._case.tags

    @property
    def leaves(self) -> int:
        return self._case.leaves

    @property
    def implementation(self) -> str:
        return self._table.names[self._table.name[self._row]]

    @property
    def ms(self) -> float | None:
        ms = self._table.ms[self._row]
        return None if math.isnan(ms) else ms

    @property
    def verdict(self) -> Verdict:
        return self._outcome.verdict

    @property
    def kind(self) -> ErrorKind | None:
        return self._outcome.kind

    @property
    def signature(self) -> str:
        return self._outcome.signature

    @property
    def readings(self) -> Readings:
        return self._outcome.readings

    @property
    def explained_by(self) -> Choice:
        return self._outcome.explained_by

    @property
    def undecided(self) -> Undecided | None:
        return self._outcome.undecided

    @property
    def stage(self) -> str:
        return self._outcome.stage

    @property
    def recovered(self) -> bool:
        return self._outcome.recovered

    @property
    def place(self) -> str:
        return self._outcome.place

    @property
    def expectation(self) -> Listing | None:
        return self._outcome.expectation

    @property
    def unsent_after(self) -> int:
        return self._outcome.unsent_after

    @property
    def is_flaky(self) -> bool:
        return self._outcome.is_flaky

    @property
    def has_refusals(self) -> bool:
        return self._outcome.has_refusals

    @property
    def unobserved(self) -> int:
        return self._outcome.unobserved

    def charged_among(self, requirements: tuple[str, ...]) -> tuple[str, ...]:
        return self._outcome.charged_among(requirements)

    @property
    def flaky(self) -> tuple[Passes, ...]:
        return self.whole().flaky if self.is_flaky else ()

    @property
    def engine(self) -> tuple[EngineRefusal, ...]:
        return self.whole().engine if self.has_refusals else ()

    @property
    def differences(self) -> tuple[Difference, ...]:
        return self.whole().differences if self.verdict in _DIFFERING else ()

    @property
    def note(self) -> str:
        return self.whole().note

    @property
    def request(self) -> Json:
        return self.whole().request

    @property
    def expected(self) -> Response:
        return self.whole().expected

    @property
    def outcome(self) -> Outcome:  # type: ignore[override]
        return self.whole().outcome

    @property
    def stderr(self) -> str:
        return self.whole().stderr


def chained(parts: Sequence[StoredResults]) -> StoredResults:
    """The results of several records, one record after the other."""
    tables, orders = [part.table for part in parts], [part.order for part in parts]
    starts = [0]
    for table in tables:
        starts.append(starts[-1] + max(table.offset, default=0) + 1)

    def read(offset: int, length: int) -> RecordedResult:
        number = bisect_right(starts, offset) - 1
        return tables[number].read(offset - starts[number], length)

    whole, order = ResultTable(read), array("i")
    for table, start, rows in zip(tables, starts, orders, strict=False):
        first = len(whole)
        order.extend(first + row for row in rows)
        whole.extend(table, start)
    return StoredResults(whole, order)


class StoredResults(IndexedResults):
    """Results of a table, in the order of its rows `order`."""

    def __init__(self, table: ResultTable, order: Sequence[int]) -> None:
        self.table, self.order = table, order
        self._tally: Counter[TallyKey] | None = None

    def __len__(self) -> int:
        return len(self.order)

    @overload
    def __getitem__(self, at: int) -> RecordedResult: ...
    @overload
    def __getitem__(self, at: slice) -> StoredResults: ...
    def __getitem__(self, at: int | slice) -> RecordedResult | StoredResults:
        if isinstance(at, slice):
            return StoredResults(self.table, self.order[at])
        return StoredResult(self.table, self.order[at])

    def __iter__(self) -> Iterator[RecordedResult]:
        table = self.table
        return (StoredResult(table, row) for row in self.order)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return NotImplemented
        return all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def _column(self, column: array[int], values: Sequence[_Value]) -> Iterator[_Value]:
        """The value of each result by its number in a column."""
        return map(values.__getitem__, map(column.__getitem__, self.order))

    def rows(self) -> Iterator[Row]:
        table = self.table
        return zip(
            self._column(table.case, table.cases),
            self._column(table.name, table.names),
            self._column(table.outcome, table.outcomes),
            strict=True,
        )

    def tally(self) -> Counter[TallyKey]:
        if self._tally is None:
            self._tally = self._count()
        return self._tally

    def _count(self) -> Counter[TallyKey]:
        table = self.table
        suites: dict[tuple[str, str, int, bool], int] = {}
        kinds: dict[tuple[Verdict, ErrorKind | None, int], int] = {}
        of_case = array(
            "i",
            (
                suites.setdefault((one.suite, one.operation, one.leaves, bool(one.ruling)), len(suites))
                for one in table.cases
            ),
        )
        of_outcome = array(
            "i", (kinds.setdefault((one.verdict, one.kind, one.unobserved), len(kinds)) for one in table.outcomes)
        )
        counts = Counter(
            zip(
                self._column(table.case, of_case),
                map(table.name.__getitem__, self.order),
                self._column(table.outcome, of_outcome),
                strict=True,
            )
        )
        suite_list, kind_list = list(suites), list(kinds)
        tallied: Counter[TallyKey] = Counter()
        for (suite, name, kind), count in counts.items():
            (of_suite, operation, leaves, disputed), (verdict, error, unobserved) = suite_list[suite], kind_list[kind]
            named = table.names[name]
            tallied[TallyKey(of_suite, operation, named, verdict, error, leaves, unobserved, disputed)] = count
        return tallied

    def where(
        self, test: Callable[[OutcomeFacts], bool] = lambda _: True, names: Collection[str] | None = None
    ) -> StoredResults:
        table = self.table
        results = self if names is None else self._of_names(names)
        passes = bytes(bool(test(one)) for one in table.outcomes)
        if all(passes):
            return results
        return StoredResults(table, array("i", compress(results.order, results._column(table.outcome, passes))))

    def _of_names(self, names: Collection[str]) -> StoredResults:
        if len(names) == 1:
            (name,) = names
            return StoredResults(self.table, self._rows_by_name.get(name, array("i")))
        named = bytes(name in names for name in self.table.names)
        if all(named):
            return self
        return StoredResults(self.table, array("i", compress(self.order, self._column(self.table.name, named))))

    @cached_property
    def _rows_by_name(self) -> dict[str, array[int]]:
        """The rows of each implementation, which every report needs several times."""
        table = self.table
        found = [array("i") for _ in table.names]
        for row in self.order:
            found[table.name[row]].append(row)
        return dict(zip(table.names, found, strict=True))

    def in_corpus_order(self, names: Sequence[str]) -> StoredResults:
        table = self.table
        number = {name: at for at, name in enumerate(names)}
        column = [number[name] for name in table.names]
        rank = array("i", bytes(4 * len(table.cases)))
        places = [corpus_place(one) for one in table.cases]
        place, last = -1, None
        for case in sorted(range(len(places)), key=places.__getitem__):
            place += places[case] != last
            rank[case], last = place, places[case]
        width = max(1, len(names))
        grid = array("i", [-1]) * (len(table.cases) * width)
        for row in self.order:
            grid[rank[table.case[row]] * width + column[table.name[row]]] = row
        ordered = StoredResults(table, array("i", (row for row in grid if row >= 0)))
        ordered._tally = self._tally
        return ordered
