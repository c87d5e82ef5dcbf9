"""Results of a run → the same results: failures explained by readings and deviations where that is possible, and passes of
the evidence of a ruling with the readings that they follow."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager
from typing import TypeAlias

from msgspec import Struct, field

from ..compare.alternatives import AlternativeAnswers
from ..compare.attribution import Attribution, is_evidence
from ..compare.charged import KnownCauses
from ..compare.combination_search import searchable_response
from ..model import EXPECTED, Choice, Implementation, Operation, Result, Ruling, Verdict
from .events import Event

OpenAlternatives: TypeAlias = "Callable[[], AbstractContextManager[AlternativeAnswers | None]]"
"""Starts what gives answers under alternatives; None if nothing can. It is called only for an answer that fails, is a
variant, or is on the evidence of a ruling."""


class Explanations(Struct, frozen=True):
    """How failing answers are explained. By the name of an implementation, `models` has what is known of it, `causes` the
    failures that its model predicts, by case, and `known` what its known causes break; `common` is for all others."""

    alternatives: OpenAlternatives
    rulings: Mapping[str, Ruling]
    common: KnownCauses
    models: Mapping[str, Choice] = field(default_factory=dict)
    causes: Mapping[str, Mapping[str, Choice]] = field(default_factory=dict)
    known: Mapping[str, KnownCauses] = field(default_factory=dict)

    def settled(self, result: Result) -> Result:
        """A result that is explained as far as possible, with the requirements that it charges."""
        return self.known.get(result.implementation, self.common).settled(result)

    def attribution(self, source: AlternativeAnswers, operations: Mapping[str, Operation], name: str) -> Attribution:
        """The attribution of one implementation's failing answers."""
        model, causes = self.models.get(name, Choice()), self.causes.get(name, {})
        return Attribution(source, self.rulings, operations, model, causes=causes)


def explained(
    stream: Generator[list[Event], None, None],
    explanations: Explanations,
    operations: Mapping[str, Operation],
    unexplained: list[Result],
) -> Generator[list[Event], None, None]:
    """The same batches, except that failing answers, variants and passes of evidence come last, with their explanations.

    A caller that stops early finds these results in `unexplained`, as far as they are known.
    """
    introduced: dict[str, Implementation] = {}
    followed: dict[str, list[Result]] = {}
    held: dict[str, list[Result]] = {}
    try:
        for batch in stream:
            passed_on: list[Event] = []
            for event in batch:
                if isinstance(event, Result) and _is_held(event):
                    held.setdefault(event.implementation, []).append(event)
                    continue
                passed_on.append(explanations.settled(event) if isinstance(event, Result) else event)
                if isinstance(event, Implementation):
                    introduced[event.name] = event
                elif isinstance(event, Result) and event.readings:
                    followed.setdefault(event.implementation, []).append(event)
            yield passed_on
        if not held:
            return
        with explanations.alternatives() as source:
            for name in [*held]:
                results = held[name]
                if source is not None:
                    attribution = explanations.attribution(source, operations, name)
                    attribution.unobservable = introduced[name].unobservable
                    variants = [result for result in results if result.verdict is Verdict.VARIANT]
                    passes = [result for result in results if result.verdict in EXPECTED]
                    for result in (*followed.get(name, ()), *variants, *passes):
                        attribution.observe(result)
                    failing = attribution.explain_all([result for result in results if searchable_response(result)])
                    results = [*failing, *attribution.by_usual_reading(variants), *attribution.separate(passes)]
                del held[name]
                yield [explanations.settled(result) for result in results]
    finally:
        stream.close()
        unexplained += [result for results in held.values() for result in results]


def _is_held(result: Result) -> bool:
    """Whether the result waits for the answers under alternatives."""
    return searchable_response(result) is not None or result.verdict is Verdict.VARIANT or is_evidence(result)
