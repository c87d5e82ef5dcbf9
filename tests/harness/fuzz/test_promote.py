"""`parity promote` and `parity explain` on findings, and the loader on an answer that nobody has written."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.corpus.loader import load_corpus
from harness.corpus.strict_yaml import parse_yaml
from harness.corpus.yaml_places import yaml_value
from harness.errors import CorpusError
from harness.records import read_record

pytestmark = pytest.mark.slow

Fuzz = Callable[..., Any]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the campaign whose finding all tests use."""
    return tmp_path_factory.mktemp("campaign") / "out"


@pytest.fixture
def finding(fuzz: Fuzz, kept: Path, tmp_path: Path) -> str:
    """The name of a finding of `echo.say`; its record is `out/fuzz.jsonl`."""
    if not kept.exists():
        assert fuzz("--operation", "echo.say", mine="lengthens").returncode == 1
        shutil.copytree(tmp_path / "out", kept)
    shutil.copytree(kept, tmp_path / "out", dirs_exist_ok=True)
    [name] = {one.case for one in read_record(tmp_path / "out" / "fuzz.jsonl").results}
    return name


def test_a_finding_becomes_a_case_that_the_loader_refuses_without_its_answer(
    finding: str, run_parity: Any, echo_corpus: Path, tmp_path: Path
) -> None:
    """The entry is valid except for the answer; with an answer the corpus loads."""
    file = echo_corpus / "cases" / "echo" / "said.yaml"
    record = tmp_path / "out" / "fuzz.jsonl"
    done = run_parity("promote", finding, "--record", record, "--corpus", echo_corpus, "--into", file)
    assert done.returncode == 0, done.stderr
    with pytest.raises(CorpusError) as caught:
        load_corpus(echo_corpus)
    [problem] = caught.value.problems
    assert problem.code == "answer-not-written"
    assert "still TODO" in problem.message
    text = file.read_text("utf-8")
    assert "origin: fuzz" in text
    assert "requirements: [ECHO-01]" in text
    file.write_text(text.replace("answer: TODO", "answer: {text: lo}"), "utf-8")
    assert [case.origin for case in load_corpus(echo_corpus).cases].count("fuzz") == 1


def test_without_a_name_the_new_findings_are_listed(
    finding: str, run_parity: Any, echo_corpus: Path, tmp_path: Path
) -> None:
    """Each with the implementation, the place of the difference, and its cause."""
    done = run_parity("promote", "--record", tmp_path / "out" / "fuzz.jsonl", "--corpus", echo_corpus)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{finding}\n    mine: differs at $.text; no known cause\n"


def test_the_end_of_a_name_is_enough(finding: str, run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """The requirements of the entry are candidates."""
    record = tmp_path / "out" / "fuzz.jsonl"
    done = run_parity("promote", finding[-4:], "--record", record, "--corpus", echo_corpus)
    assert done.returncode == 0, done.stderr
    assert f"id: fuzz-{finding.rsplit('/', 1)[-1]}" in done.stdout
    assert "# The requirements are candidates" in done.stdout


def test_a_record_of_findings_has_no_badge(finding: str, run_parity: Any, tmp_path: Path) -> None:
    """The other reports name no profile and no share of a corpus."""
    record = tmp_path / "out" / "fuzz.jsonl"
    done = run_parity("report", record, "--markdown", "-")
    assert finding in done.stdout
    assert "profiles of" not in done.stdout
    assert "answered" not in done.stdout
    assert "badge" not in run_parity("report", record, "--json", "-").stdout
    assert run_parity("report", record, "--badge", "-").returncode == 2


@pytest.mark.parametrize(("form", "part"), [("reading", "readings:"), ("deviation", 'deviation="')])
def test_the_skeletons(finding: str, form: str, part: str, run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """Every place that a person has to write holds TODO; the answers are comments."""
    short = finding.rsplit("/", 1)[-1][:8]
    record = tmp_path / "out" / "fuzz.jsonl"
    done = run_parity("promote", short, "--as", form, "--record", record, "--corpus", echo_corpus)
    assert done.returncode == 0, done.stderr
    assert part in done.stdout
    assert "TODO" in done.stdout
    assert 'right: {"text": ' in done.stdout


def test_an_unknown_finding_gets_the_list(finding: str, run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """Exit status 2, and the names that exist."""
    record = tmp_path / "out" / "fuzz.jsonl"
    done = run_parity("promote", "nothing", "--record", record, "--corpus", echo_corpus)
    assert done.returncode == 2
    assert finding in done.stderr


def test_a_finding_is_explained_from_its_record(
    finding: str, run_parity: Any, echo_corpus: Path, tmp_path: Path
) -> None:
    """The request runs anew, and the page names the command that repeats it."""
    record = tmp_path / "out" / "fuzz.jsonl"
    mine = read_record(record).metadata.implementation("mine")
    assert mine is not None
    done = run_parity("explain", finding, "--record", record, "--adapter", mine.adapter, "--corpus", echo_corpus)
    assert done.returncode == 0, done.stderr
    assert f"parity explain {finding} --record {record}" in done.stdout


@pytest.mark.parametrize(
    "value",
    ["é\u0301", "\u2028\u0085\x00\x1b\x7f", "\U0001f600\U000e0001", 'a"\\b\n', 1e300, -0.5, 2**60, None, [True, {}]],
)
def test_a_promoted_request_is_the_same_in_yaml(value: Any) -> None:
    """Whatever characters it holds."""
    assert parse_yaml(f"value: {yaml_value(value)}\n", "file") == ({"value": value}, [])


def test_without_a_campaign_the_remedy_is_one(run_parity: Any) -> None:
    """`promote` before the first campaign names the verb that is missing."""
    done = run_parity("promote", "anything")
    assert done.returncode == 2
    assert "Run `parity fuzz` first" in done.stderr
