"""The reference in this process, as `AlternativeAnswers`."""

from __future__ import annotations

from collections.abc import Sequence

from harness.compare.attribution import AlternativeAnswer
from harness.compare.known_divergences import names_of
from harness.model import Answered, Case, Choice, Raised, Response
from reference_impl.observer import silent
from reference_impl.operations import SYSTEMS
from reference_impl.switches import SwitchError, following

OPERATIONS = {name: operation for table in SYSTEMS.values() for name, operation in table.items()}


def answer(case: Case) -> Response:
    """The answer of the reference to a case, or the error that it raises."""
    try:
        return Answered(OPERATIONS[case.operation](case.request, silent))
    except Exception as error:
        return Raised(type(error).__name__)


class Reference:
    """Answers of the reference under readings and deviations."""

    def offers(self, operation: str) -> bool:
        return operation in OPERATIONS

    def answers(self, case: Case, choices: Sequence[Choice]) -> list[AlternativeAnswer | None]:
        return [self._answer(case, choice) for choice in choices]

    def _answer(self, case: Case, choice: Choice) -> AlternativeAnswer | None:
        reached: set[str] = set()
        try:
            with following(names_of(choice), reached):
                response = answer(case)
        except SwitchError:
            return None
        pairs = (name.partition("=") for name in reached)
        return AlternativeAnswer(response, frozenset((a, c) if b else ("", a) for a, b, c in pairs))
