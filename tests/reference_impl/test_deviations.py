"""Deviations as switches of the reference, against the corpus and the shipped known-divergence files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from reference_answers import answer, cases, differs

from harness.compare.causes import names_of
from harness.gate.reader import load_beside
from harness.model import Case, Response
from reference_impl.switches import all_switches

pytestmark = pytest.mark.slow

ADAPTERS = Path(__file__).resolve().parents[2] / "adapters"


def deviations() -> list[str]:
    return [switch.name for switch in all_switches().values() if not switch.is_reading]


@cache
def named_by_shipped_files() -> dict[str, list[str]]:
    """The readings and deviations of the shipped files' models, by adapter; each flaky one makes another model."""
    found = {}
    for manifest in sorted(ADAPTERS.glob("*/adapter.toml")):
        folder = manifest.parent
        file = load_beside(folder)
        found[folder.name] = names_of(file.model)
        found |= {f"{folder.name}, {one}": [*found[folder.name], one] for one in file.flaky_models}
    return found


def test_every_name_in_a_shipped_file_is_a_switch() -> None:
    unknown = {name: set(models) - all_switches().keys() for name, models in named_by_shipped_files().items()}
    assert {name: names for name, names in unknown.items() if names} == {}


def test_every_deviation_is_one_of_a_shipped_sdk() -> None:
    used = {name for models in named_by_shipped_files().values() for name in models}
    assert sorted(set(deviations()) - used) == []


@cache
def cases_by_operation() -> dict[str, list[Case]]:
    """The cases of each operation."""
    found: dict[str, list[Case]] = {}
    for case in cases():
        found.setdefault(case.operation, []).append(case)
    return found


def answers_under(name: str, model: tuple[str, ...]) -> Iterator[tuple[Case, Response]]:
    """The cases that reach a switch under a model, each with its answer under the model."""
    for operation in filter(all_switches()[name].acts_on, cases_by_operation()):
        for case, received, reached in answers_of(operation, model):
            if name in reached:
                yield case, received


@cache
def answers_of(operation: str, model: tuple[str, ...]) -> list[tuple[Case, Response, frozenset[str]]]:
    """Each case of an operation with the answer under a model, and the switches whose points of decision it reached."""
    found = []
    for case in cases_by_operation()[operation]:
        reached: set[str] = set()
        found.append((case, answer(case, model, reached), frozenset(reached)))
    return found


@pytest.mark.parametrize("name", deviations())
def test_the_corpus_notices_a_deviation(name: str) -> None:
    """A deviation is a fault of an implementation, planted on purpose: some case has another answer with it, alone or in
    the model of an SDK that has it.
    """
    models = [tuple(models) for models in named_by_shipped_files().values() if name in models]
    assert _changes_the_adopted_text(name) or any(_is_needed(name, model) for model in models)


def _changes_the_adopted_text(name: str) -> bool:
    return any(differs(case, adopted, answer(case, [name])) for case, adopted in answers_under(name, ()))


def _is_needed(name: str, model: tuple[str, ...]) -> bool:
    """Whether some answer under the model is another one without the switch."""
    others = [one for one in model if one != name]
    return any(differs(case, answer(case, others), whole) for case, whole in answers_under(name, model))
