"""Loading a corpus: all mistakes at once, none twice, and no file silently skipped."""

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
from harness.model import Documented

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
    """All problems are reported at once, by file and line, with exit status 2."""
    folder = write_corpus(tmp_path / "corpus", {**TEXTS, **NINE_MISTAKES})
    done = run_parity("cases", "--corpus", folder)
    assert done.returncode == 2
    assert done.stdout == ""
    places = [
        line.split()[0] for line in done.stderr.removeprefix("parity: ").splitlines() if line.startswith("cases/")
    ]
    assert places == [
        *(f"{RULINGS}:{line}" for line in (16, 18)),
        *(f"{SAID}:{line}" for line in (7, 17, 27, 37)),
        *(f"{LOUD}:{line}" for line in (9, 13, 15)),
    ]
    assert done.stderr.endswith("9 problems in the corpus; nothing was run.\n")


@pytest.mark.parametrize("verb", ["cases", "run"])
def test_a_broken_corpus_is_not_a_fault_of_the_command(verb: str, tmp_path: Path, run_parity: Parity) -> None:
    """A broken corpus ends each verb that reads it with status 2 and no traceback."""
    broken = next(broken for broken in ALL if broken.name == "exploding-aliases")
    folder = broken_corpus(tmp_path / "corpus", broken)
    done = run_parity(verb, "--corpus", folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"parity: {WORDS}:6\n  The file has more than 500000 values")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("folder", ["cases", "schemas"])
def test_a_folder_without_cases_or_schemas_is_no_corpus(folder: str, tmp_path: Path) -> None:
    """The message names the missing folder."""
    (tmp_path / ("schemas" if folder == "cases" else "cases")).mkdir()
    with pytest.raises(ParityError, match=f"the folder {folder}/ is missing"):
        load_corpus(tmp_path)


def test_a_system_without_requirements_is_one_problem(tmp_path: Path) -> None:
    """A missing requirements.yaml is one problem, not one for each citation."""
    texts = {path: text for path, text in TEXTS.items() if path != REQUIREMENTS}
    problems = problems_in(write_corpus(tmp_path, texts))
    assert [(problem.place, problem.code, problem.message) for problem in problems] == [
        (
            "cases/toy",
            "no-requirements-file",
            "The system has no requirements.yaml, so its cases can cite no requirement.",
        )
    ]


def test_a_missing_rulings_file_is_one_problem(tmp_path: Path) -> None:
    """If a system has no rulings.yaml, the problem is at the first case that cites a ruling."""
    problems = problems_in(write_corpus(tmp_path, {path: text for path, text in TEXTS.items() if path != RULINGS}))
    assert [(problem.place, problem.code, problem.message) for problem in problems] == [
        (f"{SAID}:16", "unknown-ruling", f"The file {RULINGS} does not exist.")
    ]


@pytest.mark.parametrize("path", [REQUIREMENTS, RULINGS, WORDS, SAY, SHOUT])
def test_an_unreadable_file_makes_no_further_problems(path: str, tmp_path: Path) -> None:
    """A citation of an item of an unreadable file is no further problem."""
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
        ("    severity: low", "    documented: {where: spec/README}\n    severity: low"),
        ("    severity: low", "    documented: spec/README\n    severity: low"),
        ("    severity: low", "    documented: {where: a, says: b, when: c}\n    severity: low"),
    ],
    ids=["title", "reading", "adopted", "no-adopted", "no-id", "half-documented", "documented", "documented-key"],
)
def test_a_broken_ruling_makes_no_further_problems(change: tuple[str, str], tmp_path: Path) -> None:
    """A case that cites a broken ruling has no problem of its own."""
    problems = problems_in(write_corpus(tmp_path, {**TEXTS, RULINGS: TEXTS[RULINGS].replace(*change)}))
    assert [problem.place.rpartition(":")[0] for problem in problems] == [RULINGS]


def test_a_ruling_can_note_another_document(tmp_path: Path) -> None:
    """The note of a ruling has a place and what is described there."""
    change = ("    severity: low", "    documented: {where: spec/README, says: a dot}\n    severity: low")
    corpus = load_corpus(write_corpus(tmp_path, {**TEXTS, RULINGS: TEXTS[RULINGS].replace(*change)}))
    assert corpus.rulings["RUL-01"].documented == Documented("spec/README", "a dot")


def test_a_missing_requirement_is_one_problem_however_often_it_is_cited(tmp_path: Path) -> None:
    """A missing requirement with several citations is one problem, which counts the other citations."""
    texts = {**TEXTS, REQUIREMENTS: TEXTS[REQUIREMENTS].replace("id: TOY-02", "id: TOY-03")}
    problems = problems_in(write_corpus(tmp_path, texts))
    assert [(problem.place, problem.message) for problem in problems] == [
        (f"{LOUD}:5", f"The requirement TOY-02 is not in {REQUIREMENTS}. 1 more place cites it.")
    ]


def test_evidence_in_a_broken_file_is_skipped(tmp_path: Path) -> None:
    """A ruling that cites a case of an unreadable file has no problem of its own."""
    problems = problems_in(write_corpus(tmp_path, {**TEXTS, SAID: "cases: [\n"}))
    assert {problem.place.rpartition(":")[0] for problem in problems} == {SAID}


def test_ids_are_unique_across_systems(tmp_path: Path) -> None:
    """Two systems cannot have a requirement with the same id, because reports show the id alone."""
    other = TEXTS[REQUIREMENTS].replace("system: toy", "system: other")
    problems = problems_in(write_corpus(tmp_path, {**TEXTS, "cases/other/requirements.yaml": other}))
    assert [(problem.place, problem.code) for problem in problems] == [
        (f"{REQUIREMENTS}:4", "duplicate-id"),
        (f"{REQUIREMENTS}:11", "duplicate-id"),
    ]


def test_a_case_uses_only_operations_of_its_own_system(tmp_path: Path) -> None:
    """An operation of another system is a problem that names that system."""
    texts = {**TEXTS, "schemas/other/other.sing.json": TEXTS[SHOUT]}
    texts[SAID] = texts[SAID].replace("operation: toy.say", "operation: other.sing", 1)
    found = {(problem.code, problem.message) for problem in problems_in(write_corpus(tmp_path, texts))}
    assert found == {("operation-of-other-system", "The operation other.sing belongs to the system other.")}


def test_hidden_files_and_other_kinds_of_files_are_ignored(tmp_path: Path) -> None:
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
    """A link to itself is a problem of that file."""
    folder = write_corpus(tmp_path)
    (folder / "cases" / "toy" / "more.yaml").symlink_to("more.yaml")
    assert [one.place for one in problems_in(folder)] == ["cases/toy/more.yaml"]


def test_a_linked_folder_is_a_problem(tmp_path: Path) -> None:
    """A link to its own parent is a problem, and no file is read twice."""
    folder = write_corpus(tmp_path)
    (folder / "cases" / "toy" / "again").symlink_to("..", target_is_directory=True)
    assert [(one.place, one.code, one.message) for one in problems_in(folder)] == [
        ("cases/toy/again", "linked-folder", "The folder is a symbolic link; links to folders are not followed.")
    ]


def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    """A named pipe in the place of a case file is a problem; it is not opened."""
    folder = write_corpus(tmp_path)
    os.mkfifo(folder / "cases" / "toy" / "more.yaml")
    assert [(one.code, one.message) for one in problems_in(folder)] == [("not-a-file", "This is not a regular file.")]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_a_file_without_permission_cannot_be_read(tmp_path: Path) -> None:
    """A file that this user may not read is a problem of that file."""
    folder = write_corpus(tmp_path)
    (folder / LOUD).chmod(0)
    assert [(one.place, one.message) for one in problems_in(folder)] == [
        (LOUD, "The file cannot be read: Permission denied.")
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_a_folder_without_permission_is_a_problem(tmp_path: Path) -> None:
    """A folder that the user cannot list is a problem."""
    folder = write_corpus(tmp_path)
    (folder / "cases" / "toy" / "locked").mkdir(mode=0)
    assert [(one.place, one.message) for one in problems_in(folder)] == [
        ("cases/toy/locked", "The folder cannot be read: Permission denied.")
    ]


def test_the_digest_covers_every_file_of_the_corpus(tmp_path: Path) -> None:
    """The digest depends on the bytes of cases, requirements, fixtures and schemas only."""
    digests = [load_corpus(write_corpus(tmp_path / "whole")).digest]
    for path in (SAID, REQUIREMENTS, WORDS, SAY):
        changed = {**TEXTS, path: TEXTS[path] + " \n"}
        digests.append(load_corpus(write_corpus(tmp_path / path.replace("/", "-"), changed)).digest)
    assert len(set(digests)) == 5
    (tmp_path / "whole" / "cases" / "README.md").write_text("A note.", "utf-8")
    assert load_corpus(tmp_path / "whole").digest == digests[0]
    elsewhere = write_corpus(tmp_path / "elsewhere")
    assert load_corpus(elsewhere).digest == digests[0]
