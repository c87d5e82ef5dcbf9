"""Differences in words: DeepDiff speaks, `judging` decides."""

from __future__ import annotations

import pytest

from harness.model import EXACT, Json, Rules, Tolerance
from harness.report.difference_text import MAX_SHOWN, sentences


@pytest.mark.parametrize(
    ("wanted", "got", "said"),
    [
        ({"a": "b"}, {"a": "c"}, '$.a is "c" instead of "b".'),
        ({"a": 1}, {"a": True}, "$.a is true (true or false) instead of 1 (a number)."),
        ({"a": None}, {"a": "x"}, '$.a is "x" (a text) instead of null.'),
        ({"a": [1, 2]}, {"a": [1]}, "$.a[1] is missing: 2 was wanted."),
        ({"a": {}}, {"a": {"odd key": 1}}, '$.a["odd key"] is too much: 1.'),
        ({"a": "ß"}, {"a": "ss"}, '$.a is "ss" instead of "ß". They part at character 1: U+0073 instead of U+00DF.'),
        ({"a": "x" * 60 + "y"}, {"a": "x" * 60}, "They part at character 61: the end instead of U+0079."),
    ],
)
def test_one_difference_is_one_sentence(wanted: Json, got: Json, said: str) -> None:
    """Each kind of difference has its sentence, with the path as reports write it."""
    assert [sentence[-len(said) :] for sentence in sentences(wanted, got, EXACT)] == [said]


@pytest.mark.parametrize(
    ("wanted", "got", "rules"),
    [
        ({"a": 1}, {"a": 1.0}, EXACT),
        ({"a": 0.0}, {"a": -0.0}, EXACT),
        ({"a": 0.5}, {"a": 0.51}, Rules(properties={"a": Rules(tolerance=Tolerance(absolute=0.1))})),
        ({"a": [1, 2, 3]}, {"a": [3, 1, 2]}, Rules(properties={"a": Rules(unordered=True)})),
    ],
)
def test_what_judging_calls_equal_is_not_mentioned(wanted: dict[str, Json], got: dict[str, Json], rules: Rules) -> None:
    """Beside a real difference, what the operation's rules allow goes without a word."""
    assert sentences({**wanted, "b": 1}, {**got, "b": 2}, rules) == ["$.b is 2 instead of 1."]


def test_many_differences_are_counted() -> None:
    """Beyond the first ones only their number is told."""
    said = sentences({"a": [0] * 60}, {"a": [1] * 60}, EXACT)
    assert len(said) == MAX_SHOWN + 1 == 51
    assert said[-1] == f"… and {60 - MAX_SHOWN} more."
