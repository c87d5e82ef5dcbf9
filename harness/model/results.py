"""Results of a record as an index: the case and the outcome of each in short, without requests and answers."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from .outcome import ADOPTED, Choice, Readings, Undecided, charged_among
from .record import Listing, RecordedResult
from .values import ErrorKind, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseEntry:
    """A case as results name it, without request and expected response, of which it has the number of leaves."""

    case: str
    at: str
    operation: str
    requirements: tuple[str, ...] = ()
    ruling: str = ""
    separates: tuple[str, ...] = ()
    cited_by_rulings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    leaves: int = 0

    @property
    def suite(self) -> str:
        """The suite of the case."""
        return self.case.rsplit("/", 1)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeEntry:
    """An outcome without responses and differences. Many results share one entry.

    `named` are the requirements that a failure charges, empty for all of its case. `place` is the path of a failing
    result's first difference without indices, or the kind of its error. `reason` is the text of an unsupported case.
    """

    verdict: Verdict
    kind: ErrorKind | None = None
    signature: str = ""
    readings: Readings = ()
    explained_by: Choice = ADOPTED
    undecided: Undecided | None = None
    named: tuple[str, ...] = ()
    stage: str = ""
    recovered: bool = False
    place: str = ""
    reason: str = ""
    unsent_after: int = 0
    is_flaky: bool = False
    has_refusals: bool = False
    unobserved: int = 0
    expectation: Listing | None = None

    def charged_among(self, requirements: tuple[str, ...]) -> tuple[str, ...]:
        """The requirements of the case that a failure or an error breaks; without a failure none."""
        return charged_among(self.verdict, self.named, requirements)


CaseFacts: TypeAlias = "CaseEntry | RecordedResult"
OutcomeFacts: TypeAlias = "OutcomeEntry | RecordedResult"
Row: TypeAlias = "tuple[CaseFacts, str, OutcomeFacts]"
"""The case, the implementation and the outcome of a result in short."""


class TallyKey(NamedTuple):
    """The parts of a result that summaries count. `leaves` are those of the expected response; the implementation cannot
    report `unobserved` of them."""

    suite: str
    operation: str
    implementation: str
    verdict: Verdict
    kind: ErrorKind | None
    leaves: int = 0
    unobserved: int = 0
    is_disputed: bool = False


class IndexedResults(Sequence[RecordedResult]):
    """Results that stay in their file: an element is read when it is needed, and the short facts without reading."""

    @abstractmethod
    def rows(self) -> Iterator[Row]:
        """The short facts of each result."""

    @abstractmethod
    def tally(self) -> Counter[TallyKey]:
        """The number of results of each kind."""

    @abstractmethod
    def where(self, test: Callable[[OutcomeFacts], bool], names: Collection[str] | None) -> IndexedResults:
        """The results of these implementations (None: of all) whose outcome passes `test`."""

    @abstractmethod
    def in_corpus_order(self, names: Sequence[str]) -> IndexedResults:
        """The results by suite, line, case, and implementation in the order of `names`."""


def rows(results: Sequence[RecordedResult]) -> Iterator[Row]:
    """The short facts of each result."""
    if isinstance(results, IndexedResults):
        return results.rows()
    return ((one, one.implementation, one) for one in results)


def tally(results: Sequence[RecordedResult]) -> Counter[TallyKey]:
    """The number of results of each kind."""
    if isinstance(results, IndexedResults):
        return results.tally()
    return Counter(
        TallyKey(
            one.suite,
            one.operation,
            one.implementation,
            one.verdict,
            one.kind,
            one.leaves,
            one.unobserved,
            bool(one.ruling),
        )
        for one in results
    )


def where(
    results: Sequence[RecordedResult],
    test: Callable[[OutcomeFacts], bool] = lambda _: True,
    names: Collection[str] | None = None,
) -> Sequence[RecordedResult]:
    """The results of these implementations (None: of all) whose outcome passes `test`, in their order."""
    if isinstance(results, IndexedResults):
        return results.where(test, names)
    return tuple(one for one in results if (names is None or one.implementation in names) and test(one))


def in_corpus_order(results: Sequence[RecordedResult], names: Sequence[str]) -> Sequence[RecordedResult]:
    """The results by suite, line, case, and implementation in the order of `names`."""
    if isinstance(results, IndexedResults):
        return results.in_corpus_order(names)
    place = {name: number for number, name in enumerate(names)}
    return tuple(sorted(results, key=lambda one: (*corpus_place(one), place[one.implementation])))


_MAX_DIGITS = 9


def corpus_place(case: CaseFacts) -> tuple[str, int, str]:
    """The sort key of a case in the order of the corpus: suites by name, cases by line."""
    line = case.at.rpartition(":")[2]
    return case.suite, int(line) if line.isdecimal() and len(line) <= _MAX_DIGITS else 0, case.case
