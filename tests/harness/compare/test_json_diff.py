"""What is equal, and where two values part."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_canonical import VALUES, _turned

from harness.compare.json_diff import differences
from harness.model import ABSENT, Rules, Tolerance

UNORDERED = Rules(unordered=True)


def difference_rows(wanted: Any, got: Any, rules: Rules | None = None) -> list[tuple[str, Any, Any]]:
    """The differences as plain rows."""
    return [(one.path, one.wanted, one.got) for one in differences(wanted, got, rules or Rules())]


def within(**tolerance: Any) -> Rules:
    return Rules(tolerance=Tolerance(**tolerance))


class TestEquality:
    @settings(deadline=None)
    @given(VALUES)
    def test_a_value_equals_itself(self, value: Any) -> None:
        """No value differs from itself, nor from itself with its members in another order."""
        assert difference_rows(value, value) == []
        assert difference_rows(value, _turned(value)) == []

    @pytest.mark.slow
    @settings(deadline=None)
    @given(VALUES, VALUES)
    def test_equality_has_no_direction(self, one: Any, other: Any) -> None:
        """Two values differ in both directions or in none, and then each side is named as what it is."""
        there, back = difference_rows(one, other), difference_rows(other, one)
        assert bool(there) == bool(back)
        assert sorted(map(repr, there)) == sorted(repr((path, got, wanted)) for path, wanted, got in back)

    @settings(max_examples=50, deadline=None)
    @given(st.booleans(), st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
    def test_a_boolean_never_equals_a_number(self, flag: bool, number: float) -> None:
        """True is not 1, false is not 0, whatever the tolerance."""
        for rules in (Rules(), within(absolute=1e300), within(ulps=10**18)):
            number = min(number, 10**300)
            assert difference_rows(flag, number, rules) == [("$", flag, number)]
            assert difference_rows(number, flag, rules) == [("$", number, flag)]

    @pytest.mark.parametrize(
        ("one", "other"),
        [(1, 1.0), (0, -0.0), (2**53 + 1, 2**53), (2**53 + 1, float(2**53)), (10**25, 1e25), (0.1, 1e-1)],
    )
    def test_numbers_are_doubles(self, one: Any, other: Any) -> None:
        """A number is the double nearest to it: 1 is 1.0, 0 is -0, 2^53 + 1 is 2^53."""
        assert difference_rows(one, other) == difference_rows(other, one) == []

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (1, "1"),
            (None, 0),
            (None, False),
            (None, ""),
            ("", []),
            ([], {}),
            (0.1 + 0.2, 0.3),
            (2**53, 2**53 + 2),
            ("\u00e9", "e\u0301"),
            ("a", "A"),
            ("\ud800", "\ufffd"),
            ("\ud800", "\\ud800"),
            ("a", "a\x00"),
        ],
    )
    def test_other_types_and_texts_are_other_values(self, one: Any, other: Any) -> None:
        """Types never mix, texts are compared by code points, and doubles exactly."""
        assert difference_rows(one, other) == [("$", one, other)]
        assert difference_rows(other, one) == [("$", other, one)]


class TestPlaces:
    def test_every_difference_is_listed_with_its_path(self) -> None:
        """Members and elements on either side, in the order of the wanted value and then of what came besides."""
        wanted = {"a": [1, {"b": 2}, 3], "c": None, "d": 1}
        got = {"e": 5, "d": 1, "a": [0, {"b": "2", "x": []}]}
        assert difference_rows(wanted, got) == [
            ("$.a[0]", 1, 0),
            ("$.a[1].b", 2, "2"),
            ("$.a[1].x", ABSENT, []),
            ("$.a[2]", 3, ABSENT),
            ("$.c", None, ABSENT),
            ("$.e", ABSENT, 5),
        ]

    @pytest.mark.parametrize(
        ("name", "path"),
        [
            ("plain_1", "$.plain_1"),
            ("a.b", '$["a.b"]'),
            ("", '$[""]'),
            ("1", '$["1"]'),
            ("\u00e9", '$["\\u00e9"]'),
            ('"]', '$["\\"]"]'),
            ("\ud800", '$["\\ud800"]'),
            ("a-b", '$["a-b"]'),
        ],
    )
    def test_an_odd_name_is_quoted_in_a_path(self, name: str, path: str) -> None:
        """A path is ASCII, and no name can look like a step of another path."""
        assert difference_rows({name: 1}, {name: 2}) == [(path, 1, 2)]

    def test_null_is_there_and_absent_is_not(self) -> None:
        """A member that is null is another answer than no member."""
        assert difference_rows({"a": None}, {}) == [("$.a", None, ABSENT)]
        assert difference_rows({}, {"a": None}) == [("$.a", ABSENT, None)]

    def test_what_is_ignored_is_never_compared(self) -> None:
        """A place that the schema ignores may be there or not, and hold anything."""
        rules = Rules(properties={"extra": Rules(ignored=True)})
        assert difference_rows({"extra": 1}, {}, rules) == difference_rows({}, {"extra": 1}, rules) == []
        assert difference_rows({"extra": 1, "a": 1}, {"extra": [], "a": 2}, rules) == [("$.a", 1, 2)]


class TestUnordered:
    @settings(deadline=None)
    @given(st.lists(VALUES, max_size=5), st.randoms(use_true_random=False))
    def test_any_order_is_the_same(self, values: list[Any], random: Any) -> None:
        """A list whose order does not count equals each of its permutations."""
        shuffled = list(values)
        random.shuffle(shuffled)
        assert difference_rows(values, shuffled, UNORDERED) == []

    @settings(deadline=None)
    @given(
        st.lists(st.sampled_from([1, 1.0, True, "a", None]), max_size=6),
        st.lists(st.sampled_from([1, True, "a"]), max_size=6),
    )
    def test_every_element_counts_as_often_as_it_stands_there(self, wanted: list[Any], got: list[Any]) -> None:
        """What is left over on either side is the difference of two multisets."""
        rows = difference_rows(wanted, got, UNORDERED)
        missing = Counter(_kind(row[1]) for row in rows if row[2] is ABSENT)
        extra = Counter(_kind(row[2]) for row in rows if row[1] is ABSENT)
        there, here = Counter(map(_kind, wanted)), Counter(map(_kind, got))
        assert (missing, extra) == (there - here, here - there)

    def test_a_duplicate_is_not_swallowed(self) -> None:
        """Twice the same is not once the same; an element whose place does not count has no index."""
        assert difference_rows(["a", "b", "a"], ["b", "a"], UNORDERED) == [("$[*]", "a", ABSENT)]
        assert difference_rows(["b"], ["a", "b", "a"], UNORDERED) == [("$[*]", ABSENT, "a"), ("$[*]", ABSENT, "a")]

    @settings(deadline=None)
    @given(st.lists(st.integers(0, 3), max_size=4), st.randoms(use_true_random=False))
    def test_no_difference_hangs_on_an_order_that_does_not_count(self, got: list[int], random: Any) -> None:
        """An answer in another order parts in the same places with the same values, so that its signature is the same."""
        rules = Rules(properties={"set": UNORDERED})
        turned = random.sample(got, len(got))
        for wanted in ({"set": [0, 2]}, {}):
            assert difference_rows(wanted, {"set": got}, rules) == difference_rows(wanted, {"set": turned}, rules)


def _kind(value: Any) -> str:
    return repr(float(value)) if isinstance(value, int | float) and not isinstance(value, bool) else repr(value)


class TestTolerance:
    @settings(deadline=None)
    @given(st.floats(-1e300, 1e300), st.integers(0, 8), st.integers(0, 8), st.sampled_from([-math.inf, math.inf]))
    def test_ulps_are_steps_from_double_to_double(
        self, number: float, steps: int, allowed: int, towards: float
    ) -> None:
        """A number so many steps away is equal exactly if so many are allowed, through zero as elsewhere."""
        other = number
        for _ in range(steps):
            other = math.nextafter(other, towards)
        assert (difference_rows(number, other, within(ulps=allowed)) == []) == (steps <= allowed)

    def test_the_step_through_zero(self) -> None:
        """0 and -0 are one number, so the smallest numbers of either sign are two steps apart."""
        assert difference_rows(5e-324, -5e-324, within(ulps=2)) == []
        assert difference_rows(5e-324, -5e-324, within(ulps=1)) != []
        assert difference_rows(0.0, -0.0, within(ulps=0)) == []

    @settings(deadline=None)
    @given(st.integers(-1000, 1000), st.integers(0, 1000), st.integers(0, 1000))
    def test_an_absolute_tolerance_includes_its_edge(self, number: int, distance: int, allowed: int) -> None:
        """A number as far away as is allowed is equal, one further away is not."""
        for other in (number + distance, number - distance):
            assert (difference_rows(number, other, within(absolute=allowed)) == []) == (distance <= allowed)

    def test_a_tolerance_is_of_its_own_place_alone(self) -> None:
        """Members beside a tolerant one, and values of another type, are compared exactly."""
        rules = Rules(properties={"a": within(absolute=1)})
        assert difference_rows({"a": 1, "b": 1}, {"a": 1.5, "b": 1.5}, rules) == [("$.b", 1, 1.5)]
        assert difference_rows({"a": 1}, {"a": "1"}, rules) == [("$.a", 1, "1")]
        assert difference_rows(1e308, -1e308, within(absolute=1)) == [("$", 1e308, -1e308)]
