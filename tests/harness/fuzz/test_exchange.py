"""Generated cases: named by their request, and refused with a lone surrogate."""

from __future__ import annotations

import pickle

import pytest
from scripted import OPERATION

from harness.fuzz.exchange import generated_case, has_inexact_integer, has_lone_surrogate
from harness.model import ABSENT


def test_the_mark_of_an_absent_member_survives_its_way_between_processes() -> None:
    """Findings of a worker hold it."""
    assert pickle.loads(pickle.dumps(ABSENT)) is ABSENT


def test_a_request_names_its_case() -> None:
    """Equal requests have one name, others another one."""
    first = generated_case(OPERATION, {"text": "a"})
    assert first.name == generated_case(OPERATION, {"text": "a"}).name
    assert first.name != generated_case(OPERATION, {"text": "b"}).name
    assert first.name.startswith("echo/fuzz/echo-say/")


@pytest.mark.parametrize(
    ("text", "is_lone"),
    [
        ("plain é", False),
        ("\U0001f600\U0001f600", False),
        ("\ud83d", True),
        ("\ude00", True),
        ("\U0001f600\ude00", True),
        ("\ud83d\U0001f600", True),
    ],
)
def test_lone_surrogates_are_found(text: str, is_lone: bool) -> None:
    """A pair is one character; half of one is none."""
    assert has_lone_surrogate(generated_case(OPERATION, {"text": text})) is is_lone


@pytest.mark.parametrize(
    ("value", "is_inexact"),
    [
        (2**53, False),
        (2**53 + 1, True),
        (-(2**53) - 1, True),
        (10**400, True),
        (1e300, False),
        (0.12345678901234567, False),
        (str(2**53 + 1), False),
        ('"' + str(2**53 + 1), False),
        ([{"k": 2**53 + 1}], True),
    ],
)
def test_integers_that_no_double_equals_are_found(value: object, is_inexact: bool) -> None:
    """Implementations of JSON read such an integer as different numbers, so no request holds one; texts may."""
    assert has_inexact_integer(generated_case(OPERATION, {"text": value})) is is_inexact  # type: ignore[dict-item]
