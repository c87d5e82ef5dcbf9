"""`pytest cases/` as its users meet it: whole sessions in processes of their own, over the echo corpus."""

from __future__ import annotations

import re
import shlex
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from commands import Parity, Session, adapter
from pytest_sessions import TABLE, counts, write

pytestmark = pytest.mark.slow

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


def test_a_name_that_is_shown_can_be_asked_for(run_pytest: Session, echo_corpus: Path) -> None:
    """`-v` shows node ids as they are, the dot before the name of a row with them."""
    write(echo_corpus, "words.yaml", TABLE)
    well = adapter("shouting.py", "well")
    session = run_pytest("cases", "-v", "--adapter", well)
    shown = "cases/echo/words.yaml::said.before[shouting]"
    assert f"{shown} PASSED" in session.stdout
    assert counts(run_pytest(shown, "--adapter", well)) == {"passed": 1}


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "two-workers"])
def test_what_does_well_passes(run_pytest: Session, workers: list[str]) -> None:
    """An implementation that answers every case right has every item passed, also over several workers."""
    session = run_pytest("cases", "--adapter", adapter("shouting.py", "well"), *workers)
    assert (session.returncode, counts(session)) == (0, {"passed": 4})


def test_a_difference_is_told(run_pytest: Session) -> None:
    """A failure tells place, operation, difference, requirement and standard error, with nothing of our own code."""
    session = run_pytest("cases", "--adapter", f"soft={adapter('shouting.py', 'softly')}", "-k", "word")
    assert (session.returncode, counts(session)["failed"]) == (1, 1)
    told = session.stdout.split("_ echo/shouted/word[soft] _")[1]
    assert re.search(r"^cases/echo/shouted.yaml:\d+  word  \(soft\)$", told, re.MULTILINE)
    assert '  echo.shout {"text": "hello"}\n' in told
    assert '  $.text   wanted "HELLO"   got "hello"\n' in told
    assert re.search(r"^  candidate: ECHO-02  A shout .*", told, re.MULTILINE)
    assert "    | I would rather\n    | \\x1b[31mwhisper\n" in told
    assert 'FAILED cases/echo/shouted.yaml::word[soft] - $.text   wanted "HELLO"' in told
    assert "Traceback" not in session.stdout
    assert ".py:" not in told


def test_a_failure_can_be_repeated(run_pytest: Session, run_parity: Parity) -> None:
    """The commands that a failure ends with ask that one case again, with the same outcome."""
    session = run_pytest("cases", "--adapter", f"soft={adapter('shouting.py', 'softly')}", "-k", "shouted and word")
    again, closer = [shlex.split(line) for line in re.findall("^  repeat: (.*)", session.stdout, re.MULTILINE)]
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
    line = (
        "reference answered none of the 4 cases, so the session proves nothing. "
        "The most frequent reason (4 of 4): the adapter does not offer this operation"
    )
    assert line in session.stdout


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
    assert "b: 1 passed with another recorded reading than the adopted one: 1 RUL-E01=b\n" in session.stdout
    assert "b follows RUL-E01=b, which the specification leaves open." in session.stdout


def test_failures_can_be_run_again(run_pytest: Session) -> None:
    """`--lf` asks only what failed before; `-k` knows names, operations, implementations, requirements."""
    well, softly = adapter("shouting.py", "well"), f"soft={adapter('shouting.py', 'softly')}"
    both = ["--adapter", well, "--adapter", softly]
    assert counts(run_pytest("cases", *both)) == {"failed": 2, "passed": 6}
    assert counts(run_pytest("cases", "--lf", *both)) == {"failed": 2}
    assert counts(run_pytest("cases", "-k", "ECHO-02 and shouting", *both)) == {"passed": 2, "deselected": 6}
    assert counts(run_pytest("cases", "-k", "echo.say", *both)) == {"passed": 4, "deselected": 4}
    assert counts(run_pytest("cases/echo/said.yaml::word", *both)) == {"passed": 2}


def test_tags_of_traps_are_keywords(echo_corpus: Path, run_pytest: Session) -> None:
    """`-k` knows the tags that `traps.yaml` gives. No file beside the suites is collected as a suite."""
    (echo_corpus / "cases/echo/profiles.yaml").write_text("system: echo\nprofiles: []\n", "utf-8")
    (echo_corpus / "cases/echo/traps.yaml").write_text(
        "system: echo\ntraps:\n  - id: one\n    input: A text.\n    operations: [echo.say]\n    when: [{text: hello}]\n"
        "    languages: {rust: {fact: A fact., source: a page}}\n",
        "utf-8",
    )
    session = run_pytest("cases", "-k", "trap:rust", "--adapter", adapter("shouting.py", "well"))
    assert counts(session) == {"passed": 1, "deselected": 3}


def test_junit_has_the_cases(run_pytest: Session, tmp_path: Path) -> None:
    """A JUnit report names each case by suite and id; a failure's message is its first difference."""
    report = tmp_path / "junit.xml"
    run_pytest("cases", "--adapter", f"soft={adapter('shouting.py', 'softly')}", f"--junitxml={report}")
    found = {(case.get("classname"), case.get("name")): case for case in ElementTree.parse(report).iter("testcase")}
    assert len(found) == 4
    failure = found["cases.echo.shouted.yaml", "word[soft]"].find("failure")
    assert failure is not None
    assert failure.get("message") == '$.text   wanted "HELLO"   got "hello"'
    assert "repeat: pytest" in (failure.text or "")


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


def test_cases_of_one_time_zone_run_together(run_pytest: Session, echo_corpus: Path) -> None:
    """Another time zone needs a new process, so cases with a time zone run last, and those of one zone together."""
    zones = {"tokyo-1": "Asia/Tokyo", "plain-1": "", "lima-1": "America/Lima", "tokyo-2": "Asia/Tokyo", "plain-2": ""}
    entries = [
        f"  - {{id: {name}, requirements: [ECHO-02], origin: spec-text, "
        f"{f'environment: {{TZ: {zone}}}, ' if zone else ''}request: {{text: {name}}}, answer: {{text: {name.upper()}}}}}"
        for name, zone in zones.items()
    ]
    write(echo_corpus, "zones.yaml", "\n".join(["suite: echo/zones", "operation: echo.shout", "cases:", *entries, ""]))
    session = run_pytest("cases/echo/zones.yaml", "-v", "--adapter", adapter("shouting.py", "well"))
    order = re.findall(r"::([a-z]+-\d)\[", session.stdout)
    assert (session.returncode, order) == (0, ["plain-1", "plain-2", "lima-1", "tokyo-1", "tokyo-2"])


LOUD = """\
suite: echo/loud
operation: echo.shout
cases:
  - id: word
    requirements: [ECHO-02]
    origin: spec-text
    note: Only a word of several letters shows it.
    request: {text: hello}
    disputed: {ruling: RUL-E01, adopted: a, readings: {a: {answer: {text: HELLO}}, b: {answer: {text: Hello}}}}
"""


def test_a_failure_has_the_note_and_the_title_of_the_ruling(run_pytest: Session, echo_corpus: Path) -> None:
    """A failing disputed case names its ruling with the title, and shows the note of the case."""
    write(echo_corpus, "rulings.yaml", RULINGS.replace("spaces/around", "loud/word"))
    write(echo_corpus, "loud.yaml", LOUD)
    session = run_pytest("cases/echo/loud.yaml", "--adapter", adapter("shouting.py", "softly"))
    assert session.returncode == 1
    assert "  RUL-E01  disputed, adopted reading a: Spaces around what is said\n" in session.stdout
    assert "  note: Only a word of several letters shows it.\n" in session.stdout
