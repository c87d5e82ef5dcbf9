"""Generated requests find bugs that are planted in copies of the reference and that no corpus case notices."""

from __future__ import annotations

from pathlib import Path

import pytest
from generated import ROOT
from planted_bugs import BUGS, PlantedBug, first_difference

FAST = {"small-k-is-replaced", "path-with-a-final-slash", "recent-text-ids", "rank-of-repeat", "fourth-phrase"}
"""Bugs that a few thousand requests show."""


@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug.name in FAST], ids=lambda bug: bug.name)
def test_requests_find_the_bug(bug: PlantedBug, tmp_path: Path) -> None:
    """A request of the bug's system has another answer than the reference gives."""
    found = first_difference(bug, tmp_path, seconds=20)
    assert found.operation is not None


def test_each_bug_changes_one_place() -> None:
    """The text before occurs once in its module, so that the table follows the reference; names are unique."""
    assert len({bug.name for bug in BUGS}) == len(BUGS) == 30
    for bug in BUGS:
        assert (ROOT / "reference_impl" / bug.module).read_text("utf-8").count(bug.before) == 1, bug.name
