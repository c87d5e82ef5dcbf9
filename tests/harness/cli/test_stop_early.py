"""`--max-failures` and `--build`, for `run` and `gate`: where they stop, what they leave, and how they end."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import processes
from gating import MUMBLED, SHOUTED, SIGNATURE, Gate, singer

from harness.errors import UsageError
from harness.records import read_record
from harness.transport.user_build import MAX_LINES, BuildFailed, BuildStopped, build_words, run_build

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(echo_corpus: Path, run_parity: Run, tmp_path: Path) -> Run:
    """Runs a singer with these flaws into `run.jsonl`."""

    def ran(flaws: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        options = ("--adapter", singer(flaws), "--corpus", echo_corpus, "--record", tmp_path / "run.jsonl")
        return run_parity("run", *options, *arguments)

    return ran


def test_a_run_stops_at_the_first_failure_and_can_be_resumed(run: Run, run_parity: Run, tmp_path: Path) -> None:
    """The record has one failure and no footer; a resumed run adds the other cases; the status is 1."""
    path = tmp_path / "run.jsonl"
    done = run("mumbling hoarse", "-x")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == (
        "The run stopped after 1 failure (--max-failures) and is incomplete. "
        f"Go on with: parity run --resume {shlex.quote(str(path))}"
    )
    stopped = read_record(path)
    assert not stopped.complete
    assert [one.case for one in stopped.results if one.verdict == "fail"] == [MUMBLED]
    resumed = run_parity("run", "--resume", path)
    whole = read_record(path)
    assert (resumed.returncode, whole.complete) == (1, True)
    assert sorted(one.case for one in whole.results if one.verdict == "fail") == [MUMBLED, SHOUTED]
    assert len({one.case for one in whole.results}) == len(whole.results) == 4


def test_a_limit_above_the_number_of_failures_changes_nothing(run: Run, tmp_path: Path) -> None:
    """With fewer failures than the limit the record is complete, and no line says that the run stopped."""
    done = run("mumbling hoarse", "--max-failures", "3")
    assert done.returncode == 1
    assert read_record(tmp_path / "run.jsonl").complete
    assert "stopped after" not in done.stdout
    assert run("", "-x").returncode == 0


def test_a_gate_counts_only_new_failures(explained: Path, gate: Gate, tmp_path: Path) -> None:
    """A known failure does not stop a gate; a new one does, and the gate is red."""
    known = gate("mumbling", "--known", explained, "-x")
    assert known.returncode == 0
    done = gate("mumbling hoarse", "--known", explained, "-x")
    assert done.returncode == 1
    assert "gate: RED (1 new, verdicts are missing)" in done.stdout
    assert done.stdout.splitlines()[-1] == (
        "The run stopped after 1 failure (--max-failures) and is incomplete. "
        "Run the gate again: parity gate, with the same options."
    )
    assert SIGNATURE in {one.signature for one in read_record(tmp_path / "here" / "parity-run.jsonl").results}


def test_a_failed_start_is_no_failure_of_a_case(run: Run, tmp_path: Path) -> None:
    """An adapter that does not start ends the run with status 3 and a complete record, with a limit or without."""
    done = run("absent", "-x")
    assert (done.returncode, "stopped after" in done.stdout) == (3, False)
    assert read_record(tmp_path / "run.jsonl").complete


@pytest.mark.parametrize("words", [("--repeat", "2", "-x"), ("-x", "0"), ("--max-failures", "many")])
def test_a_limit_that_cannot_be_is_refused(run: Run, words: tuple[str, ...], tmp_path: Path) -> None:
    """A limit is a positive integer, and a repeated run has none; no record is begun."""
    assert run("", *words).returncode == 2
    assert not (tmp_path / "run.jsonl").exists()


def test_a_file_of_known_divergences_needs_all_cases(gate: Gate, file: Path) -> None:
    """A gate that writes its file accepts no limit."""
    done = gate("mumbling", "--write-known", file, "-x")
    assert (done.returncode, file.exists()) == (2, False)


def test_the_build_runs_before_the_adapter(run: Run, tmp_path: Path, here: Path) -> None:
    """The command runs in the current folder; the adapter that it makes is the one that answers."""
    made = here / "made.py"
    source = Path(__file__).parent / "adapters" / "singer.py"
    command = shlex.join([sys.executable, "-c", f"import shutil; shutil.copy({str(source)!r}, 'made.py')"])
    done = run("", "--adapter", f"made={sys.executable} {made}", "--build", command)
    assert done.returncode == 0
    assert "made" in read_record(tmp_path / "run.jsonl").implementations


@pytest.mark.parametrize("verb", ["run", "gate"])
def test_a_failed_build_judges_no_stale_program(verb: str, run: Run, gate: Gate, tmp_path: Path, here: Path) -> None:
    """Status 3, the end of the output with its escapes visible, and the record of the last run is untouched."""
    record = tmp_path / "run.jsonl"
    verb_command = run if verb == "run" else gate
    record = record if verb == "run" else here / "parity-run.jsonl"
    verb_command("")
    before = record.read_bytes()
    done = verb_command("", "--build", "sh -c 'printf \"\\033[31mbroken: line 3\\n\"; exit 7'")
    assert (done.returncode, done.stdout) == (3, "")
    assert "failed with status 7. No case was run." in done.stderr
    assert done.stderr.splitlines()[-1] == "  \\x1b[31mbroken: line 3"
    assert record.read_bytes() == before


def test_a_build_command_that_does_not_exist_is_named(run: Run) -> None:
    """Status 3 with the reason, and for shell syntax the way to write it."""
    done = run("", "--build", "no-such-tool && true")
    assert done.returncode == 3
    assert "The build command no-such-tool cannot be started: No such file or directory." in done.stderr
    assert "sh -c 'no-such-tool && true'" in done.stderr


@pytest.mark.parametrize("command", ["", "sh -c 'open"])
def test_a_build_command_without_words_is_refused(command: str) -> None:
    """An empty command and an open quotation are mistakes of the command line."""
    with pytest.raises(UsageError):
        build_words(command)


@pytest.mark.slow
def test_the_output_of_a_build_is_bounded() -> None:
    """Of a build that prints without end, the last lines are kept."""
    flood = f"{shlex.quote(sys.executable)} -c \"[print(n, 'x' * 50) for n in range(99999)]; exit(1)\""
    with pytest.raises(BuildFailed) as caught:
        run_build(flood)
    lines = caught.value.log.splitlines()
    assert (len(lines), lines[0], lines[-1].split()[0]) == (MAX_LINES + 1, "…", "99998")


def test_a_stopped_build_ends_with_its_processes() -> None:
    """A build that the caller stops is killed with its children; a child that keeps the pipe open delays nobody."""
    began = time.monotonic()
    with pytest.raises(BuildStopped):
        run_build("sh -c 'sleep 60 & sleep 60'", lambda: True)
    run_build("sh -c 'sleep 5 &'")
    assert time.monotonic() - began < 4


def test_what_a_build_leaves_in_the_background_ends_with_it() -> None:
    """A child of a successful build does not live on beside the run."""
    mark = f"mark-{uuid.uuid4().hex}"
    run_build(f"sh -c 'sh -c \"sleep 60; : {mark}\" & sleep 0.2'")
    deadline = time.monotonic() + 30
    while processes(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not processes(mark)
