"""The floor: adapters that know nothing, in process, over the whole corpus with the comparison of a run."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.corpus.checker import check_corpus
from harness.corpus.loader import load_corpus
from harness.corpus.paths import shipped
from harness.corpus.profiles import corpus_floors

TOOL = Path(__file__).resolve().parents[2] / "tools" / "floor.py"

DRIFT = 2
"""Percentage points that a floor may differ from its file, so that a few new cases need no new file."""

MOST = {
    "jeffs_brain": {"minimal": 9, "best": 20, "random": 6},
    "tideline": {"minimal": 25, "best": 29, "random": 14},
    "augur": {"minimal": 8, "best": 18, "random": 6},
    "nexus": {"minimal": 16, "best": 25, "random": 9},
}
"""Highest percentages of a system. A change may lower a number, and never raises one."""


@pytest.fixture(scope="module")
def floor() -> Any:
    """The tool as a module."""
    spec = importlib.util.spec_from_file_location("floor", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["floor"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def found(floor: Any) -> Sequence[Any]:
    """The floors of the shipped corpus."""
    floors: Sequence[Any] = floor.floors(load_corpus(shipped()))
    return floors


@pytest.mark.slow
def test_files_state_the_floors(found: Sequence[Any]) -> None:
    """`floors.yaml` of each system agrees with the corpus; `python tools/floor.py --write` renews the files."""
    stated = corpus_floors(load_corpus(shipped()), list(MOST))
    differing = {
        one.operation: (stated.get(one.operation), one.share("best"))
        for one in found
        if abs(100 * stated.get(one.operation, -1) - one.share("best")) > DRIFT
    }
    assert differing == {}
    assert stated.keys() == {one.operation for one in found}


@pytest.mark.slow
@pytest.mark.parametrize("system", MOST)
def test_no_lazy_adapter_passes_more(floor: Any, found: Sequence[Any], system: str) -> None:
    """Constant and random answers pass at most these shares of a system."""
    total = floor.by_system(found)[system]
    assert {name: total.share(name) for name, most in MOST[system].items() if total.share(name) > most} == {}


def test_smallest_answers_are_schema_valid(floor: Any) -> None:
    """A schema allows the smallest answer of each operation, so an adapter can send it."""
    corpus = load_corpus(shipped())
    checker = check_corpus(corpus)
    broken = {
        name: error
        for name, operation in corpus.operations.items()
        if (error := checker.answer_error(operation, floor.AnswerMaker(corpus.schemas, operation).minimal()))
    }
    assert broken == {}
