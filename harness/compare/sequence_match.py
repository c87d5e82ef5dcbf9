"""Which elements of two ordered lists belong together: equal ones in order, then the most similar ones. Pure.

Time is about linear: `difflib.SequenceMatcher` over two whole lists of 20,000 took 27 s (measured 2026-11-22). It serves
here on short stretches alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import islice, pairwise

from ..base.json_path import leaves
from ..model import Json
from .canonical import canonical_text, equality_text

_MAX_PRODUCT = 10_000
"""Product of the lengths of two stretches without an anchor up to which all equal elements are looked for."""

_MAX_LEAVES = 100
"""Leaves of an element that its similarity to another counts."""

_MAX_SIMILAR = 100
"""Product of the lengths of two stretches up to which elements are paired by similarity, and not by position."""


def token(value: Json) -> str:
    """A text that is the same for values that a reader takes for equal: numbers agree in nine digits."""
    return canonical_text(value) if isinstance(value, str) else equality_text(_rounded(value))


def _rounded(value: Json) -> Json:
    match value:
        case float():
            return float(f"{value:.9g}")
        case list():
            return [_rounded(item) for item in value]
        case dict():
            return {key: _rounded(item) for key, item in value.items()}
    return value


def matched_pairs(wanted: Sequence[str], got: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of indices of equal tokens that ascend on both sides: as many unique tokens as possible, and what lies
    between them."""
    anchors = _longest_ascending(_unique_pairs(wanted, got))
    pairs: list[tuple[int, int]] = []
    for (one, other), (next_one, next_other) in pairwise([(-1, -1), *anchors, (len(wanted), len(got))]):
        pairs += _between(wanted, got, (one + 1, next_one), (other + 1, next_other))
        if next_one < len(wanted) and next_other < len(got):
            pairs.append((next_one, next_other))
    return pairs


def _unique_pairs(wanted: Sequence[str], got: Sequence[str]) -> list[tuple[int, int]]:
    """Tokens that either side has exactly once, in the order of `wanted`."""
    ours, theirs = Counter(wanted), Counter(got)
    places = {text: index for index, text in enumerate(got) if theirs[text] == 1}
    return [(index, places[text]) for index, text in enumerate(wanted) if ours[text] == 1 and text in places]


def _longest_ascending(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence whose second indices ascend (patience sorting)."""
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int] = []
    for index, (_, other) in enumerate(pairs):
        place = bisect_left(ends, other)
        before.append(at_end[place - 1] if place else -1)
        ends[place : place + 1] = [other]
        at_end[place : place + 1] = [index]
    chain: list[tuple[int, int]] = []
    index = at_end[-1] if at_end else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _between(
    wanted: Sequence[str], got: Sequence[str], ours: tuple[int, int], theirs: tuple[int, int]
) -> list[tuple[int, int]]:
    """Pairs within two stretches that share no unique token: equal beginnings, equal ends, and equal runs if short."""
    (first, last), (start, stop) = ours, theirs
    head: list[tuple[int, int]] = []
    while first < last and start < stop and wanted[first] == got[start]:
        head.append((first, start))
        first, start = first + 1, start + 1
    tail: list[tuple[int, int]] = []
    while first < last and start < stop and wanted[last - 1] == got[stop - 1]:
        last, stop = last - 1, stop - 1
        tail.append((last, stop))
    middle: list[tuple[int, int]] = []
    if 0 < (last - first) * (stop - start) <= _MAX_PRODUCT:
        matcher = SequenceMatcher(None, wanted[first:last], got[start:stop], autojunk=False)
        for block in matcher.get_matching_blocks():
            middle += [(first + block.a + step, start + block.b + step) for step in range(block.size)]
    return [*head, *middle, *reversed(tail)]


def similar_pairs(
    wanted: Sequence[Json], got: Sequence[Json], removed: Sequence[int], added: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Pairs of a removed and an added element, in order: the most similar ones if their numbers differ, as many as
    possible."""
    if len(removed) == len(added) or len(removed) * len(added) > _MAX_SIMILAR:
        yield from zip(removed, added, strict=False)
        return
    short, long = sorted((removed, added), key=len)
    swapped = short is added
    values = (got, wanted) if swapped else (wanted, got)
    rows, columns = (
        [dict(islice(leaves(side[index]), _MAX_LEAVES)) for index in indices]
        for side, indices in zip(values, (short, long), strict=True)
    )
    cost = [[_distance(one, other) for other in columns] for one in rows]
    for one, other in _cheapest(cost):
        yield (long[other], short[one]) if swapped else (short[one], long[other])


def _distance(wanted: Mapping[str, Json], got: Mapping[str, Json]) -> float:
    """How far apart the leaves of two values are, from 0 to 1."""
    alike = sum(_likeness(value, got[path]) for path, value in wanted.items() if path in got)
    return 1 - 2 * alike / ((len(wanted) + len(got)) or 1)


def _likeness(one: Json, other: Json) -> float:
    """1 for equal leaves; up to a half for two numbers, the closer the more."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        size = abs(float(one)) + abs(float(other))
        apart = abs(float(one) - float(other)) / size if size else 0
        return (1 - apart) / 2 if apart else 1
    return float(one == other)


def _cheapest(cost: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """For each row a column, ascending, such that the sum is the smallest."""
    columns = len(cost[0])
    best: list[tuple[float, list[tuple[int, int]]]] = [(0.0, [])] * (columns + 1)
    for row, prices in enumerate(cost):
        following: list[tuple[float, list[tuple[int, int]]]] = [(float("inf"), [])]
        for column, price in enumerate(prices):
            total = best[column][0] + price
            taken = (total, [*best[column][1], (row, column)])
            following.append(min(following[-1], taken, key=lambda one: one[0]))
        best = following
    return best[-1][1]
