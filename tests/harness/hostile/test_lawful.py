"""What is unusual and allowed is not held against an adapter."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.runner.adapter_session import Timeouts

pytestmark = pytest.mark.slow

WAYS = [
    "crlf",
    "blank-lines",
    "white-space",
    "byte-by-byte",
    "backwards",
    "talks-on-stderr",
    "floods-stderr",
    "closes-stderr",
]


@pytest.mark.parametrize("way", WAYS)
def test_what_is_allowed_passes(ask: Callable, way: str) -> None:
    """Every case passes, and nothing is told."""
    asked = ask("lawful.py", way, words=["one", "two", "three"], timeouts=Timeouts(reply=5, initialize=5, shutdown=5))
    assert asked.counts() == {"pass": 7}
    assert asked.incidents == []


def test_slowness_is_not_silence(ask: Callable) -> None:
    """An adapter that takes longer than the timeout for all, and less for each, is waited for."""
    asked = ask("lawful.py", "slow-but-alive", words=["one", "two"], timeouts=Timeouts(reply=0.8, shutdown=5))
    assert asked.counts() == {"pass": 6}
    assert asked.incidents == []


@pytest.mark.parametrize(("length", "most"), [(1, 32), (100_000, 14)])
def test_no_more_is_in_flight_than_the_window_holds(ask: Callable, tmp_path: Path, length: int, most: int) -> None:
    """An adapter that answers nothing while more comes sees 32 requests, or as many as 1 MiB holds."""
    words = [f"word-{number}-{'x' * length}" for number in range(40)]
    asked = ask("lawful.py", "gathers", tmp_path / "most", words=words, timeouts=Timeouts(reply=5, shutdown=5))
    assert asked.counts() == {"pass": 44}
    requests, size = json.loads((tmp_path / "most").read_text())
    assert requests == most  # the four short ones first
    assert size <= 1024 * 1024


def test_time_is_counted_from_the_previous_reply(ask: Callable) -> None:
    """`ms` is what a request took, not what those before it in the same window took."""
    asked = ask("lawful.py", "slow-but-alive", words=["one", "two"], timeouts=Timeouts(reply=5, shutdown=5))
    times = [result.ms for result in asked.results.values()]
    assert all(time is not None and 190 <= time < 590 for time in times)


def test_standard_error_of_several_in_flight_is_no_one_s(ask: Callable) -> None:
    """What was said while several requests were in flight stands at none of them."""
    asked = ask("lawful.py", "talks-on-stderr", words=["one", "two"], timeouts=Timeouts(shutdown=5))
    assert {result.stderr for result in asked.results.values()} == {""}


def test_an_adapter_that_counts_for_itself_is_found_out(ask: Callable) -> None:
    """Ids have gaps, so that replies numbered 0, 1, 2 or 1, 2, 3 are never taken for the right ones."""
    asked = ask("start.py", "wrong-id")
    assert asked.counts() == {"error/start": 4}
