"""The file that `parity gate --write-known` writes: what it keeps, and what it leaves to a person; and that it pins
readings."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import NO_BYTECODE, ROOT, Parity
from gating import MUMBLED, MUTE, Gate, listings, singer

from harness.gate.known_reader import load_known

SELECTED = "jeffs_brain/query_dsl/operators/operator-before-a-word-that-strips-to-nothing"
MODEL = "RUL-B03=b"


def sdk(*options: str) -> str:
    """The option that adds the reference with these options: it stands for an SDK whose failures have one cause."""
    return f"--adapter=sdk={shlex.join([sys.executable, '-m', 'harness', 'serve', *options])}"


@pytest.mark.slow
def test_one_model_in_place_of_a_list_of_cases(run_parity: Parity, tmp_path: Path) -> None:
    """An update writes one entry for all failures of the reading; they are then known, and stale without their cause."""
    file, record = tmp_path / "known.yaml", tmp_path / "run.jsonl"
    select = ("--select", SELECTED, "--record", record)
    run_parity("gate", sdk("--reading", MODEL), *select, "--write-known", file)
    text = file.read_text("utf-8")
    assert f"divergences:\n- reason: TODO\n  model: {MODEL}\nunsupported: []\n" in text
    file.write_text(text.replace("TODO", "A dropped word takes its operator with it."), "utf-8")

    known = run_parity("gate", sdk("--reading", MODEL), *select, "--known", file)
    assert (known.returncode, "6 known divergences" in known.stdout) == (0, True), known.stdout
    (cause,) = json.loads(record.read_text("ascii").splitlines()[0])["implementations"][0]["causes"]
    assert cause == {"name": MODEL, "reason": "A dropped word takes its operator with it."}

    stale = run_parity("gate", sdk(), *select, "--known", file)
    assert (stale.returncode, "Correct 1 model: " in stale.stdout) == (1, True)
    assert f"{MODEL}: 6 of the 6 failures that it predicts do not occur" in stale.stdout


OF_SAYING, OF_SHOUTING = (f"TODO echo.{operation} $.text" for operation in ("say", "shout"))
"""What waits for its reason where what is said, or shouted, comes back otherwise."""


def entries(file: Path) -> list[tuple[str, list[str]]]:
    """The reasons of a file, each with its kind of failure and its cases."""
    return [
        (f"{one.reason} {one.category}".rstrip(), [*one.cases]) for one in load_known(file, allow_todo=True).divergences
    ]


def more_sayings(corpus: Path) -> None:
    """Adds the suite `echo/sung`, with another word and nothing once more."""
    text = (corpus / "cases" / "echo" / "said.yaml").read_text("utf-8")
    (corpus / "cases" / "echo" / "sung.yaml").write_text(text.replace("echo/said", "echo/sung"), "utf-8")


def test_each_kind_of_failure_waits_for_a_reason_of_its_own(gate: Gate, echo_corpus: Path, file: Path) -> None:
    """Failures of one operation in one place stand under one TODO, the commonest kind first; a second writing changes
    nothing."""
    more_sayings(echo_corpus)
    done = gate("mumbling hoarse", "--write-known", file)
    assert (done.returncode, "gate: RED (2 unwritten reasons)" in done.stdout) == (1, True)
    assert entries(file) == [(OF_SAYING, [MUMBLED, "echo/sung/word"]), (OF_SHOUTING, ["echo/shouted/word"])]
    before = file.read_bytes()
    assert gate("mumbling hoarse", "--write-known", file).returncode == 1
    assert file.read_bytes() == before


@pytest.mark.slow
def test_errors_of_one_kind_wait_together(gate: Gate, file: Path) -> None:
    """The category of a crash is its kind and its status. It is known by its signature, like any failure."""
    gate("faint", "--write-known", file)
    assert entries(file) == [
        ("TODO echo.say error/crash status 1", [MUMBLED]),
        ("TODO echo.shout error/crash status 1", ["echo/shouted/word"]),
    ]
    file.write_text(file.read_text("utf-8").replace("reason: TODO", "reason: It faints."), "utf-8")
    assert gate("faint", "--known", file).returncode == 0


def test_write_known_leaves_the_reasons_to_a_person(gate: Gate, file: Path) -> None:
    """A written file waits for its reasons: the gate that wrote it ends with 1, and one that reads it with 2."""
    done = gate("mumbling mute", "--write-known", file)
    assert done.returncode == 1
    assert done.stdout.splitlines()[:-1] == [
        f"written: {file} (use it with --known {file})",
        f"{file}:4  The reason still begins with TODO. Write one sentence that gives the reason.",
        "singer: singer 1.0 (Python)",
        "",
        "singer: 1 pass, 1 fail, 2 unsupported; 1 known divergence, 2 known unsupported cases",
        f"known-divergence file: {file}",
        "gate: RED (1 unwritten reason)",
    ]
    refused = gate("mumbling mute", "--known", file)
    assert refused.returncode == 2
    assert f"{file}:4\n  The reason still begins with TODO." in refused.stderr
    text = file.read_text("utf-8").replace("reason: TODO", "reason: It has a cold.")
    file.write_text(text, "utf-8")
    assert gate("mumbling mute", "--known", file).returncode == 0


def test_write_known_brings_a_file_up_to_date(gate: Gate, explained: Path) -> None:
    """A second writing keeps the reasons that still hold, drops what is stale, and adds what is new under TODO. The text
    has each removed line below its reason."""
    assert gate("mumbling hoarse", "--write-known", explained).returncode == 1
    text = explained.read_text("utf-8")
    assert "- reason: It swallows the end of a word.\n  cases:\n    echo/said/word:" in text
    assert "- reason: TODO\n  kind: echo.shout $.text\n  cases:\n    echo/shouted/word:" in text
    done = gate("", "--write-known", explained)
    assert (done.returncode, "word" in explained.read_text("utf-8")) == (0, False)
    assert done.stdout.splitlines()[1:4] == [
        "1 line removed, which this run does not confirm:",
        "  reason: It swallows the end of a word.",
        f"    {MUMBLED}",
    ]
    assert "which this run" not in gate("", "--write-known", explained).stdout


def test_fix_known_deletes_lines_and_nothing_else(gate: Gate, run_parity: Gate, explained: Path, here: Path) -> None:
    """Where lines that do not hold are all that fails, the text has the command that deletes them: without the record of
    this run, so that it also works elsewhere. Beside a new failure, that command writes no TODO."""
    explained.write_text(f"{explained.read_text('utf-8')}{MUTE}readings: []\n", "utf-8")
    text = gate("mute", "--known", explained, "--record", here / "here.jsonl").stdout
    lines = text.splitlines()
    at = lines.index(f"Or delete these lines in the file {explained} with this command:")
    assert "--record" not in lines[at + 1]
    assert lines[at + 1].endswith(f"--fix-known {explained}")
    assert run_parity(*shlex.split(lines[at + 1])[1:]).returncode == 0
    assert load_known(explained).divergences == ()
    assert [entry.names for entry in load_known(explained).unsupported] == [("echo.shout",)]
    mixed = gate("mumbling", "--known", explained).stdout
    lead, command = mixed.partition("To delete the lines that do not hold")[2].splitlines()[:2]
    assert run_parity(*shlex.split(command)[1:]).returncode == 1, lead
    assert (load_known(explained).unsupported, "TODO" in explained.read_text("utf-8")) == ((), False)


def test_a_removed_reason_beside_a_new_failure_is_a_warning(gate: Gate, echo_corpus: Path, explained: Path) -> None:
    """A new failure of the same operation can have the removed reason."""
    more_sayings(echo_corpus)
    text = explained.read_text("utf-8").replace(MUMBLED, "echo/said/nothing")
    explained.write_text(text, "utf-8")
    done = gate("mumbling", "--write-known", explained)
    assert "  Warning: echo.say has 2 new failures in this run." in done.stdout


def test_write_known_does_not_hide_another_failure_under_an_old_reason(gate: Gate, explained: Path) -> None:
    """A case that fails in another way is named, and waits for a reason; a second writing keeps the former reason."""
    done = gate("lisping", "--write-known", explained)
    assert (done.returncode, "gate: RED (1 unwritten reason)" in done.stdout) == (1, True)
    assert "1 case with a new signature; the reason is TODO:\n  echo/said/word\n" in done.stdout
    before = explained.read_bytes()
    assert b"- reason: TODO\n  before: It swallows the end of a word.\n" in before
    again = gate("lisping", "--write-known", explained)
    assert (again.returncode, "the reason is TODO" in again.stdout) == (1, False)
    assert explained.read_bytes() == before


@pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")), reason="node or npm is not on PATH")
@pytest.mark.slow
def test_a_shipped_file_is_a_beginning_and_never_written(
    gate: Gate, run_parity: Gate, echo_corpus: Path, file: Path
) -> None:
    """Over a shipped adapter's own file, a red gate offers to write one in the current folder; that says how it began."""
    done = run_parity("gate", "--adapter", "ts", "--corpus", echo_corpus, timeout=300)
    if done.returncode == 3:
        pytest.skip(f"the SDK cannot be installed here: {done.stdout.splitlines()[0]}")
    assert "(unmatched)" in done.stdout
    offered = next(line for line in done.stdout.splitlines() if "--write-known" in line)
    assert offered.endswith("--write-known known-divergences.yaml")
    written = run_parity("gate", "--adapter", "ts", "--corpus", echo_corpus, "--write-known", file)
    assert "\nIt starts with the entries of the shipped file " in written.stdout
    assert "shipped with parity" not in run_parity(*shlex.split(offered)[1:-1], file).stdout
    assert "shipped with parity" not in gate("mumbling", "--write-known", file.with_name("other.yaml")).stdout


def test_write_known_makes_the_folder_that_it_needs(gate: Gate, tmp_path: Path) -> None:
    """A file that is to be written may lie in a folder that is not there yet, as every file that is written may."""
    file = tmp_path / "not" / "there" / "known.yaml"
    assert gate("mumbling", "--write-known", file).returncode == 1
    assert "echo/said/word" in file.read_text("utf-8")


@pytest.mark.slow
def test_a_file_that_cannot_be_written_anew_keeps_its_reasons(echo_corpus: Path, explained: Path) -> None:
    """Where there is no room, what people wrote is left as it was, and nothing lies beside it."""
    explained.write_text(explained.read_text("utf-8").replace("  cases:", f"  link: {'x' * 99999}\n  cases:"), "utf-8")
    before, beside = explained.read_bytes(), sorted(explained.parent.iterdir())
    words = ["gate", "--adapter", singer("mumbling"), "--corpus", str(echo_corpus), "--write-known", str(explained)]
    done = subprocess.run(
        [
            "bash",
            "-c",
            'ulimit -f 50; exec "$0" -m harness "$@"',
            sys.executable,
            *words,
            "--record",
            echo_corpus / "r",
        ],
        cwd=ROOT,
        env={**os.environ, **NO_BYTECODE},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == f"parity: {explained}: the file cannot be written: File too large. Name another file.\n"
    assert explained.read_bytes() == before
    assert sorted(explained.parent.iterdir()) == beside


@pytest.mark.slow
def test_readings_are_pinned(gate: Gate, disputed: str, file: Path, here: Path) -> None:
    """The update lists the readings. A case that leaves its reading makes the gate red, unless readings are free; a file
    without readings pins none and says so."""
    assert gate("", "--write-known", file, "--select", disputed).returncode == 0
    assert load_known(file).readings == ()
    done = gate("hoarse", "--known", file, "--select", disputed)
    assert (done.returncode, done.stdout.splitlines()[-2]) == (1, "gate: RED (1 changed reading)")
    head = "Check 1 case: users see an answer by another reading (changed reading)"
    assert done.stdout.splitlines()[2:6] == [
        head,
        "  RUL-E1: the adopted reading → reading b: 1 case",
        "    How loud: As it came.",
        f"    {disputed}",
    ]
    assert listings(here)[disputed] == {"status": "reading", "reason": "RUL-E1: the adopted reading → reading b"}
    free = gate("hoarse", "--known", file, "--select", disputed, "--readings", "free")
    assert (free.returncode, "1 case with another reading" in free.stdout) == (0, True)
    assert gate("hoarse", "--write-known", file, "--select", disputed).returncode == 0
    kept = gate("hoarse", "--known", file, "--select", disputed)
    assert (kept.returncode, "another reading" in kept.stdout) == (0, False)
    assert (
        "  RUL-E1: reading b → the adopted reading: 1 case\n" in gate("", "--known", file, "--select", disputed).stdout
    )
    file.write_text("unsupported: []\n", "utf-8")
    assert "\nreadings are not pinned: " in gate("hoarse", "--known", file, "--select", disputed).stdout


@pytest.fixture
def disputed(echo_corpus: Path) -> str:
    """The name of a case with two possible answers: loud (adopted) or not."""
    cases = echo_corpus / "cases" / "echo"
    (cases / "rulings.yaml").write_text(
        "system: echo\nrevision: '1.0'\nrulings:\n"
        "  - {id: RUL-E1, title: How loud, requirements: [ECHO-02], question: Capitals or not?,\n"
        "     readings: {a: Capitals., b: As it came.}, adopted: a, basis: prose,\n"
        "     why: Shouting is loud., severity: low, evidence: [echo/disputed/loud], wording: Say all.}\n",
        "utf-8",
    )
    (cases / "disputed.yaml").write_text(
        "suite: echo/disputed\noperation: echo.shout\ncases:\n"
        "  - {id: loud, requirements: [ECHO-02], origin: spec-text, request: {text: hello},\n"
        "     disputed: {ruling: RUL-E1, adopted: a,\n"
        "     readings: {a: {answer: {text: HELLO}}, b: {answer: {text: hello}}}}}\n",
        "utf-8",
    )
    return "echo/disputed/loud"
