"""However many processes share the cases of an adapter, each case gets the verdict that it gets from one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.runner.adapter_session import Timeouts

pytestmark = pytest.mark.slow

WORDS = [f"a-{n}" for n in range(50)] + ["guilty"] + [f"b-{n}" for n in range(60)]
TIMEOUTS = Timeouts(reply=1, initialize=20, shutdown=10)


@pytest.mark.parametrize(
    ("script", "way"),
    [
        ("lawful.py", "crlf"),
        ("guilty.py", "exits-with-3"),
        ("guilty.py", "hangs"),
        ("guilty.py", "unknown-id"),
        ("guilty.py", "null-result"),
        ("guilty.py", "further-member"),
        ("guilty.py", "lone-surrogate"),
        ("start.py", "exits"),
    ],
)
def test_the_verdicts_are_the_same_for_every_number_of_processes(ask: Callable, script: str, way: str) -> None:
    """One process, two or five: the same verdicts, and no incident."""
    found = [ask(script, way, words=WORDS, timeouts=TIMEOUTS, jobs=jobs) for jobs in (1, 2, 5)]
    one, two, five = (asked.verdicts() for asked in found)
    assert one == two == five
    assert [asked.incidents for asked in found] == [[], [], []]


def test_each_process_that_differs_is_an_incident(ask: Callable, tmp_path: Path) -> None:
    """Two processes with different introductions are one implementation with an incident."""
    way, words = "calls-itself-another-beside-the-first", [f"word-{n}" for n in range(60)]
    asked = ask("moody.py", way, tmp_path / "starts", words=words, jobs=2)
    assert Counter(asked.verdicts().values()) == {"pass": 64}
    assert [incident.kind for incident in asked.incidents] == ["protocol"]
    assert len(asked.spoken) == 1


def test_processes_share_the_count_of_breaks(ask: Callable, echo_corpus: Path) -> None:
    """After ten breaks in a row no process sends the cases that wait in it."""
    words = [f"word-{n}" for n in range(150)]
    asked = ask("misbehaves.py", "exits-with-3", "always", echo_corpus, words=words, timeouts=TIMEOUTS, jobs=3)
    assert {*asked.verdicts().values()} == {"error/crash"}
    sent = [result for result in asked.results.values() if not result.unsent_after]
    assert len(sent) < 30
