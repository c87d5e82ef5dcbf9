"""`pytest cases/` where there is nothing to ask: corpora with mistakes, options that make no sense, other projects."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Session, adapter, session_process
from pytest_sessions import TABLE, counts, write

from harness.corpus.strict_yaml import parse_yaml
from harness.errors import Problem
from harness.model import Json

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "two-workers"])
def test_a_broken_file_breaks_no_other(run_pytest: Session, echo_corpus: Path, workers: list[str]) -> None:
    """The mistakes of a case file are told at that file, in the loader's words; the cases of the others are asked."""
    write(echo_corpus, "words.yaml", TABLE.replace("[ECHO-01]", "[ECHO-99]"))
    write(echo_corpus, "more.yaml", TABLE.replace("echo/words", "echo/more").replace("after, after]", "after, 7]"))
    write(echo_corpus, "spaces.yaml", "suite: echo/spaces\n")
    session = run_pytest("cases", "--adapter", adapter("shouting.py", "well"), *workers)
    assert (session.returncode, counts(session)) == (1, {"error": 3, "passed": 4})
    for file, said in (
        ("words", "cases/echo/words.yaml:5  echo/words/said.before\n  The requirement ECHO-99 is not in"),
        ("more", "cases/echo/more.yaml:12  echo/more/said.after\n  The expected answer breaks its schema at $.text"),
        ("spaces", "cases/echo/spaces.yaml:1\n  The suite has no list of cases."),
    ):
        told = session.stdout.split(f" ERROR collecting cases/echo/{file}.yaml _")[1].split("\n___")[0]
        assert said in told
        assert "\n\nNo case of this file runs." in told
    assert "Traceback" not in session.stdout
    assert ".py:" not in session.stdout


def test_a_second_session_parses_only_changed_files(
    run_pytest: Session, echo_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cases of an unchanged file come from the compiled corpus; a changed file is read, with its mistakes."""
    monkeypatch.setattr("harness.corpus.compiled.cache", lambda: tmp_path / "cache")
    monkeypatch.setattr("harness.corpus.compiled._MIN_BYTES", 0)
    parsed: list[str] = []

    def parse(text: str, shown: str) -> tuple[Json, list[Problem]]:
        parsed.append(shown)
        return parse_yaml(text, shown)

    monkeypatch.setattr("harness.corpus.strict_yaml.parse_yaml", parse)
    write(echo_corpus, "words.yaml", TABLE)
    first = run_pytest("cases", "--adapter", adapter("shouting.py", "well"))
    assert "cases/echo/words.yaml" in parsed
    parsed.clear()
    again = run_pytest("cases", "--adapter", adapter("shouting.py", "well"))
    assert (parsed, again.returncode, counts(again)) == ([], first.returncode, counts(first))
    write(echo_corpus, "words.yaml", TABLE.replace("[ECHO-01]", "[ECHO-99]"))
    assert counts(run_pytest("cases", "--adapter", adapter("shouting.py", "well")))["error"] == 1
    assert parsed == ["cases/echo/words.yaml"]


def test_a_case_of_a_broken_file_is_not_just_missing(run_pytest: Session, echo_corpus: Path) -> None:
    """Who asks for a case of a file with mistakes is told those."""
    write(echo_corpus, "words.yaml", TABLE.replace("[ECHO-01]", "[ECHO-99]"))
    session = run_pytest("cases/echo/words.yaml::said.before")
    assert session.returncode != 0
    assert "The requirement ECHO-99 is not in" in session.stdout


@pytest.mark.parametrize(("workers", "status"), [([], 2), (["-n", "2"], 1)], ids=["alone", "two-workers"])
def test_a_broken_foundation_is_told_once(
    run_pytest: Session, echo_corpus: Path, workers: list[str], status: int
) -> None:
    """A mistake in what all files rest on is told once, whichever file was asked for; nothing is run.

    Of two workers the second may tell it too, if it gets there before the session ends.
    """
    told = (1, 2) if workers else (1,)
    write(echo_corpus, "requirements.yaml", "system: other\n")
    session = run_pytest("cases/echo/said.yaml", "cases/echo/shouted.yaml", *workers)
    assert session.returncode == status
    assert counts(session) in [{"error": number} for number in told]
    assert session.stdout.count("problems in the corpus; nothing was run.") in told
    assert "cases/echo/requirements.yaml:1" in session.stdout
    assert "Traceback" not in session.stdout
    assert ".py:" not in session.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--adapter", "nosuch"], "ERROR: --adapter nosuch: expected a shipped adapter ("),
        (["--adapter", "a=./x", "--adapter", "a=./y"], "ERROR: --adapter: two adapters have the name a."),
        (["--parity-timeout", "soon"], "soon is not a number of seconds from 0.001"),
    ],
)
def test_a_wrong_option_is_a_usage_error(run_pytest: Session, arguments: list[str], sentence: str) -> None:
    """An option that cannot be carried out ends the session before anything is collected."""
    session = run_pytest("cases", *arguments)
    assert session.returncode == 4
    assert sentence in session.stderr
    assert "Traceback" not in session.stderr


PROFILES = "system: echo\nprofiles:\n  - {name: loud, title: Shouting., operations: [echo.shout]}\n"


@pytest.mark.parametrize("option", ["--profile", "--parity-profile"])
def test_a_profile_limits_the_session(run_pytest: Session, echo_corpus: Path, option: str) -> None:
    """Only the cases of its operations are collected; several profiles add up. The file of the profiles has no cases."""
    write(echo_corpus, "profiles.yaml", PROFILES)
    well = adapter("shouting.py", "well")
    assert counts(run_pytest("cases", "--adapter", well, option, "loud")) == {"passed": 2}
    assert counts(run_pytest("cases", "--adapter", well, option, "loud", option, "all")) == {"passed": 4}


def test_a_profile_that_does_not_exist(run_pytest: Session, echo_corpus: Path) -> None:
    """The session has one error, which lists the profiles, and runs nothing."""
    write(echo_corpus, "profiles.yaml", PROFILES)
    session = run_pytest("cases", "--profile", "quiet")
    assert (session.returncode, counts(session)) == (2, {"error": 1})
    assert "--profile quiet: the corpus has no such profile. Use one of: loud, all." in session.stdout


def test_other_sessions_are_left_alone(tmp_path: Path) -> None:
    """In a project of its own kind no YAML is collected, though its folders are called cases and schemas, and nothing
    that asks or judges is even loaded."""
    project = tmp_path / "project"
    for folder in ("cases/api", "schemas/api"):
        (project / folder).mkdir(parents=True)
    (project / "cases" / "api" / "users.yaml").write_text("suite: api/users\ncases: []\n")
    (project / "schemas" / "api" / "user.get.json").write_text("{}")
    loaded = "assert not [name for name in sys.modules if name.split('.')[0] in ('yaml', 'jsonschema', 'rich')]"
    (project / "test_own.py").write_text(f"import sys\n\ndef test_own():\n    {loaded}\n")
    session = session_process("-v", folder=project)
    assert (session.returncode, counts(session)) == (0, {"passed": 1})
    assert "== parity" not in session.stdout
