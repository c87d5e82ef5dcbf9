"""No codec forgets a member: values whose members all differ from their defaults are read back as they were written."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from enum import StrEnum
from types import UnionType
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec import convert, to_builtins

from harness.model import (
    ADOPTED,
    OPTIONS,
    RECORDED,
    Answered,
    Case,
    CaseBody,
    ErrorCause,
    Errored,
    Failed,
    Implementation,
    Incident,
    Listing,
    Outcome,
    Passed,
    Requirement,
    Result,
    ResultLine,
    Rounds,
    Ruling,
    RunMetadata,
    RunOptions,
    StartFailure,
    Unavailable,
    Unsupported,
    UnsupportedReason,
    replace,
)
from harness.records.header import Footer, header_members, read_header
from harness.records.lines import (
    incident_members,
    json_object,
    line_of,
    line_text,
    read_incident,
    read_result,
    result_members,
)
from harness.records.stored import ResultIndex

NOT_KEPT: Mapping[type, frozenset[str]] = {
    Implementation: frozenset({"capabilities"}),
    Requirement: frozenset({"revision", "positive_only", "unanchored", "at"}),
    Ruling: frozenset({"revision", "text_note", "at"}),
    RunOptions: frozenset(OPTIONS.keys() - RECORDED.keys()),
    Unavailable: frozenset({"log"}),
}
"""The members that a record leaves out on purpose."""

RESPONSE = Answered({"a": 1})
RESPONSES = ("response", "expected")
VALID: Mapping[tuple[str, type], str | int] = {
    ("started_at", str): "2026-11-23T12:00:00Z",
    ("case", str): "choir/verse/x",
    ("severity", str): "high",
    ("basis", str): "table",
    ("text", str): "decides",
    ("adopted", str): "x",
    ("state", str): "accepted",
    ("readings", str): "free",
    ("strict_corpus", int): 1,
}
"""Texts and numbers that are checked when they are read."""


def made(kind: Any) -> Any:
    """A value of this type. Its members, at every depth, differ from their defaults."""
    arguments = get_args(kind)
    match get_origin(kind):
        case origin if origin in (Union, UnionType):
            return made(arguments[0])
        case origin if origin is tuple:
            return tuple(map(made, arguments if arguments[-1] is not ... else arguments[:1]))
        case origin if origin is frozenset:
            return frozenset({made(arguments[0])})
        case origin if origin is not None:
            return {made(arguments[0]): made(arguments[1])}
    if kind is Any:
        return {"a": 1}
    if issubclass(kind, StrEnum):
        return list(kind)[-1]
    simple = {str: "x", bool: True, int: 7, float: 0.5}
    return simple[kind] if kind in simple else kind(**members(kind))


def members(kind: type) -> dict[str, Any]:
    """The members of such a value; one that no record keeps is empty or has its default."""
    found = {}
    for name, hint in get_type_hints(kind).items():
        if get_origin(hint) is ClassVar or hint is ClassVar:
            continue
        if name not in NOT_KEPT.get(kind, ()):
            checked = VALID.get((name, hint)) or (RESPONSE if hint is Any and name in RESPONSES else None)
            found[name] = checked or made(hint)
        elif name == "revision":
            found[name] = ""
    return found


CAUSES = [
    *(made(kind) for kind in get_args(ErrorCause)),
    *(StartFailure(made(kind)) for kind in get_args(get_type_hints(StartFailure)["cause"])),
]
OUTCOMES: list[Outcome] = [
    *(made(kind) for kind in get_args(Outcome)),
    *(Unsupported(made(kind)) for kind in get_args(UnsupportedReason)),
    *(replace(made(Errored), cause=cause) for cause in CAUSES),
]


def exclusive(outcome: Outcome) -> list[Outcome]:
    """The outcomes that a run can give: a failure is explained or undecided, not both."""
    if not isinstance(outcome, Failed | Errored):
        return [outcome]
    return [replace(outcome, explained_by=ADOPTED), replace(outcome, undecided=None)]


LINES = [
    ResultLine(
        **{
            **members(ResultLine),
            "outcome": outcome,
            "flaky": (Rounds((1, 2), Passed(RESPONSE, readings=(("RUL-1", "a"),))), Rounds((3,), made(Unsupported))),
        }
    )
    for case in OUTCOMES
    for outcome in exclusive(case)
]


def test_the_header() -> None:
    """Every member of the metadata, and of the values in it."""
    metadata = made(RunMetadata)
    assert read_header(json_object(line_text(header_members(metadata)).encode())) == metadata


@pytest.mark.parametrize("line", LINES, ids=[f"{at}-{line.verdict}" for at, line in enumerate(LINES)])
def test_a_result(line: ResultLine) -> None:
    """Every member of a line with each outcome and each cause."""
    assert read_result(json_object(line_text(result_members(line)).encode())) == line


@pytest.mark.parametrize("line", LINES, ids=[f"{at}-{line.verdict}" for at, line in enumerate(LINES)])
def test_a_copy_from_another_process(line: ResultLine) -> None:
    """A copy has the same line, though none of its members is the default itself."""
    assert line_text(result_members(pickle.loads(pickle.dumps(line)))) == line_text(result_members(line))


@pytest.mark.parametrize("line", LINES, ids=[f"{at}-{line.verdict}" for at, line in enumerate(LINES)])
def test_a_stored_result(line: ResultLine) -> None:
    """Every member of a line, read from a result whose line stays in the file."""
    index = ResultIndex(lambda *_: line)
    index.add(line, 3, 5)
    (stored,) = index.results
    names = ResultLine.__struct_fields__
    assert {name: getattr(stored, name) for name in names} == {name: getattr(line, name) for name in names}


def test_the_line_of_a_new_result() -> None:
    """Every member of a line comes from the result that has just arrived, and its text says the same."""
    case = Case(
        name="choir/verse/x",
        at="x",
        operation="x",
        requirements=("x",),
        origin="x",
        revision="x",
        tags=("x",),
        ruling="x",
        cited_by_rulings=("x",),
        body=CaseBody(recorded_request={"a": 1}, expected=RESPONSE, readings={"x": RESPONSE}, adopted="y", note="x"),
    )
    result = Result(case, "x", made(Passed), ms=0.5, flaky=LINES[0].flaky)
    line = replace(line_of(result, "x", 7), expectation=made(Listing))
    text = line_text(result_members(line))
    assert line.separates == ("x", "y")
    assert replace(line, separates=("x",)) == LINES[0]
    assert read_result(json_object(text.encode())) == line


@pytest.mark.parametrize("cause", CAUSES, ids=[type(cause).__name__ for cause in CAUSES])
def test_an_incident(cause: ErrorCause) -> None:
    """Every member of an incident with each cause."""
    incident = replace(made(Incident), cause=cause)
    assert read_incident(json_object(line_text(incident_members(incident)).encode())) == incident


def test_the_footer() -> None:
    """Every member of the last line."""
    footer = made(Footer)
    assert convert(json_object(line_text(to_builtins(footer)).encode()), Footer) == footer
