"""Regular expressions of schemas: linear time, whatever the expression."""

from __future__ import annotations

from typing import Any

import pytest

from harness.corpus.json_schema import Checks, contains, extra_members, is_linear
from harness.model import BreachCode, JsonObject

SLOW = "(a+)+$"
TEXT = "a" * 40 + "b"
ADDRESS = "file:///schemas/toy/one.json"


def breach_of(schema: JsonObject, value: Any) -> tuple[str, str]:
    error = Checks({ADDRESS: schema}).error(ADDRESS, "", value)
    assert error is not None
    return error.breach.code.value, error.breach.path


@pytest.mark.parametrize("pattern", [r"(?=a)b", r"(a)\1", "(", "a{1000}{1000}{10}", "(?<!a)b"])
def test_an_expression_without_a_bound_on_time_is_refused(pattern: str) -> None:
    """Look-around, backreferences and huge repeat counts have no linear engine."""
    assert not is_linear(pattern)
    assert not contains(pattern, "a")


def test_an_expression_matches_anywhere_in_a_text() -> None:
    """The match need not begin at the start; a lone surrogate is one character."""
    assert contains("b.", "abc")
    assert contains("^.$", "\ud800")
    assert not contains("^b", "abc")
    assert not contains(SLOW, TEXT)


@pytest.mark.parametrize(
    ("schema", "value", "code"),
    [
        ({"pattern": SLOW}, TEXT, BreachCode.PATTERN_MISMATCH),
        ({"propertyNames": {"pattern": SLOW}}, {TEXT: 1}, BreachCode.PATTERN_MISMATCH),
        ({"patternProperties": {SLOW: False}, "minProperties": 2}, {TEXT: 1}, BreachCode.TOO_FEW_MEMBERS),
        ({"patternProperties": {SLOW: {}}, "additionalProperties": False}, {TEXT: 1}, BreachCode.UNEXPECTED_MEMBER),
        ({"patternProperties": {SLOW: {}}, "unevaluatedProperties": False}, {TEXT: 1}, BreachCode.UNEXPECTED_MEMBER),
    ],
)
def test_no_expression_of_a_schema_hangs(schema: JsonObject, value: Any, code: BreachCode) -> None:
    """Every keyword with an expression matches in linear time; Python's `re` needs hours for these."""
    assert breach_of(schema, value)[0] == code.value


def test_a_text_with_a_lone_surrogate_has_an_error_too() -> None:
    """jsonschema-rs refuses such a text, so its error has no keyword."""
    schema: JsonObject = {"patternProperties": {"a": {}}, "unevaluatedProperties": False}
    assert breach_of(schema, {"\ud800": 1}) == (BreachCode.SCHEMA_MISMATCH.value, "$")


def test_extra_members_are_in_no_keyword() -> None:
    """A member is extra if neither its name nor an expression allows it."""
    schema: JsonObject = {"properties": {"one": {}}, "patternProperties": {"^x": {}}}
    assert extra_members({"two": 1, "one": 1, "xy": 1, "ax": 1}, schema) == ["two", "ax"]


def test_unique_elements_are_found_in_linear_time() -> None:
    """20,000 objects are compared by their texts; 1 and 1.0 are one value, and true is another."""
    schema: JsonObject = {"uniqueItems": True}
    many: list[Any] = [{"n": index} for index in range(20_000)]
    assert breach_of(schema, [*many, {"n": 7.0}]) == (BreachCode.DUPLICATE_ITEMS.value, "$")
    assert Checks({ADDRESS: schema}).error(ADDRESS, "", [1, True, "\ud800"]) is None
