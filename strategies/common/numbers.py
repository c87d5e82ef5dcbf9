"""Numbers from choices: limits of ranges, ties, and doubles whose last digit depends on the order of operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .choices import Choices

WEIGHTS: Final = (1, 0, 0.5, 0.3, 0.1, 0.7, 2, 1.5, -1, 1e-9, 3.3, 0.2, 5, 1e9)


def fraction(choices: Choices) -> float:
    """A number from 0 to 1 with at most three digits, so that two of them are often equal."""
    return choices.below(101) / 100 if choices.one_in(2) else choices.below(9) / 8


def score(choices: Choices) -> float:
    """A score of a ranking: mostly 0 to 1, rarely negative, large or tiny."""
    kind = choices.byte()
    if kind < 200:
        return fraction(choices)
    if kind < 220:
        return 1 / (61 + choices.below(100))
    return choices.pick((0, -0.5, -1, 2, 17.25, 1e-12, 1e12, 0.1 + 0.2, 5e-324, 1e300, -3))


def count(choices: Choices, usual: Sequence[int] = (10, 3, 1, 0, 2, 5, 20, 60, 100)) -> int:
    """A limit of a list; rarely larger than 32 bits."""
    return choices.pick((2**31, 2**32, 2**53 - 1)) if choices.one_in(64) else choices.pick(usual)
