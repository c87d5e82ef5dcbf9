"""Deviations as switches of the reference, against the corpus and the shipped known-divergence files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from reference_answers import answer, cases, differs

from harness.compare.causes import names_of
from harness.gate.known_reader import load_beside
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


@pytest.mark.parametrize("name", deviations())
def test_the_corpus_notices_a_deviation(name: str) -> None:
    """A deviation is a fault of an implementation, planted on purpose: some case has another answer with it."""
    acts_on = all_switches()[name].acts_on
    assert any(differs(case, answer(case), answer(case, [name])) for case in cases() if acts_on(case.operation))
