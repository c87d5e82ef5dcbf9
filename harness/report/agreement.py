"""RunRecord → the agreement of implementations with each other and with the specification. Pure.

The reference is excluded, because it follows the specification and the verdicts already show agreement with it. If all
others give the same answer against the specification, the specification may be wrong. If all answers differ, it may be
unclear.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum

from ..errors import one_line
from ..model import ErrorKind, RecordedResult, RunRecord, Verdict
from .choice_text import readings_text
from .summary import REFERENCE
from .text import plural


class AgreementKind(StrEnum):
    """How the answers of a case relate to each other and to the specification."""

    MATCH = "match"
    SAME_DIVERGENCE = "same-divergence"
    SAME_READING = "same-reading"
    SOME_MATCH = "some-match"
    ALL_DIFFER = "all-differ"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What distinguishes two answers to the same case: equal values are the same answer."""

    verdict: Verdict
    detail: str = ""


_MATCH = _Answer(Verdict.PASS)


@dataclass(frozen=True, slots=True)
class Agreement:
    """The cases that at least two of `names` answer, each in one group.

    `matching`: all match the specification. `same_divergence`: all give the same other answer. `same_reading`: all
    follow the same other recorded reading. `some_matching`: by the implementations that match, the cases in which
    others do not.
    `all_different`: no implementation matches, and the answers differ.
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
    by_case = _answers(record)
    answering = {name for answers in by_case.values() for name in answers}
    names = tuple(name for name in record.implementations if name in answering)
    groups: dict[AgreementKind, list[str]] = defaultdict(list)
    some_matching: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for case, answers in by_case.items():
        if len(answers) < 2:
            continue
        kind = _kind(set(answers.values()))
        if kind is AgreementKind.SOME_MATCH:
            some_matching[tuple(name for name in names if answers.get(name) == _MATCH)].append(case)
        else:
            groups[kind].append(case)
    return Agreement(
        names=names,
        matching=tuple(groups[AgreementKind.MATCH]),
        same_divergence=tuple(groups[AgreementKind.SAME_DIVERGENCE]),
        same_reading=tuple(groups[AgreementKind.SAME_READING]),
        some_matching={matching: tuple(cases) for matching, cases in some_matching.items()},
        all_different=tuple(groups[AgreementKind.ALL_DIFFER]),
    )


def _kind(answers: Set[_Answer]) -> AgreementKind:
    if len(answers) > 1:
        return AgreementKind.SOME_MATCH if _MATCH in answers else AgreementKind.ALL_DIFFER
    (answer,) = answers
    if answer == _MATCH:
        return AgreementKind.MATCH
    return AgreementKind.SAME_READING if answer.verdict is Verdict.VARIANT else AgreementKind.SAME_DIVERGENCE


def _answers(record: RunRecord) -> Mapping[str, Mapping[str, _Answer]]:
    """The answers of each case, by implementation."""
    answers: dict[str, dict[str, _Answer]] = defaultdict(dict)
    for result in record.results:
        if result.implementation != REFERENCE and _is_answered(result):
            answers[result.case][result.implementation] = _answer(result)
    return answers


def _is_answered(result: RecordedResult) -> bool:
    answered = (Verdict.PASS, Verdict.VARIANT, Verdict.FAIL)
    return result.verdict in answered or result.kind is ErrorKind.IMPLEMENTATION


def _answer(result: RecordedResult) -> _Answer:
    if result.verdict is Verdict.PASS:
        return _MATCH
    if result.verdict is Verdict.VARIANT:
        return _Answer(Verdict.VARIANT, readings_text(result.readings))
    return _Answer(Verdict.FAIL, result.signature)


def render(found: Agreement) -> Iterator[str]:
    """Its lines; none if no two implementations answer the same case."""
    if not found.cases:
        return
    names = ", ".join(map(one_line, found.names))
    yield f"agreement of {names} in {plural(found.cases, 'case')} with at least two answers:"
    for words, cases in (
        ("all match the specification", found.matching),
        ("same answer, but not the specification's", found.same_divergence),
        ("same answer, by another recorded reading", found.same_reading),
        *((_only(who), cases) for who, cases in found.some_matching.items()),
        ("none matches the specification, answers differ", found.all_different),
    ):
        if cases:
            example = "" if cases is found.matching else f": {one_line(cases[0])}{', …' if cases[1:] else ''}"
            yield f"  {len(cases):>4}  {words}{example}"


def _only(names: Sequence[str]) -> str:
    verb = "matches" if len(names) == 1 else "match"
    return f"only {', '.join(map(one_line, names))} {verb} the specification"
