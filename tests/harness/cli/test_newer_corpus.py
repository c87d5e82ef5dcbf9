"""A gate after an upgrade of parity: a known-divergence file that was written for an older corpus, or with older keys."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from gating import MUMBLED, Gate

from harness.gate.known_reader import RENAMED, load_known

NEW = "  - {id: new, requirements: [ECHO-01], origin: spec-text, request: {text: world}, answer: {text: world}}\n"


@pytest.fixture
def older(gate: Gate, file: Path) -> Path:
    """A file of a mumbling singer, for a corpus to which the test then adds."""
    assert gate("mumbling", "--write-known", file).returncode == 1
    file.write_text(file.read_text("utf-8").replace("reason: TODO", "reason: It mumbles."), "utf-8")
    assert gate("mumbling", "--known", file).stdout.splitlines()[-3:-1] == [
        f"known-divergence file: {file}",
        "gate: green",
    ]
    return file


def edit(corpus: Path, old: str, new: str, suite: str = "said") -> None:
    path = corpus / "cases" / "echo" / f"{suite}.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_a_new_case_is_no_fault_of_the_sdk(gate: Gate, older: Path, echo_corpus: Path) -> None:
    """A failure of a case that the older corpus lacks is listed apart, and the gate is green; --strict-corpus makes it red.
    A failure of an old case is red. --write-known takes the new case in, but only if it ran."""
    said = echo_corpus / "cases" / "echo" / "said.yaml"
    said.write_text(said.read_text("utf-8") + NEW, "utf-8")
    done = gate("mumbling", "--known", older)
    assert (done.returncode, done.stdout.splitlines()[-2]) == (0, "gate: green (1 new in the corpus)")
    assert "\n  1 × echo.say fail, e.g. echo/said/new\n" in done.stdout
    assert "\nTo take in what is new, update the file " in done.stdout
    strict = gate("mumbling", "--known", older, "--strict-corpus")
    assert (strict.returncode, strict.stdout.splitlines()[-2]) == (1, "gate: RED (1 new)")
    worse = gate("mumbling hoarse", "--known", older)
    assert (worse.returncode, worse.stdout.splitlines()[-2]) == (1, "gate: RED (1 new, 1 new in the corpus)")
    before = load_known(older).corpus
    assert gate("mumbling", "--write-known", older, "--select", "echo/shouted").returncode == 0
    assert load_known(older).corpus == before
    assert gate("mumbling", "--write-known", older).returncode == 1
    assert "reason: TODO" in older.read_text("utf-8")
    older.write_text(older.read_text("utf-8").replace("reason: TODO", "reason: Again."), "utf-8")
    assert gate("mumbling", "--known", older).stdout.splitlines()[-2] == "gate: green"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("id: word", "id: words", "gate: green (1 new in the corpus, 1 no longer in the corpus)"),
        ("{text: hello}", "{text: hallo}", "gate: green (1 new in the corpus)"),
        ("id: word", "id: word, note: A remark", "gate: green"),
    ],
    ids=["renamed", "another answer", "a note"],
)
def test_a_changed_case(gate: Gate, older: Path, echo_corpus: Path, old: str, new: str, told: str) -> None:
    """A case with another name, request or answer is a new one. Its line in the file is the corpus' doing too. What changes
    no verdict makes no new case."""
    edit(echo_corpus, old, new)
    assert gate("mumbling", "--known", older).stdout.splitlines()[-2] == told


def test_a_line_that_no_corpus_had_is_unmatched(gate: Gate, older: Path, echo_corpus: Path) -> None:
    """A name with a slip of the pen is no change of the corpus; and a file of another system says nothing about this one."""
    edit(echo_corpus, "id: nothing", "id: nothing-at-all", "shouted")
    older.write_text(older.read_text("utf-8").replace(f"{MUMBLED}:", "echo/said/wrod:"), "utf-8")
    assert gate("mumbling", "--known", older).stdout.splitlines()[-2] == "gate: RED (1 new, 1 unmatched)"
    older.write_text(
        older.read_text("utf-8").replace("    echo/sa", "    flute/sa").replace("    echo/sh", "    flute/sh")
    )
    assert "gate: RED (2 new" in gate("mumbling hoarse", "--known", older).stdout


def test_a_file_without_a_corpus_says_how_to_get_one(gate: Gate, explained: Path) -> None:
    """It is judged strictly."""
    told = "  written for no named corpus, so each case of a newer one can fail the gate; --write-known names it"
    assert gate("mumbling", "--known", explained).stdout.splitlines()[-3] == told


def test_an_older_key_is_read_and_named(gate: Gate, explained: Path) -> None:
    """A renamed key is read, with the line and the new name; --write-known writes that."""
    text = explained.read_text("utf-8")
    explained.write_text(f"profile: {{}}\n{text}", "utf-8")
    done = gate("mumbling", "--known", explained)
    assert done.returncode == 0
    assert (
        f"{explained}:1  profile is named follows since 2026-11-23. Write follows, or let --write-known do it; "
        "profile is read until 2027-11-23.\n" in done.stdout
    )
    assert gate("mumbling", "--write-known", explained).returncode == 0
    assert "profile" not in explained.read_text("utf-8")


def test_a_key_is_read_for_a_year() -> None:
    """A row of the table that is older than a year is to be deleted."""
    assert [old for old, (_, day) in RENAMED.items() if (date.today() - date.fromisoformat(day)).days > 366] == []


BROKEN = {
    "digest": ("corpus: {digest: 12}\n", "digest is the number 12, not a text."),
    "prints": ('corpus: {digest: "123456789abc", cases: {a/b: "AAA="}}\n', "a/b has no fingerprints in base64."),
    "base64": ('corpus: {digest: "123456789abc", cases: {a/b: "é"}}\n', "a/b has no fingerprints in base64."),
}


@pytest.mark.parametrize(("added", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_corpus_is_refused(gate: Gate, explained: Path, added: str, message: str) -> None:
    """It names the line and what to do."""
    explained.write_text(added + explained.read_text("utf-8"), "utf-8")
    done = gate("mumbling", "--known", explained)
    assert (done.returncode, message in done.stderr) == (2, True)
