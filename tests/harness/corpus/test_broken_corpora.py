"""Every mistake in a corpus gives one problem with its place, its code, a sentence and a remedy."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from broken_corpora import ALL, SENTENCES, Broken
from toy_corpus import write_corpus

from harness.cli.main import main
from harness.corpus.loader import load_corpus
from harness.errors import CorpusError, Problem


def problems_in(folder: Path) -> tuple[Problem, ...]:
    """The problems of loading, or else the breaches of the schemas."""
    try:
        return load_corpus(folder).breaches
    except CorpusError as error:
        return error.problems


def broken_corpus(folder: Path, broken: Broken) -> Path:
    write_corpus(folder)
    file = folder / broken.file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(broken.content())
    return folder


def test_the_small_corpus_has_no_mistake(tmp_path: Path) -> None:
    """The small corpus has no problem before a mistake is made in it."""
    assert problems_in(write_corpus(tmp_path)) == ()
    assert len(load_corpus(tmp_path).cases) == 8


def test_each_mistake_has_a_name_of_its_own() -> None:
    """No two broken corpora share a name, and there are more than sixty."""
    assert len({broken.name for broken in ALL}) == len(ALL) > 60


def test_each_code_is_kebab_case_and_has_a_sentence() -> None:
    """Codes are stable names in kebab-case, and the table of sentences covers each of them."""
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", broken.code) for broken in ALL)
    assert {broken.code for broken in ALL} == {broken.code for broken in ALL if broken.name in SENTENCES}


@pytest.mark.parametrize("broken", ALL, ids=lambda broken: broken.name)
def test_one_mistake_is_one_problem(broken: Broken, tmp_path: Path) -> None:
    """One mistake gives one problem with the right code, file and line, and with a sentence and a remedy."""
    problems = problems_in(broken_corpus(tmp_path, broken))
    found = [(problem.code, problem.place) for problem in problems]
    assert found == [(broken.code, broken.expected_place())], "\n\n".join(map(str, problems))
    assert problems[0].message and problems[0].remedy


@pytest.mark.parametrize("name", SENTENCES)
def test_each_sentence_states_the_mistake_and_the_remedy(name: str, tmp_path: Path) -> None:
    """The sentence and the remedy of each kind of mistake, in full."""
    broken = next(broken for broken in ALL if broken.name == name)
    (problem,) = problems_in(broken_corpus(tmp_path, broken))
    assert (problem.message, problem.remedy) == SENTENCES[name]


@pytest.mark.parametrize("broken", ALL, ids=lambda broken: broken.name)
def test_the_command_ends_with_2_and_no_traceback(
    broken: Broken, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`parity run` prints the problem and the number of problems, and runs no case."""
    folder = broken_corpus(tmp_path / "corpus", broken)
    record = tmp_path / "run.jsonl"
    assert main(["run", "--corpus", str(folder), "--adapter", "reference", "--record", str(record)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"{broken.expected_place()}  " in f"{shown.err}  ".replace("\n", "  ")
    assert shown.err.endswith("1 problem in the corpus; nothing was run.\n")
    assert "Traceback" not in shown.err
    assert not record.exists()


@pytest.mark.parametrize(
    "name", [b"cases/toy/fixtures/\xff.yaml", b"cases/\xff/more.yaml", b"schemas/toy/\xff.json", b"schemas/\xff/x.json"]
)
def test_a_name_that_is_not_utf_8(name: bytes, tmp_path: Path) -> None:
    """A file whose name is not UTF-8 is one problem, in every folder of a corpus."""
    file = Path(os.fsdecode(bytes(write_corpus(tmp_path)) + b"/" + name))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{}", "utf-8")
    problems = problems_in(tmp_path)
    assert [(problem.code, problem.place) for problem in problems] == [("name-not-utf-8", os.fsdecode(name))]


def test_listing_finds_what_is_wrong_with_a_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`parity cases` reports a pattern that is no regular expression."""
    pattern = next(broken for broken in ALL if broken.name == "pattern")
    assert main(["cases", "--corpus", str(broken_corpus(tmp_path, pattern))]) == 2
    assert "The pattern ( is not a regular expression" in capsys.readouterr().err
