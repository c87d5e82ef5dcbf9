"""`parity report --review`: where it is written, in which form, and where its cases lead."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from commands import ROOT
from recording import lines, record


@pytest.fixture
def run_record(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> Path:
    """A run in which `deaf` hears one word wrong."""
    return record(run_parity, echo_corpus, tmp_path / "run.jsonl", deaf={"answers": {"hello": "hallo"}})


def test_cases_are_linked_inside_a_checkout(
    run_parity: Any, echo_corpus: Path, run_record: Path, tmp_path: Path
) -> None:
    """In a folder below one that has the cases, a number leads to the line of a case; the path is relative."""
    checkout = tmp_path / "check out"
    shutil.copytree(echo_corpus, checkout)
    file = checkout / "reports" / "review.md"
    done = run_parity("report", run_record, "--review", file)
    assert (done.returncode, done.stdout) == (0, f"review: {file}\n")
    assert "`deaf` [1](../cases/echo/said.yaml#L4)" in file.read_text("utf-8")


def test_numbers_are_no_links_elsewhere(run_parity: Any, run_record: Path) -> None:
    """On standard output a number leads nowhere."""
    done = run_parity("report", run_record, "--review", "-")
    assert "`deaf` 1" in done.stdout
    assert "](" not in done.stdout


@pytest.mark.parametrize("name", ["review.html", "review.HTM"])
def test_a_page_by_the_ending_of_the_file(run_parity: Any, run_record: Path, tmp_path: Path, name: str) -> None:
    """A file that ends in .html is a page."""
    done = run_parity("report", run_record, "--review", tmp_path / name)
    assert done.returncode == 0
    assert (tmp_path / name).read_text("utf-8").startswith("<!DOCTYPE html>")


def test_what_every_reading_wants_goes_from_the_answer_to_the_review(
    run_parity: Any, echo_corpus: Path, tmp_path: Path
) -> None:
    """A record marks what an answer to a disputed case lacks by every reading, and the review counts it beside them."""
    schema = echo_corpus / "schemas" / "echo" / "echo.shout.json"
    value = json.loads(schema.read_text("utf-8"))
    value["$defs"]["answer"]["properties"]["mood"] = {"type": "string"}
    schema.write_text(json.dumps(value), "utf-8")
    (echo_corpus / "cases" / "echo" / "rulings.yaml").write_text(
        "system: echo\nrevision: '1.0'\nrulings:\n"
        "  - {id: RUL-E1, title: How loud, requirements: [ECHO-02], question: All capitals?, readings: {a: All., b: One.},\n"
        "     adopted: a, basis: prose, why: It is loud., severity: low, evidence: [echo/disputed/loud],\n"
        "     wording: Say it.}\n",
        "utf-8",
    )
    (echo_corpus / "cases" / "echo" / "disputed.yaml").write_text(
        "suite: echo/disputed\noperation: echo.shout\ncases:\n"
        "  - {id: loud, requirements: [ECHO-02], origin: spec-text, request: {text: hey}, disputed: {ruling: RUL-E1,\n"
        "     adopted: a, readings: {a: {answer: {text: HEY, mood: glad}}, b: {answer: {text: Hey, mood: glad}}}}}\n",
        "utf-8",
    )
    file = record(
        run_parity, echo_corpus, tmp_path / "moods.jsonl", "echo/disputed", hoarse={"answers": {"hey": "hay"}}
    )
    (judged,) = (line for line in lines(file) if line["type"] == "result")
    assert [(part["path"], part.get("undisputed")) for part in judged["difference"]] == [
        ("$.text", None),
        ("$.mood", True),
    ]
    jsonschema.validate(judged, json.loads((ROOT / "schemas" / "run-record.schema.json").read_text("utf-8")))
    done = run_parity("report", file, "--review", "-")
    assert "  - otherwise (`hoarse` 1): `unexplained`.\n" in done.stdout
