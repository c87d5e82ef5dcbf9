"""`parity report`: which files it makes of a record, and when it refuses."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import NO_BYTECODE, ROOT
from recording import lines, record, write


@pytest.fixture
def run_record(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> Path:
    """A run in which `good` passes everything and `deaf` hears one word wrong."""
    return record(run_parity, echo_corpus, tmp_path / "run.jsonl", good={}, deaf={"answers": {"hello": "hallo"}})


def test_all_at_once(run_parity: Any, run_record: Path, tmp_path: Path) -> None:
    """One command makes every report, in folders that need not be there, and says where they lie."""
    names = {"html": "r.html", "junit": "r.xml", "markdown": "r.md", "json": "r.json", "badge": "b.json"}
    files = {name: tmp_path / "new" / "folder" / file for name, file in names.items()}
    done = run_parity("report", run_record, *(word for name, file in files.items() for word in (f"--{name}", file)))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"{name}: {file}" for name, file in files.items()]
    assert "2 of 8 answers fail" in files["html"].read_text("utf-8")
    assert len(list(ElementTree.parse(files["junit"]).iter("failure"))) == 2
    assert "| `deaf` | 50% |" in files["markdown"].read_text("utf-8")
    assert json.loads(files["json"].read_text("utf-8"))["implementations"]["deaf"]["counts"] == {"pass": 2, "fail": 2}
    assert json.loads(files["badge"].read_text("utf-8"))["color"] == "red"


@pytest.mark.parametrize(
    ("file", "why"), [("pipe", "this pipe has no reader"), ("file/x.html", "Not a directory"), (".", "Is a directory")]
)
def test_what_cannot_be_written(run_parity: Any, run_record: Path, tmp_path: Path, file: str, why: str) -> None:
    """A pipe without a reader is not waited for, and a file is not taken for a folder."""
    os.mkfifo(tmp_path / "here" / "pipe")
    (tmp_path / "here" / "file").touch()
    done = run_parity("report", run_record, "--html", file, timeout=30)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"parity: {file}: the html report cannot be written: {why}. Name another file.\n"


def test_a_pipe_that_is_read(run_parity: Any, run_record: Path, tmp_path: Path) -> None:
    """What is longer than a pipe holds goes through it whole."""
    run_parity("report", run_record, "--html", tmp_path / "page.html")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDWR)
    fcntl.fcntl(held, fcntl.F_SETPIPE_SZ, 4096)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        done = run_parity("report", run_record, "--html", pipe)
        os.close(held)
        read = reader.communicate(timeout=30)[0]
    assert done.returncode == 0
    assert read == (tmp_path / "page.html").read_bytes()


def test_standard_output(run_parity: Any, run_record: Path, tmp_path: Path) -> None:
    """`-` is standard output, on which then stands nothing else."""
    done = run_parity("report", run_record, "--json", "-", "--markdown", tmp_path / "r.md")
    assert done.returncode == 0
    assert json.loads(done.stdout)["cases"] == 4
    assert done.stderr == f"markdown: {tmp_path / 'r.md'}\n"


def test_the_text_has_commands_about_its_record(run_parity: Any, run_record: Path) -> None:
    """`--details` prints the details of the run, and commands that name the record."""
    done = run_parity("report", run_record, "--details", "-")
    assert done.returncode == 0
    assert "requirement" in done.stdout
    assert f"details: parity report {run_record} --details -\n" in done.stdout


def test_since(run_parity: Any, run_record: Path, echo_corpus: Path, tmp_path: Path) -> None:
    """With an older record the reports tell what changed."""
    before = record(run_parity, echo_corpus, tmp_path / "before.jsonl", good={}, deaf={})
    done = run_parity("report", run_record, "--since", before, "--markdown", "-")
    assert done.returncode == 0
    assert "- `deaf`: 2 newly failing" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Use at least one of: --details FILE"),
        (["--html", "-", "--json", "-"], "Two reports cannot be written to standard output."),
        (["--html", "a", "--json", "a"], "Two reports cannot be written to a."),
        (["--html", "a", "--json", "./b/../a"], "Two reports cannot be written to ./b/../a."),
        (["--html", "RECORD"], "this is the record."),
        (["--html", "/dev/null/folder/r.html"], "the html report cannot be written: Not a directory"),
        (["--html", "r.html", "--since", "none.jsonl"], "none.jsonl: the record cannot be read"),
        (["--html", "r.html", "--text", "."], "Add --review FILE."),
    ],
    ids=[
        "nothing wanted",
        "stdout twice",
        "file twice",
        "file twice, named otherwise",
        "over the record",
        "no folder",
        "no older record",
        "a text without a review",
    ],
)
def test_refused(run_parity: Any, run_record: Path, words: list[str], message: str) -> None:
    """What cannot be done is a sentence and status 2, and the record is left alone."""
    held = run_record.read_bytes()
    done = run_parity("report", run_record, *(str(run_record) if word == "RECORD" else word for word in words))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert run_record.read_bytes() == held


def test_a_report_over_the_older_record(run_parity: Any, run_record: Path, tmp_path: Path) -> None:
    """The record that is compared with is not written over either."""
    before = tmp_path / "before.jsonl"
    before.write_bytes(run_record.read_bytes())
    done = run_parity("report", run_record, "--since", before, "--json", before)
    assert (done.returncode, done.stdout) == (2, "")
    assert "this is the record." in done.stderr
    assert before.read_bytes() == run_record.read_bytes()


def test_a_report_over_a_link_to_the_record(run_parity: Any, run_record: Path, tmp_path: Path) -> None:
    """Another name of the same file is the record too."""
    (tmp_path / "link.html").hardlink_to(run_record)
    done = run_parity("report", run_record, "--html", tmp_path / "link.html")
    assert (done.returncode, done.stdout) == (2, "")
    assert "this is the record." in done.stderr


def test_a_report_that_fails_leaves_the_older_one(run_parity: Any, run_record: Path, tmp_path: Path) -> None:
    """A file is replaced as a whole: here a folder that cannot be written keeps it, and nothing is left beside it."""
    page = tmp_path / "page.html"
    run_parity("report", run_record, "--html", page)
    before = page.read_bytes()
    limited = f"ulimit -f 1; exec {sys.executable} -m harness report {run_record} --html {page}"
    environment = {**os.environ, **NO_BYTECODE}
    command = ["bash", "-c", limited]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "the html report cannot be written: File too large" in done.stderr
    assert page.read_bytes() == before
    assert [path.name for path in tmp_path.glob("*.html*")] == ["page.html"]
    assert [*tmp_path.glob(".page*")] == []


def test_a_record_does_not_replace_another_file(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """A file that holds something else stays as it is."""
    mine = tmp_path / "known.yaml"
    mine.write_text("# mine\n", "utf-8")
    done = run_parity("run", "--corpus", echo_corpus, "--adapter", "x=true", "--record", mine)
    assert done.returncode == 2
    assert "this file is no record of parity and stays as it is" in done.stderr
    assert mine.read_text("utf-8") == "# mine\n"


def test_a_record_without_footer(run_parity: Any, run_record: Path, tmp_path: Path) -> None:
    """The reports of a run that was cut short are made and say so, and the status is 2; with --since none is made."""
    cut_short = write(tmp_path / "cut.jsonl", lines(run_record)[:-2])
    done = run_parity("report", cut_short, "--markdown", tmp_path / "r.md", "--badge", "-")
    assert done.returncode == 2
    assert "has no footer" in done.stderr
    assert "The record is incomplete (no footer)" in (tmp_path / "r.md").read_text("utf-8")
    assert json.loads(done.stdout)["message"] == "incomplete"
    compared = run_parity("report", cut_short, "--since", run_record, "--markdown", tmp_path / "since.md")
    assert compared.returncode == 2
    assert not (tmp_path / "since.md").exists()


def test_several_records_make_a_review_alone(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """Records of different implementations over the same cases are one review; any other report has one record."""
    one = record(run_parity, echo_corpus, tmp_path / "one.jsonl", good={})
    two = record(run_parity, echo_corpus, tmp_path / "two.jsonl", deaf={"answers": {"hello": "hallo"}})
    done = run_parity("report", one, two, "--review", tmp_path / "review.md")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "review.md").read_text("utf-8")
    assert "2 SDKs, 4 cases. All pass 2 of 4 that at least two answer." in text
    done = run_parity("report", one, two, "--html", tmp_path / "r.html")
    assert (done.returncode, "Several records make only a review." in done.stderr) == (2, True)
