"""`pytest cases/` with adapters that break: at a case, between two, at the start, at the end."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Session, adapter, processes
from pytest_sessions import TABLE, counts, write

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("way", "seen"),
    [
        ("exits-with-3", "error/crash: The adapter exited with status 3."),
        ("hangs", "error/timeout: No reply for 0.3 s (--parity-timeout)."),
    ],
)
def test_a_break_is_blamed_on_its_case(run_pytest: Session, echo_corpus: Path, way: str, seen: str) -> None:
    """A case that makes the adapter crash or hang fails with that reason; those before and after it pass."""
    write(echo_corpus, "words.yaml", TABLE)
    session = run_pytest("cases", "--parity-timeout", "0.3", "--adapter", adapter("guilty.py", way))
    assert (session.returncode, counts(session)) == (1, {"failed": 1, "passed": 6})
    assert "_ echo/words/said.guilty[guilty] _" in session.stdout
    assert f"  {seen}\n" in session.stdout


def test_breaks_come_first_in_the_summary(run_pytest: Session, echo_corpus: Path) -> None:
    """The list of failures at the end begins with the crash, although a difference comes before it in the files."""
    rows = "        - [before, early, late]\n        - [guilty, guilty, guilty]\n"
    write(echo_corpus, "words.yaml", TABLE[: TABLE.index("        - [")] + rows)
    session = run_pytest("cases", "--adapter", adapter("guilty.py", "exits-with-3"))
    failed = [line for line in session.stdout.splitlines() if line.startswith("FAILED")]
    assert [line.partition("::")[2].partition("[")[0] for line in failed] == ["said.guilty", "said.before"]


TALKATIVE = f"""\
import json, pathlib, sys, time
sys.path.insert(0, {str(Path(adapter.__code__.co_filename).parent / "adapters")!r})
from loop import is_guilty, reply, serve, write

def at_once(message):
    write(json.dumps(reply(message)).encode() + b"\\nThat was hard!\\n")

def later(message):
    write(reply(message))
    time.sleep(0.005 if been_here.exists() else 0.1)
    been_here.touch()
    print("out of breath\\n::stop-commands::hush", file=sys.stderr, flush=True)
    write("That was hard!")

been_here = pathlib.Path(sys.argv[0] + ".been-here")
serve(globals()[sys.argv[1]], when=is_guilty)
sys.exit(5)
"""


@pytest.fixture
def talkative(echo_corpus: Path) -> Callable[[str], str]:
    """The command of an adapter that writes a line of its own after its reply to `guilty`, which is asked twice."""
    words = ["before", "guilty", "between", "guilty", "after"]
    rows = [f"        - [n{number}, {word}, {word}]" for number, word in enumerate(words)]
    write(echo_corpus, "words.yaml", TABLE[: TABLE.index("        - [")] + "\n".join(rows) + "\n")
    script = echo_corpus / "talkative.py"
    script.write_text(TALKATIVE, "utf-8")
    return lambda way: shlex.join([sys.executable, str(script), way])


def test_a_line_after_a_reply_is_blamed_on_its_case(run_pytest: Session, talkative: Callable[[str], str]) -> None:
    """What an adapter writes right after a reply is an `error/protocol` of that case, as in a run, and of no other."""
    session = run_pytest("cases/echo/words.yaml", "--adapter", talkative("at_once"))
    assert (session.returncode, counts(session)) == (1, {"error": 1, "failed": 2, "passed": 3})
    for name in ("said.n1", "said.n3"):
        told = session.stdout.split(f"_ echo/words/{name}[talkative] _")[1]
        seen = next(line for line in told.splitlines() if "error/protocol" in line)
        assert "not one JSON message: 'That was hard!'" in seen
        assert " This was right after its reply. Write one message a line" in seen


def test_a_line_between_two_cases_is_told_and_watched_for(run_pytest: Session, talkative: Callable[[str], str]) -> None:
    """One that comes too late to be told from the next reply names the case before; the next time the case is blamed."""
    session = run_pytest("cases/echo/words.yaml", "--adapter", talkative("later"))
    assert (session.returncode, counts(session)) == (1, {"error": 2, "failed": 1, "passed": 4})
    incident = next(line for line in session.stdout.splitlines() if line.startswith("incident: "))
    assert "The last reply before was to echo/words/said.n1." in incident
    assert "FAILED cases/echo/words.yaml::said.n3[talkative] - error/protocol" in session.stdout
    assert "    | ::stop-commands::hush\n" in session.stdout
    assert "\n::" not in session.stdout, "what an adapter prints is a command to a CI runner"


def test_two_breaks_at_the_end_are_one_error(run_pytest: Session, talkative: Callable[[str], str]) -> None:
    """What is found at the last case and what its end adds are told together, in sentences and without a traceback."""
    session = run_pytest("cases/echo/words.yaml", "-k", "n3 or n4", "--adapter", talkative("later"))
    assert (session.returncode, counts(session)) == (1, {"deselected": 3, "error": 1, "passed": 2})
    told = session.stdout.partition("short test summary info")[0]  # which repeats all of it where CI is set
    found, ended = [line for line in told.splitlines() if line.startswith("incident: ")]
    assert "The last reply before was to echo/words/said.n3." in found
    assert ended == "incident: talkative: After shutdown: The adapter exited with status 5."
    assert "Group" not in session.stdout
    assert "Traceback" not in session.stdout


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("/no/such/adapter", "error/start: /no/such/adapter cannot be started: No such file or directory."),
        (adapter("start.py", "exits-before"), "    | no licence found\n"),
        (adapter("start.py", "nothing-offered"), "error/start: The adapter offers no operation."),
    ],
)
def test_what_cannot_be_started_fails_everywhere(
    run_pytest: Session, echo_corpus: Path, command: str, seen: str
) -> None:
    """An adapter that does not start, or offers nothing, fails each case; the first tells why, the others name it."""
    session = run_pytest("cases", "--adapter", f"broken={command}", "-rN")
    assert (session.returncode, counts(session)) == (1, {"failed": 4})
    assert session.stdout.count(seen) == 1
    assert "Traceback" not in session.stdout
    probe = shlex.join(["parity", "probe", "--corpus", str(echo_corpus), f"broken={command}"])
    assert session.stdout.count(f"  diagnose: {probe}\n") == 1
    assert session.stdout.count("_\nerror/start: broken could not be started; see echo/said/word.\n") == 3


LATE = """\
import json, sys, time
time.sleep(float(sys.argv[1]))
said = {"name": "late", "version": "1", "language": "Python"}
for line in sys.stdin:
    message = json.loads(line)
    result = message["params"]
    if message["method"] == "initialize":
        result = {"protocolVersion": 1, "implementation": said, "operations": sys.argv[2:]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if message["method"] == "shutdown":
        break
"""


@pytest.fixture
def short_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The notice comes after one second instead of five, in this process."""
    monkeypatch.setattr("harness.runner.stall.STALL_NOTICE_AFTER", 1.0)


SLOWLY = """\
    time.sleep(1.8 if message["params"].get("text") == "" else 0)
    result = message["params"]"""


def test_an_adapter_that_cannot_be_built_is_one_error(
    run_pytest: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first item fails with the reason; the others are skipped, and no case counts as answered."""
    monkeypatch.setenv("PATH", str(tmp_path))
    session = run_pytest("cases", "--adapter", "go")
    assert (session.returncode, counts(session)) == (1, {"failed": 1, "skipped": 3})
    assert "go is not tested: go is not on PATH." in session.stdout
    assert "go answered" not in session.stdout


@pytest.mark.usefixtures("short_notice")
def test_an_adapter_that_is_long_in_starting(run_pytest: Session, echo_corpus: Path) -> None:
    """After some seconds the terminal tells, once and past the capturing, what is waited for and what tells why."""
    (echo_corpus / "late.py").write_text(LATE, "utf-8")
    command = shlex.join(["late=" + sys.executable, "late.py", "1.5", "echo.say"])
    session = run_pytest("cases/echo/said.yaml", "--adapter", command)
    assert (session.returncode, counts(session)) == (0, {"passed": 2})
    (told,) = [line for line in session.stdout.splitlines() if "has not replied" in line]
    notice = (
        r"parity: late has not replied to initialize \([1-9]\d* s of 60 s\)\. To diagnose it: parity probe --corpus "
    )
    assert re.search(notice, told)
    assert told.endswith(shlex.quote(command))


@pytest.mark.usefixtures("short_notice")
def test_an_adapter_that_is_silent_about_a_case(run_pytest: Session, echo_corpus: Path) -> None:
    """The terminal tells, once, which case is waited for and how long, on a line of its own even behind the dots of `-q`."""
    (echo_corpus / "late.py").write_text(LATE.replace('    result = message["params"]', SLOWLY), "utf-8")
    command = shlex.join([f"late={sys.executable}", "late.py", "0", "echo.say"])
    session = run_pytest("cases/echo/said.yaml", "-q", "--adapter", command)
    assert (session.returncode, counts(session)) == (0, {"passed": 2})
    (told,) = [line for line in session.stdout.splitlines() if "has not replied" in line]
    notice = r"parity: late has not replied to echo/said/nothing \([1-9]\d* s of 10 s\)\. To diagnose it: parity probe "
    assert re.match(notice, told)
    assert told.endswith(shlex.quote(command))


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "two-workers"])
def test_an_operation_whose_name_is_misspelt(run_pytest: Session, echo_corpus: Path, workers: list[str]) -> None:
    """The summary tells, once, of an operation that is offered under a name that is near a known one."""
    (echo_corpus / "late.py").write_text(LATE, "utf-8")
    command = shlex.join([sys.executable, "late.py", "0", "echo.say", "echo.shuot", "wholly.another"])
    session = run_pytest("cases", "--adapter", f"mine={command}", *workers)
    told = "mine offers echo.shuot, which no case uses. Did you mean echo.shout?"
    assert session.stdout.count(told) == 1
    assert "wholly.another" not in session.stdout


def test_a_bad_end_is_an_error(run_pytest: Session) -> None:
    """An adapter that answers all and then exits with a failure makes the last teardown an error, as a fixture would."""
    session = run_pytest("cases", "--adapter", adapter("end.py", "exits-with-3"))
    assert (session.returncode, counts(session)) == (1, {"error": 1, "passed": 4})
    assert "incident: end: After shutdown: The adapter exited with status 3." in session.stdout


def test_the_first_failure_can_be_the_last(run_pytest: Session) -> None:
    """`-x` stops at the first failure, and ends the adapters in good manners all the same."""
    commands = ["--adapter", adapter("shouting.py", "softly"), "--adapter", adapter("end.py", "exits-with-3")]
    session = run_pytest("cases", "-x", *commands)
    assert session.returncode == 1
    assert counts(session) == {"error": 1, "failed": 1, "passed": 4}
    assert "INTERNALERROR" not in session.stdout + session.stderr


def test_an_interruption_leaves_nothing(echo_corpus: Path, tmp_path: Path) -> None:
    """A session interrupted while an adapter hangs ends at once, without a traceback, and takes the adapters with it."""
    write(echo_corpus, "words.yaml", TABLE)
    mark = f"mark-{uuid.uuid4().hex}"
    hanging, ending = adapter("guilty.py", "hangs-with-a-grandchild", mark), adapter("end.py", "exits-with-3", mark)
    command = [sys.executable, "-m", "pytest", "cases", "--adapter", ending, "--adapter", hanging]
    with (tmp_path / "output").open("w") as output:
        session = subprocess.Popen(
            command,
            cwd=echo_corpus,
            stdout=output,
            stderr=output,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell may start the tests without it
        )
        while not any("sleep(600)" in line for line in processes(mark)) and session.poll() is None:
            time.sleep(0.05)
        session.send_signal(signal.SIGINT)
        assert session.wait(30) == pytest.ExitCode.INTERRUPTED
    told = (tmp_path / "output").read_text("utf-8")
    assert "KeyboardInterrupt" in told
    assert "Traceback" not in told
    assert processes(mark) == []
