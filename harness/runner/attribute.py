"""Failing results of a run → the same results, explained by readings and deviations where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TypeAlias

from ..compare.attribution import AlternativeAnswers, Attribution, Model, is_searchable
from ..model import Implementation, Operation, Result, Ruling
from .events import Event

OpenAlternatives: TypeAlias = "Callable[[], AbstractContextManager[AlternativeAnswers | None]]"
"""Starts what gives answers under alternatives; None if nothing can. It is called only if an answer fails."""


@dataclass(frozen=True, slots=True)
class Explanations:
    """How failing answers are explained. `models` has what is known of each implementation, by name."""

    alternatives: OpenAlternatives
    rulings: Mapping[str, Ruling]
    models: Mapping[str, Model] = field(default_factory=dict)

    def attribution(self, source: AlternativeAnswers, operations: Mapping[str, Operation], name: str) -> Attribution:
        """The attribution of one implementation's failing answers."""
        return Attribution(source, self.rulings, operations, self.models.get(name, Model()))


def explained(
    stream: Generator[list[Event], None, None],
    explanations: Explanations,
    operations: Mapping[str, Operation],
    unexplained: list[Result],
) -> Generator[list[Event], None, None]:
    """The same batches, except that failing answers come last, with their explanations.

    A caller that stops early finds the failing results so far in `unexplained`.
    """
    introduced: dict[str, Implementation] = {}
    followed: dict[str, list[Result]] = {}
    failing: dict[str, list[Result]] = {}
    try:
        for batch in stream:
            passed_on: list[Event] = []
            for event in batch:
                if isinstance(event, Result) and is_searchable(event):
                    failing.setdefault(event.implementation, []).append(event)
                    continue
                passed_on.append(event)
                if isinstance(event, Implementation):
                    introduced[event.name] = event
                elif isinstance(event, Result) and event.readings:
                    followed.setdefault(event.implementation, []).append(event)
            yield passed_on
        if not failing:
            return
        with explanations.alternatives() as source:
            for name in [*failing]:
                results = failing[name]
                if source is not None:
                    attribution = explanations.attribution(source, operations, name)
                    attribution.unobservable = introduced[name].unobservable
                    for one in followed.get(name, ()):
                        attribution.observe(one)
                    results = list(attribution.explain_all(results))
                del failing[name]
                yield list(results)
    finally:
        stream.close()
        unexplained += [one for results in failing.values() for one in results]
