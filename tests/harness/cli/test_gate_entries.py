"""What a known-divergence file holds beside cases: unobservable paths, models, and the shipped files."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import Parity
from gating import Gate

SHY = Path(__file__).parent / "adapters" / "shy.py"
NOTES = "echo.say/notes"
LISTED = "unobservable:\n- {reason: It hums., names: [echo.say/notes]}\n"


@pytest.fixture
def shy(echo_corpus: Path, run_parity: Gate) -> Gate:
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


def test_a_path_that_the_file_does_not_list_is_new(shy: Gate, run_parity: Gate, here: Path) -> None:
    """The gate is red, names the path and the observed share; every report of its record is red too."""
    done = shy("/notes")
    assert done.returncode == 1
    heading = "Report 1 unobservable path, or give the reason: "
    assert f"\n{heading}the known-divergence file does not list what is not compared (new)\n  {NOTES}: " in done.stdout
    assert "\nshy: 2 pass; 0 known divergences\n  observed 40% of echo.say; not reported: /notes\n" in done.stdout
    assert done.stdout.splitlines()[-2] == "gate: RED (1 new unobservable path)"
    reports = {}
    for form in ("markdown", "html", "json", "badge", "junit"):
        run_parity("report", "parity-run.jsonl", f"--{form}", "report")
        reports[form] = (here / "report").read_text("utf-8")
    assert reports["markdown"].startswith("## gate: red (1 new unobservable path), 0 known divergences\n")
    assert "**New: 1 unobservable path**\n\n- `echo.say/notes`\n" in reports["markdown"]
    assert '<h1 class="bad">' in reports["html"]
    assert f"does not list this unobservable path. <code>{NOTES}</code>" in reports["html"]
    value: Any = json.loads(reports["json"])["gate"]
    assert (value["verdict"], value["newUnobservable"], value["staleUnobservable"]) == ("red", [NOTES], [])
    assert json.loads(reports["badge"])["message"] == "gate red, 1 new unobservable path"
    assert f'name="{NOTES}"' in reports["junit"]


@pytest.mark.parametrize(
    ("hidden", "text", "line", "verdict"),
    [
        ("/notes", LISTED, "  observed 40% of echo.say; not reported: /notes\n", "green"),
        ("", LISTED, "  {file}:2  echo.say/notes: not declared unobservable\n", "RED (1 stale unobservable path)"),
        ("", LISTED.replace("echo.say", "echo.hum"), "echo.hum/notes: no such operation\n", "RED (1 unmatched)"),
    ],
    ids=["listed", "not declared", "of an unknown operation"],
)
def test_a_listed_path(shy: Gate, file: Path, hidden: str, text: str, line: str, verdict: str) -> None:
    """A path with a reason fails no gate; a line of a path that the adapter does not declare, or of an operation that the
    corpus lacks, is one finding."""
    file.write_text(text, "utf-8")
    done = shy(hidden, "--known", file)
    assert done.stdout.splitlines()[-2] == f"gate: {verdict}"
    assert line.format(file=file) in done.stdout
    assert done.returncode == (verdict != "green")


def test_a_path_counts_where_it_hides_an_expected_value(shy: Gate) -> None:
    """A path that no expected answer of the selected cases has needs no line, and lowers no share."""
    done = shy("/encore")
    assert (done.stdout.splitlines()[-2], "observed" in done.stdout) == ("gate: green", False)
    assert shy("/notes/1").returncode == 1
    assert shy("/notes/1", "--select", "echo/said/nothing").returncode == 0


def test_an_update_writes_and_deletes_paths(shy: Gate, file: Path) -> None:
    """A new path gets a TODO, a written reason stays, and a path that is not declared goes, with a report."""
    file.write_text(LISTED, "utf-8")
    assert shy("/notes /text", "--write-known", file).returncode == 1
    written = file.read_text("utf-8")
    entries = "- reason: It hums.\n  names:\n  - echo.say/notes\n- reason: TODO\n  names:\n  - echo.say/text\n"
    assert f"unobservable:\n{entries}readings:" in written
    shy("/notes /text", "--write-known", file)
    assert file.read_text("utf-8") == written
    done = shy("", "--write-known", file)
    assert (done.returncode, "unobservable:" in file.read_text("utf-8")) == (0, False)
    assert "1 line removed, which this run does not confirm:\n  reason: It hums.\n    echo.say/notes\n" in done.stdout


SELECTED = "jeffs_brain/query_dsl/operators/operator-before-a-word-that-strips-to-nothing"
MODEL = "RUL-B03=b"


def sdk(*options: str) -> str:
    """The option that adds the reference with these options: it stands for an SDK whose failures have one cause."""
    return f"--adapter=sdk={shlex.join([sys.executable, '-m', 'harness', 'serve', *options])}"


@pytest.mark.slow
def test_one_model_in_place_of_a_list_of_cases(run_parity: Parity, tmp_path: Path) -> None:
    """An update writes one entry for all failures of the reading; it is known, stale without its cause, refused under the
    adopted reading, and unmatched under a name that does not exist."""
    file, record = tmp_path / "known.yaml", tmp_path / "run.jsonl"
    select = ("--select", SELECTED, "--record", record)
    new = run_parity("gate", sdk("--reading", MODEL), *select)
    assert (
        f"explained by {MODEL}, which the file does not name: --write-known adds an entry with `model: {MODEL}`"
        in new.stdout
    )
    run_parity("gate", sdk("--reading", MODEL), *select, "--write-known", file)
    text = file.read_text("utf-8")
    assert f"divergences:\n- reason: TODO\n  model: {MODEL}\nunsupported: []\n" in text
    text = text.replace("TODO", "A dropped word takes its operator with it.")
    file.write_text(text, "utf-8")

    known = run_parity("gate", sdk("--reading", MODEL), *select, "--known", file)
    assert (known.returncode, "6 known divergences" in known.stdout) == (0, True), known.stdout
    (cause,) = json.loads(record.read_text("ascii").splitlines()[0])["implementations"][0]["causes"]
    assert cause == {"name": MODEL, "reason": "A dropped word takes its operator with it."}

    stale = run_parity("gate", sdk(), *select, "--known", file)
    assert stale.returncode == 1
    assert "Correct 1 model: " in stale.stdout
    assert "or delete the entry if a whole run shows none of its failures" in stale.stdout
    assert f"{MODEL}: 6 of the 6 failures that it predicts do not occur" in stale.stdout

    file.write_text(text.replace(MODEL, "RUL-B03=a"), "utf-8")
    adopted = run_parity("gate", sdk(), *select, "--known", file)
    assert adopted.returncode == 2
    assert "RUL-B03=a is the adopted reading, and every prediction assumes it." in adopted.stderr

    file.write_text(text.replace(MODEL, "RUL-B03=z"), "utf-8")
    unmatched = run_parity("gate", sdk("--reading", MODEL), *select, "--known", file)
    assert "RUL-B03=z: no such deviation or reading" in unmatched.stdout
    assert "gate: RED (6 new, 1 unmatched)" in unmatched.stdout


@pytest.mark.slow
def test_the_reference_has_nothing_to_explain(run_parity: Parity) -> None:
    """The reference passes a gate without a file over a system of its own."""
    assert run_parity("gate", "--adapter", "reference", "--system", "nexus").returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")), reason="node or npm is not on PATH")
def test_the_shipped_file_explains_the_published_typescript_sdk(run_parity: Parity) -> None:
    """Every failure of the published TypeScript SDK is explained by the shipped file, and every line of it holds. `explain`
    shows the reason and the note that the file gives for a failure."""
    done = run_parity("gate", "--adapter", "ts", timeout=300)
    if done.returncode == 3:
        pytest.skip(f"the SDK cannot be installed here: {done.stdout.splitlines()[0]}")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (0, "gate: green"), done.stdout
    case = "jeffs_brain/temporal/not_expanded/today-and-yesterday.today"
    done = run_parity("explain", case, "--adapter", "ts", timeout=300)
    section = done.stdout.partition("\nknown divergences\n")[2].partition("\n\n")[0]
    assert section.startswith("  ts: today and yesterday are expanded")
    assert "describes recognisers for today, yesterday and last week" in " ".join(section.split())
