"""From a folder to a corpus: all mistakes at once, none twice, and no file passed over in silence."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from broken_corpora import ALL
from test_broken_corpora import broken_corpus, problems_in
from toy_corpus import LOUD, REQUIREMENTS, RULINGS, SAID, SAY, SHOUT, TEXTS, WORDS, write_corpus

from harness.corpus.loader import load_corpus
from harness.errors import ParityError

Parity = Callable[..., "subprocess.CompletedProcess[str]"]

NINE_MISTAKES = {
    SAID: TEXTS[SAID]
    .replace("origin: spec-example", "origin: my-head")
    .replace("adopted: a", "adopted: c")
    .replace("$fixture: words", "$fixture: verbs")
    .replace("[second, b, b]", "[second, b]"),
    LOUD: TEXTS[LOUD]
    .replace("id: nothing", "id: Nothing")
    .replace("negative: true", "negative: 1")
    .replace("type: empty", "type: full"),
    RULINGS: TEXTS[RULINGS].replace("severity: low", "severity: none").replace("basis: prose", "basis: none"),
}


def test_nine_mistakes_in_three_files_are_nine_problems(tmp_path: Path, run_parity: Parity) -> None:
    """All that is wrong is told at once, by file and line, with exit status 2."""
    folder = write_corpus(tmp_path / "corpus", {**TEXTS, **NINE_MISTAKES})
    done = run_parity("cases", "--corpus", folder)
    assert done.returncode == 2
    assert done.stdout == ""
    places = [
        line.split()[0] for line in done.stderr.removeprefix("parity: ").splitlines() if line.startswith("cases/")
    ]
    assert places == [
        *(f"{RULINGS}:{line}" for line in (12, 14)),
        *(f"{SAID}:{line}" for line in (7, 17, 27, 37)),
        *(f"{LOUD}:{line}" for line in (9, 13, 15)),
    ]
    assert done.stderr.endswith("9 problems in the corpus; nothing was run.\n")


@pytest.mark.parametrize("verb", ["cases", "run"])
def test_the_real_command_tells_a_broken_corpus_from_a_fault_of_its_own(
    verb: str, tmp_path: Path, run_parity: Parity
) -> None:
    """A broken corpus ends any verb that reads it with status 2 and no traceback."""
    broken = next(broken for broken in ALL if broken.name == "exploding-aliases")
    folder = broken_corpus(tmp_path / "corpus", broken)
    done = run_parity(verb, "--corpus", folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"parity: {WORDS}:6\n  The file stands for more than 500000 values.")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("folder", ["cases", "schemas"])
def test_a_folder_without_cases_or_schemas_is_no_corpus(folder: str, tmp_path: Path) -> None:
    """What is missing is named, not searched elsewhere."""
    (tmp_path / ("schemas" if folder == "cases" else "cases")).mkdir()
    with pytest.raises(ParityError, match=f"there is no folder {folder} here"):
        load_corpus(tmp_path)


def test_a_system_without_requirements_is_one_problem(tmp_path: Path) -> None:
    """A missing requirements.yaml is told once, not once a citation."""
    texts = {path: text for path, text in TEXTS.items() if path != REQUIREMENTS}
    problems = problems_in(write_corpus(tmp_path, texts))
    assert [(problem.place, problem.message) for problem in problems] == [
        ("cases/toy", "The system has no requirements.yaml, so its cases can cite nothing.")
    ]


def test_a_missing_rulings_file_is_one_problem(tmp_path: Path) -> None:
    """Where a system has no rulings.yaml, the first case that cites a ruling says so."""
    problems = problems_in(write_corpus(tmp_path, {path: text for path, text in TEXTS.items() if path != RULINGS}))
    assert [(problem.place, problem.message) for problem in problems] == [(f"{SAID}:16", f"There is no {RULINGS}.")]


@pytest.mark.parametrize("path", [REQUIREMENTS, RULINGS, WORDS, SAY, SHOUT])
def test_an_unreadable_file_makes_no_further_problems(path: str, tmp_path: Path) -> None:
    """What only cites something out of an unreadable file is not held against the citing file."""
    problems = problems_in(write_corpus(tmp_path, {**TEXTS, path: "\0"}))
    assert [problem.place for problem in problems] == [f"{path}:1"]


@pytest.mark.parametrize(
    "change",
    [
        ("title: Is silence said", "title: 5"),
        ("      b: A dot comes back.\n", ""),
        ("adopted: a\n    basis", "adopted: z\n    basis"),
        ("    adopted: a\n    basis", "    basis"),
        ("  - id: RUL-01\n    title", "  - title"),
    ],
    ids=["title", "reading", "adopted", "no-adopted", "no-id"],
)
def test_a_broken_ruling_makes_no_further_problems(change: tuple[str, str], tmp_path: Path) -> None:
    """Cases that cite a broken ruling are not told to be wrong too."""
    problems = problems_in(write_corpus(tmp_path, {**TEXTS, RULINGS: TEXTS[RULINGS].replace(*change)}))
    assert [problem.place.rpartition(":")[0] for problem in problems] == [RULINGS]


def test_what_is_missing_is_told_once_however_often_it_is_cited(tmp_path: Path) -> None:
    """A requirement that three places cite and nobody wrote is one problem, which counts the others."""
    texts = {**TEXTS, REQUIREMENTS: TEXTS[REQUIREMENTS].replace("id: TOY-02", "id: TOY-03")}
    problems = problems_in(write_corpus(tmp_path, texts))
    assert [(problem.place, problem.message) for problem in problems] == [
        (f"{LOUD}:5", f"The requirement TOY-02 is not in {REQUIREMENTS}. 1 more place cites it.")
    ]


def test_evidence_in_a_broken_file_is_passed_over(tmp_path: Path) -> None:
    """Where a case file cannot be read, the rulings that cite its cases are not told to be wrong."""
    problems = problems_in(write_corpus(tmp_path, {**TEXTS, SAID: "cases: [\n"}))
    assert {problem.place.rpartition(":")[0] for problem in problems} == {SAID}


def test_an_id_is_given_once_in_all_systems(tmp_path: Path) -> None:
    """Two systems cannot have a requirement of the same id, since reports name it alone."""
    other = TEXTS[REQUIREMENTS].replace("system: toy", "system: other")
    problems = problems_in(write_corpus(tmp_path, {**TEXTS, "cases/other/requirements.yaml": other}))
    assert [(problem.place, problem.message) for problem in problems] == [
        (f"{REQUIREMENTS}:4", "The id TOY-01 is taken at cases/other/requirements.yaml:4."),
        (f"{REQUIREMENTS}:11", "The id TOY-02 is taken at cases/other/requirements.yaml:11."),
    ]


def test_a_case_asks_only_operations_of_its_own_system(tmp_path: Path) -> None:
    """An operation of another system is refused by name."""
    texts = {**TEXTS, "schemas/other/other.sing.json": TEXTS[SHOUT]}
    texts[SAID] = texts[SAID].replace("operation: toy.say", "operation: other.sing", 1)
    messages = {problem.message for problem in problems_in(write_corpus(tmp_path, texts))}
    assert messages == {"The operation other.sing belongs to the system other."}


def test_hidden_files_and_other_kinds_of_files_are_left_alone(tmp_path: Path) -> None:
    """An editor's lock, a note, a conftest and Python's cache are no part of a corpus."""
    folder = write_corpus(tmp_path)
    (folder / "cases" / "toy" / ".#said.yaml").symlink_to("nobody@nowhere")
    (folder / "cases" / "README.md").write_text("A note.", "utf-8")
    (folder / "cases" / "conftest.py").write_text("", "utf-8")
    (folder / "cases" / "__pycache__").mkdir()
    (folder / "cases" / "__pycache__" / "x.json").write_text("{}", "utf-8")
    (folder / "schemas" / "case-file.schema.json").write_text("{}", "utf-8")
    assert problems_in(folder) == ()


def test_a_link_to_nowhere_cannot_be_read(tmp_path: Path) -> None:
    """A dangling link in the place of a case file is a problem of that file."""
    folder = write_corpus(tmp_path)
    (folder / "cases" / "toy" / "more.yaml").symlink_to("nowhere.yaml")
    assert [(one.place, one.message) for one in problems_in(folder)] == [
        ("cases/toy/more.yaml", "The file cannot be read: No such file or directory.")
    ]


def test_a_link_to_itself_cannot_be_read(tmp_path: Path) -> None:
    """A link that goes round in a circle ends the reading of that file and not the program."""
    folder = write_corpus(tmp_path)
    (folder / "cases" / "toy" / "more.yaml").symlink_to("more.yaml")
    assert [one.place for one in problems_in(folder)] == ["cases/toy/more.yaml"]


def test_a_linked_folder_is_not_followed_in_silence(tmp_path: Path) -> None:
    """A link back to its own parent is named, and nothing is read twice or for ever."""
    folder = write_corpus(tmp_path)
    (folder / "cases" / "toy" / "again").symlink_to("..", target_is_directory=True)
    assert [(one.place, one.message) for one in problems_in(folder)] == [
        ("cases/toy/again", "This folder is a link, and links to folders are not followed.")
    ]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A named pipe in the place of a case file is refused at once."""
    folder = write_corpus(tmp_path)
    os.mkfifo(folder / "cases" / "toy" / "more.yaml")
    assert [one.message for one in problems_in(folder)] == ["This is not a regular file."]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_a_file_without_permission_cannot_be_read(tmp_path: Path) -> None:
    """A file that this user may not read is a problem of that file."""
    folder = write_corpus(tmp_path)
    (folder / LOUD).chmod(0)
    assert [(one.place, one.message) for one in problems_in(folder)] == [
        (LOUD, "The file cannot be read: Permission denied.")
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_a_folder_without_permission_is_not_passed_over(tmp_path: Path) -> None:
    """A folder that this user may not list is a problem, and not just a smaller corpus."""
    folder = write_corpus(tmp_path)
    (folder / "cases" / "toy" / "locked").mkdir(mode=0)
    assert [(one.place, one.message) for one in problems_in(folder)] == [
        ("cases/toy/locked", "This folder cannot be read: Permission denied.")
    ]


def test_the_digest_is_of_what_was_read(tmp_path: Path) -> None:
    """The digest changes with a byte of a case, a requirement, a fixture or a schema, and with nothing else."""
    digests = [load_corpus(write_corpus(tmp_path / "whole")).digest]
    for path in (SAID, REQUIREMENTS, WORDS, SAY):
        changed = {**TEXTS, path: TEXTS[path] + " \n"}
        digests.append(load_corpus(write_corpus(tmp_path / path.replace("/", "-"), changed)).digest)
    assert len(set(digests)) == 5
    (tmp_path / "whole" / "cases" / "README.md").write_text("A note.", "utf-8")
    assert load_corpus(tmp_path / "whole").digest == digests[0]
    elsewhere = write_corpus(tmp_path / "elsewhere")
    assert load_corpus(elsewhere).digest == digests[0]
