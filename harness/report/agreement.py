"""RunRecord → the agreement of implementations with each other and with the specification. Pure.

The reference is excluded, because it follows the specification and the verdicts already show agreement with it. If all
others give the same answer against the specification, the specification may be wrong. If all answers differ, it may be
unclear. `compare/unobservable.py` defines the same answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby

from msgspec import Struct

from ..compare.unobservable import answer_key
from ..errors import one_line, plural
from ..model import COMPARED, EXPECTED, REFERENCE, ErrorKind, RecordedResult, RunRecord
from .conformance import hidden_places
from .phrases import verb


class AgreementKind(StrEnum):
    """How the answers of a case relate to each other and to the specification."""

    MATCH = "match"
    SAME_DIVERGENCE = "same-divergence"
    SAME_READING = "same-reading"
    SOME_MATCH = "some-match"
    ALL_DIFFER = "all-differ"


class GivenAnswer(Struct, frozen=True):
    """The answer of one implementation to a case. `hidden` are the JSON Pointers of the places that it cannot report."""

    outcome: RecordedResult
    hidden: Sequence[str]

    @property
    def matches(self) -> bool:
        """Whether it is the expected answer."""
        return self.outcome.verdict in EXPECTED


def are_same(answers: Collection[GivenAnswer]) -> bool:
    """Whether these answers to one case are the same, without the places that one of the implementations cannot report."""
    if all(answer.matches for answer in answers):
        return True
    hidden = sorted({pointer for answer in answers for pointer in answer.hidden})
    first, *others = (answer_key(answer.outcome.line, hidden) for answer in answers)
    return all(other == first for other in others)


class Agreement(Struct, frozen=True):
    """The cases that at least two of `names` answer, each in one group.

    `matching`: all match the specification. `same_divergence`: all give the same other answer. `same_reading`: it is the
    answer of the same other recorded reading. `some_matching`: by the implementations that match, the cases in which
    others do not. `all_different`: no implementation matches, and the answers differ.
    """

    names: tuple[str, ...]
    matching: tuple[str, ...]
    same_divergence: tuple[str, ...]
    same_reading: tuple[str, ...]
    some_matching: Mapping[tuple[str, ...], tuple[str, ...]]
    all_different: tuple[str, ...]

    @property
    def cases(self) -> int:
        """The number of cases in all groups."""
        some = sum(map(len, self.some_matching.values()))
        return len(self.matching) + len(self.same_divergence) + len(self.same_reading) + some + len(self.all_different)


def agreement(record: RunRecord) -> Agreement:
    """The agreement of all implementations of the record with an answer, except the reference."""
    return agreement_of(_answers(record), record.implementations)


def agreement_of(answered: Iterable[tuple[str, Mapping[str, GivenAnswer]]], order: Iterable[str]) -> Agreement:
    """The agreement in these answers to each case, by implementation. `order` is that of the names."""
    answering: set[str] = set()
    groups: dict[AgreementKind, list[str]] = defaultdict(list)
    some_matching: dict[frozenset[str], list[str]] = defaultdict(list)
    for case, answers in answered:
        answering.update(answers)
        if len(answers) < 2:
            continue
        kind = _kind(answers.values())
        if kind is AgreementKind.SOME_MATCH:
            some_matching[frozenset(name for name, answer in answers.items() if answer.matches)].append(case)
        else:
            groups[kind].append(case)
    names = tuple(name for name in order if name in answering)
    return Agreement(
        names=names,
        matching=tuple(groups[AgreementKind.MATCH]),
        same_divergence=tuple(groups[AgreementKind.SAME_DIVERGENCE]),
        same_reading=tuple(groups[AgreementKind.SAME_READING]),
        some_matching={
            tuple(name for name in names if name in matching): tuple(cases) for matching, cases in some_matching.items()
        },
        all_different=tuple(groups[AgreementKind.ALL_DIFFER]),
    )


def _kind(answers: Collection[GivenAnswer]) -> AgreementKind:
    if any(answer.matches for answer in answers):
        return AgreementKind.MATCH if all(answer.matches for answer in answers) else AgreementKind.SOME_MATCH
    if not are_same(answers):
        return AgreementKind.ALL_DIFFER
    followed = {answer.outcome.readings for answer in answers}
    return AgreementKind.SAME_READING if len(followed) == 1 and all(followed) else AgreementKind.SAME_DIVERGENCE


def _answers(record: RunRecord) -> Iterator[tuple[str, Mapping[str, GivenAnswer]]]:
    """The answers to each case, by implementation. Results of a case that are apart count as one after another."""
    for case, results in groupby(record.results, key=lambda result: result.case):
        answers = {
            result.implementation: answer
            for result in results
            if result.implementation != REFERENCE and (answer := answer_of(record, result)) is not None
        }
        if answers:
            yield case, answers


def answer_of(record: RunRecord, result: RecordedResult) -> GivenAnswer | None:
    """The answer in a result of the record; None if it is no answer."""
    if result.verdict not in COMPARED and result.kind is not ErrorKind.IMPLEMENTATION:
        return None
    return GivenAnswer(result, hidden_places(record, result))


def render(found: Agreement) -> Iterator[str]:
    """Its lines; none if no two implementations answer the same case."""
    if not found.cases:
        return
    names = ", ".join(map(one_line, found.names))
    yield f"agreement of {names} in {plural(found.cases, 'case')} with at least two answers:"
    for _, words, cases in groups_of(found):
        example = "" if cases is found.matching else f": {one_line(cases[0])}{', …' if cases[1:] else ''}"
        yield f"  {len(cases):>4}  {words}{example}"


def groups_of(found: Agreement) -> Iterator[tuple[str, str, Sequence[str]]]:
    """A short name, words and the cases of each group that has cases."""
    groups: list[tuple[str, str, Sequence[str]]] = [
        (AgreementKind.MATCH, "all match the specification", found.matching),
        (AgreementKind.SAME_DIVERGENCE, "same answer, but not the specification's", found.same_divergence),
        (AgreementKind.SAME_READING, "same answer, by a reading that is not adopted", found.same_reading),
        *((f"only-{'-'.join(who)}", _only(who), cases) for who, cases in found.some_matching.items()),
        (AgreementKind.ALL_DIFFER, "none matches the specification, answers differ", found.all_different),
    ]
    yield from ((name, words, cases) for name, words, cases in groups if cases)


def _only(names: Sequence[str]) -> str:
    return f"only {', '.join(map(one_line, names))} {verb(len(names), 'matches', 'match')} the specification"
