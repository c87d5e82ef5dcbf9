"""One text for one value: the same for equal values, another for others."""

from __future__ import annotations

import json
import math
import subprocess
from shutil import which
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.compare.canonical import (
    canonical_bytes,
    compact,
    digest,
    digest_of_parts,
    equality_text,
    sorted_text,
)

_KEYS = st.text(st.characters(codec="utf-8"), max_size=3)
_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8"), max_size=5),
)
VALUES = st.recursive(
    _LEAVES,
    lambda below: st.one_of(st.lists(below, max_size=4), st.dictionaries(_KEYS, below, max_size=4)),
    max_leaves=12,
)


def _turned(value: Any) -> Any:
    """The same value with the members of every mapping in the other order."""
    if isinstance(value, dict):
        return {key: _turned(item) for key, item in reversed(value.items())}
    return [_turned(item) for item in value] if isinstance(value, list) else value


@settings(deadline=None)
@given(VALUES)
def test_the_order_of_members_does_not_count(value: Any) -> None:
    """Canonical forms and the digest are the same whatever the order of members."""
    turned = _turned(value)
    assert sorted_text(turned) == sorted_text(value)
    assert equality_text(turned) == equality_text(value)
    assert digest(turned) == digest(value)


@settings(deadline=None)
@given(VALUES)
def test_the_forms_are_json_of_the_value(value: Any) -> None:
    """Read back, each form is the value again, numbers as doubles; the texts are ASCII and one line."""
    for text in (compact(value), sorted_text(value), equality_text(value)):
        assert text.isascii() and "\n" not in text
    assert json.loads(compact(value)) == value
    assert list(json.loads(compact({"b": value, "a": 1}))) == ["b", "a"]
    assert equality_text(json.loads(canonical_bytes(value))) == equality_text(value)


def _doubles(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _doubles(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_doubles(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


@pytest.mark.slow
@settings(deadline=None)
@given(VALUES)
def test_the_bytes_are_those_of_rfc_8785(value: Any) -> None:
    """The library for RFC 8785 writes the same bytes."""
    assert canonical_bytes(value) == rfc8785.dumps(_doubles(value))


@pytest.mark.parametrize(
    "number", [1e16, 1e15, 1e-4, 1e-5, 0.00012345, 1e21, 1e20, 2**53 + 2, 123456789.125, -1e-7, -0.0]
)
def test_the_bytes_of_a_number_are_those_of_rfc_8785(number: float) -> None:
    """On both sides of each limit between plain digits and an exponent."""
    for one in (number, math.nextafter(number, 0), math.nextafter(number, math.inf)):
        assert canonical_bytes(one) == rfc8785.dumps(float(one))


def test_members_are_sorted_by_utf_16_units() -> None:
    """As RFC 8785 does; by code points the other member is first."""
    assert canonical_bytes({"\ue000": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ue000":1}'.encode()


def test_a_digest_of_parts_is_the_digest_of_the_list() -> None:
    """The parts are the canonical bytes of the elements."""
    values: list[Any] = [1, "a", {"b": None}]
    assert digest_of_parts(map(canonical_bytes, values)) == digest(values)
    assert digest_of_parts([]) == digest([])


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 1.0), (0, -0.0), (2**53 + 1, 2**53), ([1], [1.0]), ({"a": 100}, {"a": 1e2}), (10**20, 1e20)],
)
def test_equal_numbers_have_one_form(one: Any, other: Any) -> None:
    """A number is its double: 1 is 1.0, 0 is -0, 2^53 + 1 is 2^53."""
    assert equality_text(one) == equality_text(other)
    assert canonical_bytes(one) == canonical_bytes(other)


def test_a_text_says_which_values_are_equal() -> None:
    """Members in another order, 1 and 1.0, and floats that agree in some digits are equal in some texts alone."""
    assert compact({"a": 1, "b": 2}) != compact({"b": 2, "a": 1})
    assert sorted_text({"a": 1, "b": 2}) == sorted_text({"b": 2, "a": 1}) != sorted_text({"a": 1.0, "b": 2})
    assert equality_text([0.1, 10**12]) != equality_text([0.1 + 1e-12, 10**12])
    assert equality_text([0.1, 10**12], 9) == equality_text([0.1 + 1e-12, 10**12], 9)
    assert equality_text(10**12, 9) != equality_text(10**12 + 1, 9)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (0, False),
        (0, None),
        ("1", 1),
        ([], {}),
        ("", None),
        ("é", "e\u0301"),
        ({"a": None}, {}),
        (0.1, 0.1 + 2**-56),
    ],
)
def test_other_values_have_other_forms(one: Any, other: Any) -> None:
    """A boolean is no number, text no number, null not absent, and texts are compared by code points."""
    assert equality_text(one) != equality_text(other)
    assert canonical_bytes(one) != canonical_bytes(other)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ({"b": 1.0, "a": [True, None]}, b'{"a":[true,null],"b":1}'),
        ({"\ue000": 1, "\U0001f600": 2}, '{"\U0001f600":2,"\ue000":1}'.encode()),
        ([1e21, 1e-7, 123456789012345680000.0, -0.0, 5e-324], b"[1e+21,1e-7,123456789012345680000,0,5e-324]"),
        ("\u20ac$\u000f\nA'B\"\\", b'"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\"'),
        ("\ud800", b'"\\\\ud800"'),
    ],
)
def test_the_canonical_bytes_are_those_of_rfc_8785(value: Any, wanted: bytes) -> None:
    """Members by UTF-16 units, numbers as ECMAScript writes them, few escapes; a lone surrogate as its escape's text."""
    assert canonical_bytes(value) == wanted


def test_surrogates_are_escaped_in_texts() -> None:
    """A lone surrogate is written as an escape, so that the texts stay ASCII."""
    assert compact("\ud800\U0001f600") == '"\\ud800\\ud83d\\ude00"'
    assert equality_text("\ud800") != equality_text("\\ud800")


@pytest.mark.skipif(which("node") is None, reason="no Node.js here")
def test_numbers_are_written_as_v8_writes_them() -> None:
    """The numbers of the canonical form are those of JSON.stringify."""
    numbers: list[Any] = [0.1, 1 / 3, 1e21, 1e-6, 1e-7, 123456.789, 2**53, -1.5e300, 4.35, 0.000001234, 1e20, 5e-324]
    program = "console.log(JSON.stringify(JSON.parse(process.argv[1])))"
    command = ["node", "-e", program, json.dumps(numbers)]
    said = subprocess.run(command, capture_output=True, check=True, timeout=30).stdout.strip()
    assert canonical_bytes(numbers) == said
