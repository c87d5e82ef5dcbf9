"""A finding of a campaign as an entry of a case file, or as the skeleton of a reading or of a deviation. Pure.

No answer is written for a person: the entry has `TODO` in its place, which the loader refuses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from fnmatch import fnmatchcase

from msgspec import Struct

from ...compare.canonical import compact
from ...compare.causes import causes_of
from ...compare.charged import charged_requirements
from ...compare.error_text import outcome_text
from ...corpus.entries import TODO
from ...corpus.loader import Corpus
from ...corpus.yaml_places import yaml_value
from ...errors import one_line
from ...model import FAILING, Answered, Case, Difference, Failed, Raised, RecordedResult, Ruling
from ..templates import template_parts

_MAX_REQUIREMENTS = 4
_NEIGHBOURS = 8
_MAX_NEAR = 400
"""Corpus cases of an operation, the ones of the most similar length, that are compared with a request."""


class Promotion(Struct, frozen=True):
    """A finding: its case, its results, and the requirements that it can belong to."""

    case: Case
    results: Sequence[RecordedResult]
    requirements: Sequence[str]


def proposed_requirements(case: Case, results: Sequence[RecordedResult], corpus: Corpus) -> list[str]:
    """The requirements that show where the failing results differ, by the operation's schema, the ones first that similar
    requests of the corpus cite; without such places, the ones that similar requests cite."""
    operation = corpus.operations[case.operation]
    found: list[Difference] = [
        part for result in results if isinstance(result.outcome, Failed) for part in result.outcome.differences
    ]
    declared = [id_ for id_ in corpus.requirements if any(fnmatchcase(id_, glob) for glob in operation.places)]
    shown = set(charged_requirements(declared, found, operation)) if found and declared else set()
    if shown == set(declared):
        shown = set()
    counts = Counter(id_ for near in _nearest(case, corpus) for id_ in near.requirements)
    ranked = [id_ for id_, _ in counts.most_common() if not shown or id_ in shown]
    return [*ranked, *sorted(shown - set(ranked))][:_MAX_REQUIREMENTS]


def _nearest(case: Case, corpus: Corpus) -> list[Case]:
    """The cases of the corpus with the most similar requests of the operation."""
    text = compact(case.request)
    same = [(near, compact(near.request)) for near in corpus.cases if near.operation == case.operation]
    same = sorted(same, key=lambda pair: abs(len(pair[1]) - len(text)))[:_MAX_NEAR]
    matcher = SequenceMatcher(b=text, autojunk=False)

    def likeness(pair: tuple[Case, str]) -> float:
        matcher.set_seq1(pair[1])
        return matcher.ratio()

    return [near for near, _ in sorted(same, key=likeness, reverse=True)[:_NEIGHBOURS]]


def case_entry(promotion: Promotion) -> str:
    """The entry of a case file."""
    return _drawn("case", promotion)


def reading_skeleton(promotion: Promotion) -> str:
    """A ruling for `rulings.yaml`, and the disputed case that separates its readings."""
    return _drawn("reading", promotion)


def deviation_skeleton(promotion: Promotion) -> str:
    """A switch of the reference, and the entry of a known-divergence file that names it."""
    return _drawn("deviation", promotion)


def _drawn(part: str, promotion: Promotion) -> str:
    case = promotion.case
    return template_parts(
        "pages/promotion.jinja",
        str,
        {},
        todo=TODO,
        id=f"fuzz-{case.name.rsplit('/', 1)[-1]}",
        system=case.system,
        operation=case.operation,
        requirements=promotion.requirements,
        request=yaml_value(case.request),
        given=[(result.implementation, _answer(result)) for result in promotion.results],
        failing=[result.implementation for result in promotion.results if result.verdict in FAILING],
    )(part)


def _answer(result: RecordedResult) -> str:
    """An answer, for the person who derives the expected one."""
    match result.response:
        case Answered(value):
            return yaml_value(value)
        case Raised(type_):
            return f"error {type_}"
        case None:
            return outcome_text(result.outcome)


def findings_text(findings: Sequence[tuple[str, Sequence[RecordedResult]]], rulings: Mapping[str, Ruling]) -> str:
    """One line for each finding and each implementation that fails there: where it differs, and the causes."""
    lines = []
    for name, results in findings:
        lines.append(name)
        for result in results:
            if result.verdict in FAILING:
                cause = " and ".join(causes_of(result.explained_by, rulings)) or "no known cause"
                lines.append(f"    {result.implementation}: {_where(result)}; {cause}")
    return _text(*(lines or ["no new findings"]))


def _where(result: RecordedResult) -> str:
    outcome = result.outcome
    if isinstance(outcome, Failed) and outcome.differences:
        return f"differs at {outcome.differences[0].path}"
    return one_line(outcome_text(outcome))


def _text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)
