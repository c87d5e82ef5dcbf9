"""However an adapter breaks on one request: that case alone is blamed, the others keep their verdicts, nothing stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.runner.adapter_run import Timeouts

pytestmark = pytest.mark.slow

WORDS = ["one", "two", "guilty", "four", "five"]

CRASHES = {
    "exits-with-3": "exited with status 3",
    "exits-with-0": "exited with status 0",
    "segfaults": "was killed by SIGSEGV",
    "is-killed": "was killed by SIGKILL",
    "runs-out-of-memory": "exited with status 1",
    "dies-in-a-line": "exited with status 0 in the middle of a line of 20 bytes",
    "dies-without-line-feed": "in the middle of a line",
    "dies-leaving-a-grandchild": "exited with status 4",
    "dies-leaving-a-session": "exited with status 4",
    "closes-stdout": "closed its standard output",
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
    "unknown-id": "that was not sent to it (id 5)",
    "answers-before-asked": "that was not sent to it",
    "huge-id": "that was not sent to it (id 1000",
    "boolean-id": "The id of the reply is true",
    "text-id": "The id of the reply is",
    "float-id": "The id of the reply is",
    "null-id": "The id of the reply is null",
    "no-id": "The id of the reply is missing",
    "no-jsonrpc": "no member",
    "old-jsonrpc": "no member",
    "echoes-the-request": "request or notification",
    "notifies": "request or notification",
    "empty-object": "no member",
    "only-null": "wrote null, not a reply object",
    "only-a-number": "wrote 7, not a reply object",
    "batch": "batch",
    "both": "both of result and error",
    "neither": "neither of result and error",
    "null-result": "null, not an object. Answer with an object that has text: see schemas/echo/echo.say.json.",
    "list-result": 'The result is ["guilty"], not an object',
    "text-result": 'The result is "guilty", not an object',
    "null-error": "not an object with code and message",
    "text-error": "not an object with code and message",
    "text-code": "no whole number as code",
    "float-code": "no whole number as code",
    "no-error-message": "no text as message",
    "wrong-type": "breaks the schema of echo.say: $.text",
    "further-member": "unexpected). The schema has text there: see schemas/echo/echo.say.json.",
    "method-not-found": "refused echo.say, which initialize lists under operations (error -32601",
    "invalid-params": "refused a request that the schema of echo.say allows (error -32602",
    "internal-error": "error -32603",
    "unlisted-type": "lists no error type RangeError",
    "raised-without-type": "without data.type",
    "out-of-reach-without-reason": "without data.reason",
    "banner": "not one JSON message: 'Listening on port 8080'",
    "invalid-utf8": "not UTF-8 (byte 44 is 0xff)",
    "raw-surrogate": "not UTF-8",
    "utf16": "not one JSON message",
    "byte-order-mark": "byte-order mark",
    "pretty-printed": "not one JSON message: '{'",
    "two-in-one-line": "not one JSON message",
    "single-quotes": "not one JSON message",
    "raw-control-character": "not one JSON message",
    "carriage-returns-for-line-feeds": "not one JSON message",
    "nan": "holds NaN",
    "infinity": "holds -Infinity",
    "overflow": "1e999 overflows a double",
    "long-overflow": "overflows a double",
    "leading-zero": "not one JSON message",
    "duplicate-keys": 'the key "text" twice',
    "duplicate-ids": 'the key "id" twice',
    "nests-deeply": "nests deeper than 200 levels",
    "nests-very-deeply": "nests deeper than 200 levels",
    "overlong-line": "a line of more than 16 MiB",
}

EXPECTED = [
    *(("crash", way, words) for way, words in CRASHES.items()),
    *(("timeout", way, "No reply for 0.3 s") for way in SILENCES),
    *(("protocol", way, words) for way, words in BREACHES.items()),
]


@pytest.mark.parametrize(("kind", "way", "words"), EXPECTED, ids=[f"{kind}-{way}" for kind, way, _ in EXPECTED])
def test_the_guilty_case_alone_is_blamed(ask: Callable, kind: str, way: str, words: str) -> None:
    """The request that an adapter breaks on is an error of the right kind that says what was seen; all others pass."""
    patience = 0.3 if kind == "timeout" else 20  # a busy machine takes its time over 16 MiB
    asked = ask("guilty.py", way, words=WORDS, timeouts=Timeouts(asking=patience, starting=20, closing=10))
    verdicts = asked.verdicts()
    assert verdicts.pop("more/guilty") == f"error/{kind}"
    assert set(verdicts.values()) == {"pass"}
    assert words in asked.results["more/guilty"].judgement.reason
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
    asked = ask("guilty.py", way, words=WORDS, timeouts=Timeouts(asking=10, starting=10, closing=10))
    verdicts = asked.verdicts()
    assert verdicts.pop("more/guilty") == verdict
    assert set(verdicts.values()) == {"pass"}


@pytest.mark.parametrize("way", ["exits-with-3", "null-result", "unknown-id"])
def test_blame_does_not_depend_on_how_many_are_in_flight(ask: Callable, way: str) -> None:
    """One case at a time, or ninety in windows of 32: the same case is blamed."""
    one_by_one = ask("guilty.py", way, words=WORDS, most_in_flight=1)
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
    asked = ask("lawful.py", "starts-slowly", timeouts=Timeouts(asking=0.3, starting=5, closing=1))
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
    assert "error/timeout: No reply for 0.3 s." in done.stdout
    assert "8 pass, 1 error" in done.stdout
    assert is_clean("mark-of-the-whole-command")
