"""The search for the first bad commit, on made histories."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from harness.compare.bisection import FirstBad, State, first_bad


class Line:
    """Commits 0 to `count` in one line; counts the judgements."""

    def __init__(self, culprit: int, skipped: Collection[int] = ()) -> None:
        self.culprit = culprit
        self.skipped = skipped
        self.judged: list[int] = []

    def candidates(self, good: Collection[str], bad: str) -> Sequence[str]:
        low, high = max(map(int, good)), int(bad)
        between = range(low + 1, high + 1)
        middle = (low + high) / 2
        return [str(one) for one in sorted(between, key=lambda one: abs(one - middle))]

    def judge(self, commit: str) -> State:
        self.judged.append(int(commit))
        if int(commit) in self.skipped:
            return State.SKIPPED
        return State.BAD if int(commit) >= self.culprit else State.GOOD


@pytest.mark.parametrize("culprit", range(1, 65))
def test_the_first_bad_commit_is_found_in_few_steps(culprit: int) -> None:
    """64 candidates need at most 7 judgements, and no commit is judged twice."""
    line = Line(culprit)
    assert first_bad("0", "64", line.candidates, line.judge) == FirstBad((str(culprit),))
    assert len(line.judged) == len({*line.judged}) <= 7


def test_commits_that_cannot_be_judged_remain_possible() -> None:
    """If commits before the first bad one cannot be judged, each of them is possible."""
    line = Line(5, skipped={3, 4})
    found = first_bad("0", "8", line.candidates, line.judge)
    assert sorted(found.commits) == ["3", "4", "5"]
    assert sorted(found.skipped) == ["3", "4"]


def test_a_skipped_commit_elsewhere_leaves_one_commit() -> None:
    """A commit that cannot be judged is no matter if its neighbours decide."""
    line = Line(5, skipped={2})
    assert first_bad("0", "8", line.candidates, line.judge).commits == ("5",)


def test_no_commit_between_the_ends() -> None:
    """Without a candidate nothing is judged."""
    line = Line(1)
    assert first_bad("0", "0", line.candidates, line.judge) == FirstBad(())
    assert line.judged == []
