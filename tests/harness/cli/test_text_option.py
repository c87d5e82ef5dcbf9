"""The words of the specification behind the requirements: `--text DIR`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Parity
from recording import lines, record, write

from harness.corpus.anchors import anchor_of, reduced

SAID = "What is said MUST come back."
LOUD = "A shout is loud."
ANCHORED = {"version": "of an anchored corpus"}
"""What no other test asks: a record that exists already is of a corpus without anchors."""


@pytest.fixture
def text(tmp_path: Path, echo_corpus: Path) -> Path:
    """The folder of a text of two sentences, which the two requirements of the corpus are anchored in."""
    file = echo_corpus / "cases" / "echo" / "requirements.yaml"
    content = file.read_text("utf-8").replace("requirements:", "text-folder: docs/text\nrequirements:")
    for id_, words in (("ECHO-01", SAID), ("ECHO-02", LOUD)):
        anchored = f"id: {id_}, anchors: [{anchor_of(reduced(words)[0])}]"
        assert f"id: {id_}" in content
        content = content.replace(f"id: {id_}", anchored)
    file.write_text(content, "utf-8")
    folder = tmp_path / "sdk" / "docs" / "text"
    folder.mkdir(parents=True)
    (folder / "echo.md").write_text(f"# Saying\n\n{SAID}\n\n# Shouting\n\n{LOUD}\n", "utf-8")
    return folder


def test_a_text_that_is_unchanged(run_parity: Parity, echo_corpus: Path, text: Path) -> None:
    """The status is 0, and the last lines say that every passage is there."""
    done = run_parity("coverage", "--corpus", echo_corpus, "--text", text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Every passage that a requirement names is in the text.\n")


def test_a_text_that_changed(run_parity: Parity, echo_corpus: Path, text: Path) -> None:
    """A reworded sentence is named with its successor and the cases that it touches, and the status is 1."""
    (text / "echo.md").write_text(f"# Saying\n\n{SAID}\n\n# Shouting\n\nA shout is very loud. It \x1b MAY hurt.\n")
    done = run_parity("coverage", "--corpus", echo_corpus, "--text", text)
    assert done.returncode == 1
    assert "  ECHO-02  changed  echo.md:7  A shout is very loud.\n" in done.stdout
    assert "  echo.md:7  It \\x1b MAY hurt.\n" in done.stdout.partition("(MUST, SHOULD, MAY)")[2]
    assert "  2 cases\n    parity cases --select requirement:ECHO-02\n" in done.stdout
    value = json.loads(run_parity("coverage", "--corpus", echo_corpus, "--text", text, "--format", "json").stdout)
    [lost] = value["text"]["lost"]
    assert (lost["requirements"], lost["nearest"]["words"]) == (["ECHO-02"], "A shout is very loud.")
    assert value["text"]["touched"]["cases"] == ["echo/shouted/word", "echo/shouted/nothing"]


def test_the_anchor_of_a_passage(run_parity: Parity, echo_corpus: Path, text: Path) -> None:
    """Words of a passage, or a requirement, give the line for requirements.yaml; other words are refused."""
    for wanted in ("is\n**loud**", "ECHO-02"):
        done = run_parity("coverage", "--corpus", echo_corpus, "--text", text, "--anchor", wanted)
        assert done.stdout.startswith(f"echo.md:7  Shouting\n  {LOUD}\n  anchors: [{anchor_of(reduced(LOUD)[0])}]\n")
    done = run_parity("coverage", "--corpus", echo_corpus, "--text", text, "--anchor", "soft")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No passage has the words soft." in done.stderr
    assert run_parity("coverage", "--corpus", echo_corpus, "--anchor", "loud").returncode == 2


def test_a_requirement_with_its_words(run_parity: Parity, echo_corpus: Path, text: Path) -> None:
    """The page of a requirement quotes the text with its line, or says that the passage is gone."""
    shown = ("explain", "ECHO-02", "--corpus", echo_corpus, "--text", text)
    assert f"the text\n  echo.md:7  {LOUD}\n" in run_parity(*shown).stdout
    (text / "echo.md").write_text(f"# Saying\n\n{SAID}\n")
    assert "the text\n  1 passage of 1 is changed or gone in this text;" in run_parity(*shown).stdout


def test_a_text_that_a_record_leads_to(run_parity: Parity, echo_corpus: Path, text: Path, tmp_path: Path) -> None:
    """Without the option, the known folder in the repository of a recorded working copy has the text."""
    file = record(run_parity, echo_corpus, tmp_path / "run.jsonl", alto=ANCHORED)
    header, *others = lines(file)
    header["options"] = {**header["options"], "sdk": str(text.parents[1] / "code")}
    header["implementations"][0] |= {"adapter": "alto", "sdk": {"digest": "0" * 64}}
    write(file, [header, *others])
    done = run_parity("explain", "echo/shouted/word", "--corpus", echo_corpus, "--record", file)
    assert f"      echo.md:7  {LOUD}\n" in done.stdout, done.stderr


def test_a_folder_without_the_text(run_parity: Parity, echo_corpus: Path, text: Path, tmp_path: Path) -> None:
    """A folder that is missing, has no document of the corpus, or has one that is no text, is status 2 with the names."""
    assert text.is_dir()
    binary = tmp_path / "binary" / "echo.md"
    binary.parent.mkdir()
    binary.write_bytes(b"\xff\xfe")
    refused = ((tmp_path / "nowhere", "no such folder"), (tmp_path, "anchored in: echo."), (binary.parent, "not UTF-8"))
    for folder, words in refused:
        done = run_parity("coverage", "--corpus", echo_corpus, "--text", folder)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr


def test_a_site_with_the_words(run_parity: Parity, echo_corpus: Path, text: Path, tmp_path: Path) -> None:
    """The page of a requirement quotes the text, with markup as text; so does the page of a failing case."""
    (text / "echo.md").write_text(f"# Saying\n\n{SAID}\n\n# Shouting\n\n**<b>A</b>** `shout` is loud.\n")
    file = echo_corpus / "cases" / "echo" / "requirements.yaml"
    anchor = anchor_of(reduced("<b>A</b> shout is loud.")[0])
    file.write_text(file.read_text("utf-8").replace(anchor_of(reduced(LOUD)[0]), anchor))
    run = record(run_parity, echo_corpus, tmp_path / "run.jsonl", deaf={**ANCHORED, "answers": {"hello": "hallo"}})
    done = run_parity("site", tmp_path / "site", run, "--corpus", echo_corpus, "--text", text)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "requirements" / "ECHO-02.html").read_text("utf-8")
    assert "<code>echo.md:7</code> <q>&lt;b&gt;A&lt;/b&gt; <code>shout</code> is loud.</q>" in page
    page = (tmp_path / "site" / "results" / "echo" / "shouted" / "word.html").read_text("utf-8")
    assert "“&lt;b&gt;A&lt;/b&gt; <code>shout</code> is loud.”" in page


def test_a_review_with_the_words(run_parity: Parity, echo_corpus: Path, text: Path, tmp_path: Path) -> None:
    """The outline of the review quotes the text in place of the statement."""
    run = record(run_parity, echo_corpus, tmp_path / "run.jsonl", deaf={**ANCHORED, "answers": {"hello": "hallo"}})
    for option, said in (((), "> What is said comes back."), (("--text", text), f"> “{SAID}”")):
        assert said in run_parity("report", run, "--review", "-", *option).stdout
