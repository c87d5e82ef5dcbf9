"""Asks the cases about each mutant, in a process that a fork of the prepared one gives.

A case is asked if its execution reaches a changed line. The lines are recorded once.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pickle
import resource
import select
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from coverage import Coverage

from harness.api import CheckedCorpus, load_corpus
from harness.compare.verdict import judge
from harness.model import FAILING, Answered, Case, Failed, Outcome, Raised, Response, Verdict

from .mutants import REFERENCE, Kind, Mutant
from .substitution import caches_of_reference, forget_reference, substitute

MAX_FAILING = 40
"""Failing cases after which a mutant is known well enough."""

SECONDS = 3.0
"""CPU time that the cases of one mutant may take. The reference needs 0.5 s for all of them (measured on 2026-11-23)."""

_BYTES = 2 << 30
_CPU_SECONDS = 9
"""CPU time after which the system ends the process of a mutant that no signal handler can end."""

_WAIT = 900.0
"""Longest wait for a process that uses no CPU, on a machine with much other work."""


class Fate(StrEnum):
    """What became of a mutant. `broken`: it cannot be imported, so that no case is needed to notice it. `gate`: only answers
    changed that fail without it too, which a known-divergence file notices; the reference has none."""

    KILLED = "killed"
    VARIANT = "variant"
    GATE = "gate"
    SURVIVED = "survived"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Judged:
    """A mutant, and the cases that notice it: by index in the corpus.

    `asked` counts the cases that reach the change. `failing` has at most `MAX_FAILING`, `variants` those whose verdict is
    another reading, `charged` the requirements that wrong answers break. `is_specific`: a case that reaches the change
    passes. `is_stopped`: it did not end in time.
    """

    mutant: Mutant
    fate: Fate
    asked: int = 0
    failing: tuple[int, ...] = ()
    variants: tuple[int, ...] = ()
    charged: frozenset[str] = frozenset()
    is_specific: bool = False
    is_stopped: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """The corpus, and by module the cases that execute each line. Line 0 has the cases that execute any line of it.

    `at_import` has the lines of each module that its import executes. `order` has the cases in the order of asking;
    `answers` the reference's own answers, as texts, in corpus order. `cases` are kept, because the corpus makes a case
    anew at each access.
    """

    corpus: CheckedCorpus
    cases: Sequence[Case]
    lines: Mapping[str, Mapping[int, Sequence[int]]]
    at_import: Mapping[str, frozenset[int]]
    order: Sequence[int]
    answers: Sequence[str]


@cache
def prepared(root: Path, beginning: str = "") -> Prepared:
    """Loads the corpus and records which lines of the reference each case executes that begins so."""
    corpus = load_corpus()
    cases = [case for case in corpus.corpus.cases if case.name.startswith(beginning)]
    coverage = Coverage(data_file=None, include=[f"{root / REFERENCE}/*"], config_file=False)
    forget_reference()
    answers = []
    coverage.start()
    operations, caches = _operations(), caches_of_reference()
    for number, case in enumerate(cases):
        coverage.switch_context(str(number))
        for cached in caches:
            cached.cache_clear()  # so that each case executes the lines that it needs
        answers.append(_text(_answer(case, operations)))
    coverage.stop()
    data = coverage.get_data()
    lines: dict[str, dict[int, Sequence[int]]] = {}
    at_import: dict[str, frozenset[int]] = {}
    for file in data.measured_files():
        by_line: dict[int, Sequence[int]] = {}
        shown = Path(file).relative_to(root).as_posix()
        contexts_by_line = data.contexts_by_lineno(file)
        at_import[shown] = frozenset(line for line, contexts in contexts_by_line.items() if "" in contexts)
        for line, contexts in contexts_by_line.items():
            by_line[line] = [int(context) for context in contexts if context]
        by_line[0] = sorted({number for numbers in by_line.values() for number in numbers})
        lines[shown] = by_line
    return Prepared(corpus, cases, lines, at_import, spread(cases), answers)


def spread(cases: Sequence[Case]) -> list[int]:
    """The cases in an order in which the first ones cite as many different requirements as possible."""
    ranks: dict[str, int] = {}
    keyed = []
    for number, case in enumerate(cases):
        cited = case.requirements or (case.operation,)
        rank = min(ranks.get(requirement, 0) for requirement in cited)
        for requirement in cited:
            ranks[requirement] = ranks.get(requirement, 0) + 1
        keyed.append((rank, number))
    return [number for _, number in sorted(keyed)]


def campaign(
    root: Path, sources: Sequence[Callable[[], Sequence[Mutant]]], jobs: int, beginning: str = ""
) -> Iterator[Judged]:
    """Judges the mutants that each of the `sources` gives, `jobs` at a time, as they end, by the cases that begin so."""
    _global[:] = [prepared(root, beginning)]
    gc.freeze()
    with (
        TemporaryDirectory() as elsewhere,  # a mutant can write a file under a wrong name
        ProcessPoolExecutor(jobs, get_context("fork"), os.chdir, (elsewhere,)) as pool,
    ):
        making = [pool.submit(source) for source in sources]
        judging = [pool.submit(_judged, mutant) for made in as_completed(making) for mutant in made.result()]
        for done in as_completed(judging):
            yield done.result()


_global: list[Any] = []
"""What the forked processes share: `Prepared`."""


def _judged(mutant: Mutant) -> Judged:
    """Judges a mutant in a fork of this process, which ends it if it takes too long."""
    [ready] = _global
    numbers = _reaching(ready, mutant)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _in_child(mutant, ready, numbers, writing)
    os.close(writing)
    try:
        found = pickle.loads(_read(reading, _WAIT))
    except (EOFError, pickle.UnpicklingError):
        found = None  # the process was killed: by the time limit, or by the change itself
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if found is None:
        return Judged(mutant, Fate.KILLED, len(numbers), is_stopped=True)
    if found == "broken":
        return Judged(mutant, Fate.BROKEN)
    fate = Fate.KILLED if found.failing or found.is_stopped else Fate.VARIANT if found.variants else Fate.SURVIVED
    variants, charged = tuple(found.variants), frozenset(found.charged)
    return Judged(
        mutant, fate, len(numbers), tuple(found.failing), variants, charged, found.passing > 0, found.is_stopped
    )


def _read(reading: int, seconds: float) -> bytes:
    end = time.monotonic() + seconds
    parts = []
    while select.select([reading], [], [], max(0.0, end - time.monotonic()))[0]:
        part = os.read(reading, 1 << 20)
        if not part:
            break
        parts.append(part)
    return b"".join(parts)


def _reaching(ready: Prepared, mutant: Mutant) -> Sequence[int]:
    """The cases to ask, in the order of asking: those that execute a changed line; if no case does or if the import does,
    too, those of every system that uses the module."""
    if mutant.kind is Kind.DEVIATION:
        return ready.order
    by_line = ready.lines.get(mutant.module, {})
    changed = range(mutant.first, mutant.last + 1)
    reached = {number for line in changed for number in by_line.get(line, ())}
    first = [number for number in ready.order if number in reached]
    if first and ready.at_import.get(mutant.module, frozenset()).isdisjoint(changed):
        return first
    systems = {ready.cases[number].system for number in by_line.get(0, ())} or {mutant.module.split("/")[1]}
    return first + [number for number in ready.order if number not in reached and ready.cases[number].system in systems]


class _TooLong(BaseException):
    """The cases of a mutant take too long."""


def _in_child(mutant: Mutant, ready: Prepared, numbers: Sequence[int], writing: int) -> None:
    """Judges the cases and writes the result. It does not return."""
    try:
        resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.write(writing, pickle.dumps(_found(mutant, ready, numbers)))
    finally:
        os._exit(0)


@dataclass(slots=True)
class _Found:
    """What the cases of one mutant have shown so far."""

    failing: list[int] = field(default_factory=list)
    variants: list[int] = field(default_factory=list)
    charged: set[str] = field(default_factory=set)
    passing: int = 0
    is_stopped: bool = False

    def add(self, number: int, outcome: Outcome | None) -> None:
        """Adds the outcome of a case; None: the answer is the reference's own."""
        if outcome is None or outcome.verdict is Verdict.PASS:
            self.passing += 1
        elif isinstance(outcome, Failed):
            self.failing.append(number)
            self.charged.update(outcome.charged)
        elif outcome.verdict in FAILING:
            self.failing.append(number)
        else:
            self.variants.append(number)


def _found(mutant: Mutant, ready: Prepared, numbers: Sequence[int]) -> _Found | str:
    try:
        operations, switches = _changed(mutant, ready)
    except BaseException:
        return "broken"
    found = _Found()
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        for number in numbers:
            case = ready.cases[number]
            with _following(case.operation, switches) if switches else nullcontext():
                found.add(number, _outcome(number, _answer(case, operations), ready))
            if len(found.failing) == MAX_FAILING:
                break
    except _TooLong:
        found.is_stopped = True
    return found


def _following(operation: str, switches: Sequence[str]) -> AbstractContextManager[None]:
    following: AbstractContextManager[None] = importlib.import_module(f"{REFERENCE}.switches").following(
        operation, switches
    )
    return following


def _changed(mutant: Mutant, ready: Prepared) -> tuple[Mapping[str, Callable[..., Any]], Sequence[str]]:
    """The operations of the changed reference, and the switches that make the change."""
    if mutant.kind is Kind.DEVIATION:
        return _operations(), (mutant.switch,)
    substitute(mutant, ready.at_import.get(mutant.module, frozenset()))
    return _operations(), ()


def _stop(*_: object) -> None:
    raise _TooLong


def _outcome(number: int, response: Response, ready: Prepared) -> Outcome | None:
    """The outcome of a response that is not the reference's own; None for one that is."""
    case = ready.cases[number]
    try:
        if _text(response) == ready.answers[number]:
            return None
    except (TypeError, ValueError, RecursionError):
        response = Raised("unclassified")
    return judge(case, ready.corpus.corpus.operations[case.operation], response)


def _operations() -> Mapping[str, Callable[..., Any]]:
    systems = importlib.import_module(f"{REFERENCE}.wire.operations").SYSTEMS
    return {name: operation for table in systems.values() for name, operation in table.items()}


def _answer(case: Case, operations: Mapping[str, Callable[..., Any]]) -> Response:
    """The answer of the reference, or the error that it raises."""
    try:
        with patch.dict(os.environ, case.environment) if case.environment else nullcontext():
            if case.environment:
                time.tzset()
            return Answered(operations[case.operation](case.request))
    except Exception as error:
        return Raised(type(error).__name__)


def _text(response: Response) -> str:
    """The response as a text that is the same for the same response. Raises `ValueError` and `TypeError` for a value that
    is no JSON."""
    if isinstance(response, Answered):
        return json.dumps(response.value, sort_keys=True, allow_nan=False)
    return f"raised {response.type}"
