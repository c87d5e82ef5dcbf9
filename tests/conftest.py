"""The shipped corpus, read once a session, and the order of the tests: long ones first, so that workers end together."""

from __future__ import annotations

import gc
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from harness.corpus import loader
from harness.corpus.loader import Corpus, load_corpus
from harness.corpus.paths import shipped
from harness.errors import CorpusError
from harness.model import replace

ROOT = Path(__file__).resolve().parents[1]

WAITING = (
    "tests/harness/cli/test_notices.py",
    "tests/harness/cli/test_probe.py",
    "tests/harness/fuzz/test_flaky_answers.py",
    "tests/harness/hostile/test_attention.py",
    "tests/harness/hostile/test_misbehaviours.py",
    "tests/harness/hostile/test_moods.py",
    "tests/harness/records/test_interrupts.py",
    "tests/harness/runner/test_repeat.py",
    "tests/harness/test_pytest_plugin.py",
    "tests/harness/test_pytest_plugin_breaks.py",
)
"""Modules whose slow tests wait for more than half of their time: one worker runs them all while the others compute."""

SHARED_SETUP = (
    "tests/adapters/test_python_working_copies.py::TestPython",
    "tests/adapters/test_working_copies.py",
    "tests/harness/fuzz/test_cluster.py",
    "tests/harness/fuzz/test_promote.py",
    "tests/reference_impl/javascript/test_against_v8.py",
    "tests/reference_impl/test_combined_readings.py",
    "tests/reference_impl/test_deviations.py",
    "tests/reference_impl/test_readings.py",
    "tests/test_another_system.py",
)
"""Ids of modules and classes with an expensive fixture, or that keep answers to the whole corpus; one worker runs all their
tests.

pytest-xdist 3.8 ignores its mark `xdist_group` under pytest 9.2.
"""

LONGEST = (
    *WAITING,
    *SHARED_SETUP,
    "tests/test_action.py::test_the_installed_parity_gates",
    "tests/harness/fuzz/test_classes.py",
    "tests/harness/cli/test_new_adapter.py",
    "tests/harness/corpus/test_compiled.py",
    "tests/benchmarks/test_benchmarks.py",
    "tests/harness/export/test_runners.py",
    "tests/harness/gate/test_known_file.py",
    "tests/harness/fuzz/test_generation.py",
    "tests/harness/cli/test_revisions.py",
)
"""Modules, classes and tests with a unit of work over 8 s of CPU time, measured on 2026-11-24; they start first, in this
order."""


EXAMPLES = 100 if "THOROUGH" in os.environ else 25
"""Examples of each property; CI sets the variable."""


def pytest_configure(config: pytest.Config) -> None:
    settings.register_profile("tests", max_examples=EXAMPLES)
    settings.load_profile("tests")
    config.addinivalue_line(
        "markers",
        "slow: needs over half a second of CPU time: builds, installs, waits, reads all of the corpus; not in `make quick`",
    )
    _remember_the_shipped_corpus()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: (item.get_closest_marker("slow") is None, _rank(item.nodeid)))


def pytest_collection_finish() -> None:
    """What lives as long as the session is never searched for garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A scheduler of single tests; those of each entry of `SHARED_SETUP` stay together, and those of `WAITING`."""
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    missing = [name for name in LONGEST if not (ROOT / name.partition("::")[0]).exists()]
    assert not missing, f"LONGEST names files that do not exist: {missing}. Correct the names."

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            if nodeid.startswith(WAITING):
                return "waiting"
            return next((name for name in SHARED_SETUP if nodeid.startswith(name)), nodeid)

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            """Forgets finished units, which xdist counts anew after each test."""
            super().mark_test_complete(node, item_index, duration)
            units = self.assigned_work[node]
            for scope in [scope for scope, unit in units.items() if all(unit.values())]:
                del units[scope]

    return Scheduling(config, log)


def _rank(test: str) -> int:
    """The place of a test's module in `LONGEST`; all others are behind it."""
    return next((rank for rank, name in enumerate(LONGEST) if test.startswith(name)), len(LONGEST))


def _remember_the_shipped_corpus() -> None:
    """Makes commands that run inside the test process read the shipped corpus once, unless a file of it changes."""
    load, own = loader.load_with_gaps, shipped()

    @cache
    def remembered(files: tuple[tuple[str, int, int], ...]) -> Corpus:  # noqa: ARG001
        return load(own)

    def load_with_gaps(root: Path) -> Corpus:
        return remembered(_state(root)) if root == own else load(root)

    pytest.MonkeyPatch().setattr(loader, "load_with_gaps", load_with_gaps)


def _state(root: Path) -> tuple[tuple[str, int, int], ...]:
    """Every path of a corpus with its size and time of change."""
    paths = sorted(path for name in ("cases", "schemas") for path in (root / name).rglob("*"))
    stats = ((path, path.stat()) for path in paths)
    return tuple((str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats)


@pytest.fixture(scope="session")
def shipped_corpus() -> Corpus:
    """The shipped corpus, with every case built. One that cannot be loaded fails `test_the_corpus_can_be_loaded` and skips
    other tests."""
    try:
        corpus = load_corpus(shipped())
    except CorpusError:
        pytest.skip("the corpus cannot be loaded")
    return replace(corpus, cases=tuple(corpus.cases))
