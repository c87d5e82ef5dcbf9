"""The search for the commit that changed the answer to a case. Pure: the caller lists candidates and judges commits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from enum import StrEnum

from msgspec import Struct

Candidates = Callable[[Collection[str], str], Sequence[str]]
"""Good commits and one bad commit → the commits that can be the first bad one, the best one to judge first."""


class State(StrEnum):
    """A commit as the search sees it: its answer is that of the good end or another one, or it cannot be judged."""

    GOOD = "good"
    BAD = "bad"
    SKIPPED = "skipped"


class FirstBad(Struct, frozen=True):
    """The commits of which one is the first bad one. More than one only if commits between could not be judged; none if no
    commit of the paths lies between the ends."""

    commits: tuple[str, ...]
    skipped: tuple[str, ...] = ()


def first_bad(good: str, bad: str, candidates: Candidates, judge: Callable[[str], State]) -> FirstBad:
    """Bisects between a good and a bad commit. `judge` is called once for each commit that the search needs."""
    goods, skipped = [good], dict[str, None]()
    while True:
        possible = candidates(goods, bad)
        open_ = [commit for commit in possible if commit != bad and commit not in skipped]
        if not open_ or len(possible) == 1:
            return FirstBad(tuple(possible), tuple(commit for commit in possible if commit in skipped))
        state = judge(open_[0])
        if state is State.GOOD:
            goods.append(open_[0])
        elif state is State.BAD:
            bad = open_[0]
        else:
            skipped[open_[0]] = None
