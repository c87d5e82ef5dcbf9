"""Partners in two lists whose order does not count: the same as a look at every pair, in linear time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.compare import unordered_match
from harness.compare.canonical import equality_text
from harness.compare.json_diff import differences
from harness.compare.unordered_match import unmatched
from harness.model import Json, Rules, Tolerance

NUMBER = Rules(tolerance=Tolerance(absolute=1.0))
RULES = [
    NUMBER,
    Rules(tolerance=Tolerance(ulps=2)),
    Rules(properties={"n": NUMBER, "x": Rules(ignored=True), "y": Rules(if_expected=True)}),
    Rules(properties={"n": NUMBER, "m": NUMBER}),
    Rules(properties={"n": Rules(unordered=True, items=NUMBER)}),
    Rules(items=NUMBER),
]
_NUMBERS = st.sampled_from([0, 0.5, 1, 1.5, 2, 2.5, 3, 1.0000000000000002, 1.0000000000000007, True, None, "1"])
_VALUES = st.one_of(
    _NUMBERS,
    st.dictionaries(st.sampled_from("nmxyz"), st.one_of(_NUMBERS, st.lists(_NUMBERS, max_size=2)), max_size=3),
    st.lists(_NUMBERS, max_size=2),
)


def same_by(items: Rules) -> unordered_match.Same:
    return lambda one, other: not any(True for _ in differences(one, other, items))


def every_pair(wanted: Sequence[Json], got: Sequence[Json], items: Rules) -> tuple[list[int], list[int]]:
    """The plain search for augmenting paths, which looks at every pair."""
    same, of_wanted, of_got = same_by(items), dict[int, int](), dict[int, int]()
    for index, value in enumerate(wanted):
        for other, item in enumerate(got):
            if other not in of_got and equality_text(item) == equality_text(value):
                of_wanted[index], of_got[other] = other, index
                break

    def seek(start: int) -> None:
        reached: dict[int, int] = {}
        seekers = [start]
        while seekers:
            seeker = seekers.pop()
            for other, item in enumerate(got):
                if other in reached or not same(wanted[seeker], item):
                    continue
                reached[other] = seeker
                if other in of_got:
                    seekers.append(of_got[other])
                    continue
                while (seeker := reached[other]) != start:
                    left = of_wanted[seeker]
                    of_wanted[seeker], of_got[other] = other, seeker
                    other = left
                of_wanted[start], of_got[other] = other, start
                return

    for index in range(len(wanted)):
        if index not in of_wanted:
            seek(index)
    return (
        [index for index in range(len(wanted)) if index not in of_wanted],
        [index for index in range(len(got)) if index not in of_got],
    )


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(RULES), st.lists(_VALUES, max_size=7), st.lists(_VALUES, max_size=7))
def test_partners_are_those_of_a_look_at_every_pair(items: Rules, wanted: list[Any], got: list[Any]) -> None:
    """The same elements are left alone, for values of any shape under any rules."""
    assert unmatched(wanted, got, same_by(items), items) == every_pair(wanted, got, items)


@settings(max_examples=100, deadline=None)
@given(st.lists(_NUMBERS, max_size=9), st.lists(_NUMBERS, max_size=9))
def test_the_partners_of_close_numbers_are_those_of_a_look_at_every_pair(wanted: list[Any], got: list[Any]) -> None:
    """Chains of close numbers, in which one partner moves others."""
    assert unmatched(wanted, got, same_by(NUMBER), NUMBER) == every_pair(wanted, got, NUMBER)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(RULES[:2]), st.lists(_NUMBERS, max_size=9), st.lists(_NUMBERS, max_size=9))
def test_beyond_the_limit_as_many_numbers_have_a_partner(items: Rules, wanted: list[Any], got: list[Any]) -> None:
    """Pairs in the order of the numbers are as many, so that no verdict depends on the limit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unordered_match, "MAX_LOOKS", 0)
        few = unmatched(wanted, got, same_by(items), items)
    assert [len(side) for side in few] == [len(side) for side in every_pair(wanted, got, items)]


@pytest.mark.parametrize("size", [1_000, 10_000])
def test_the_number_of_comparisons_is_linear(size: int) -> None:
    """Objects with an id and a close score are compared about once each, also if no score is close."""
    items = Rules(properties={"score": NUMBER})
    wanted: list[Json] = [{"id": index, "score": index} for index in range(size)]
    for shift in (0.5, 5):
        got: list[Json] = [{"id": index, "score": index + shift} for index in reversed(range(size))]
        calls = 0

        def same(one: Json, other: Json) -> bool:
            nonlocal calls
            calls += 1
            return same_by(items)(one, other)

        alone = size if shift > 1 else 0
        assert [len(side) for side in unmatched(wanted, got, same, items)] == [alone, alone]
        assert calls <= 2 * size
