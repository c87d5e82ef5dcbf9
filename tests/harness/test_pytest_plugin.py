"""`pytest cases/` as its users meet it: whole sessions in processes of their own, over the echo corpus."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import uuid
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

ADAPTERS = Path(__file__).parent / "adapters"

RULINGS = """\
system: echo
revision: "1.0"
rulings:
  - id: RUL-E01
    title: Spaces around what is said
    requirements: [ECHO-01]
    question: Whether spaces belong to what is said.
    readings: {a: They are dropped., b: They come back.}
    adopted: a
    basis: prose
    why: It says so.
    severity: low
    evidence: [echo/spaces/around]
    wording: Spaces are dropped.
"""
SPACES = """\
suite: echo/spaces
operation: echo.say
cases:
  - id: around
    requirements: [ECHO-01]
    origin: spec-text
    request: {text: " hello "}
    disputed: {ruling: RUL-E01, adopted: a, readings: {a: {answer: {text: hello}}, b: {answer: {text: " hello "}}}}
"""
TABLE = """\
suite: echo/words
operation: echo.say
cases:
  - id: said
    requirements: [ECHO-01]
    origin: spec-text
    table:
      columns: [id, request.text, answer.text]
      rows:
        - [before, before, before]
        - [guilty, guilty, guilty]
        - [after, after, after]
"""

Session = Callable[..., "subprocess.CompletedProcess[str]"]


def adapter(script: str, *arguments: object) -> str:
    """A fake adapter's command."""
    return shlex.join([sys.executable, "-S", "-E", str(ADAPTERS / script), *map(str, arguments)])


def counts(session: subprocess.CompletedProcess[str]) -> dict[str, int]:
    """The numbers of pytest's last line: `{"passed": 3, "failed": 1}`."""
    (last,) = re.findall(r"^(?:=+ )?([^\n]*) in [\d.]+s", session.stdout, re.MULTILINE)
    return {words.split()[1].rstrip("s"): int(words.split()[0]) for words in last.split(", ")}


@pytest.fixture
def run_pytest(echo_corpus: Path) -> Session:
    """Runs `pytest` with these arguments in the corpus' folder, without what this session's environment says of pytest."""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}

    def run(*arguments: str, folder: Path = echo_corpus) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pytest", "--assert=plain", "-p", "no:hypothesispytest", *arguments],
            cwd=folder,
            env=surroundings,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run


def write(corpus: Path, name: str, text: str) -> None:
    (corpus / "cases" / "echo" / name).write_text(text, "utf-8")


def test_an_item_a_case_and_implementation(run_pytest: Session, echo_corpus: Path) -> None:
    """Items are called by file, case, row and implementation; catalogues and fixtures give none."""
    write(echo_corpus, "words.yaml", TABLE)
    (echo_corpus / "cases" / "echo" / "fixtures").mkdir()
    write(echo_corpus, "fixtures/notes.yaml", "[a, b]\n")
    well = adapter("shouting.py", "well")
    session = run_pytest("cases", "--co", "-q", "--adapter", well, "--adapter", f"other={well}")
    cases = [
        "said.yaml::word",
        "said.yaml::nothing",
        "shouted.yaml::word",
        "shouted.yaml::nothing",
        "words.yaml::said.before",
        "words.yaml::said.guilty",
        "words.yaml::said.after",
    ]
    assert session.returncode == 0
    wanted = [f"cases/echo/{case}[{name}]" for case in cases for name in ("shouting", "other")]
    assert session.stdout.splitlines()[: len(wanted)] == wanted
    assert "14 tests collected" in session.stdout


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "two-workers"])
def test_what_does_well_passes(run_pytest: Session, workers: list[str]) -> None:
    """An implementation that answers every case right has every item passed, also over several workers."""
    session = run_pytest("cases", "--adapter", adapter("shouting.py", "well"), *workers)
    assert (session.returncode, counts(session)) == (0, {"passed": 4})


def test_a_difference_is_told(run_pytest: Session) -> None:
    """A failure tells place, operation, difference, requirement and standard error, with nothing of our own code."""
    session = run_pytest("cases", "--adapter", f"soft={adapter('shouting.py', 'softly')}", "-k", "word")
    assert (session.returncode, counts(session)["failed"]) == (1, 1)
    told = session.stdout.split("word[soft] _")[1]
    assert re.search(r"^cases/echo/shouted.yaml:\d+  word  \(soft\)$", told, re.MULTILINE)
    assert '  echo.shout {"text": "hello"}\n' in told
    assert '  $.text   wanted "HELLO"   got "hello"\n' in told
    assert re.search(r"^  ECHO-02  A shout .*", told, re.MULTILINE)
    assert "    I would rather\n    \\x1b[31mwhisper\n" in told
    assert 'FAILED cases/echo/shouted.yaml::word[soft] - $.text   wanted "HELLO"' in told
    assert "Traceback" not in session.stdout
    assert ".py:" not in told


def test_a_failure_can_be_repeated(run_pytest: Session, run_parity: Session) -> None:
    """The commands that a failure ends with ask that one case again, with the same outcome."""
    session = run_pytest("cases", "--adapter", f"soft={adapter('shouting.py', 'softly')}", "-k", "shouted and word")
    again, closer = [shlex.split(line) for line in re.findall("^  again: (.*)", session.stdout, re.MULTILINE)]
    assert (again[0], closer[0]) == ("pytest", "parity")
    repeated = run_pytest(*again[1:])
    assert (repeated.returncode, counts(repeated)) == (1, {"failed": 1})
    explained = run_parity(*closer[1:])
    assert explained.returncode == 0
    assert "echo/shouted/word" in explained.stdout
    assert "soft: fail" in explained.stdout


def test_what_is_out_of_reach_is_skipped(run_pytest: Session, tmp_path: Path) -> None:
    """An unsupported case is skipped with the implementation's own reason, the same reasons of a file folded into one."""
    report = tmp_path / "junit.xml"
    mute = f"mute={adapter('shouting.py', 'only-out-of-reach')}"
    session = run_pytest("cases", "-rs", "--adapter", mute, f"--junitxml={report}")
    assert (session.returncode, counts(session)) == (0, {"passed": 2, "skipped": 2})
    assert "SKIPPED [2] cases/echo/shouted.yaml:1: mute: the SDK has no public shout" in session.stdout
    skipped = [case for case in ElementTree.parse(report).iter("testcase") if case.find("skipped") is not None]
    assert [case.get("name") for case in skipped] == ["word[mute]", "nothing[mute]"]


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "two-workers"])
def test_who_answers_nothing_fails(run_pytest: Session, workers: list[str]) -> None:
    """A session whose implementation answered none of the cases fails, though all its items are skipped."""
    session = run_pytest("cases", *workers)
    assert (session.returncode, counts(session)) == (1, {"skipped": 4})
    assert "reference answered none of the 4 cases, so nothing is known of it." in session.stdout


def test_who_answers_nothing_among_others_fails(run_pytest: Session) -> None:
    """Another implementation's passes do not hide one that answered nothing."""
    session = run_pytest("cases", "--adapter", "reference", "--adapter", adapter("shouting.py", "well"))
    assert (session.returncode, counts(session)) == (1, {"passed": 4, "skipped": 4})


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "two-workers"])
def test_another_reading_passes_and_is_noted(run_pytest: Session, echo_corpus: Path, workers: list[str]) -> None:
    """A variant passes; the summary counts it, and -rA shows it at its case."""
    write(echo_corpus, "rulings.yaml", RULINGS)
    write(echo_corpus, "spaces.yaml", SPACES)
    session = run_pytest("cases", "-rA", "--adapter", f"b={adapter('shouting.py', 'well')}", *workers)
    assert (session.returncode, counts(session)) == (0, {"passed": 5})
    assert "b: 1 passed by another recorded reading than the adopted one: 1 RUL-E01 b\n" in session.stdout
    assert "b answers by RUL-E01 b; a is adopted." in session.stdout


@pytest.mark.parametrize(
    ("way", "seen"),
    [
        ("exits-with-3", "error/crash: The adapter exited with status 3."),
        ("hangs", "error/timeout: No reply for 0.3 s."),
    ],
)
def test_a_break_is_blamed_on_its_case(run_pytest: Session, echo_corpus: Path, way: str, seen: str) -> None:
    """A case that makes the adapter crash or hang fails with that reason; those before and after it pass."""
    write(echo_corpus, "words.yaml", TABLE)
    started = time.monotonic()
    session = run_pytest("cases", "--parity-timeout", "0.3", "--adapter", adapter("guilty.py", way))
    assert (session.returncode, counts(session)) == (1, {"failed": 1, "passed": 6})
    assert "said.guilty[guilty] _" in session.stdout
    assert f"  {seen}\n" in session.stdout
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("/no/such/adapter", "error/start: /no/such/adapter cannot be started: No such file or directory."),
        (adapter("start.py", "exits-before"), "    no licence found\n"),
        (adapter("start.py", "nothing-offered"), "error/start: The adapter offers no operation."),
    ],
)
def test_what_cannot_be_started_fails_everywhere(run_pytest: Session, command: str, seen: str) -> None:
    """An adapter that does not start, or offers nothing, fails each case with the reason."""
    session = run_pytest("cases", "--adapter", f"broken={command}")
    assert (session.returncode, counts(session)) == (1, {"failed": 4})
    assert session.stdout.count(seen) >= 4
    assert "Traceback" not in session.stdout


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
        session = subprocess.Popen(command, cwd=echo_corpus, stdout=output, stderr=output)
        while not any("sleep(600)" in line for line in command_lines(mark)) and session.poll() is None:
            time.sleep(0.05)
        session.send_signal(signal.SIGINT)
        assert session.wait(8) == pytest.ExitCode.INTERRUPTED
    told = (tmp_path / "output").read_text("utf-8")
    assert "KeyboardInterrupt" in told
    assert "Traceback" not in told
    assert command_lines(mark) == []


def command_lines(mark: str) -> list[str]:
    """The command lines of the living processes that hold `mark`."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            lines.append(path.read_text("utf-8", "replace"))
    return [line for line in lines if mark in line]


def test_failures_can_be_run_again(run_pytest: Session) -> None:
    """`--lf` asks only what failed before; `-k` knows names, implementations and the requirements that cases cite."""
    well, softly = adapter("shouting.py", "well"), f"soft={adapter('shouting.py', 'softly')}"
    both = ["--adapter", well, "--adapter", softly]
    assert counts(run_pytest("cases", *both)) == {"failed": 2, "passed": 6}
    assert counts(run_pytest("cases", "--lf", *both)) == {"failed": 2}
    assert counts(run_pytest("cases", "-k", "ECHO-02 and shouting", *both)) == {"passed": 2, "deselected": 6}
    assert counts(run_pytest("cases/echo/said.yaml::word", *both)) == {"passed": 2}


def test_junit_has_the_cases(run_pytest: Session, tmp_path: Path) -> None:
    """A JUnit report names each case by suite and id; a failure's message is its first difference."""
    report = tmp_path / "junit.xml"
    run_pytest("cases", "--adapter", f"soft={adapter('shouting.py', 'softly')}", f"--junitxml={report}")
    found = {(case.get("classname"), case.get("name")): case for case in ElementTree.parse(report).iter("testcase")}
    assert len(found) == 4
    failure = found["cases.echo.shouted.yaml", "word[soft]"].find("failure")
    assert failure is not None
    assert failure.get("message") == '$.text   wanted "HELLO"   got "hello"'
    assert "again: pytest" in (failure.text or "")


@pytest.mark.parametrize(("workers", "status"), [([], 2), (["-n", "2"], 1)], ids=["alone", "two-workers"])
def test_a_broken_corpus_is_told_whole(run_pytest: Session, echo_corpus: Path, workers: list[str], status: int) -> None:
    """Every mistake of the corpus is told once, in the loader's words, whichever file was asked for; nothing is run.

    Of two workers the second may tell it too, if it gets there before the session ends.
    """
    told = (1, 2) if workers else (1,)
    write(echo_corpus, "words.yaml", TABLE.replace("[ECHO-01]", "[ECHO-99]"))
    write(echo_corpus, "spaces.yaml", "suite: echo/spaces\n")
    session = run_pytest("cases/echo/said.yaml", "cases/echo/words.yaml", *workers)
    assert session.returncode == status
    assert counts(session) in [{"error": number} for number in told]
    assert session.stdout.count("The suite has no list of cases.") in told
    assert session.stdout.count("problems in the corpus; nothing was asked.") in told
    assert "ECHO-99" in session.stdout
    assert "Traceback" not in session.stdout
    assert ".py:" not in session.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--adapter", "nosuch"], "ERROR: No adapter is called nosuch. Shipped: "),
        (["--adapter", "a=./x", "--adapter", "a=./y"], "ERROR: Two adapters are called a."),
        (["--parity-timeout", "soon"], "soon is not a number of seconds above 0"),
    ],
)
def test_a_wrong_option_is_a_usage_error(run_pytest: Session, arguments: list[str], sentence: str) -> None:
    """An option that cannot be carried out ends the session before anything is collected."""
    session = run_pytest("cases", *arguments)
    assert session.returncode == 4
    assert sentence in session.stderr
    assert "Traceback" not in session.stderr


def test_a_case_has_its_time_zone(run_pytest: Session, echo_corpus: Path) -> None:
    """A case with a time zone is asked of a process that lives there, and the next one of a process that does not."""
    zones = [("first", "UTC", ""), ("tokyo", "Asia/Tokyo", "environment: {TZ: Asia/Tokyo}, "), ("last", "UTC", "")]
    entries = [
        f"  - {{id: {name}, requirements: [ECHO-02], origin: spec-text, {environment}"
        f"request: {{text: zone}}, answer: {{text: {zone}}}}}"
        for name, zone, environment in zones
    ]
    write(echo_corpus, "zones.yaml", "\n".join(["suite: echo/zones", "operation: echo.shout", "cases:", *entries, ""]))
    session = run_pytest("cases/echo/zones.yaml", "--adapter", adapter("shouting.py", "zone"))
    assert (session.returncode, counts(session)) == (0, {"passed": 3})


def test_other_sessions_are_left_alone(run_pytest: Session, tmp_path: Path) -> None:
    """In a project of its own kind no YAML is collected, though its folders are called cases and schemas, and nothing
    that asks or judges is even loaded."""
    project = tmp_path / "project"
    for folder in ("cases/api", "schemas/api"):
        (project / folder).mkdir(parents=True)
    (project / "cases" / "api" / "users.yaml").write_text("suite: api/users\ncases: []\n")
    (project / "schemas" / "api" / "user.get.json").write_text("{}")
    loaded = "assert not [name for name in sys.modules if name.split('.')[0] in ('yaml', 'jsonschema', 'rich')]"
    (project / "test_own.py").write_text(f"import sys\n\ndef test_own():\n    {loaded}\n")
    session = run_pytest("-v", folder=project)
    assert (session.returncode, counts(session)) == (0, {"passed": 1})
    assert "== parity" not in session.stdout
