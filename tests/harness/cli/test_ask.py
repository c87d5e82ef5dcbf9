"""`parity ask`: one request by hand to all implementations."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from commands import NO_BYTECODE, Parity

from harness.cli.ask_request import example
from harness.corpus.loader import Corpus
from harness.model import Answered

ROOT = Path(__file__).resolve().parents[3]
TELLER = Path(__file__).parent / "adapters" / "teller.py"
HELLO = '{"text": "hello"}'


def teller(way: str) -> str:
    """The option that adds an adapter which shouts in this way, under that name."""
    return f"--adapter={way}={sys.executable} {TELLER} {way}"


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 100 columns, whatever runs the tests."""
    monkeypatch.setenv("COLUMNS", "100")


def test_answers_stand_beside_the_baseline(echo_corpus: Path, run_parity: Parity) -> None:
    """Without a reference the first answer is the baseline; another answer is marked, and the exit status is 1."""
    done = run_parity("ask", "echo.shout", HELLO, "--corpus", echo_corpus, teller("right"), teller("quiet"))
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert any(line.split() == ["right", "quiet:", "differs"] for line in lines)
    assert any(line.split() == [">", '"text":', '"HELLO"', ">", '"text":', '"hello"'] for line in lines)
    assert '    $.text   wanted "HELLO"   got "hello"' in lines


def test_the_printed_command_sends_the_request_again(echo_corpus: Path, run_parity: Parity) -> None:
    """The last line is a command that gives the same page."""
    done = run_parity("ask", "echo.shout", HELLO, "--corpus", echo_corpus, teller("right"), "--timeout", "7")
    assert done.returncode == 0, done.stderr
    command = shlex.split(done.stdout.splitlines()[-1])
    assert command[:4] == ["parity", "ask", "echo.shout", HELLO]
    assert run_parity(*command[1:]).stdout == done.stdout


def test_without_an_operation(echo_corpus: Path, run_parity: Parity) -> None:
    """The operations are listed, as by `parity schema`."""
    done = run_parity("ask", "--corpus", echo_corpus)
    assert (done.returncode, done.stdout) == (0, run_parity("schema", "--corpus", echo_corpus).stdout)


def test_without_a_request(echo_corpus: Path, run_parity: Parity) -> None:
    """The types are printed, and a command with a request from the corpus that works as it stands."""
    done = run_parity("ask", "echo.shout", "--corpus", echo_corpus, teller("right"))
    assert done.returncode == 0, done.stderr
    assert "request: { text: string }" in done.stdout
    command = shlex.split(done.stdout.splitlines()[-1])
    assert command[:4] == ["parity", "ask", "echo.shout", '{"text":"hello"}']
    assert run_parity(*command[1:]).returncode == 0


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ("hello", """the request is not JSON: Expecting value, line 1, column 1, in hello. """),
        ("hello", """Example: parity ask echo.shout '{"text":"hello"}'"""),
        (
            '{"text": bad',
            """line 1, column 10, in {"text": bad. Example: parity ask echo.shout '{"text":"hello"}'""",
        ),
        ("", "the request is not JSON: it is empty"),
        ("[1]", "the request is not a JSON object. `parity schema echo.shout` prints its members."),
        ('{"text": 3}', "breaks its schema at $.text: expected string, found 3."),
        ('{"text": "a", "text": "b"}', '$.text: the key "text" is twice in one object.'),
        ('{"text": "\\ud800"}', "half of a surrogate pair"),
        ("@missing.json", "@missing.json: the file cannot be read: No such file or directory."),
        ("@a\0b", "this is not a path"),
        ("@case:echo/shouted/wrod", "The nearest names:\n  echo/shouted/word\n"),
    ],
)
def test_a_mistake_in_the_request(request_: str, message: str, echo_corpus: Path, run_parity: Parity) -> None:
    """The place and the remedy are named, and nothing is sent."""
    done = run_parity("ask", "echo.shout", request_, "--corpus", echo_corpus, teller("right"))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_the_request_of_a_file_and_of_a_case(echo_corpus: Path, run_parity: Parity, tmp_path: Path) -> None:
    """`@FILE` reads a request; `@case:NAME` takes the one of a case, also for another operation."""
    (tmp_path / "one.json").write_text(HELLO, "utf-8")
    for given in (f"@{tmp_path / 'one.json'}", "@case:echo/said/word"):
        done = run_parity("ask", "echo.shout", given, "--json", "--corpus", echo_corpus, teller("right"))
        assert json.loads(done.stdout)["request"] == {"text": "hello"}


@pytest.mark.slow
def test_the_request_of_standard_input(echo_corpus: Path) -> None:
    """`-` reads standard input, and the printed command has the request itself."""
    words = ["ask", "echo.shout", "-", "--corpus", str(echo_corpus), teller("right")]
    done = subprocess.run(
        [sys.executable, "-m", "harness", *words],
        input=HELLO,
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        env={**NO_BYTECODE, "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stderr
    assert shlex.split(done.stdout.splitlines()[-1])[3] == '{"text":"hello"}'


def test_json(echo_corpus: Path, run_parity: Parity) -> None:
    """`--json` has the baseline's answer and, for each other implementation, the members of a record."""
    options = ("--json", "--corpus", echo_corpus, teller("right"), teller("quiet"), teller("silent"), "--timeout", "1")
    done = run_parity("ask", "echo.shout", HELLO, *options)
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["baseline"], found["expected"]) == ("right", {"answer": {"text": "HELLO"}})
    assert [(one["implementation"], one["verdict"], one.get("kind")) for one in found["results"]] == [
        ("quiet", "fail", None),
        ("silent", "error", "timeout"),
    ]
    assert found["results"][0]["difference"] == [{"path": "$.text", "wanted": "HELLO", "got": "hello"}]


def test_an_adapter_cannot_steer_the_terminal(echo_corpus: Path, run_parity: Parity) -> None:
    """Control characters of an answer are escaped."""
    done = run_parity("ask", "echo.shout", HELLO, "--corpus", echo_corpus, teller("right"), teller("steering"))
    assert done.returncode == 1
    assert {character for character in done.stdout if not character.isprintable()} == {"\n"}


def test_exit_statuses_of_silent_adapters(echo_corpus: Path, run_parity: Parity) -> None:
    """An adapter that does not start gives 3; one that cannot take the request gives 1 if it is alone."""
    ask = ("ask", "echo.shout", HELLO, "--corpus", echo_corpus)
    assert run_parity(*ask, teller("right"), "--adapter=gone=/nowhere/gone").returncode == 3
    assert run_parity(*ask, teller("right"), teller("out-of-reach")).returncode == 1
    done = run_parity(*ask, teller("out-of-reach"))
    assert done.returncode == 3
    assert "No implementation answered echo.shout. out-of-reach: nobody can shout here" in done.stderr


def test_the_reference_gives_the_expected_answer(run_parity: Parity) -> None:
    """With the reference, its answer is the baseline, and another recorded reading is no difference."""
    done = run_parity("ask", "query.normalise", '{"query":"a  b"}', "--adapter", "reference")
    assert done.returncode == 0, done.stderr
    assert "answers\n  reference\n" in done.stdout
    assert '{"text": "a b"}' in " ".join(done.stdout.split())


@pytest.mark.slow
def test_a_reading_of_the_reference(run_parity: Parity, shipped_corpus: Corpus) -> None:
    """`--reading` makes the reference follow it: the other readings are shown with their followers."""
    case = next(one for one in shipped_corpus.cases if one.ruling == "RUL-B37")
    reading, expected = next(iter(case.readings.items()))
    ask = ("ask", case.operation, f"@case:{case.name}", "--adapter", "reference")
    adopted = json.loads(run_parity(*ask, "--json").stdout)
    done = run_parity(*ask, "--json", "--reading", f"RUL-B37={reading}")
    assert done.returncode == 0, done.stderr
    other = json.loads(done.stdout)
    assert (adopted["readings"], other["readings"]) == ({}, {"RUL-B37": reading})
    assert isinstance(case.expected, Answered)
    assert isinstance(expected, Answered)
    assert (adopted["expected"]["answer"], other["expected"]["answer"]) == (case.expected.value, expected.value)
    assert f"  reading {reading}" in run_parity(*ask, "--reading", f"RUL-B37={reading}").stdout


@pytest.mark.slow
def test_an_answer_by_another_reading_is_no_difference(run_parity: Parity, shipped_corpus: Corpus) -> None:
    """An answer that follows an open reading is a variant: the page has both readings, and the exit status is 0."""
    case = next(one for one in shipped_corpus.cases if one.ruling == "RUL-B37" and "b" in one.readings)
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from harness.cli.main import main; main(sys.argv[1:])"
    other = shlex.join([sys.executable, "-c", program, "serve", "--reading", "RUL-B37=b"])
    done = run_parity("ask", case.operation, f"@case:{case.name}", "--adapter", f"other={other}")
    assert (done.returncode, done.stderr) == (0, "")
    assert "other: variant, RUL-B37=b" in done.stdout
    assert "\nreadings\n  RUL-B37  The years 0 to 99" in done.stdout
    assert "    reading b: The years 0 to 99 are read as 1900 to 1999." in done.stdout


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        ("RUL-X=a", "the corpus has no such ruling"),
        ("RUL-B03=zz", "RUL-B03 has no such reading. Use one of: a, b."),
        ("RUL-B03", "is not RULING=READING"),
        ("RUL-B03=a RUL-B03=b", "--reading RUL-B03: two readings of one ruling are given. Name one of them."),
    ],
)
def test_a_mistake_in_a_reading(reading: str, message: str, run_parity: Parity) -> None:
    """A reading that does not exist, or a second one of its ruling, is a mistake in the command line."""
    readings = [word for one in reading.split() for word in ("--reading", one)]
    done = run_parity("ask", "query.parse", '{"query":"a"}', *readings)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_every_operation_has_an_example(shipped_corpus: Corpus) -> None:
    """Each shipped operation has a request to start from, without a blank text where one has none."""
    examples = {name: example(one, shipped_corpus) for name, one in shipped_corpus.operations.items()}
    assert all(isinstance(json.loads(text), dict) for text in examples.values())
    assert examples["query.parse"] == '{"query":"to do list"}'


def test_a_reply_that_breaks_the_protocol(echo_corpus: Path, run_parity: Parity) -> None:
    """An adapter that breaks the schema of its answer is an error beside the baseline's answer."""
    done = run_parity("ask", "echo.shout", HELLO, "--corpus", echo_corpus, teller("right"), teller("talkative"))
    assert done.returncode == 1
    assert "talkative: error/protocol" in done.stdout
