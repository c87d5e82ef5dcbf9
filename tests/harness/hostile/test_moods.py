"""Where no single request is to blame, none is blamed, and the run says what happened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.model import Breach, BreachCode, BreakContext, Crash, StartFailure
from harness.records import read_record
from harness.runner import adapter_run

pytestmark = pytest.mark.slow

WORDS = ["one", "two", "guilty", "four", "five", "six"]
ALL_PASS = {"pass": len(WORDS) + 4}


@pytest.fixture
def starts(tmp_path: Path) -> Path:
    """The file in which an adapter counts its starts, one byte each."""
    return tmp_path / "starts"


def test_a_break_that_depends_on_company_is_an_incident(ask: Callable, starts: Path) -> None:
    """Suspects that all answer when alone are not blamed; the incident names them and keeps standard error."""
    asked = ask("moody.py", "dislikes-company", starts, words=WORDS)
    assert asked.counts() == ALL_PASS
    (incident,) = asked.incidents
    assert incident.kind == "crash"
    assert len(incident.suspects) == len(WORDS) + 4
    assert incident.cause == Crash(5)
    assert incident.stderr == "I am not alone\n"


@pytest.mark.parametrize("most_in_flight", [1, 3, 32])
def test_a_crash_at_the_third_request_whatever_it_is_blames_none(
    ask: Callable, starts: Path, most_in_flight: int
) -> None:
    """An adapter that cannot stand a third request breaks on no request in particular."""
    asked = ask("moody.py", "dies-at-the-third", starts, words=WORDS, max_in_flight=most_in_flight)
    assert asked.counts() == ALL_PASS
    assert {incident.kind for incident in asked.incidents} == {"crash"}


def test_the_rest_is_asked_alone_after_twenty_restarts(ask: Callable, starts: Path) -> None:
    """An adapter that breaks in every window is restarted twenty times, then asked one by one."""
    asked = ask("moody.py", "dislikes-company", starts, words=[f"word-{n}" for n in range(50)], max_in_flight=2)
    assert asked.counts() == {"pass": 54}
    assert len(asked.incidents) == 20
    assert starts.stat().st_size == 21


def test_every_request_that_ends_the_adapter_is_a_crash(ask: Callable, starts: Path) -> None:
    """An adapter that dies of everything gets a crash for every case, and nothing besides."""
    asked = ask("moody.py", "dies-at-every-request", starts, words=WORDS)
    assert asked.counts() == {"error/crash": 10}
    assert asked.incidents == []


@pytest.fixture
def long_quiet_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness waits until a busy machine has shown what follows a reply."""
    monkeypatch.setattr(adapter_run, "QUIET_SECONDS", 1.0)


@pytest.mark.usefixtures("long_quiet_period")
def test_an_adapter_for_one_request_a_process_is_no_adapter(ask: Callable, starts: Path) -> None:
    """Ending after each answer is seen at each case that is asked alone."""
    asked = ask("moody.py", "dies-after-every-reply", starts, words=WORDS)
    assert asked.counts() == {"pass": 1, "error/crash": 9}
    assert asked.results["more/two"].outcome.cause == Crash(0, context=BreakContext(after_reply=True))


@pytest.mark.parametrize("most_in_flight", [1, 32])
@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_the_first_of_two_replies_counts(
    ask: Callable, starts: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, most_in_flight: int
) -> None:
    """Whether the second reply comes before or after the verdict, no case fails; one incident tells it, and the process goes
    on."""
    monkeypatch.setattr(adapter_run, "QUIET_SECONDS", seconds)
    asked = ask("moody.py", "answers-everything-twice", starts, words=WORDS, max_in_flight=most_in_flight)
    assert asked.counts() == ALL_PASS
    (incident,) = asked.incidents
    assert incident.cause.code is BreachCode.DUPLICATE_REPLY
    assert starts.stat().st_size == 1


def test_an_incident_names_the_request_that_was_answered_twice(ask: Callable, starts: Path) -> None:
    """The second reply is the adapter's fault, and the case stays what its first reply made it."""
    asked = ask("moody.py", "answers-guilty-twice", starts, words=WORDS)
    assert asked.counts() == ALL_PASS
    (incident,) = asked.incidents
    assert (incident.cause.code, incident.cause.expected) == (BreachCode.DUPLICATE_REPLY, "echo/more/guilty")


def test_what_follows_a_good_answer_does_not_vanish(ask: Callable, starts: Path) -> None:
    """An answer that already counted stays, and an incident names it with what came after it."""
    asked = ask("moody.py", "logs-after-guilty", starts, words=WORDS)
    assert asked.counts() == ALL_PASS
    (incident,) = asked.incidents
    assert incident.kind == "protocol"
    assert incident.cause.code is BreachCode.NOT_JSON
    assert incident.cause.context == BreakContext(last_answered="echo/more/guilty")


def test_null_for_everything_is_a_protocol_error_of_every_case(ask: Callable, starts: Path) -> None:
    """Results that are no objects are errors, and the process that gives them need not be replaced."""
    asked = ask("moody.py", "answers-null", starts, words=WORDS)
    assert asked.counts() == {"error/protocol": 10}
    assert starts.stat().st_size == 1


def test_an_empty_answer_to_everything_fails_every_case(ask: Callable, starts: Path) -> None:
    """An answer that lacks what was expected is different from it, whatever its schema requires."""
    asked = ask("moody.py", "answers-nothing-at-all", starts, words=WORDS)
    assert asked.counts() == {"fail": 10}


@pytest.mark.parametrize("most_in_flight", [1, 32])
def test_a_death_some_time_after_an_answer_is_not_the_next_request_s_fault(
    ask: Callable, starts: Path, most_in_flight: int
) -> None:
    """A request in flight alone when the process dies of what an earlier one left behind is asked again, and passes."""
    asked = ask("moody.py", "dies-soon-after-guilty", starts, words=WORDS, max_in_flight=most_in_flight)
    assert asked.counts() == ALL_PASS
    assert {incident.kind for incident in asked.incidents} == {"crash"}


def test_a_hang_after_an_answer_is_not_the_next_request_s_fault(ask: Callable, starts: Path) -> None:
    """The same for silence."""
    asked = ask("moody.py", "hangs-after-guilty", starts, words=WORDS, max_in_flight=1)
    assert asked.counts() == ALL_PASS
    (incident,) = asked.incidents
    assert incident.kind == "timeout"
    assert incident.suspects == ("echo/more/four",)
    assert incident.cause.context == BreakContext(last_answered="echo/more/guilty")


def test_swapped_ids_fail_both_requests(ask: Callable, starts: Path) -> None:
    """Each request is judged by the reply that bears its id."""
    verdicts = ask("moody.py", "swaps-guilty-with-the-next", starts, words=WORDS).verdicts()
    assert {name for name, verdict in verdicts.items() if verdict == "fail"} == {"more/guilty", "more/four"}


def test_what_cannot_be_started_again_keeps_the_verdicts_it_has(ask: Callable, starts: Path) -> None:
    """After three failed starts in a row what is left is `error/start`; what was answered before stays answered."""
    asked = ask("moody.py", "starts-no-second-time", starts, words=WORDS)
    assert asked.counts() == {"pass": 2, "error/start": 8}
    assert asked.verdicts()["more/two"] == "pass"
    assert asked.results["more/four"].outcome.cause == StartFailure(Crash(8))
    assert asked.results["more/four"].stderr == "the port is taken\n"
    assert starts.stat().st_size == 1 + 3


def test_failed_starts_that_were_overcome_are_incidents(ask: Callable, starts: Path) -> None:
    """An adapter that starts at the third attempt is asked everything, and the two failures are told."""
    asked = ask("moody.py", "starts-at-the-third-time", starts, words=WORDS)
    assert asked.counts() == ALL_PASS
    assert [incident.kind for incident in asked.incidents] == ["crash", "crash"]


def test_an_adapter_is_the_same_at_every_start(ask: Callable, starts: Path) -> None:
    """A restarted adapter that reports another version has answers that the record would ascribe to the first."""
    asked = ask("moody.py", "calls-itself-another", starts, words=WORDS)
    assert asked.counts() == {"pass": 2, "error/start": 8}
    assert asked.results["more/four"].outcome.cause == StartFailure(Breach(BreachCode.IDENTITY_CHANGED))


def test_a_run_with_an_incident_does_not_succeed(
    echo_corpus: Path, run_parity: Callable, adapter_command: Callable, starts: Path
) -> None:
    """Though every case passes, the exit status is 1, and console and record say what happened."""
    adapter = f"fake={adapter_command('moody.py', 'dislikes-company', starts)}"
    done = run_parity("run", "--corpus", echo_corpus, "--adapter", adapter, "--record", starts.with_name("run.jsonl"))
    record = read_record(starts.with_name("run.jsonl"))
    assert done.returncode == 1
    assert "exited with status 5" in done.stdout
    assert [(incident.kind, incident.stderr) for incident in record.incidents] == [("crash", "I am not alone\n")]
    assert {result.verdict.value for result in record.results} == {"pass"}
