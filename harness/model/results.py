"""Recorded results counted, chosen and ordered by the facts that need no line."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from .record import RecordedResult
from .verdicts import ErrorKind, Verdict


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


def tally(results: Sequence[RecordedResult]) -> Counter[TallyKey]:
    """The number of results of each kind."""
    return Counter(
        TallyKey(
            result.suite,
            result.operation,
            result.implementation,
            result.verdict,
            result.kind,
            result.leaves,
            result.unobserved,
            bool(result.ruling),
        )
        for result in results
    )


def where(
    results: Sequence[RecordedResult],
    test: Callable[[RecordedResult], bool] = lambda _: True,
    names: Collection[str] | None = None,
) -> Sequence[RecordedResult]:
    """The results of these implementations (None: of all) that pass `test`, in their order."""
    return tuple(result for result in results if (names is None or result.implementation in names) and test(result))


def in_corpus_order(results: Sequence[RecordedResult], names: Sequence[str]) -> Sequence[RecordedResult]:
    """The results by suite, line, case, and implementation in the order of `names`."""
    place = {name: number for number, name in enumerate(names)}
    cases: dict[str, list[RecordedResult]] = {}
    for result in results:
        cases.setdefault(result.case, []).append(result)
    ordered = sorted(cases.values(), key=lambda case: corpus_place(case[0]))
    return tuple(result for case in ordered for result in sorted(case, key=lambda other: place[other.implementation]))


_MAX_DIGITS = 9


def corpus_place(result: RecordedResult) -> tuple[str, int, str]:
    """The sort key of a case in the order of the corpus: suites by name, cases by line."""
    line = result.at.rpartition(":")[2]
    return sys.intern(result.suite), int(line) if line.isdecimal() and len(line) <= _MAX_DIGITS else 0, result.case
