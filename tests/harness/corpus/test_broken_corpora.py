"""Every mistake that a corpus can have is told in one sentence with its place and a remedy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from broken_corpora import ALL, Broken
from toy_corpus import write_corpus

from harness.cli.main import main
from harness.corpus.checker import Checker, check_files, check_schemas
from harness.corpus.loader import load_corpus
from harness.corpus.paths import shipped
from harness.errors import CorpusError, Problem


def problems_in(folder: Path) -> tuple[Problem, ...]:
    """All that loading finds, or else all that checking with the schemas finds."""
    try:
        corpus = load_corpus(folder)
    except CorpusError as error:
        return error.problems
    problems = check_schemas(corpus.schemas)
    if not problems:
        problems += Checker(corpus.schemas).check_cases(corpus.cases, corpus.operations)
        problems += check_files(corpus.files, shipped() / "schemas" / "case-file.schema.json")
    return tuple(problems)


def broken_corpus(folder: Path, broken: Broken) -> Path:
    write_corpus(folder)
    file = folder / broken.file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(broken.content())
    return folder


def test_the_corpus_that_is_broken_here_is_whole(tmp_path: Path) -> None:
    """The small corpus has no mistake before one is made."""
    assert problems_in(write_corpus(tmp_path)) == ()
    assert len(load_corpus(tmp_path).cases) == 8


def test_each_mistake_has_a_name_of_its_own() -> None:
    """No two broken corpora share a name, and there are more than sixty."""
    assert len({broken.name for broken in ALL}) == len(ALL) > 60


@pytest.mark.parametrize("broken", ALL, ids=lambda broken: broken.name)
def test_one_mistake_is_told_once_with_place_and_remedy(broken: Broken, tmp_path: Path) -> None:
    """One mistake gives one problem: the right file and line, what is wrong, what to do."""
    problems = problems_in(broken_corpus(tmp_path, broken))
    assert [problem.place for problem in problems] == [broken.expected_place()], "\n\n".join(map(str, problems))
    assert broken.says in problems[0].message
    assert broken.remedy in problems[0].remedy


@pytest.mark.parametrize("broken", ALL, ids=lambda broken: broken.name)
def test_the_command_ends_with_2_and_no_traceback(
    broken: Broken, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`parity run` prints the problem and how many there are, and asks nothing."""
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
    """A file whose name is not UTF-8 is one problem, whatever the file would have been."""
    file = Path(os.fsdecode(bytes(write_corpus(tmp_path)) + b"/" + name))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{}", "utf-8")
    problems = problems_in(tmp_path)
    assert [problem.message for problem in problems] == ["The name of this file or its folder is not UTF-8."]
    assert problems[0].place == os.fsdecode(name)


def test_listing_finds_what_is_wrong_with_a_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`parity cases` names a pattern that cannot be tried."""
    pattern = next(broken for broken in ALL if broken.name == "pattern")
    assert main(["cases", "--corpus", str(broken_corpus(tmp_path, pattern))]) == 2
    assert "The pattern ( is no regular expression" in capsys.readouterr().err
