"""Streams, folders and options as they should not be: a sentence and a status, never a traceback."""

from __future__ import annotations

import contextlib
import os
import pty
import resource
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import NO_BYTECODE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]

_COMMAND = "##[warning]hello"
"""The runner of GitHub Actions takes this text for a command at any place of a line."""

_SERVED = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}\n'


def in_shell(script: str, folder: Path, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Runs a shell script in which `$parity` is the command."""
    parity = shlex.join([sys.executable, "-m", "harness"])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "", **more.pop("env", {})}
    return subprocess.run(
        ["bash", "-c", f"parity='{parity}'; {script}"],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=30,
        check=False,
        **more,
    )


@pytest.mark.parametrize(
    ("verb", "unbuffered"),
    [("cases", ""), ("cases", "1"), ("cases --path", ""), ("--help", ""), ("gate --help", ""), ("--version", "")],
)
def test_standard_output_is_full(verb: str, unbuffered: str, echo_corpus: Path) -> None:
    """Where nothing can be printed, a sentence says so with status 2."""
    given = verb.replace("cases", f"cases --corpus {echo_corpus}")
    done = in_shell(f"$parity {given} >/dev/full", echo_corpus, env={"PYTHONUNBUFFERED": unbuffered})
    assert done.returncode == 2
    assert done.stderr == (
        b"parity: the output cannot be written: No space left on device. Free some space, or choose another place.\n"
    )


@pytest.mark.parametrize("verb", ["cases", "--help"])
def test_both_streams_are_full(verb: str, echo_corpus: Path) -> None:
    """Where nothing at all can be said, the status still is 2."""
    given = verb.replace("cases", f"cases --corpus {echo_corpus}")
    assert in_shell(f"$parity {given} >/dev/full 2>/dev/full", echo_corpus).returncode == 2


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_streams_are_closed(closed: str, echo_corpus: Path) -> None:
    """A run whose streams are closed judges and records as any other."""
    script = echo_corpus / "nobody.py"
    script.write_text("", "utf-8")
    adapter = shlex.quote(f"nobody={sys.executable} {script}")
    done = in_shell(f"$parity run --corpus {echo_corpus} --adapter {adapter} {closed}", echo_corpus)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"")
    assert b'"type":"footer"' in (echo_corpus / "parity-run.jsonl").read_bytes()


def test_an_encoding_of_few_characters(echo_corpus: Path) -> None:
    """What standard output cannot encode is written as an escape, by every verb."""
    said = echo_corpus / "cases" / "echo" / "said.yaml"
    said.write_text(said.read_text("utf-8").replace("hello", "h\u00e9llo"), "utf-8")
    done = in_shell(
        f"$parity cases --format table --corpus {echo_corpus}", echo_corpus, env={"PYTHONIOENCODING": "ascii:strict"}
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"h\\xe9llo" in done.stdout


def test_a_fault_with_no_room_for_its_traceback(echo_corpus: Path) -> None:
    """Where no file can be written, a fault is told with the place in the code."""

    def no_file() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    done = in_shell("$parity doctor", echo_corpus, preexec_fn=no_file, env=NO_BYTECODE)
    assert done.returncode == 4
    assert done.stderr.startswith(b"parity: this is a fault of parity itself (FileNotFoundError: ")
    assert b"Please report it with this place: " in done.stderr
    assert b"Traceback" not in done.stderr


def test_the_current_folder_is_gone(echo_corpus: Path) -> None:
    """In a folder that was deleted nothing is asked."""
    done = in_shell("mkdir gone && cd gone && rmdir ../gone && $parity run --adapter reference", echo_corpus)
    assert done.returncode == 2
    assert done.stderr.startswith(b"parity: The current folder cannot be used: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "--record", "loop"], "loop cannot be resolved"),
        (["gate", "--record", "loop/x.jsonl"], "cannot be resolved"),
        (["cases", "--corpus", "loop"], "loop cannot be resolved"),
        (["cases", "--corpus", "x" * 5000], "x… cannot be resolved: File name too long"),
        (["cases", "--corpus", "nowhere", "--path"], "nowhere/cases: the folder does not exist"),
        (["run", "--adapter", "ts", "--sdk", "loop"], "argument --sdk: loop cannot be resolved"),
        (["run", "--adapter", "ts", "--sdk", ""], "argument --sdk: the path is empty"),
        (["run", "--since", "loop"], "argument --since: loop cannot be resolved"),
        (["gate", "--adapter", "ts", "--known", "x" * 5000], "argument --known: x"),
        (["gate", "--adapter", "ts", "--write-known", "loop"], "argument --write-known: loop cannot be resolved"),
        (["report", "loop", "--html", "x.html"], "argument RECORD: loop cannot be resolved"),
        (["report", "x.jsonl", "--html", "loop"], "argument --html: loop cannot be resolved"),
        (["report", "x.jsonl", "--review", ""], "argument --review: the path is empty"),
        (["compare", "", "x.jsonl"], "argument OLDER: the path is empty"),
        (["merge", "loop", "--record", "x.jsonl"], "argument RECORD: loop cannot be resolved"),
        (["coverage", "--record", "loop/x"], "argument --record: loop/x cannot be resolved"),
        (["new-adapter", "go", "loop"], "argument DIR: loop cannot be resolved"),
        (["run", "--adapter", "reference", "--record", "pipe"], "pipe: this is no regular file"),
        (["run", "--adapter", "reference", "--record", "file/x.jsonl"], "cannot be written: Not a directory"),
        (["run", "--resume", "pipe"], "pipe: this is no regular file"),
        (["cases", "--select", "verdict:fail@pipe"], "pipe: this is no regular file"),
        (["run", "--pass-env", ""], "an empty text is not the name of a variable"),
        (["probe", "true", "--pass-env", "A=B"], "A=B is not the name of a variable"),
        (["run", "--pass-env", "A B"], "A B is not the name of a variable"),
        ([], "  gate         run the cases for CI"),
        (["run", "--timeout", "0.0001"], "0.0001 is not a number of seconds from 0.001"),
        (["run", "--timeout", "1_0"], "1_0 is not a number of seconds from 0.001"),
        (["run", "--shard", "\uff11/\uff12"], "is not I/N"),
    ],
)
def test_what_an_option_cannot_take(arguments: list[str], said: str, run_parity: Any, tmp_path: Path) -> None:
    """Links in a circle, pipes for records, and values that no process could be given are refused in a sentence."""
    (tmp_path / "here" / "loop").symlink_to("loop")
    (tmp_path / "here" / "file").touch()
    os.mkfifo(tmp_path / "here" / "pipe")
    done = run_parity(*arguments, timeout=30)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_command_longer_than_a_file_name(run_parity: Any, echo_corpus: Path) -> None:
    """A gate takes a long command for a command, and not for the name of a file."""
    command = f"{sys.executable} -c '#{'x' * 400}' a.py"
    done = run_parity("gate", "--corpus", echo_corpus, "--adapter", f"long={command}")
    assert done.returncode == 3
    assert "fault" not in done.stderr


def _on_a_terminal(folder: Path, *words: object, **environment: str) -> str:
    """What the command shows on a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "harness", *map(str, words)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ):
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal ends
            while data := os.read(ours, 4096):
                shown += data
    os.close(ours)
    return shown.decode()


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_that_are_not_wanted(environment: dict[str, str], echo_corpus: Path) -> None:
    """What is coloured on a terminal is plain for who says so."""
    words = ["explain", "echo/said/word", "--corpus", echo_corpus, "--adapter", "nobody=./nobody"]
    assert "\x1b[" in _on_a_terminal(echo_corpus, *words)
    assert "\x1b[" not in _on_a_terminal(echo_corpus, *words, **environment)


def test_a_very_narrow_terminal(echo_corpus: Path) -> None:
    """What stands in columns is never made so narrow that words fall apart."""
    shown = _on_a_terminal(
        echo_corpus, "explain", "echo/said/word", "--corpus", echo_corpus, "--adapter", "nobody=./nobody", COLUMNS="1"
    )
    assert "ECHO-01" in shown


def _interrupted(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(_SERVED)
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    return process.communicate()[1]


def _without_reader(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    return process.communicate(_SERVED, timeout=30)[1]


@pytest.mark.parametrize(("end", "status"), [(_interrupted, 130), (_without_reader, 0)])
def test_serving_ends_quietly(end: Callable[[subprocess.Popen[bytes]], bytes], status: int) -> None:
    """Ctrl-C, and a reader that goes away, end `parity serve` without a word."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-m", "harness", "serve"], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe
    )
    assert (end(process), process.returncode) == (b"", status)


def test_serving_on_a_full_stream(tmp_path: Path) -> None:
    """A reply that cannot be written is one sentence and status 2."""
    done = in_shell("$parity serve >/dev/full", tmp_path, input=_SERVED)
    assert (done.returncode, done.stderr) == (2, b"The reply cannot be written: No space left on device.\n")


@pytest.mark.parametrize(("env", "shown"), [({}, _COMMAND), ({"GITHUB_ACTIONS": "true"}, "#\\x23[warning]hello")])
def test_no_text_is_a_command_to_the_runner_of_github(env: dict[str, str], shown: str, tmp_path: Path) -> None:
    """There, both streams escape the mark of a command."""
    done = in_shell(f"$parity explain '{_COMMAND}'", tmp_path, env={"GITHUB_ACTIONS": "", **env})
    assert f"No case is called {shown}." in done.stderr.decode("utf-8")
