"""`--max-breaks` at the command line: the first line of the report, the record, and a resumed run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import adapter

from harness.records import read_record

pytestmark = pytest.mark.slow


@pytest.fixture
def words(echo_corpus: Path) -> Path:
    """The echo corpus with thirty cases more."""
    lines = [
        f"  - {{id: word-{n}, requirements: [ECHO-01], origin: spec-text, request: {{text: word-{n}}},"
        f" answer: {{text: word-{n}}}}}"
        for n in range(30)
    ]
    text = "\n".join(["suite: echo/more", "operation: echo.say", "cases:", *lines, ""])
    (echo_corpus / "cases" / "echo" / "more.yaml").write_text(text, "utf-8")
    return echo_corpus


def test_the_report_begins_with_the_cases_that_were_not_sent(words: Path, run_parity: Callable, tmp_path: Path) -> None:
    """A notice comes at once, the report names the cases first, the record holds the reason, and the exit status is 1."""
    record = tmp_path / "run.jsonl"
    fake = f"fake={adapter('misbehaves.py', 'exits-with-3', 'always', words)}"
    done = run_parity("run", "--corpus", words, "--select", "echo/more", "--adapter", fake, "--record", record)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "fake: 19 cases not sent after 10 crashes in a row (echo.say)"
    assert "parity: fake: 10 crashes in a row at echo.say. 20 cases will not be sent" in done.stderr
    unsent = [result for result in read_record(record).results if result.unsent_after]
    assert [result.unsent_after for result in unsent] == [10] * 19
    assert {result.kind for result in unsent} == {"crash"}
    reasons = {json.loads(line).get("reason") for line in record.read_text("utf-8").splitlines()[1:-1]}
    assert "The case was not sent after 10 crashes in a row. The last one: The adapter exited with status 3." in reasons


def test_without_a_limit_every_case_is_sent_also_after_an_interruption(
    words: Path, run_parity: Callable, tmp_path: Path
) -> None:
    """`--max-breaks 0` sends every case, and a resumed run keeps the option and accepts no other."""
    record = tmp_path / "run.jsonl"
    fake = f"fake={adapter('misbehaves.py', 'exits-with-3', 'always', words)}"
    options = ("--corpus", words, "--select", "echo/more", "--adapter", fake)
    run_parity("run", *options, "--max-breaks", "0", "--record", record)
    assert [result.unsent_after for result in read_record(record).results] == [0] * 30
    record.write_text("".join(record.read_text("utf-8").splitlines(keepends=True)[:-20]), "utf-8")
    refused = run_parity("run", "--resume", record, "--max-breaks", "7")
    assert (refused.returncode, "--max-breaks 0" in refused.stderr) == (2, True)
    run_parity("run", "--resume", record)
    assert [result.unsent_after for result in read_record(record).results] == [0] * 30
