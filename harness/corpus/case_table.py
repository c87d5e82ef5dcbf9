"""The cases of a corpus: a head of each for selecting, and the whole case at its first use."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol, overload

from ..compare.canonical import canonical_text, compact
from ..model import Answered, Case
from .compiled_values import CaseHead, Plain, StoredRest


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


class SuiteCases(Protocol):
    """The cases of one file."""

    @property
    def heads(self) -> Sequence[CaseHead]: ...

    def case(self, row: int) -> Case:
        """The case at this index."""
        ...


class BuiltSuite:
    """A suite that this process read from its file; a case gets its canonical texts at its first use, since a case with a
    problem may have none. `citing` has the rulings that cite a case, by its name."""

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
                expected_text="" if answer is None else canonical_text(answer),
            )
        return self._complete[row]


class StoredSuite:
    """A suite from the compiled corpus; a case is built at its first use."""

    def __init__(
        self, suite: str, heads: Iterable[Plain], rest: StoredRest, citing: Mapping[str, Sequence[str]]
    ) -> None:
        system = suite.partition("/")[0]
        self.heads = [
            CaseHead._make((*head, suite, system, _others(citing, head[0], head[7]), row))
            for row, head in enumerate(heads)
        ]
        self._rest = rest
        self._built: dict[int, Case] = {}

    def case(self, row: int) -> Case:
        """The case at this index."""
        if row not in self._built:
            self._built[row] = self._rest.case(self.heads[row])
        return self._built[row]


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
    """All cases of a corpus, suite by suite. `heads` builds none of them."""

    def __init__(self, suites: Mapping[str, SuiteCases]) -> None:
        self._suites = suites
        self.heads = tuple(head for suite in suites.values() for head in suite.heads)

    def pick(self, heads: Iterable[CaseHead]) -> tuple[Case, ...]:
        """The cases of these heads."""
        suites = self._suites
        with without_collector():
            return tuple(suites[head.suite].case(head.row) for head in heads)

    def suite(self, file: str) -> tuple[Case, ...]:
        """The cases of one case file, such as `cases/toy/said.yaml`."""
        return self.pick(self._suites[file.removeprefix("cases/").removesuffix(".yaml")].heads)

    def __len__(self) -> int:
        return len(self.heads)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.pick(self.heads))

    @overload
    def __getitem__(self, index: int) -> Case: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Case]: ...
    def __getitem__(self, index: int | slice) -> Case | Sequence[Case]:
        return self.pick(self.heads[index]) if isinstance(index, slice) else self.pick([self.heads[index]])[0]
