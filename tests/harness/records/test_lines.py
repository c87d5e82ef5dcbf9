"""Every kind of line of a record is read into values, and these are written as the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from commands import ROOT
from msgspec import convert, to_builtins

from harness.model import BreachCode, ErrorKind, JsonObject, Verdict
from harness.records.header import Footer, header_members, read_header
from harness.records.lines import (
    incident_members,
    json_object,
    line_text,
    read_incident,
    read_result,
    result_members,
)

LINES = (Path(__file__).parent / "kept" / "lines.jsonl").read_bytes().splitlines()
"""One line of each kind: all verdicts, all kinds of errors, texts and numbers that a fast reader refuses or rounds."""

NAMES = [json.loads(line).get("case", json.loads(line)["type"]).rpartition("/")[2] for line in LINES]


def rewritten(line: bytes) -> JsonObject:
    """The members of the values that the line states."""
    values = json_object(line)
    match values["type"]:
        case "header":
            return header_members(read_header(values))
        case "result":
            return result_members(read_result(values))
        case "footer":
            return to_builtins(convert(values, Footer))
        case kind:
            return incident_members(read_incident(values), kind)


@pytest.mark.parametrize("line", LINES, ids=NAMES)
def test_a_line_is_written_as_it_was_read(line: bytes) -> None:
    """No member is lost, added, moved or rounded."""
    assert line_text(rewritten(line)).encode("ascii") == line


def test_all_kinds_are_there() -> None:
    """The kept lines have every type of line, verdict, kind of error and cause of an unsupported case, by the schema."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in LINES]
    assert {one["type"] for one in lines} == {"header", "result", "suspicion", "incident", "footer"}
    assert {one["verdict"] for one in lines if "verdict" in one} == {*Verdict}
    assert {one["kind"] for one in lines if "kind" in one} == {*ErrorKind}
    assert {one["unsupported"]["cause"] for one in lines if "unsupported" in one} == {
        "not-offered",
        "out-of-reach",
        "nothing-observable",
    }
    assert {one["error"]["code"] for one in lines if "code" in one.get("error", {})} <= {*BreachCode}
    schema = json.loads((ROOT / "schemas" / "run-record.schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    assert [error.message for one in lines for error in validator.iter_errors(one)] == []
