"""Schema checks: the quick check agrees with jsonschema, and answers are checked less strictly than expectations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_corpus import SAID, SAY, TEXTS, write_corpus

from harness.compare.error_text import breach_text
from harness.corpus.checker import Checker, check_schemas
from harness.corpus.json_schema import Checks, DescribedErrors
from harness.corpus.loader import load_corpus
from harness.corpus.schemas import SCHEME, Schemas
from harness.errors import CorpusError
from harness.model import Breach, BreachCode, JsonObject, Operation, Rules

_ADDRESS = f"{SCHEME}x/x.y.json"

_SIZES = st.integers(0, 2)
_KEYWORDS: dict[str, st.SearchStrategy[Any]] = {
    "type": st.one_of(
        st.sampled_from(["object", "array", "string", "boolean", "null", "integer", "number"]),
        st.lists(st.sampled_from(["object", "string", "null", "number"]), min_size=1, unique=True),
    ),
    "enum": st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, unique=True),
    "const": st.sampled_from(["a", "b", True, False]),
    "required": st.lists(st.sampled_from(["a", "b"]), unique=True),
    "pattern": st.sampled_from(["^a", "b$", "[a-z]{2}"]),
    "minLength": _SIZES,
    "minItems": _SIZES,
    "maxItems": _SIZES,
    "minProperties": _SIZES,
    "maxProperties": _SIZES,
    "minimum": st.sampled_from([0, 1, 0.5]),
    "maximum": st.sampled_from([0, 1, 0.5]),
    "uniqueItems": st.just(True),
    "title": st.just("a title"),
}


def _with_parts(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(parts, min_size=1, max_size=3)
    members = st.dictionaries(st.sampled_from(["a", "b"]), parts, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            **_KEYWORDS,
            "properties": members,
            "additionalProperties": parts,
            "items": parts,
            "contains": parts,
            "allOf": several,
            "anyOf": several,
            "oneOf": several,
        },
    )


_SCHEMAS = st.recursive(
    st.one_of(st.booleans(), st.fixed_dictionaries({}, optional=_KEYWORDS)), _with_parts, max_leaves=6
)
_VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 1.0, 0.5, -1, "", "a", "b", "ab"]),
    lambda below: st.one_of(
        st.lists(below, max_size=3), st.dictionaries(st.sampled_from(["a", "b", "c"]), below, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@settings(deadline=None)
@given(schema=_SCHEMAS, value=_VALUES)
def test_both_libraries_find_the_same_breaches(schema: Any, value: Any) -> None:
    """The validity of a value does not depend on the library."""
    schemas: dict[str, JsonObject] = {_ADDRESS: {"$defs": {"part": schema}}}
    quick = Checks(schemas).error(_ADDRESS, "part", value)
    assert quick == DescribedErrors(schemas).error(f"{_ADDRESS}#/$defs/part", value)


def test_a_recursive_schema_is_followed() -> None:
    """A schema that contains itself is checked to any depth."""
    node: JsonObject = {
        "type": "object",
        "properties": {"below": {"$ref": "#/$defs/node"}},
        "additionalProperties": False,
    }
    checks = Checks({_ADDRESS: {"$defs": {"node": node}}})
    assert checks.error(_ADDRESS, "node", {"below": {"below": {"below": {}}}}) is None
    assert checks.error(_ADDRESS, "node", {"below": {"below": {"besides": {}}}}) is not None


def _operation(answer: Any) -> tuple[Checker, Operation]:
    schema: JsonObject = {"$defs": {"request": {}, "answer": answer, "error": {"enum": ["unclassified"]}}}
    text = json.dumps(schema)
    checker = Checker(Schemas({_ADDRESS: schema}, {_ADDRESS: text}))
    return checker, Operation("x.y", "x", Rules(), (), ())


def test_a_missing_member_of_an_answer_is_no_breach() -> None:
    """What an answer lacks is a difference and not a breach; what it has too much, or of another type, is a breach."""
    member = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "string"}},
        "additionalProperties": False,
    }
    checker, operation = _operation(member)
    assert checker.answer_error(operation, {}) is None
    assert checker.answer_error(operation, {"a": "x"}) is None
    schema = "schemas/x/x.y.json"
    assert checker.answer_error(operation, {"a": 5}) == Breach(
        BreachCode.WRONG_TYPE, "$.a", "string", "5", schema=schema
    )
    assert checker.answer_error(operation, {"a": "x", "b": 1}) == Breach(
        BreachCode.UNEXPECTED_MEMBER, "$.b", "a", "1", schema=schema
    )
    assert checker.answer_error(operation, {"b c": 1}) == Breach(
        BreachCode.UNEXPECTED_MEMBER, '$["b c"]', "a", "1", schema=schema
    )


def test_a_member_that_a_subschema_allows_is_not_named_as_unexpected() -> None:
    """`unevaluatedProperties` beside `allOf`: the breach is at the object, not at its first member by name."""
    checker, operation = _operation({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False})
    breach = checker.answer_error(operation, {"a": 1, "z": 2})
    assert breach is not None
    assert (breach.code, breach.path) == (BreachCode.UNEXPECTED_MEMBER, "$")


@pytest.mark.parametrize(
    ("schema", "answer", "code"),
    [
        ({"type": ["string", "null"]}, 1, BreachCode.WRONG_TYPE),
        ({"unevaluatedProperties": False}, {"a": 1}, BreachCode.UNEXPECTED_MEMBER),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, BreachCode.TOO_LONG),
        ({"enum": [1, 2]}, 3, BreachCode.NOT_IN_ENUM),
        ({"const": 1}, 2, BreachCode.NOT_CONSTANT),
        ({"minimum": 1}, 0, BreachCode.BELOW_MINIMUM),
        ({"maximum": 1}, 2, BreachCode.ABOVE_MAXIMUM),
        ({"exclusiveMinimum": 1}, 1, BreachCode.NOT_ABOVE_MINIMUM),
        ({"exclusiveMaximum": 1}, 1, BreachCode.NOT_BELOW_MAXIMUM),
        ({"multipleOf": 2}, 3, BreachCode.NOT_A_MULTIPLE),
        ({"minLength": 1}, "", BreachCode.TOO_SHORT),
        ({"maxLength": 1}, "ab", BreachCode.TOO_LONG),
        ({"pattern": "^a"}, "b", BreachCode.PATTERN_MISMATCH),
        ({"minItems": 1}, [], BreachCode.TOO_FEW_ITEMS),
        ({"maxItems": 0}, [1], BreachCode.TOO_MANY_ITEMS),
        ({"uniqueItems": True}, [1, 1], BreachCode.DUPLICATE_ITEMS),
        ({"minProperties": 1}, {}, BreachCode.TOO_FEW_MEMBERS),
        ({"maxProperties": 0}, {"a": 1}, BreachCode.TOO_MANY_MEMBERS),
        ({"not": {"type": "null"}}, None, BreachCode.FORBIDDEN_VALUE),
        ({"properties": {"a": False}}, {"a": 1}, BreachCode.FORBIDDEN_VALUE),
        ({"contains": {"const": 1}}, [2], BreachCode.SCHEMA_MISMATCH),
    ],
)
def test_each_keyword_has_its_code(schema: Any, answer: Any, code: BreachCode) -> None:
    """The code of a breach follows the keyword of the schema; its text is one line."""
    checker, operation = _operation(schema)
    breach = checker.answer_error(operation, answer)
    assert breach is not None
    assert breach.code is code
    assert breach_text(breach).isprintable()


def test_members_of_a_schema_are_named_safely_and_not_without_end() -> None:
    """A breach names the members that the schema has at its place, the first eight, with no control character in them."""
    below = {"properties": {"\x1b[2J": {}, **{f"m{n}": {} for n in range(9)}}, "additionalProperties": False}
    checker, operation = _operation({"properties": {"list": {"items": below}}})
    breach = checker.answer_error(operation, {"list": [{"x": 1}]})
    assert breach is not None
    assert breach.path == "$.list[0].x"
    assert breach.expected == "\\x1b[2J, m0, m1, m2, m3, m4, m5, m6 and 2 more"


def test_alternatives_may_overlap_where_members_are_missing() -> None:
    """An answer that fits two alternatives for want of a member is no breach; one that fits none is."""
    kinds = [{"properties": {"kind": {"const": kind}}, "required": ["kind"]} for kind in ("a", "b")]
    checker, operation = _operation({"oneOf": kinds, "anyOf": [{"type": "object"}]})
    assert checker.answer_error(operation, {}) is None
    assert checker.answer_error(operation, {"kind": "c"}) is not None
    assert checker.answer_error(operation, 5) is not None


def test_valid_corpora_need_no_jsonschema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """jsonschema is not imported for a valid corpus."""
    monkeypatch.setitem(__import__("sys").modules, "jsonschema", None)
    corpus = load_corpus(write_corpus(tmp_path))
    assert check_schemas(corpus.schemas) == []
    assert Checker(corpus.schemas).check_cases(corpus.cases, corpus.operations) == []


def test_rules_are_read_through_references_and_alternatives(tmp_path: Path) -> None:
    """Annotations are found behind a reference, in an alternative, and in the items of a list."""
    answer = """{
      "properties": {"list": {"$ref": "shapes.json#/$defs/words"}, "tree": {"$ref": "#/$defs/tree"}},
      "oneOf": [
        {"properties": {"n": {"x-tolerance": {"absolute": 1, "reason": "r"}}}},
        {"properties": {"o": {"x-ignored": true}}}
      ]
    },
    "tree": {"properties": {"below": {"$ref": "#/$defs/tree"}, "set": {"type": "array", "x-unordered": true}}}"""
    texts = {**TEXTS, SAID: "", SAY: '{"$defs": {"request": {}, "answer": ' + answer + ', "error": {"enum": ["e"]}}}'}
    texts = {path: text for path, text in texts.items() if path != SAID and "rulings" not in path}
    rules = load_corpus(write_corpus(tmp_path, texts)).operations["toy.say"].rules
    assert set(rules.properties) == {"list", "tree", "n", "o"}
    assert rules.properties["list"].unordered
    assert rules.properties["tree"].properties["set"].unordered
    tolerance = rules.properties["n"].tolerance
    assert tolerance is not None and (tolerance.absolute, tolerance.ulps) == (1.0, None)
    assert rules.properties["o"].ignored


def test_all_faults_of_one_schema_are_reported(tmp_path: Path) -> None:
    """A schema with two bad annotations and a dead reference is three problems."""
    text = (
        TEXTS[SAY]
        .replace('"ulps": 1', '"ulps": 1.5')
        .replace("sqlite-fts5-match", "x")
        .replace("shapes.json", "y.json")
    )
    with pytest.raises(CorpusError) as raised:
        load_corpus(write_corpus(tmp_path, {**TEXTS, SAY: text}))
    assert [problem.place for problem in raised.value.problems] == [f"{SAY}:{line}" for line in (12, 20, 23)]
