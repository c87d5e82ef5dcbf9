"""`parity explain`: one case, the answers of all implementations, and the text of the specification."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from commands import Parity

from harness.gate.known_reader import load_known

TELLER = Path(__file__).parent / "adapters" / "teller.py"
CASE = "echo/shouted/word"


def teller(way: str) -> str:
    """The option that adds an adapter which shouts in this way, under that name."""
    return f"--adapter={way}={sys.executable} {TELLER} {way}"


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 100 columns, whatever runs the tests."""
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def disputed_corpus(echo_corpus: Path) -> Path:
    """The echo corpus, with a case that has two readings."""
    cases = echo_corpus / "cases" / "echo"
    (cases / "rulings.yaml").write_text(
        "system: echo\nrevision: '1.0'\ntopics: [{id: loudness, title: Loudness, wording: Loud MUST mean in capitals.}]\n"
        "rulings:\n"
        "  - {id: RUL-E1, title: How loud, requirements: [ECHO-02], question: All capitals or the first alone?,\n"
        "     readings: {a: Every letter is a capital., b: The first letter is a capital.}, adopted: a, basis: prose,\n"
        "     why: Shouting is loud., severity: low, evidence: [echo/disputed/loud, echo/shouted/word], wording: Say all.,\n"
        "     excludes: {b: all}, better: Say little., topic: loudness,\n"
        "     documented: {where: spec/ECHO, says: 'capitals for one letter'}}\n",
        "utf-8",
    )
    (cases / "disputed.yaml").write_text(
        "suite: echo/disputed\noperation: echo.shout\ncases:\n"
        "  - {id: loud, requirements: [ECHO-02], origin: spec-text, note: Only a word of several letters tells.,\n"
        "     request: {text: hello}, disputed: {ruling: RUL-E1, adopted: a,\n"
        "     readings: {a: {answer: {text: HELLO}}, b: {answer: {text: Hello}}}}}\n",
        "utf-8",
    )
    return echo_corpus


def test_answers_stand_side_by_side(echo_corpus: Path, run_parity: Parity) -> None:
    """Who agrees shares a column; who differs has one of its own, with the differing line marked and listed."""
    done = run_parity("explain", "--corpus", echo_corpus, CASE, teller("right"), teller("quiet"))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert any(line.split() == ["wanted", "quiet:", "fail"] for line in lines)
    assert any(line.split() == ["right:", "pass"] for line in lines)
    assert any(line.split() == [">", '"text":', '"HELLO"', ">", '"text":', '"hello"'] for line in lines)
    assert '    $.text   wanted "HELLO"   got "hello"' in lines


def test_the_command_that_asks_again(echo_corpus: Path, run_parity: Parity) -> None:
    """What is printed under `repeat` runs the same case with the same options, as it stands."""
    given = ("--corpus", str(echo_corpus), teller("quiet"), "--timeout", "7", "--pass-env", "LANG")
    command = run_parity("explain", CASE, *given).stdout.splitlines()[-1].split("parity ", 1)[1]
    done = run_parity(*shlex.split(command), "--record", echo_corpus / "again.jsonl")
    assert ("1 case, 1 implementation" in done.stdout, done.returncode) == (True, 1)
    assert "--timeout 7 --pass-env LANG" in command


def test_the_head_has_case_and_requirements(echo_corpus: Path, run_parity: Parity) -> None:
    """The page names the place, the operation, the origin, the request, and each requirement with its level."""
    done = run_parity("explain", "--corpus", echo_corpus, CASE, teller("right"))
    assert done.stdout.startswith(f"{CASE}\ncases/echo/shouted.yaml:")
    assert "echo.shout  ·  origin spec-text  ·  revision 1.0" in done.stdout
    assert '\nrequest\n  {"text": "hello"}\n' in done.stdout
    assert "ECHO-02  MUST  A shout comes back loud.\n      echo, Shouting" in done.stdout


@pytest.mark.parametrize("columns", [40, 80, 100, 200])
def test_a_long_error_is_broken_behind_its_bar(columns: int, echo_corpus: Path, run_parity: Parity) -> None:
    """However wide the terminal is, each line of an error's sentence has its bar, and together they are the sentence."""
    done = run_parity(
        "explain", "--corpus", echo_corpus, CASE, teller("right"), teller("talkative"), env={"COLUMNS": str(columns)}
    )
    answers = done.stdout.partition("\nanswers\n")[2].partition("\n\n")[0].splitlines()
    lines = [line.partition("| ")[2] for line in answers if "| " in line]
    assert " ".join(lines) == (
        'The answer breaks its schema at $.shouted: unexpected member (value "hello"). Allowed there: text. '
        "See schemas/echo/echo.shout.json."
    )
    after = answers[min(number for number, line in enumerate(answers) if "| " in line) :]
    assert all("| " in line for line in after)
    assert max(map(len, answers)) <= columns


def test_narrow_terminal_has_one_below_the_other(echo_corpus: Path, run_parity: Parity) -> None:
    """At 30 columns the answers stand below each other, and no line is longer but the command to copy."""
    done = run_parity("explain", "--corpus", echo_corpus, CASE, teller("right"), teller("quiet"), env={"COLUMNS": "30"})
    lines = done.stdout.splitlines()
    assert lines.index("  wanted") < lines.index('  >   "text": "HELLO"') < lines.index('  >   "text": "hello"')
    assert max(map(len, lines[:-1])) <= 30


def test_readings_and_their_followers(disputed_corpus: Path, run_parity: Parity) -> None:
    """A disputed case shows its ruling, each reading, who follows which, and who follows none."""
    done = run_parity(
        "explain", "--corpus", disputed_corpus, "echo/disputed/loud", teller("right"), teller("title"), teller("quiet")
    )
    assert "RUL-E1  How loud (severity low)" in done.stdout
    assert "reading a, adopted: Every letter is a capital.\n      followed by: right\n" in done.stdout
    assert "reading b: The first letter is a capital.\n      followed by: title\n" in done.stdout
    assert "\n    quiet: none of these readings\n" in done.stdout
    assert "title: variant, RUL-E1=b" in done.stdout
    assert "note: Only a word of several letters tells." in done.stdout
    assert "\n    spec/ECHO describes capitals for one letter\n" in done.stdout
    cited = run_parity("explain", "--corpus", disputed_corpus, CASE, teller("quiet")).stdout
    assert "\n    spec/ECHO describes capitals for one letter\n" in cited.partition("cited by rulings")[2]


def test_places_against_every_reading_are_named(disputed_corpus: Path, run_parity: Parity) -> None:
    """An answer that differs from a reading only where all readings agree is named so; another one has these places."""
    cases, schema = disputed_corpus / "cases" / "echo", disputed_corpus / "schemas" / "echo" / "echo.shout.json"
    disputed = (cases / "disputed.yaml").read_text("utf-8")
    for text in ("HELLO", "Hello"):
        disputed = disputed.replace(f"text: {text}}}", f"text: {text}, mood: loud}}")
    (cases / "disputed.yaml").write_text(disputed, "utf-8")
    value = json.loads(schema.read_text("utf-8"))
    value["$defs"]["answer"]["properties"]["mood"] = {"type": "string"}
    schema.write_text(json.dumps(value), "utf-8")
    ways = [teller(way) for way in ("right", "title", "quiet")]
    done = run_parity("explain", "--corpus", disputed_corpus, "echo/disputed/loud", *ways)
    assert "\n    right: reading a, except for $.mood\n    title: reading b, except for $.mood\n" in done.stdout
    assert "\n    quiet: none of these readings (against every reading: $.mood)\n" in done.stdout


def test_steps_are_named_by_section(echo_corpus: Path, run_parity: Parity) -> None:
    """The steps of an implementation are below the section of the specification."""
    done = run_parity("explain", "--corpus", echo_corpus, CASE, teller("right"), teller("quiet"))
    expected = 'steps\n  right:\n    Shouting\n      each letter made a capital: {"count": 5}\n'
    assert expected in done.stdout
    assert "  quiet:\n" not in done.stdout


def test_engine_refusal_is_shown(echo_corpus: Path, run_parity: Parity) -> None:
    """A refused expression is listed with its source."""
    path = echo_corpus / "schemas" / "echo" / "echo.shout.json"
    schema = json.loads(path.read_text("utf-8"))
    schema["$defs"]["answer"]["properties"]["text"]["x-engine"] = "sqlite-fts5-match"
    path.write_text(json.dumps(schema), "utf-8")
    (echo_corpus / "cases" / "echo" / "shouted.yaml").write_text(
        "suite: echo/shouted\noperation: echo.shout\ncases:\n"
        "  - {id: word, requirements: [ECHO-02], origin: spec-text, request: {text: a and}, answer: {text: A AND}}\n",
        "utf-8",
    )
    done = run_parity("explain", "--corpus", echo_corpus, CASE, teller("right"))
    assert 'sqlite-fts5-match rejects "A AND" at $.text, expected: fts5: syntax error' in done.stdout


@pytest.mark.parametrize(
    ("way", "shown"),
    [
        ("out-of-reach", "nobody can shout here"),
        ("silent", "silent: error/timeout"),
        ("unobservable", "every expected path is unobservable: /text"),
    ],
)
def test_whoever_gives_no_answer_has_a_column_with_the_reason(
    way: str, shown: str, echo_corpus: Path, run_parity: Parity
) -> None:
    """An implementation without an answer still has its verdict and the reason, and the status stays 0."""
    done = run_parity("explain", "--corpus", echo_corpus, CASE, "--timeout", "0.5", teller("right"), teller(way))
    assert done.returncode == 0
    assert shown in done.stdout


def test_answer_where_an_error_is_wanted(echo_corpus: Path, run_parity: Parity) -> None:
    """A case that expects an error shows its type, and an adapter that raises it passes."""
    done = run_parity("explain", "--corpus", echo_corpus, "echo/shouted/nothing", teller("quiet"))
    assert "a negative case" in done.stdout
    assert "quiet: pass" in done.stdout
    assert "raises empty" in done.stdout


def test_nothing_steers_the_terminal(echo_corpus: Path, run_parity: Parity) -> None:
    """Control characters and lone surrogates of an answer are printed as escapes."""
    done = run_parity("explain", "--corpus", echo_corpus, CASE, teller("steering"))
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout
    assert "\\u001b[31mhello\\u0007\\ud800" in done.stdout


def test_long_value_is_cut(echo_corpus: Path, run_parity: Parity) -> None:
    """A text of 25,000 characters does not fill the screen."""
    done = run_parity("explain", "--corpus", echo_corpus, CASE, teller("long"))
    assert len(done.stdout) < 3000
    assert "hellohello" in done.stdout
    assert "…" in done.stdout


@pytest.mark.parametrize("above", ["", "./", "/elsewhere/corpus/"])
def test_place_of_a_case(above: str, echo_corpus: Path, run_parity: Parity) -> None:
    """The file and line with which a failure begins name its case, as do the lines that it takes up, from any folder."""
    last = len((echo_corpus / "cases/echo/shouted.yaml").read_text("utf-8").splitlines())
    for line, case in ((4, "word"), (5, "nothing"), (last, "nothing")):
        place = f"{above}cases/echo/shouted.yaml:{line}"
        done = run_parity("explain", "--corpus", echo_corpus, place, teller("right"))
        assert done.stdout.startswith(f"echo/shouted/{case}\ncases/echo/shouted.yaml:{min(line, 5)}  "), done.stderr
    done = run_parity("explain", "--corpus", echo_corpus, f"{above}cases/echo/shouted.yaml:1", teller("right"))
    assert done.returncode == 2
    assert (
        "is above the first case of its file. Name that case: parity explain cases/echo/shouted.yaml:4" in done.stderr
    )
    place = f"{above}cases/echo/shouted.yaml:{last + 1}"
    done = run_parity("explain", "--corpus", echo_corpus, place, teller("right"))
    assert (done.returncode, f"is beyond the last line of its file, {last}. Name " in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("given", "suggested"),
    [
        ("word", "The nearest names:\n  echo/said/word\n  echo/shouted/word"),
        ("shouted/word", "Did you mean this one?\n  parity explain echo/shouted/word"),
        ("echo/shouted/wrod", "echo/shouted/word"),
        ("echo/shouted", "is not one case but 2. `parity cases --select echo/shouted` lists them."),
        ("nothing-like-it-anywhere", "`parity cases` lists the names."),
    ],
)
def test_name_that_is_not_there(given: str, suggested: str, echo_corpus: Path, run_parity: Parity) -> None:
    """A name that no case has is status 2, with the nearest names."""
    done = run_parity("explain", "--corpus", echo_corpus, given, teller("right"))
    assert done.returncode == 2
    assert suggested in done.stderr


def test_named_adapter_that_cannot_be_started(echo_corpus: Path, run_parity: Parity) -> None:
    """The others are shown all the same, and the status is 3."""
    done = run_parity("explain", "--corpus", echo_corpus, CASE, teller("right"), "--adapter", "./no-such-adapter")
    assert done.returncode == 3
    assert "right: pass" in done.stdout
    assert "No such file" in done.stdout


def test_shipped_adapter_that_cannot_be_built(echo_corpus: Path, run_parity: Parity, tmp_path: Path) -> None:
    """A shipped adapter that cannot be built, or lacks its toolchain, is one line, and the status is 0."""
    tools = tmp_path / "tools"
    tools.mkdir()
    go = tools / "go"
    go.write_text(
        '#!/bin/sh\n[ "$1" = version ] && { echo go version go1.99.0; exit; }\n'
        "echo fetching >&2\necho 'module: 403 Forbidden' >&2\nexit 1\n",
        "utf-8",
    )
    go.chmod(0o755)
    sandbox = {"PATH": str(tools), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = run_parity("explain", "--corpus", echo_corpus, CASE, env=sandbox)
    assert done.returncode == 0, done.stderr
    assert (
        " cannot be fetched: `go mod download` failed with status 1. module: 403 Forbidden. To judge a "
        "working copy: --adapter go=DIR.\n" in done.stdout
    )
    assert "ts is not tested: node is not on PATH." in done.stdout
    assert "reference: unsupported" in done.stdout
    assert "fetching" not in done.stdout + done.stderr


@pytest.mark.parametrize("signature", ["", "0123456789ab"], ids=["same", "other"])
def test_a_known_divergence_file_of_ones_own(
    echo_corpus: Path, run_parity: Parity, tmp_path: Path, signature: str
) -> None:
    """The reason of the case is shown, also if the file lists another signature."""
    file, ordinary = tmp_path / "known.yaml", ("--corpus", echo_corpus, teller("quiet"))
    run_parity("gate", *ordinary, "--select", CASE, "--write-known", file)
    (entry,) = load_known(file, allow_todo=True).divergences
    (found,) = entry.cases[CASE]
    file.write_text(file.read_text("utf-8").replace("TODO", "It is shy.").replace(found, signature or found), "utf-8")
    shown = run_parity("explain", CASE, *ordinary, "--known", file).stdout.partition("\nknown divergences\n")[2]
    other = "listed with another signature: " if signature else ""
    assert shown.splitlines()[0].strip() == f"quiet: {other}It is shy."


def test_a_known_divergence_file_needs_one_adapter(echo_corpus: Path, run_parity: Parity, tmp_path: Path) -> None:
    """A file belongs to one implementation."""
    adapters = (teller("quiet"), teller("right"))
    done = run_parity("explain", CASE, "--corpus", echo_corpus, *adapters, "--known", tmp_path / "known.yaml")
    assert (done.returncode, "--known is the file of one implementation." in done.stderr) == (2, True)
