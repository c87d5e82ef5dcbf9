"""Failing results of generated requests → explained, known, or new, each with the group that it belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, field

from ..base.json_path import without_indices
from ..compare.alternatives import AlternativeAnswers
from ..compare.attribution import Attribution
from ..compare.causes import causes_of, error_place, first_differing_stage, names_of, refuted_parts
from ..compare.combination_search import MAX_TRIED
from ..compare.unobservable import as_expected
from ..gate.known_divergences import KnownDivergences
from ..model import (
    FAILING,
    Errored,
    ErrorKind,
    Failed,
    Implementation,
    Operation,
    Response,
    Result,
    Ruling,
    Variant,
    replace,
)
from ..runner.attribute import Explanations
from .edit import NO_EDIT, Edit

MAX_DETAILED = 40
"""Answers of one implementation to one operation that its model predicts and whose single causes are searched; the others
count as explained by the model."""

MAX_COMBINATIONS = 100
"""Combinations of readings that are compared with answers of one implementation at a time: shrinking classifies often."""

MODEL = "model"
"""The cause of an answer that the whole model predicts, if its single causes are not searched."""

"""Characters of an error's message that name its group."""

_NEVER_KNOWN = frozenset({ErrorKind.CRASH, ErrorKind.START})


class Class(StrEnum):
    """`explained`: by readings, or by the known causes of this implementation. `known`: a corpus case fails in the same
    way. `new`: everything else, such as each crash."""

    EXPLAINED = "explained"
    KNOWN = "known"
    NEW = "new"


class Group(Struct, frozen=True, order=True):
    """What failing results have in common: `kind` is `difference` or the kind of the error, `stage` the first that
    differs, `place` the first that differs if the operation has no stages, or what distinguishes the error. `causes` are the
    names of what explains the result. `edit` is the single edit of the shrunk request that removes the difference, empty
    before the request is shrunk."""

    implementation: str
    operation: str
    kind: str
    stage: str = ""
    place: str = ""
    causes: tuple[str, ...] = ()
    edit: Edit = NO_EDIT

    @property
    def unshrunk(self) -> Group:
        """The group without its edit."""
        return replace(self, edit=NO_EDIT)

    def __str__(self) -> str:
        where = " ".join(part for part in (self.stage, self.place) if part)
        return f"{self.implementation} {self.operation} {self.kind} {where}".rstrip()


class Judged(Struct, frozen=True):
    """A failing result with its class and its group; an explained one has its explanation."""

    result: Result
    class_: Class
    group: Group


class Classifier(Struct):
    """Classifies the failing results of a campaign.

    `source` gives answers under readings and deviations; None if nothing does. `known` has the known-divergence files of the
    implementations, and `case_operations` the operation of each case of the corpus.
    """

    operations: Mapping[str, Operation]
    rulings: Mapping[str, Ruling]
    explanations: Explanations
    source: AlternativeAnswers | None
    implementations: Mapping[str, Implementation]
    known: Mapping[str, KnownDivergences] = field(default_factory=dict)
    case_operations: Mapping[str, str] = field(default_factory=dict)
    _attributions: dict[str, Attribution] = field(default_factory=dict)
    _signatures: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict)
    _detailed: Counter[tuple[str, str]] = field(default_factory=Counter)

    def classify(self, results: Sequence[Result]) -> list[Judged]:
        """The failing ones among the results, classified, in their order."""
        failing = [result for result in results if result.verdict in FAILING]
        explained = {id(result): result for result in failing}
        predicted: set[int] = set()
        for name in sorted({result.implementation for result in failing}):
            of_name = [result for result in failing if result.implementation == name]
            for before, after in self._explained(name, of_name):
                if after is None:
                    predicted.add(id(before))
                else:
                    explained[id(before)] = after
        return [
            Judged(result, Class.EXPLAINED, group_of(result, (MODEL,)))
            if id(result) in predicted
            else self._judged(explained[id(result)])
            for result in failing
        ]

    def _explained(self, name: str, failing: Sequence[Result]) -> list[tuple[Result, Result | None]]:
        """The failing results of one implementation, explained where possible; None for one that the model predicts and
        whose single causes are not searched."""
        if self.source is None:
            return [(result, result) for result in failing]
        attribution = self._attribution(name, self.source)
        found: list[tuple[Result, Result | None]] = []
        searched: list[Result] = []
        predictions = attribution.predictions([result.case for result in failing])
        for result, predicted in zip(failing, predictions, strict=True):
            if self._is_enough(attribution, result, predicted):
                found.append((result, None))
            else:
                searched.append(result)
        attribution.searched = attribution.remarked = 0
        attribution.tried = MAX_TRIED - MAX_COMBINATIONS
        return [*found, *zip(searched, attribution.explain_all(searched), strict=True)]

    def _is_enough(self, attribution: Attribution, result: Result, predicted: Response | None) -> bool:
        """Whether the model predicts the result, and enough results of its operation have been searched."""
        received = result.response
        if predicted is None or received is None or not attribution.is_same(result.case, predicted, received):
            return False
        self._detailed[result.implementation, result.case.operation] += 1
        return self._detailed[result.implementation, result.case.operation] > MAX_DETAILED

    def _attribution(self, name: str, source: AlternativeAnswers) -> Attribution:
        if name not in self._attributions:
            attribution = self.explanations.attribution(source, self.operations, name)
            attribution.unobservable = self.implementations[name].unobservable
            self._attributions[name] = attribution
        return self._attributions[name]

    def _judged(self, result: Result) -> Judged:
        if isinstance(result.outcome, Variant):
            readings = tuple(f"{ruling}={reading}" for ruling, reading in result.outcome.readings)
            return Judged(result, Class.EXPLAINED, group_of(result, readings))
        causes = causes_of(result.explained_by, self.rulings)
        class_ = self._class(result)
        if class_ is Class.NEW and (varying := self._varying(result)):
            return Judged(result, Class.EXPLAINED, group_of(result, (varying,)))
        if class_ is Class.NEW:
            own = self._own(result.implementation)
            unknown = tuple(cause for cause in causes if cause not in own)
            return Judged(result, class_, group_of(self._beyond_model(result), unknown or causes))
        return Judged(result, class_, group_of(result, causes))

    def _beyond_model(self, result: Result) -> Result:
        """The result with its differences from the answer that the implementation's model predicts: the others have known
        causes."""
        outcome = result.outcome
        if (
            self.source is None
            or not isinstance(outcome, Failed)
            or result.implementation not in self.explanations.models
        ):
            return result
        attribution = self._attribution(result.implementation, self.source)
        operation = self.operations[result.case.operation]
        [predicted] = attribution.predictions([result.case])
        if predicted is None:
            return result
        expected = as_expected(predicted, result.case, operation)
        differences = tuple(attribution.differences(result.case, expected, outcome.response))
        if not differences:
            return result
        stage, _ = first_differing_stage(differences, operation.stages)
        return replace(result, outcome=replace(outcome, differences=differences, stage=stage))

    def _varying(self, result: Result) -> str:
        """The flaky cause of the implementation that changes the answer which its model predicts; empty if none does."""
        name = result.implementation
        file = self.known.get(name)
        if self.source is None or file is None or result.kind in (*_NEVER_KNOWN, ErrorKind.TIMEOUT):
            return ""
        model = self._attribution(name, self.source).model
        flaky = file.flaky_models
        choices = [model, *(replace(model, deviations=(*model.deviations, deviation)) for deviation in flaky)]
        usual, *others = self.source.answers([result.case] * len(choices), choices) if flaky else [None]
        answered = zip(flaky, others, strict=True)
        return next((deviation for deviation, other in answered if other and usual and other != usual), "")

    def _class(self, result: Result) -> Class:
        if result.explained_by and self._follows(result):
            return Class.EXPLAINED
        failure = result.case.operation, result.signature
        is_listed = result.kind not in _NEVER_KNOWN and failure in self._listed(result.implementation)
        return Class.KNOWN if is_listed else Class.NEW

    def _follows(self, result: Result) -> bool:
        """Whether this implementation is known for every cause that explains the result, except open readings."""
        return self._own(result.implementation).issuperset(refuted_parts(result.explained_by, self.rulings))

    def _own(self, name: str) -> set[str]:
        """The names of the causes that are known of an implementation."""
        model = self.explanations.models.get(name)
        return {*(names_of(model) if model else ()), *self.known.get(name, KnownDivergences()).flaky_models}

    def _listed(self, name: str) -> frozenset[tuple[str, str]]:
        """(operation, signature) of each failure in an implementation's known-divergence file."""
        if name not in self._signatures:
            file = self.known.get(name, KnownDivergences())
            self._signatures[name] = frozenset(
                (self.case_operations.get(case, ""), signature)
                for divergence in file.divergences
                for case, signatures in divergence.cases.items()
                for signature in signatures
            )
        return self._signatures[name]


def group_of(result: Result, causes: tuple[str, ...]) -> Group:
    """The group of a failing result, or of a variant."""
    name, operation = result.implementation, result.case.operation
    match result.outcome:
        case Failed(stage=stage) if stage:
            return Group(name, operation, "difference", stage, "", causes)
        case Failed(differences=differences) | Variant(differences=differences):
            place = without_indices(differences[0].path) if differences else ""
            return Group(name, operation, "difference", "", place, causes)
        case Errored(cause=cause):
            return Group(name, operation, cause.kind.value, "", error_place(cause), causes)
    return Group(name, operation, result.verdict.value, "", "", causes)
