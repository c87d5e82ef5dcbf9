"""`parity run` as its users meet it: exit status, streams, and the commands that it tells them."""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]

_ADAPTER = """\
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    said = {"name": "caller", "version": "1", "language": "Python"}
    known = {"initialize": {"protocolVersion": 1, "implementation": said, "operations": ["echo.say"]}, "shutdown": {}}
    text = message["params"].get("text") if message["method"] == "echo.say" else None
    result = known.get(message["method"], {"text": os.environ.get("SAID", text)})
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if message["method"] == "shutdown":
        break
"""


@pytest.fixture
def asking(tmp_path: Path, echo_corpus: Path) -> list[str]:
    """The arguments of a run over the two cases of `echo.say`."""
    script = tmp_path / "caller.py"
    script.write_text(_ADAPTER, "utf-8")
    command = shlex.join([sys.executable, str(script)])
    return ["run", "--corpus", str(echo_corpus), "--select", "operation:echo.say", "--adapter", f"caller={command}"]


@pytest.mark.parametrize("name", ["-x", "a@b", "with a blank"])
def test_printed_commands_work_for_every_name_of_a_record(name: str, run_parity: Any, asking: list[str]) -> None:
    """A record whose name looks like an option or a version, or has a blank, is found by the commands of the screen."""
    done = run_parity(*asking, f"--record=./{name}", "--pass-env", "SAID", env={"SAID": "no"})
    commands = dict(re.findall(r"^(details|list): +parity (.*)$", done.stdout, re.MULTILINE))
    assert ("list" in commands) is (" " not in name)
    for command in commands.values():
        assert run_parity(*shlex.split(command)).returncode == 0, command


def test_all_pass(run_parity: Any, asking: list[str], tmp_path: Path) -> None:
    """Where all is well, the status is 0 and the last lines tell what was judged and where the record lies."""
    done = run_parity(*asking)
    assert (done.returncode, done.stderr) == (0, "")
    sums, record = done.stdout.splitlines()[-2:]
    assert sums.startswith("2 cases, 1 implementation, 2 verdicts in ")
    assert sums.endswith(" s: 2 pass")
    assert record == "record: parity-run.jsonl"
    assert (tmp_path / "here" / "parity-run.jsonl").exists()


def test_the_command_that_repeats_a_failure_repeats_it(run_parity: Any, asking: list[str]) -> None:
    """The line `repeat:` can be pasted into a shell, and gives the same difference. The record that the line `list:` names
    stays as it is."""
    done = run_parity(*asking, "--pass-env", "SAID", "--timeout", "7", env={"SAID": "no"})
    assert done.returncode == 1
    (again,) = re.findall(r"^repeat: +parity (run .*)$", done.stdout, re.MULTILINE)
    words = shlex.split(again)
    repeated = run_parity(*words, env={"SAID": "no"})
    assert repeated.returncode == 1
    assert "1 case, 1 implementation, 1 verdict" in repeated.stdout
    (listing,) = re.findall(r"^list: +parity (cases .*)$", done.stdout, re.MULTILINE)
    assert run_parity(*shlex.split(listing)).stdout.count("echo.say") == 2
    assert '$.text   wanted "' in repeated.stdout


def test_an_adapter_that_cannot_be_started_leaves_the_others_to_be_asked(run_parity: Any, asking: list[str]) -> None:
    """The others are judged, each of its cases is an error, the reason stands once, and the status is 3."""
    done = run_parity(*asking, "--adapter", "gone=/no/such/program --flag")
    assert done.returncode == 3
    assert done.stdout.count("/no/such/program cannot be started: No such file or directory") == 1
    assert "gone could not be built or started: " in done.stdout
    assert "  2 cases are errors (start)." in done.stdout
    assert done.stdout.splitlines()[-2].endswith(": 2 pass, 2 error")


def test_an_adapter_that_ends_before_it_speaks_shows_what_it_wrote(run_parity: Any, asking: list[str]) -> None:
    """The end of its standard error stands in the report once, and in the record once."""
    done = run_parity(*asking, "--adapter", "dumb=sh -c 'echo no tongue >&2; exit 9'", "--record", "r.jsonl")
    assert done.returncode == 3
    assert done.stdout.count("\n    | no tongue\n") == 1
    assert "parity probe" in done.stdout
    assert "exited with status 9" in done.stdout


def test_no_line_of_an_adapter_begins_a_line(run_parity: Any, asking: list[str]) -> None:
    """What would close a fenced block or be a command of a CI log stands behind a bar; a tab is a space."""
    said = "~~~~~~~~\\n::error::hit\\n##[error]hit\\n\\tserver response"
    done = run_parity(*asking, "--adapter", f"dumb=sh -c 'printf \"{said}\" >&2; exit 9'", "--record", "r.jsonl")
    assert not any(line.lstrip().startswith(("~~~", "::", "##[")) for line in done.stdout.splitlines())
    assert "\n    | ~~~~~~~~\n    | ::error::hit\n    | ##[error]hit\n    |  server response\n" in done.stdout
    talking = f"dumb=sh -c 'echo {'x' * 60} ::error::{'y' * 60} >&2; exit 9'"
    told = run_parity("explain", "echo/said/word", *asking[1:3], "--adapter", talking).stdout
    assert "| ::error::" in told
    assert not any(line.lstrip().startswith("::") for line in told.splitlines())


def test_a_start_that_failed_is_told_whatever_is_compared(run_parity: Any, asking: list[str], tmp_path: Path) -> None:
    """With `--since` the reason stands once, with what the adapter wrote and what tells more, in place of each case."""
    before, adapter = tmp_path / "before.jsonl", "caller=sh -c 'echo no tongue >&2; exit 9'"
    run_parity(*asking, "--record", before)
    done = run_parity(*asking[:-1], adapter, "--since", before, "--record", tmp_path / "now.jsonl")
    assert done.returncode == 3
    assert done.stdout.count("caller could not be built or started: ") == 1
    assert "\n    | no tongue\n" in done.stdout
    assert "parity probe" in done.stdout
    assert "error/start" not in done.stdout
    assert done.stdout.splitlines()[-2] == "caller now: 2 error"


def test_a_toolchain_that_is_missing_for_a_named_adapter(run_parity: Any, asking: list[str], tmp_path: Path) -> None:
    """A shipped adapter that was named and whose tools are not here is an error of status 3, with what to install."""
    done = run_parity(*asking, "--adapter", "go", env={"PATH": str(tmp_path)})
    assert done.returncode == 3
    assert "go could not be built or started: go is not on PATH. Install Go" in done.stdout
    assert "parity: go cannot run: go is not on PATH." in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["run", "gate"])
@pytest.mark.parametrize(("streams", "unbuffered"), [("| head -c 0", "1"), ("2>&1 | head -c 0", "")])
def test_a_reader_that_goes_away_does_not_change_the_status(
    asking: list[str], tmp_path: Path, verb: str, streams: str, unbuffered: str
) -> None:
    """`parity run | head -c 0` fails where `parity run` fails, and a gate is not green."""
    command = [sys.executable, "-m", "harness", verb, *asking[1:], "--pass-env", "SAID"]
    done = subprocess.run(
        ["bash", "-c", f"{shlex.join(command)} {streams}; exit ${{PIPESTATUS[0]}}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered, "SAID": "no"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_report_that_cannot_be_printed(asking: list[str], tmp_path: Path) -> None:
    """A full device behind standard output is a sentence and status 2, and the record is complete."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "harness", *asking, "--record", "r.jsonl"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == (
        "parity: The report cannot be printed: No space left on device. The record r.jsonl is complete.\n"
    )


@pytest.mark.slow
def test_an_output_that_cannot_take_all_characters(run_parity_process: Any, asking: list[str]) -> None:
    """Where standard output is ASCII, other characters come out as escapes."""
    done = run_parity_process(*asking, "--pass-env", "SAID", env={"SAID": "é", "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert 'got "\\xe9"' in done.stdout


def test_record_and_resume_exclude_each_other(run_parity: Any, asking: list[str]) -> None:
    """A run either begins a record or goes on with one."""
    done = run_parity(*asking, "--record", "a.jsonl", "--resume", "b.jsonl")
    assert done.returncode == 2
    assert "not allowed with argument" in done.stderr


def test_the_record_of_a_run_that_goes_on_is_not_replaced(run_parity: Any, asking: list[str], tmp_path: Path) -> None:
    """A part that begins while a whole run writes is refused, and writes nothing."""
    whole = [word for word in asking if word not in ("--select", "operation:echo.say")]
    run_parity(*whole)
    record = tmp_path / "here" / "parity-run.jsonl"
    held = record.read_bytes()
    with record.open("ab") as writing:
        fcntl.flock(writing, fcntl.LOCK_EX)
        done = run_parity(*whole, "--select", "echo/said")
    assert (done.returncode, "another run is writing this record" in done.stderr) == (2, True)
    assert (record.read_bytes(), [path.name for path in record.parent.glob("*.jsonl")]) == (held, [record.name])
