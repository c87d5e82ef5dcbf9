"""The cases of a corpus: a head of each for selecting, and the whole case at its first use."""

from __future__ import annotations

import gc
import math
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate
from typing import Protocol, overload

from ..compare.canonical import compact, sorted_text
from ..model import Answered, Case, Fixture
from .compiled_values import CaseHead, Plain, StoredCases, read_case, stored_rows

_MAX_DECODED = 4_000_000
"""Bytes of the compiled corpus whose heads and cases are in memory. Measured in November 2026: about seven times as much
memory."""


class Selectable(Protocol):
    """What a selection reads of a case: a `Case` and a `CaseHead` have it."""

    @property
    def name(self) -> str: ...
    @property
    def suite(self) -> str: ...
    @property
    def at(self) -> str: ...
    @property
    def system(self) -> str: ...
    @property
    def operation(self) -> str: ...
    @property
    def requirements(self) -> tuple[str, ...]: ...
    @property
    def origin(self) -> str: ...
    @property
    def revision(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def ruling(self) -> str: ...
    @property
    def cited_by_rulings(self) -> tuple[str, ...]: ...


class Head(Selectable, Protocol):
    """What a run reads of a case before it is sent: a `Case` and a `CaseHead` have it."""

    @property
    def environment(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def fixtures(self) -> tuple[Fixture, ...]: ...


class SuiteCases(Protocol):
    """The cases of one file. `size` is about how many bytes `forget` frees."""

    @property
    def size(self) -> int: ...
    def __len__(self) -> int: ...
    def forget(self) -> None: ...

    @property
    def heads(self) -> Sequence[CaseHead]: ...

    def case(self, row: int) -> Case:
        """The case at this index."""
        ...


class BuiltSuite:
    """A suite that this process read from its file; a case gets its canonical texts at its first use, since a case with a
    problem may have none. `citing` has the rulings that cite a case, by its name."""

    size = 0

    def __init__(self, cases: Sequence[Case], citing: Mapping[str, Sequence[str]]) -> None:
        self._cases = cases
        self._complete: dict[int, Case] = {}
        self.heads = [
            CaseHead(
                name=case.name,
                at=case.at,
                operation=case.operation,
                requirements=case.requirements,
                origin=case.origin,
                revision=case.revision,
                tags=case.tags,
                ruling=case.ruling,
                environment=case.environment,
                fixtures=case.fixtures,
                suite=case.suite,
                system=case.system,
                cited_by_rulings=_others(citing, case.name, case.ruling),
                row=row,
            )
            for row, case in enumerate(cases)
        ]

    def case(self, row: int) -> Case:
        """The case at this index."""
        if row not in self._complete:
            case = self._cases[row]
            answer = case.expected.value if isinstance(case.expected, Answered) else None
            self._complete[row] = replace(
                case,
                cited_by_rulings=self.heads[row].cited_by_rulings,
                request_text=compact(case.request),
                expected_text="" if answer is None else sorted_text(answer),
            )
        return self._complete[row]

    def forget(self) -> None:
        """Nothing: the file is not read twice."""

    def __len__(self) -> int:
        return len(self._cases)


class StoredSuite:
    """A suite from the compiled corpus: heads and cases are decoded at their first use, and again after `forget`."""

    def __init__(
        self, suite: str, stored: StoredCases, fixtures: Mapping[str, Fixture], citing: Mapping[str, Sequence[str]]
    ) -> None:
        self._suite, self._system = suite, suite.partition("/")[0]
        self._count, self._plain_heads, self._rests = stored
        self.size = len(self._plain_heads) + len(self._rests)
        self._fixtures = fixtures
        self._citing = citing
        self._heads: Sequence[CaseHead] | None = None
        self._rows: Sequence[Plain] | None = None
        self._built: dict[int, Case] = {}

    @property
    def heads(self) -> Sequence[CaseHead]:
        """The head of each case, in order."""
        if self._heads is None:
            self._heads = [*map(self._head, range(self._count), stored_rows(self._plain_heads))]
        return self._heads

    def case(self, row: int) -> Case:
        """The case at this index."""
        if row not in self._built:
            if self._rows is None:
                self._rows = stored_rows(self._rests)
            self._built[row] = read_case(self.heads[row], self._rows[row])
        return self._built[row]

    def forget(self) -> None:
        """Drops everything that was decoded."""
        self._heads = self._rows = None
        self._built = {}

    def __len__(self) -> int:
        return self._count

    def _head(self, row: int, plain: Plain) -> CaseHead:
        *members, names = plain
        fixtures = tuple(self._fixtures[name] for name in names) if names else ()
        cited_by = _others(self._citing, plain[0], plain[7])
        return CaseHead._make((*members, fixtures, self._suite, self._system, cited_by, row))


def _others(citing: Mapping[str, Sequence[str]], case: str, ruling: str) -> tuple[str, ...]:
    """The rulings that cite a case as evidence, without its own ruling."""
    return tuple(id_ for id_ in citing[case] if id_ != ruling) if case in citing else ()


@contextmanager
def without_collector() -> Iterator[None]:
    """Inside, no cyclic garbage is collected: a loading makes many objects and keeps them.

    Measured in November 2026 on 7,600 cases: the collector takes 20 % of a loading.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class CaseTable(Sequence[Case]):
    """All cases of a corpus, suite by suite. The heads and cases of a few suites are in memory at a time, up to `limit`
    bytes of the compiled corpus."""

    def __init__(self, suites: Mapping[str, SuiteCases]) -> None:
        self._suites = [*suites.values()]
        self._starts = [*accumulate(map(len, self._suites), initial=0)]
        self._start_of = dict(zip(suites, self._starts, strict=False))
        self._recent: dict[int, SuiteCases] = {}
        self._last = -1
        self._size = 0
        self.limit: float = _MAX_DECODED
        self.heads = CaseHeads(self, range(len(self)))

    def pick(self, heads: Iterable[CaseHead]) -> PickedCases:
        """The cases of these heads."""
        return PickedCases(self, array("l", (self._start_of[head.suite] + head.row for head in heads)))

    def suite(self, file: str) -> PickedCases:
        """The cases of one case file, such as `cases/toy/said.yaml`."""
        name = file.removeprefix("cases/").removesuffix(".yaml")
        return self.pick(self._suite_at(self._start_of[name])[0].heads)

    def head(self, index: int) -> CaseHead:
        """The head of the case at this index."""
        suite, row = self._suite_at(index)
        return suite.heads[row]

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, index: int) -> Case: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Case]: ...
    def __getitem__(self, index: int | slice) -> Case | Sequence[Case]:
        if isinstance(index, slice):
            return PickedCases(self, range(len(self))[index])
        suite, row = self._suite_at(range(len(self))[index])
        return suite.case(row)

    def _suite_at(self, index: int) -> tuple[SuiteCases, int]:
        """The suite of the case at this index, and the row of the case in it. The suites least recently used are dropped
        from memory."""
        number = bisect_right(self._starts, index) - 1
        suite = self._suites[number]
        if number != self._last:
            self._last = number
            if self._recent.pop(number, None) is None:
                self._size += suite.size
            self._recent[number] = suite
            while self._size > self.limit and len(self._recent) > 1:
                oldest = self._recent.pop(next(iter(self._recent)))
                self._size -= oldest.size
                oldest.forget()
        return suite, index - self._starts[number]


class CaseHeads(Sequence[CaseHead]):
    """The heads of some cases of a table; only their places are kept."""

    def __init__(self, table: CaseTable, places: Sequence[int]) -> None:
        self._table = table
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> CaseHead: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[CaseHead]: ...
    def __getitem__(self, index: int | slice) -> CaseHead | Sequence[CaseHead]:
        if isinstance(index, slice):
            return CaseHeads(self._table, self._places[index])
        return self._table.head(self._places[index])

    def __iter__(self) -> Iterator[CaseHead]:
        return map(self._table.head, self._places)


class PickedCases(Sequence[Case]):
    """Some cases of a table, in any order. Only their places are kept: a case is built when it is used."""

    def __init__(self, table: CaseTable, places: Sequence[int]) -> None:
        self._table = table
        self._places = places

    @property
    def heads(self) -> CaseHeads:
        """The heads of the cases."""
        return CaseHeads(self._table, self._places)

    def at(self, indexes: Iterable[int]) -> PickedCases:
        """The cases at these indexes."""
        return PickedCases(self._table, array("l", (self._places[index] for index in indexes)))

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Case: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Case]: ...
    def __getitem__(self, index: int | slice) -> Case | Sequence[Case]:
        if isinstance(index, slice):
            return PickedCases(self._table, self._places[index])
        return self._table[self._places[index]]

    def __iter__(self) -> Iterator[Case]:
        return map(self._table.__getitem__, self._places)


def keep_decoded(cases: Sequence[Case]) -> None:
    """Keeps every case of a table in memory after its first use, so that it is decoded once."""
    if isinstance(cases, CaseTable):
        cases.limit = math.inf


def heads_of(cases: Sequence[Case]) -> Sequence[Head]:
    """The head of each case; no case is built for it."""
    return cases.heads if isinstance(cases, PickedCases) else cases


def cases_at(cases: Sequence[Case], indexes: Iterable[int]) -> Sequence[Case]:
    """The cases at these indexes; no case is built for it."""
    return cases.at(indexes) if isinstance(cases, PickedCases) else [cases[index] for index in indexes]
