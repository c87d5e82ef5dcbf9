"""Unobservable paths in a gate: the known-divergence file lists each with a reason, as it lists what is unsupported."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gating import Gate

from harness.compare.known_divergences import TODO
from harness.corpus.known_divergences_file import load_known

SHY = Path(__file__).parent / "adapters" / "shy.py"
NOTES = "echo.say/notes"
LISTED = "unobservable:\n- {reason: It hums., names: [echo.say/notes]}\n"


@pytest.fixture
def gate(echo_corpus: Path, run_parity: Gate) -> Gate:
    """Gates a singer that hides these paths; its answers have three leaves and two."""
    schema = echo_corpus / "schemas" / "echo" / "echo.say.json"
    value = json.loads(schema.read_text("utf-8"))
    value["$defs"]["answer"]["properties"]["notes"] = {"type": "array", "items": {"type": "string"}}
    schema.write_text(json.dumps(value), "utf-8")
    said = echo_corpus / "cases" / "echo" / "said.yaml"
    text = said.read_text("utf-8").replace("hello", "la")
    text = text.replace("answer: {text: la}", "answer: {text: la, notes: [l, a]}")
    said.write_text(text.replace('answer: {text: ""}', 'answer: {text: "", notes: []}'), "utf-8")
    (echo_corpus / "cases" / "echo" / "shouted.yaml").unlink()

    def gated(hidden: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = shlex.join([sys.executable, "-S", str(SHY), *hidden.split()])
        return run_parity("gate", "--adapter", f"shy={command}", "--corpus", echo_corpus, *arguments)

    return gated


@pytest.fixture
def listing(file: Path) -> Callable[[str], Path]:
    """A known-divergence file with this text."""

    def written(text: str) -> Path:
        file.write_text(text, "utf-8")
        return file

    return written


def rendered(run_parity: Gate, here: Path, form: str) -> str:
    """A report of the gate's record."""
    run_parity("report", "parity-run.jsonl", f"--{form}", "report")
    return (here / "report").read_text("utf-8")


def test_a_path_that_the_file_does_not_list_is_new(gate: Gate, run_parity: Gate, here: Path) -> None:
    """The gate is red, names the path and the observed share; every report of its record is red too."""
    done = gate("/notes")
    assert done.returncode == 1
    heading = "Report 1 unobservable path, or give the reason: "
    assert f"\n{heading}the known-divergence file does not list what is not compared (new)\n  {NOTES}: " in done.stdout
    assert "\nshy: 2 pass; 0 known divergences\n  observed 40% of echo.say\n" in done.stdout
    assert done.stdout.splitlines()[-2] == "gate: RED (1 new unobservable path)"
    sentence = "gate: red (1 new unobservable path), 0 known divergences"
    assert rendered(run_parity, here, "markdown").startswith(f"## {sentence}\n")
    assert "**New: 1 unobservable path**\n\n- `echo.say/notes`\n" in rendered(run_parity, here, "markdown")
    page = rendered(run_parity, here, "html")
    assert '<h1 class="bad">' in page
    assert f"does not list this unobservable path: <code>{NOTES}</code>" in page
    value: Any = json.loads(rendered(run_parity, here, "json"))["gate"]
    assert (value["verdict"], value["newUnobservable"], value["staleUnobservable"]) == ("red", [NOTES], [])
    assert json.loads(rendered(run_parity, here, "badge"))["message"] == "gate red, 1 new unobservable path"
    assert f'name="{NOTES}"' in rendered(run_parity, here, "junit")


def test_a_listed_path_is_green(gate: Gate, listing: Callable[[str], Path]) -> None:
    """A path with a reason fails no gate; the observed share stays in the text."""
    done = gate("/notes", "--known", listing(LISTED))
    assert (done.returncode, done.stdout.splitlines()[-2]) == (0, "gate: green")
    assert "\n  observed 40% of echo.say\n" in done.stdout


def test_a_path_that_is_no_longer_declared_is_stale(gate: Gate, listing: Callable[[str], Path]) -> None:
    """The line of a path that the implementation reports now is to be deleted."""
    file = listing(LISTED)
    done = gate("", "--known", file)
    assert done.returncode == 1
    assert f"  {file}:2  {NOTES}: not declared unobservable\n" in done.stdout
    assert done.stdout.splitlines()[-2] == "gate: RED (1 stale unobservable path)"


def test_a_path_that_no_expected_answer_has_is_not_judged(gate: Gate) -> None:
    """A path that hides no expected value needs no line, and lowers no share."""
    done = gate("/encore")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (0, "gate: green")
    assert "observed" not in done.stdout


def test_a_path_is_of_the_selected_cases(gate: Gate) -> None:
    """A path that hides nothing of the selected cases is not new: `/notes/1` is of one case only."""
    assert gate("/notes/1").returncode == 1
    assert gate("/notes/1", "--select", "echo/said/nothing").returncode == 0


def test_a_path_of_an_unknown_operation_is_unmatched(gate: Gate, listing: Callable[[str], Path]) -> None:
    """A path of an operation that the corpus lacks is unmatched, and not stale too."""
    done = gate("", "--known", listing(LISTED.replace("echo.say", "echo.hum")))
    assert done.stdout.splitlines()[-2] == "gate: RED (1 unmatched)"


def test_an_update_writes_and_deletes_paths(gate: Gate, listing: Callable[[str], Path]) -> None:
    """A new path gets a TODO, a written reason stays, and a path that is not declared goes, with a report."""
    file = listing(LISTED)
    assert gate("/notes /text", "--write-known", file).returncode == 1
    assert [(one.reason, one.names) for one in load_known(file, allow_todo=True).unobservable] == [
        ("It hums.", (NOTES,)),
        (TODO, ("echo.say/text",)),
    ]
    before = file.read_bytes()
    gate("/notes /text", "--write-known", file)
    assert file.read_bytes() == before
    done = gate("", "--write-known", file)
    assert (done.returncode, load_known(file).unobservable) == (0, ())
    assert "1 line removed, which this run does not confirm:\n  reason: It hums.\n    echo.say/notes\n" in done.stdout
