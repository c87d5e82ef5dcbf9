"""The reference in this process, as `AlternativeAnswers`."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from functools import cache
from unittest.mock import patch

from harness.api import CheckedCorpus, load_corpus
from harness.compare.alternatives import Alternative, Combined, Effects, choice_of
from harness.compare.causes import names_of
from harness.compare.verdict import response_differences
from harness.model import ENDLESS, UNCLASSIFIED, Answered, Case, Choice, Raised, Response
from reference_impl.effects import combinations, effects, needed
from reference_impl.switches import SwitchError, following
from reference_impl.wire.operations import SYSTEMS

OPERATIONS = {name: operation for table in SYSTEMS.values() for name, operation in table.items()}


@cache
def corpus() -> CheckedCorpus:
    return load_corpus()


@cache
def cases() -> tuple[Case, ...]:
    """Every case of the corpus."""
    return tuple(corpus().cases)


def answer(case: Case, switches: Collection[str] = (), reached: set[str] | None = None) -> Response:
    """The answer of the reference to a case under switches, or the error that it raises, as its adapter classifies it."""
    with following(case.operation, switches, reached) if switches or reached is not None else nullcontext():
        return _answer(case)


def _answer(case: Case) -> Response:
    try:
        with patch.dict(os.environ, case.environment) if case.environment else nullcontext():
            return Answered(OPERATIONS[case.operation](case.request))
    except Exception as error:
        name = type(error).__name__
        listed = name in corpus().corpus.operations[case.operation].error_types
        kind = name if listed else UNCLASSIFIED
        return Raised(ENDLESS if isinstance(error, TimeoutError) else kind)


def differs(case: Case, wanted: Response, got: Response) -> bool:
    """Whether two responses differ by the rules of the case's operation."""
    return any(True for _ in response_differences(wanted, got, corpus().corpus.operations[case.operation].rules))


def reached_in(case: Case) -> list[Alternative]:
    """The alternatives whose points of decision the request of a case reaches."""
    reached: set[str] = set()
    answer(case, reached=reached)
    return list(map(_alternative, reached))


_EFFECTS: dict[str, Effects] = {}
"""The effects of switches on each case that an explanation asked for; most cases are asked for under many readings."""


class Reference:
    """Answers of the reference under readings and deviations."""

    def offers(self, operation: str) -> bool:
        return operation in OPERATIONS

    def effects(self, case: Case) -> Effects:
        if case.name not in _EFFECTS:
            _EFFECTS[case.name] = self._effects(case)
        return _EFFECTS[case.name]

    def _effects(self, case: Case) -> Effects:
        found = effects(case.operation, lambda: answer(case))
        changes = {_alternative(name): response for name, response in found.changes.items()}
        return Effects(found.answer, changes, frozenset(map(_alternative, found.reached)))

    def combined(self, case: Case, beside: Choice, further: Collection[Alternative], size: int, limit: int) -> Combined:
        found = combinations(
            case.operation, lambda: answer(case), names_of(beside), ["=".join(one) for one in further], size, limit
        )
        responses = {choice_of(map(_alternative, one)).readings: response for one, response in found.answers.items()}
        return Combined(found.answer, responses, found.size, found.tried)

    def answers(self, cases: Sequence[Case], choices: Sequence[Choice]) -> list[Response | None]:
        return [self._answer(case, choice) for case, choice in zip(cases, choices, strict=True)]

    def needed(self, case: Case, choice: Choice) -> Choice:
        return choice_of(map(_alternative, needed(case.operation, lambda: answer(case), names_of(choice))))

    def _answer(self, case: Case, choice: Choice) -> Response | None:
        try:
            return answer(case, names_of(choice))
        except SwitchError:
            return None


def _alternative(name: str) -> Alternative:
    first, mark, last = name.partition("=")
    return (first, last) if mark else ("", first)
