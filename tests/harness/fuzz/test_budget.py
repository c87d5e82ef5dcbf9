"""Shrinking spends a part of a campaign, and the output shows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.fuzz import budget
from harness.fuzz.budget import MAX_REQUESTS, MAX_SECONDS, Allowance, ShrinkBudget
from harness.fuzz.campaign_report import Limits
from harness.fuzz.shrink import shrink
from harness.records import read_record

Fuzz = Callable[..., Any]


def test_a_limit_in_seconds_limits_each_finding_and_all_of_them() -> None:
    """A finding gets some seconds, and all of them together half of the campaign."""
    now = time.monotonic()
    one = ShrinkBudget(Limits(seconds=60.0), now).allowance()
    assert one.requests is None
    assert one.deadline == pytest.approx(now + MAX_SECONDS, abs=1)
    last = ShrinkBudget(Limits(seconds=60.0), now, seconds=28.0).allowance()
    assert last.deadline == pytest.approx(now + 2, abs=1)
    assert not ShrinkBudget(Limits(seconds=60.0), now, seconds=30.0).allowance().allows(0)
    assert not ShrinkBudget(Limits(seconds=60.0), now - 91).allowance().allows(0)


def test_without_seconds_the_requests_are_limited() -> None:
    """The findings then depend on the seed alone."""
    assert ShrinkBudget(Limits(examples=100), 0.0, requests=5).allowance() == Allowance(MAX_REQUESTS - 5)
    assert not ShrinkBudget(Limits(examples=100), 0.0, requests=MAX_REQUESTS).allowance().allows(0)


def test_an_allowance_ends_the_search() -> None:
    """The result is the simplest request so far, and incomplete."""
    found = shrink({"a": 1, "b": 2}, lambda request: "b" in request, 100, Allowance(requests=3))
    assert found.request == {"b": 2}
    assert not found.is_complete
    assert shrink({"a": 1, "b": 2}, lambda request: "b" in request, 100).is_complete


@pytest.mark.slow
def test_the_output_names_the_time_and_the_findings_without_an_end(
    fuzz: Fuzz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two campaigns with one seed and a small budget give the same findings."""
    monkeypatch.setattr(budget, "MAX_REQUESTS", 10)
    done = fuzz(mine="lengthens")
    assert "s spent shrinking; seed 0" in done.stdout
    assert ", not shrunk to the end)" in done.stdout
    before = [one.case for one in read_record(tmp_path / "out" / "fuzz.jsonl").results]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    fuzz(mine="lengthens")
    assert [one.case for one in read_record(tmp_path / "out" / "fuzz.jsonl").results] == before
