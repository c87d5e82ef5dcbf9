"""However an adapter breaks on one request: that case alone is blamed, the others keep their verdicts, nothing stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.model import Breach, Crash, Errored, TimedOut
from harness.runner.adapter_session import Timeouts

pytestmark = pytest.mark.slow

WORDS = ["one", "two", "guilty", "four", "five"]

CRASHES = {
    "exits-with-3": Crash(3),
    "exits-with-0": Crash(0),
    "segfaults": Crash(signal="SIGSEGV"),
    "is-killed": Crash(signal="SIGKILL"),
    "runs-out-of-memory": Crash(1),
    "dies-in-a-line": Crash(0, partial_line=20),
    "dies-without-line-feed": Crash(0, partial_line=58),
    "dies-leaving-a-grandchild": Crash(4),
    "dies-leaving-a-session": Crash(4),
    "closes-stdout": Crash(),
}

SILENCES = [
    "hangs",
    "hangs-unmoved",
    "hangs-with-a-grandchild",
    "hangs-with-a-session",
    "hangs-in-a-line",
    "closes-stdin",
    "trickles-blank-lines",
    "trickles-stderr",
    "answers-late",
    "answers-never",
]

BREACHES = {
    "unknown-id": ("unknown-id", "$.id"),
    "answers-before-asked": ("unknown-id", "$.id"),
    "huge-id": ("unknown-id", "$.id"),
    "boolean-id": ("invalid-id", "$.id"),
    "text-id": ("invalid-id", "$.id"),
    "float-id": ("invalid-id", "$.id"),
    "null-id": ("invalid-id", "$.id"),
    "no-id": ("invalid-id", "$.id"),
    "no-jsonrpc": ("no-jsonrpc", "$.jsonrpc"),
    "old-jsonrpc": ("no-jsonrpc", "$.jsonrpc"),
    "echoes-the-request": ("not-a-reply", "$.method"),
    "notifies": ("not-a-reply", "$.method"),
    "empty-object": ("no-jsonrpc", "$.jsonrpc"),
    "only-null": ("not-an-object", "$"),
    "only-a-number": ("not-an-object", "$"),
    "batch": ("batch", "$"),
    "both": ("result-and-error", ""),
    "neither": ("no-result", ""),
    "null-result": ("wrong-type", "$"),
    "list-result": ("wrong-type", "$"),
    "text-result": ("wrong-type", "$"),
    "null-error": ("invalid-error", "$.error"),
    "text-error": ("invalid-error", "$.error"),
    "text-code": ("invalid-error", "$.error.code"),
    "float-code": ("invalid-error", "$.error.code"),
    "no-error-message": ("invalid-error", "$.error.message"),
    "wrong-type": ("wrong-type", "$.text"),
    "further-member": ("unexpected-member", "$.more"),
    "method-not-found": ("method-refused", "$.error.code"),
    "invalid-params": ("params-refused", "$.error.code"),
    "internal-error": ("unknown-error-code", "$.error.code"),
    "unlisted-type": ("unknown-error-type", "$.error.data.type"),
    "raised-without-type": ("no-error-data", "$.error.data.type"),
    "out-of-reach-without-reason": ("no-error-data", "$.error.data.reason"),
    "banner": ("not-json", ""),
    "invalid-utf8": ("not-utf-8", ""),
    "raw-surrogate": ("not-utf-8", ""),
    "utf16": ("not-json", ""),
    "byte-order-mark": ("byte-order-mark", ""),
    "pretty-printed": ("not-json", ""),
    "two-in-one-line": ("not-json", ""),
    "single-quotes": ("not-json", ""),
    "raw-control-character": ("not-json", ""),
    "carriage-returns-for-line-feeds": ("not-json", ""),
    "nan": ("not-finite", "$.text"),
    "infinity": ("not-finite", "$.text"),
    "overflow": ("number-overflow", "$.text"),
    "long-overflow": ("number-overflow", "$.text"),
    "leading-zero": ("not-json", ""),
    "duplicate-keys": ("duplicate-key", "$.text"),
    "duplicate-ids": ("duplicate-key", "reply.id"),
    "nests-deeply": ("too-deep", ""),
    "nests-very-deeply": ("too-deep", ""),
    "overlong-line": ("line-too-long", ""),
}
"""The code and the path of each breach."""

EXPECTED = [*CRASHES, *SILENCES, *BREACHES]


@pytest.mark.parametrize("way", EXPECTED)
def test_the_guilty_case_alone_is_blamed(ask: Callable, way: str) -> None:
    """The request that an adapter breaks on is an error with the right cause; all others pass."""
    patience = 0.3 if way in SILENCES else 20  # a busy machine takes its time over 16 MiB
    asked = ask("guilty.py", way, words=WORDS, timeouts=Timeouts(reply=patience, initialize=20, shutdown=10))
    outcome = asked.results["more/guilty"].outcome
    assert isinstance(outcome, Errored)
    if isinstance(outcome.cause, Breach):
        assert (outcome.cause.code, outcome.cause.path) == BREACHES[way]
    else:
        assert outcome.cause == CRASHES.get(way, TimedOut(0.3))
    assert {verdict for name, verdict in asked.verdicts().items() if name != "more/guilty"} == {"pass"}
    assert asked.incidents == []


@pytest.mark.parametrize(
    ("way", "verdict"),
    [
        ("lone-surrogate", "fail"),
        ("lone-surrogate-as-key", "error/protocol"),
        ("huge-integer", "error/protocol"),
        ("nests-to-the-limit", "error/protocol"),
        ("very-many-members", "error/protocol"),
    ],
)
def test_odd_answers_are_judged_like_others(ask: Callable, way: str, verdict: str) -> None:
    """What JSON can say, the harness can judge, and record."""
    asked = ask("guilty.py", way, words=WORDS, timeouts=Timeouts(reply=10, initialize=10, shutdown=10))
    verdicts = asked.verdicts()
    assert verdicts.pop("more/guilty") == verdict
    assert set(verdicts.values()) == {"pass"}


@pytest.mark.parametrize("way", ["exits-with-3", "null-result", "unknown-id"])
def test_blame_does_not_depend_on_how_many_are_in_flight(ask: Callable, way: str) -> None:
    """One case at a time, or ninety in windows of 32: the same case is blamed."""
    one_by_one = ask("guilty.py", way, words=WORDS, max_in_flight=1)
    many = ask("guilty.py", way, words=[f"word-{n}" for n in range(60)] + ["guilty"] + [f"x-{n}" for n in range(29)])
    for asked in (one_by_one, many):
        verdicts = asked.verdicts()
        assert verdicts.pop("more/guilty").startswith("error/")
        assert set(verdicts.values()) == {"pass"}
        assert asked.incidents == []


def test_standard_error_of_a_request_alone_in_flight_is_kept_with_it(ask: Callable) -> None:
    """What an adapter says on standard error while it breaks on a request stands at that request's result, and no other."""
    asked = ask("guilty.py", "runs-out-of-memory", words=WORDS)
    said = {name for name, result in asked.results.items() if result.stderr}
    assert said == {"more/guilty"}
    assert "MemoryError" in asked.results["more/guilty"].stderr


def test_an_adapter_that_stops_reading_falls_silent(ask: Callable) -> None:
    """Requests that fill the pipe to an adapter that does not read do not block the harness."""
    asked = ask("guilty.py", "hangs", words=["guilty", *(f"word-{n}-{'x' * 50_000}" for n in range(8))])
    assert asked.counts() == {"error/timeout": 1, "pass": 12}


def test_what_starts_slowly_is_not_blamed_for_the_silence_before(ask: Callable) -> None:
    """The time an adapter takes for `initialize` is not counted as silence about the first requests."""
    asked = ask("lawful.py", "starts-slowly", timeouts=Timeouts(reply=0.3, initialize=5, shutdown=1))
    assert asked.counts() == {"pass": 4}
    assert asked.incidents == []


def test_a_run_with_a_guilty_case_does_not_succeed(
    echo_corpus: Path, run_parity: Callable, adapter_command: Callable, say: Callable, is_clean: Callable
) -> None:
    """The command ends with 1, shows the case and its kind of error, and leaves no process."""
    say(WORDS)
    adapter = adapter_command("guilty.py", "hangs-with-a-session", "mark-of-the-whole-command")
    done = run_parity("run", "--corpus", echo_corpus, "--adapter", f"fake={adapter}", "--timeout", "0.3")
    assert done.returncode == 1
    assert "error/timeout: No reply for 0.3 s (--timeout)." in done.stdout
    assert "8 pass, 1 error" in done.stdout
    assert is_clean("mark-of-the-whole-command")
