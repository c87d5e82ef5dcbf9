"""What could pass for success although nothing, or something else, was shown."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.model import Breach, BreachCode
from harness.records import read_record

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def outcome(echo_corpus: Path, run_parity: Callable, adapter_command: Callable) -> Callable:
    """Runs `declines.py` in one way: exit status, output, and the counts by verdict."""

    def run(way: str) -> tuple[int, str, dict[str, int]]:
        record = echo_corpus.parent / "run.jsonl"
        adapter = f"fake={adapter_command('declines.py', way)}"
        done = run_parity("run", "--corpus", echo_corpus, "--adapter", adapter, "--record", record)
        verdicts = [result.verdict.value for result in read_record(record).results]
        return done.returncode, done.stdout, {verdict: verdicts.count(verdict) for verdict in verdicts}

    return run


def test_an_adapter_that_offers_nothing_is_an_error(outcome: Callable) -> None:
    """No operations at all: an error of every case, and the status of an adapter that cannot run."""
    status, output, counts = outcome("nothing")
    assert (status, counts) == (3, {"error": 4})
    assert "The adapter offers no operation." in output


@pytest.mark.parametrize("way", ["unknown-names", "out-of-reach"])
def test_an_implementation_that_answered_none_of_the_cases_is_an_error(outcome: Callable, way: str) -> None:
    """Nothing but `unsupported` is no success."""
    status, output, counts = outcome(way)
    assert (status, counts) == (1, {"unsupported": 4})
    assert "fake supports none of the 4 cases" in output


def test_what_is_unsupported_is_counted_and_told(outcome: Callable) -> None:
    """A skip is no pass: it stands in the output with its number and its reason, and does not fail the run."""
    status, output, counts = outcome("no-shouting")
    assert (status, counts) == (0, {"pass": 2, "unsupported": 2})
    assert "2 cases" in output
    assert "the package has no loud voice" in output


def test_what_is_unsupported_without_a_reason_is_not_asked(outcome: Callable) -> None:
    """An operation that is not offered is unsupported also where the adapter's reason is an empty text."""
    _, output, counts = outcome("no-reason")
    assert counts == {"pass": 2, "unsupported": 2}
    assert "the adapter does not offer this operation" in output


def test_a_case_of_which_nothing_is_told_is_unsupported(outcome: Callable) -> None:
    """Where every expected path is unobservable there is nothing to pass."""
    _, output, counts = outcome("everything-unobservable")
    assert counts == {"pass": 2, "unsupported": 2}
    assert "every expected path is unobservable: /text" in output


@pytest.mark.parametrize("way", ["other-error", "unclassified-error"])
def test_another_error_than_the_expected_one_does_not_pass(outcome: Callable, way: str) -> None:
    """A negative case is passed by the error it names alone."""
    status, output, counts = outcome(way)
    assert status == 1
    assert counts["fail"] == 1
    assert 'wanted "empty"' in output


def test_no_error_where_one_is_expected_does_not_pass(outcome: Callable) -> None:
    """An answer to a request that is to be refused is a failure, as is a wrong answer to another."""
    status, _, counts = outcome("no-error")
    assert status == 1
    assert counts == {"pass": 2, "fail": 2}


def test_a_case_that_the_reference_does_not_answer_is_an_error(echo_corpus: Path, run_parity: Callable) -> None:
    """The reference has to answer everything: what it does not offer fails the run, though all else passes."""
    schemas = echo_corpus / "schemas" / "echo"
    shutil.copy(ROOT / "schemas" / "jeffs_brain" / "query.normalise.json", schemas)
    suite = [
        "suite: echo/known",
        "operation: query.normalise",
        "cases:",
        "  - {id: word, requirements: [ECHO-01], origin: spec-text, request: {query: word}, answer: {text: word}}",
    ]
    (echo_corpus / "cases" / "echo" / "known.yaml").write_text("\n".join([*suite, ""]), "utf-8")
    done = run_parity("run", "--corpus", echo_corpus, "--adapter", "reference", "--record", "run.jsonl")
    assert "reference does not support 4 cases" in done.stdout
    assert done.returncode == 1


def test_a_path_that_is_declared_unobservable_is_absent(ask: Callable, echo_corpus: Path) -> None:
    """An adapter that gives what it declared it cannot tell breaks the protocol, right answer or wrong."""
    schema = echo_corpus / "schemas" / "echo" / "echo.say.json"
    loaded = json.loads(schema.read_text("utf-8"))
    loaded["$defs"]["answer"]["properties"]["length"] = {"type": "integer"}
    schema.write_text(json.dumps(loaded), "utf-8")
    said = echo_corpus / "cases" / "echo" / "said.yaml"
    said.write_text(
        said.read_text("utf-8").replace("answer: {text: hello}", "answer: {text: hello, length: 5}"), "utf-8"
    )
    asked = ask("declines.py", "tells-unobservable")
    assert asked.verdicts()["said/word"] == "error/protocol"
    assert asked.results["said/word"].outcome.cause == Breach(BreachCode.UNOBSERVABLE_MEMBER, "/text")
