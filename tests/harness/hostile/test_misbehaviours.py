"""Whatever an adapter does, its run ends in bounded time, with one verdict a case and no process left."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from misbehaviours import MISBEHAVIOURS

from harness.runner.adapter_session import Timeouts

pytestmark = pytest.mark.slow

TIMEOUTS = Timeouts(reply=0.15, initialize=2, shutdown=0.5)
COSTLY = ("overlong-line", "nests-very-deeply", "floods-stdout-without-line-feed")
"""Ways that cost CPU time and not patience; `test_floods` has them."""
CHOSEN = [one for number, one in enumerate(MISBEHAVIOURS) if one[0] not in COSTLY and number % 3 == 0]


def test_there_are_at_least_sixty() -> None:
    """The collection is large, and without repetition."""
    assert len({*MISBEHAVIOURS}) == len(MISBEHAVIOURS) >= 60


@pytest.mark.parametrize(("way", "schedule"), CHOSEN)
def test_a_misbehaving_adapter_ends(ask: Callable, echo_corpus: Path, way: str, schedule: str) -> None:
    """The limit is far below one timeout for each of the cases, and generous for a busy machine."""
    began = time.monotonic()
    asked = ask("misbehaves.py", way, schedule, echo_corpus, words=[f"word-{n}" for n in range(60)], timeouts=TIMEOUTS)
    assert len(asked.results) == 64
    assert time.monotonic() - began < 60
