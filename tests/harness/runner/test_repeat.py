"""`parity run --repeat N`: an answer that is another one the next time is found, told, and fails the run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from harness.corpus.json_schema import DescribedErrors
from harness.model import Result, RunOptions, Verdict
from harness.plan.setup import prepare
from harness.runner.execute import batches

pytestmark = pytest.mark.slow

ADAPTERS = Path(__file__).parents[1] / "adapters"
SCHEMAS = Path(__file__).resolve().parents[3] / "schemas"

Parity = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def repeat(run_parity: Parity, echo_corpus: Path, tmp_path: Path) -> Callable[..., tuple[Any, list[dict[str, Any]]]]:
    """Runs an adapter in a mood; what the command did, and the lines of its record."""

    def run(mood: str, *arguments: Any) -> tuple[Any, list[dict[str, Any]]]:
        record = tmp_path / "run.jsonl"
        command = f"fickle={sys.executable} {ADAPTERS / 'fickle.py'} {mood}"
        done = run_parity("run", "--adapter", command, "--corpus", echo_corpus, "--record", record, *arguments)
        return done, [json.loads(line) for line in record.read_text("utf-8").splitlines()]

    return run


def results(lines: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {line["case"]: line for line in lines if line["type"] == "result"}


def test_steady_answers_are_as_if_asked_once(repeat: Callable[..., Any]) -> None:
    """Every case has one verdict and nothing flaky, and the status is 0."""
    done, lines = repeat("steady", "--repeat", 3)
    assert done.returncode == 0, done.stdout
    assert [line["verdict"] for line in results(lines).values()] == ["pass"] * 4
    assert not [line for line in lines if "flaky" in line]
    assert lines[0]["options"]["repeat"] == 3
    assert lines[-1]["type"] == "footer"


def test_an_answer_that_hangs_on_the_order(repeat: Callable[..., Any]) -> None:
    """Asked once, the third case fails; asked from behind, the second does: both are told, with both answers."""
    _, once = repeat("order")
    assert [case for case, line in results(once).items() if line["verdict"] == "fail"] == ["echo/shouted/word"]
    done, lines = repeat("order", "--repeat", 2)
    flaky = {case: line for case, line in results(lines).items() if "flaky" in line}
    assert sorted(flaky) == ["echo/said/nothing", "echo/shouted/word"]
    assert {line["verdict"] for line in flaky.values()} == {"fail"}
    assert [(one["passes"], one["verdict"]) for one in flaky["echo/said/nothing"]["flaky"]] == [
        ([1], "pass"),
        ([2], "fail"),
    ]
    assert flaky["echo/said/nothing"]["answer"] == {"answer": {"text": "wrong"}}
    assert flaky["echo/shouted/word"]["flaky"][1]["answer"] == {"answer": {"text": "HELLO"}}
    assert done.returncode == 1
    assert "flaky: fickle: 2 cases are flaky:" in done.stdout
    assert '    execution 2: fail {"answer":{"text":"wrong"}}' in done.stdout


def test_a_failing_case_is_executed_twice(repeat: Callable[..., Any]) -> None:
    """The second execution is in a fresh process; a stable failure is recorded without a word on flakiness."""
    done, lines = repeat("order")
    flaky = {case: line for case, line in results(lines).items() if "flaky" in line}
    assert sorted(flaky) == ["echo/shouted/word"]
    assert [(one["passes"], one["verdict"]) for one in flaky["echo/shouted/word"]["flaky"]] == [
        ([1], "fail"),
        ([2], "pass"),
    ]
    assert (done.returncode, lines[-1]["counts"]) == (1, {"fickle": {"pass": 3, "fail": 1}})
    assert "flaky: fickle: 1 case is flaky, e.g. cases/echo/" in done.stdout
    _, lines = repeat("wrong")
    assert {line["verdict"] for case, line in results(lines).items() if case != "echo/shouted/nothing"} == {"fail"}
    assert not [line for line in lines if "flaky" in line]


@pytest.fixture
def disputed(echo_corpus: Path) -> str:
    """A suite of three cases; the last one is disputed."""
    cases = echo_corpus / "cases" / "echo"
    (cases / "rulings.yaml").write_text(
        "system: echo\nrevision: '1.0'\nrulings:\n"
        "  - {id: RUL-E1, title: Capitals, requirements: [ECHO-01], question: Shout?, readings: {a: No., b: Yes.},\n"
        "     adopted: a, basis: prose, why: A voice., severity: low, evidence: [echo/voice/third], wording: Say it.}\n",
        "utf-8",
    )
    first = "requirements: [ECHO-01], origin: spec-text, request: {text: o}, answer: {text: o}"
    (cases / "voice.yaml").write_text(
        f"suite: echo/voice\noperation: echo.say\ncases:\n  - {{id: first, {first}}}\n  - {{id: second, {first}}}\n"
        "  - {id: third, requirements: [ECHO-01], origin: spec-text, request: {text: hey}, disputed: {ruling: RUL-E1,\n"
        "     adopted: a, readings: {a: {answer: {text: hey}}, b: {answer: {text: HEY}}}}}\n",
        "utf-8",
    )
    return "echo/voice"


def test_a_variant_is_executed_twice(repeat: Callable[..., Any], disputed: str) -> None:
    """Another reading in the second execution is recorded as flaky; it fails nothing, because both answers are permitted."""
    done, lines = repeat("reading", "--select", disputed)
    found = results(lines)
    assert [case for case, line in found.items() if "flaky" in line] == ["echo/voice/third"]
    passes = [(one["passes"], one["verdict"]) for one in found["echo/voice/third"]["flaky"]]
    assert passes == [([1], "variant"), ([2], "pass")]
    assert done.returncode == 0, done.stdout
    assert "flaky: fickle: 1 case is flaky, e.g. cases/echo/" in done.stdout


def test_changes_since_a_record_are_executed_again(repeat: Callable[..., Any], disputed: str, tmp_path: Path) -> None:
    """A changed reading that is the old one again in a later execution is flaky, and no change."""
    repeat("steady", "--select", disputed)
    older = (tmp_path / "run.jsonl").rename(tmp_path / "older.jsonl")
    done, lines = repeat("reading", "--select", disputed, "--since", older)
    passes = [(one["passes"], one["verdict"]) for one in results(lines)["echo/voice/third"]["flaky"]]
    assert passes == [([1], "variant"), ([2, 3, 4, 5], "pass")]
    assert "fickle: 1 flaky" in done.stdout
    assert "changed reading" not in done.stdout


def test_a_change_that_every_execution_shows_stays_one(repeat: Callable[..., Any], tmp_path: Path) -> None:
    """Five executions fail in the same way: newly failing."""
    repeat("steady", "--select", "echo/said")
    older = (tmp_path / "run.jsonl").rename(tmp_path / "older.jsonl")
    done, lines = repeat("wrong", "--select", "echo/said", "--since", older)
    assert not [line for line in lines if "flaky" in line]
    assert "fickle: 2 newly failing" in done.stdout


def test_a_run_that_stops_early_keeps_its_failures(echo_corpus: Path) -> None:
    """A failure that waits for its second execution is not lost."""
    command = f"fickle={sys.executable} {ADAPTERS / 'fickle.py'} wrong"
    unconfirmed: list[Result] = []
    with (
        prepare(RunOptions(corpus=str(echo_corpus), adapters=(command,)), print) as setup,
        closing(batches(setup.plan(), unconfirmed)) as stream,
    ):
        passed = next(event for batch in stream for event in batch if isinstance(event, Result))
    assert passed.case.name == "echo/shouted/nothing"
    assert {(one.case.name, one.verdict) for one in unconfirmed} >= {
        ("echo/said/nothing", Verdict.FAIL),
        ("echo/said/word", Verdict.FAIL),
    }


def test_every_pass_has_a_process_of_its_own(repeat: Callable[..., Any]) -> None:
    """An answer with the number of its process in it is another one each time; a failing case stays the first pass's."""
    _, lines = repeat("process", "--repeat", 4, "--select", "echo/said/word")
    (line,) = results(lines).values()
    assert [one["passes"] for one in line["flaky"]] == [[1], [2], [3], [4]]
    assert len({one["signature"] for one in line["flaky"]}) == 4
    assert line["answer"] == line["flaky"][0]["answer"]


def test_an_unstable_case_that_never_fails_is_status_1(repeat: Callable[..., Any]) -> None:
    """Declined in one pass and right in another is no failure of the case, and not what a run may pass over."""
    done, lines = repeat("declines", "--repeat", 2, "--select", "echo/said/*")
    assert {line["verdict"] for line in results(lines).values()} == {"pass", "unsupported"}
    assert done.returncode == 1
    assert "are flaky" in done.stdout


def test_messages_of_errors_are_not_compared(repeat: Callable[..., Any]) -> None:
    """An error of the same type with another message is the same answer."""
    _, lines = repeat("steady", "--repeat", 3)
    assert "flaky" not in results(lines)["echo/shouted/nothing"]


def test_an_adapter_that_says_something_else_of_itself(repeat: Callable[..., Any]) -> None:
    """Another version in the second pass is an incident, which makes the status 1."""
    done, lines = repeat("self", "--repeat", 2)
    (incident,) = (line for line in lines if line["type"] == "incident")
    assert incident["error"] == {"code": "identity-changed", "found": "pass 2"}
    assert done.returncode == 1


def test_an_adapter_that_does_not_start_is_not_tried_again(run_parity: Parity, echo_corpus: Path) -> None:
    """What failed to start in the first pass is not started for the others: 900 passes end within the time limit."""
    done = run_parity("run", "--adapter", "gone=/nowhere/adapter", "--corpus", echo_corpus, "--repeat", 900)
    assert done.returncode == 3
    assert "4 cases, 1 implementation, 4 verdicts" in done.stdout


def test_a_record_of_a_repeated_run_keeps_to_its_schema(repeat: Callable[..., Any]) -> None:
    """The schema of records knows flaky results."""
    _, lines = repeat("order", "--repeat", 3)
    address = "run-record.schema.json"
    validators = DescribedErrors({address: json.loads((SCHEMAS / "run-record.schema.json").read_bytes())})
    assert [breach for breach in (validators.error(address, line) for line in lines) if breach] == []


def test_a_repeated_run_that_was_cut_short_goes_on_repeating(
    repeat: Callable[..., Any], run_parity: Parity, tmp_path: Path
) -> None:
    """`--resume` asks what is left as often as the run was begun with."""
    repeat("process", "--repeat", 3)
    record = tmp_path / "run.jsonl"
    record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:2]))
    run_parity("run", "--resume", record)
    lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    found = results(lines)
    assert len(found) == 4
    assert [len(line["flaky"]) for case, line in found.items() if case != "echo/shouted/nothing"] == [3] * 3


@pytest.mark.parametrize("times", ["1", "0", "-2", "two", "1.5", "1001"])
def test_how_often_has_to_be_a_number_of_times(run_parity: Parity, times: str) -> None:
    """Once is what a run does anyway, and more than a thousand times is a slip."""
    done = run_parity("run", f"--repeat={times}")
    assert done.returncode == 2
    assert "is not an integer from 2 to 1000" in done.stderr
