"""Asking an adapter with the engine itself: real processes, short timeouts, and a look at what is left behind."""

from __future__ import annotations

import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import adapter, processes

from harness.model import Implementation, Incident, Result, RunOptions, replace
from harness.plan.setup import prepare
from harness.runner.adapter_session import Timeouts
from harness.runner.execute import execute
from harness.runner.inflight import MAX_IN_FLIGHT

TIMEOUTS = Timeouts(reply=0.3, initialize=1.0, shutdown=0.5)


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking: results by the last word of their case's name, and all else in order."""

    results: dict[str, Result]
    incidents: list[Incident]
    spoken: list[Implementation]

    def verdicts(self) -> dict[str, str]:
        """`pass`, `error/crash` and the like, by case."""
        found = {}
        for name, result in self.results.items():
            kind = result.kind
            found[name] = f"{result.verdict}/{kind}" if kind else str(result.verdict)
        return found

    def counts(self) -> dict[str, int]:
        """How many of each verdict."""
        return dict(Counter(self.verdicts().values()))


Ask = Callable[..., Asked]


def is_clean(mark: str) -> bool:
    """Whether no process holds `mark`, or soon none does: a killed one needs a moment to go."""
    deadline = time.monotonic() + 30
    while (left := processes(mark)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not left


@pytest.fixture
def adapter_command() -> Callable[..., str]:
    """How one of the fake adapters is started, for `--adapter`."""
    return adapter


@pytest.fixture
def say(echo_corpus: Path) -> Callable[[Sequence[str]], None]:
    """Adds a case for each word to the echo corpus: `echo/more/WORD`."""
    return partial(add_words, echo_corpus)


@pytest.fixture(name="is_clean")
def is_clean_fixture() -> Callable[[str], bool]:
    """Tells whether no process holds a mark in its command line."""
    return is_clean


@pytest.fixture
def ask(echo_corpus: Path) -> Ask:
    """Asks an adapter the echo corpus, with the words given said besides; each case gets one verdict, no process stays."""

    def asked(
        script: str,
        *arguments: object,
        words: Sequence[str] = (),
        timeouts: Timeouts = TIMEOUTS,
        max_in_flight: int = MAX_IN_FLIGHT,
        **options: Any,
    ) -> Asked:
        add_words(echo_corpus, words)
        mark = f"mark-{uuid.uuid4().hex}"
        fake = f"fake={adapter(script, *arguments, mark)}"
        with prepare(RunOptions(corpus=str(echo_corpus), adapters=(fake,), **options), print) as setup:
            plan = replace(setup.plan(), timeouts=timeouts, max_in_flight=max_in_flight)
            events = list(execute(plan))
        assert is_clean(mark)
        results = [event for event in events if isinstance(event, Result)]
        assert sorted(result.case.name for result in results) == sorted(case.name for case in setup.cases)
        return Asked(
            {result.case.name.removeprefix("echo/"): result for result in results},
            [event for event in events if isinstance(event, Incident)],
            [event for event in events if isinstance(event, Implementation)],
        )

    return asked


def add_words(corpus: Path, words: Sequence[str]) -> None:
    """Adds a case for each word to the corpus: `echo/more/WORD`."""
    if not words:
        return
    lines = [
        f"  - {{id: {word}, requirements: [ECHO-01], origin: spec-text, request: {{text: {word}}},"
        f" answer: {{text: {word}}}}}"
        for word in words
    ]
    text = "\n".join(["suite: echo/more", "operation: echo.say", "cases:", *lines, ""])
    (corpus / "cases" / "echo" / "more.yaml").write_text(text, "utf-8")
