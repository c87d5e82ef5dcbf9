"""The effect of a proposal: what changes if the text states other readings, or what deviations do. Pure.

The proposal is a choice of readings and deviations. A source of answers under alternatives gives the expected answer of
each case under it, and recorded answers are compared with that. A text that states a reading leaves its ruling nothing
open, so every other reading of the ruling fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from ..errors import UsageError
from ..model import (
    ADOPTED,
    FAILING,
    PASSING,
    Case,
    Choice,
    Difference,
    Operation,
    RecordedResult,
    Response,
    Ruling,
    Verdict,
    replace,
    response_of,
)
from .alternatives import DECIDES, AlternativeAnswers, alternatives_of, beside
from .attribution import Attribution
from .causes import names_of
from .unobservable import as_expected, without_places
from .verdict import response_differences


class Effect(StrEnum):
    """What a proposal does to a verdict."""

    GAINED = "gained"
    LOST = "lost"
    EXCUSED = "excused"
    SAME = "same"
    HIDDEN = "hidden"


class ChangedAnswer(Struct, frozen=True):
    """A case, the answer that it expects under the proposal, and the first difference of that from the expected one."""

    case: Case
    proposed: Response
    first: Difference


def changed_answer(case: Case, recorded: Response, answer: Response, operation: Operation) -> ChangedAnswer | None:
    """The change from a recorded answer of a case to another one; None if they are the same at the places that count."""
    first = next(response_differences(recorded, answer, operation.rules), None)
    return None if first is None else ChangedAnswer(case, as_expected(answer, case, operation), first)


class JudgedAgain(Struct, frozen=True):
    """The verdict on a recorded answer, and the verdict under the proposal. `is_hidden`: the expected answer changes only at
    places that the implementation cannot report."""

    case: str
    before: Verdict
    after: Verdict
    is_hidden: bool = False

    @property
    def effect(self) -> Effect:
        """Whether an answer passes now, does so no more, or is excused by an open reading in place of failing."""
        if self.before is self.after:
            return Effect.HIDDEN if self.is_hidden else Effect.SAME
        if self.after is Verdict.PASS:
            return Effect.GAINED
        return Effect.LOST if self.before in PASSING else Effect.EXCUSED


class ImplementationImpact(Struct, frozen=True):
    """What a proposal changes for one implementation. `judged` are its answers that the proposal concerns. Of the cases
    whose expected answer changes, it gave no answer to the `unanswered` ones, and was judged by another expected answer in
    the `outdated` ones."""

    name: str
    judged: tuple[JudgedAgain, ...]
    unanswered: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()

    def of(self, effect: Effect) -> Mapping[tuple[Verdict, Verdict], Sequence[str]]:
        """The cases with this effect, by the verdicts before and after."""
        found: dict[tuple[Verdict, Verdict], list[str]] = {}
        for each in self.judged:
            if each.effect is effect:
                found.setdefault((each.before, each.after), []).append(each.case)
        return found

    def count(self, effect: Effect) -> int:
        """The number of answers with this effect."""
        return sum(each.effect is effect for each in self.judged)


class RecordedAnswers(Struct, frozen=True):
    """The results of one implementation, and the places that it cannot report, by operation."""

    results: Sequence[RecordedResult]
    unobservable: Mapping[str, Sequence[str]] = {}


class Impact(Struct, frozen=True):
    """The effect of a proposal. `asked` counts the cases whose answer under it is known. `settled` are the rulings whose
    readings give different answers today, and the same ones under the proposal; `neighbours` other rulings about a
    requirement of the proposed ones."""

    proposal: Choice
    asked: int
    changes: tuple[ChangedAnswer, ...]
    implementations: tuple[ImplementationImpact, ...]
    settled: tuple[str, ...] = ()
    neighbours: tuple[str, ...] = ()

    @property
    def requirements(self) -> Mapping[str, int]:
        """The requirements that the changed cases show, each with their number, the most frequent first."""
        return dict(Counter(id_ for changed in self.changes for id_ in changed.case.demands).most_common())


class Assessment:
    """Computes the effect of one proposal."""

    def __init__(
        self,
        proposal: Choice,
        source: AlternativeAnswers,
        rulings: Mapping[str, Ruling],
        operations: Mapping[str, Operation],
    ) -> None:
        self._proposal = proposal
        self._source = source
        self._rulings = rulings
        self._operations = operations
        decided = {
            id_: replace(rulings[id_], adopted=reading, text=DECIDES)
            for id_, reading in dict(proposal.readings).items()
        }
        self._proposed = Attribution(source, {**rulings, **decided}, operations)
        others = tuple((id_, reading) for id_, reading in proposal.readings if reading != rulings[id_].adopted)
        self._choice = replace(proposal, readings=others)

    def impact(self, cases: Sequence[Case], recorded: Mapping[str, RecordedAnswers]) -> Impact:
        """The effect on these cases, and on the answers of these implementations. Raises `UsageError` if the alternatives of
        the proposal exclude each other."""
        answers = self._answers(cases)
        changes = list(self._changes(cases, answers))
        proposed = {changed.case.name: changed.proposed for changed in changes}
        by_name = {case.name: case for case in cases}
        settled = tuple(self._settled(cases, {changed.case.operation for changed in changes}))
        return Impact(
            proposal=self._proposal,
            asked=sum(answer is not None for answer in answers),
            changes=tuple(changes),
            implementations=tuple(self._judged(name, given, by_name, proposed) for name, given in recorded.items()),
            settled=settled,
            neighbours=tuple(self._neighbours(settled)),
        )

    def _answers(self, cases: Sequence[Case]) -> Sequence[Response | None]:
        answers = self._source.answers(cases, [self._choice] * len(cases))
        excluded = (
            answer is None and self._source.offers(case.operation) for case, answer in zip(cases, answers, strict=True)
        )
        if any(excluded):
            raise UsageError(f"{', '.join(names_of(self._choice))}: these exclude each other. Propose one of them.")
        return answers

    def _changes(self, cases: Sequence[Case], answers: Sequence[Response | None]) -> Iterator[ChangedAnswer]:
        for case, answer in zip(cases, answers, strict=True):
            if answer and (change := changed_answer(case, case.expected, answer, self._operations[case.operation])):
                yield change

    def _settled(self, cases: Sequence[Case], operations: Collection[str]) -> Iterator[str]:
        """The rulings that no case separates under the proposal, and some do today."""
        own = dict(self._proposal.readings)
        about = [
            (case, ruling, reading)
            for case in cases
            if case.operation in operations
            for ruling in dict.fromkeys(filter(None, (case.ruling, *case.cited_by_rulings)))
            if ruling not in own
            for reading in self._rulings[ruling].readings
            if reading != self._rulings[ruling].adopted
        ]
        asked = [case for case, _, _ in about]

        def separated(choice: Choice) -> set[str]:
            alone = self._source.answers(asked, [choice] * len(asked))
            others = self._source.answers(asked, [beside(choice, ((id_, name),)) for _, id_, name in about])
            return {
                ruling
                for (case, ruling, _), answer, other in zip(about, alone, others, strict=True)
                if answer is None or other is None or not self._proposed.is_same(case, answer, other)
            }

        still = separated(self._choice)
        yield from sorted(separated(ADOPTED) - still)

    def _neighbours(self, settled: Collection[str]) -> Iterator[str]:
        """The other rulings about a requirement of the proposed ones."""
        own = dict(self._proposal.readings)
        about = {id_ for ruling in own for id_ in self._rulings[ruling].requirements}
        for ruling in self._rulings.values():
            if ruling.id not in own and ruling.id not in settled and about.intersection(ruling.requirements):
                yield ruling.id

    def _judged(
        self, name: str, given: RecordedAnswers, cases: Mapping[str, Case], proposed: Mapping[str, Response]
    ) -> ImplementationImpact:
        """The recorded answers that the proposal concerns, judged again: those to cases with another expected answer, and
        those that follow a reading or a deviation about which it decides."""
        judging = replace(self._proposed, unobservable=given.unobservable)
        unanswered, outdated = [], []
        asked: list[tuple[Case, Response, RecordedResult]] = []
        for result in given.results:
            if result.case not in cases or not (result.case in proposed or self._is_named(result)):
                continue
            case, received = cases[result.case], response_of(result.outcome)
            if any(response_differences(case.expected, result.expected, self._operations[case.operation].rules)):
                outdated.append(case.name)
            elif received is None:
                unanswered.append(case.name)
            else:
                asked.append((case, received, result))
        rests = [self._rest(result) for _, _, result in asked]
        excuses = self._source.answers([case for case, _, _ in asked], rests)
        judged = []
        for (case, received, result), rest, excuse in zip(asked, rests, excuses, strict=True):
            after = result.verdict if result.verdict in FAILING else Verdict.FAIL
            if judging.is_same(case, proposed.get(case.name, case.expected), received):
                after = Verdict.PASS
            elif self._is_open(rest) and excuse is not None and judging.is_same(case, excuse, received):
                after = Verdict.VARIANT
            is_hidden = case.name in proposed and _is_hidden(judging, case, proposed[case.name])
            judged.append(JudgedAgain(case.name, result.verdict, after, is_hidden))
        return ImplementationImpact(name, tuple(judged), tuple(unanswered), tuple(outdated))

    def _is_named(self, result: RecordedResult) -> bool:
        """Whether a result that is no pass follows, or fails by, an alternative that the proposal decides about."""
        decided = {*dict(self._proposal.readings), *self._proposal.deviations}
        if result.verdict is Verdict.PASS:
            return False
        return any((ruling or name) in decided for ruling, name in alternatives_of(_choice(result)))

    def _rest(self, result: RecordedResult) -> Choice:
        """The proposal beside the alternatives that a result follows and that the proposal leaves as they are."""
        own = dict(self._proposal.readings)
        readings = tuple(reading for reading in _choice(result).readings if reading[0] not in own)
        deviations = {*self._proposal.deviations, *_choice(result).deviations}
        return replace(beside(self._choice, readings), deviations=tuple(sorted(deviations)))

    def _is_open(self, whole: Choice) -> bool:
        """Whether what stands beside the proposal are open readings."""
        readings = [reading for reading in whole.readings if reading not in self._proposal.readings]
        return (
            bool(readings)
            and whole.deviations == self._proposal.deviations
            and all(map(self._proposed.is_open, readings))
        )


def _choice(result: RecordedResult) -> Choice:
    """The alternatives that a variant follows, or that explain a failure."""
    return Choice(result.readings) if result.verdict is Verdict.VARIANT else result.explained_by


def _is_hidden(judging: Attribution, case: Case, proposed: Response) -> bool:
    """Whether the change of the expected answer shows only at places that an implementation cannot report."""
    places = judging.unobservable.get(case.operation, ())
    return judging.is_same(case, case.expected, without_places(proposed, places))
