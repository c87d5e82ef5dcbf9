"""What all verbs that ask have in common: their options, the corpus checked, the adapters connected, the asking itself."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from harness.connections.environment import Surroundings
from harness.connections.manifest import Manifest, missing_tools, shipped_manifests
from harness.connections.naming import Chosen, choose
from harness.connections.starting import Unavailable, connect
from harness.corpus.checking import Checker, check_files, check_schemas
from harness.corpus.loading import Corpus, load_corpus
from harness.corpus.selection import select
from harness.engine import ask_all
from harness.errors import AdapterUnavailable, CorpusError, UsageError, printable
from harness.interview import Event, Interview, Timeouts
from harness.model import Case
from harness.places import cache, shipped
from harness.protocol import Connection
from harness.records import Recorder, Run, read_record


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of every verb that reads a corpus."""
    parser.add_argument(
        "--corpus", type=Path, metavar="DIR", help="a folder with cases/ and schemas/ (default: the shipped corpus)"
    )
    parser.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="EXPR",
        help="which cases: a glob over names, or requirement: operation: origin: tag: ruling: revision: GLOB, "
        "or verdict:V[:NAME]@RECORD; `!` negates, terms in one EXPR must all hold, several --select add up",
    )


def add_asking_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of every verb that asks implementations."""
    add_corpus_arguments(parser)
    parser.add_argument(
        "--adapter",
        action="append",
        default=[],
        metavar="A",
        help="a shipped adapter by name, or [LABEL=]COMMAND; may be repeated "
        "(default: the reference and every shipped adapter whose toolchain is here)",
    )
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=Timeouts().asking,
        metavar="S",
        help="seconds of silence after which an adapter is given up (default: %(default)g)",
    )
    parser.add_argument(
        "--pass-env", action="append", default=[], metavar="NAME", help="a variable of yours that adapters may see"
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 86400:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds above 0")
    return seconds


@dataclass(slots=True)
class Question:
    """All that is settled before anything is asked. A context manager: it owns the folder that adapters live in."""

    corpus: Corpus
    cases: Sequence[Case]
    selection: Sequence[str]
    checker: Checker
    connections: dict[str, Connection]
    skipped: list[tuple[str, str]]
    timeouts: Timeouts
    surroundings: Surroundings
    unavailable_status: int = 0
    most_in_flight: int = 0
    unavailable: list[str] = field(default_factory=list)

    def __enter__(self) -> Question:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.surroundings.__exit__(kind, error, trace)


def read_corpus(arguments: argparse.Namespace) -> tuple[Corpus, tuple[Case, ...]]:
    """The corpus that the options name, and the cases that they select; schemas are not checked yet."""
    corpus = load_corpus((arguments.corpus or shipped()).resolve())
    return corpus, select(corpus.cases, arguments.select, verdicts_of)


def verdicts_of(record: str) -> Iterator[tuple[str, str, str]]:
    """What a record says, for `--select verdict:…@RECORD`."""
    for result in read_record(Path(record)).results:
        yield result.case, result.implementation, result.verdict.value


def check(corpus: Corpus) -> Checker:
    """Checks the whole corpus against its schemas. Raises `CorpusError` with every problem."""
    problems = check_schemas(corpus.schemas)
    checker = Checker(corpus.schemas)
    if not problems:
        problems = checker.check_cases(corpus.cases, corpus.operations)
        problems += check_files(corpus.files, shipped() / "schemas" / "case-file.schema.json")
    if problems:
        raise CorpusError(problems)
    return checker


def prepare(arguments: argparse.Namespace) -> Question:
    """Everything up to the first request. Raises what is wrong with the command line or the corpus."""
    manifests = shipped_manifests(shipped())
    chosen = choose(arguments.adapter, manifests)
    corpus, cases = read_corpus(arguments)
    checker = check(corpus)
    question = Question(
        corpus=corpus,
        cases=cases,
        selection=arguments.select,
        checker=checker,
        connections={},
        skipped=[],
        timeouts=Timeouts(asking=arguments.timeout),
        surroundings=Surroundings(),
    )
    for one in chosen or [Chosen(name) for name in manifests]:
        _connect(question, one, manifests, arguments.pass_env, named=bool(chosen))
    if not question.connections:
        raise UsageError("No adapter can be asked. `parity doctor` tells what to install.")
    return question


def _connect(
    question: Question, one: Chosen, manifests: dict[str, Manifest], passed: Sequence[str], *, named: bool
) -> None:
    missing = [] if one.command else missing_tools(manifests[one.name])
    if missing and not named:
        question.skipped.append((one.name, " ".join(missing)))
        return
    try:
        if missing:
            raise AdapterUnavailable(" ".join(missing))
        question.connections[one.name] = connect(one, manifests, cache(), question.surroundings, passed)
    except AdapterUnavailable as unavailable:
        print(printable(f"parity: {one.name} cannot be asked: {unavailable}"), file=sys.stderr)
        question.connections[one.name] = Unavailable(str(unavailable))
        question.unavailable_status = unavailable.exit_status


def ask(question: Question, path: Path) -> None:
    """Carries the run out and writes its record; shows how far it is if somebody is watching."""
    interviews = [
        Interview(
            name,
            connection,
            question.cases,
            question.corpus.operations,
            question.checker.answer_error,
            question.timeouts,
        )
        for name, connection in question.connections.items()
    ]
    run = Run(question.corpus, question.cases, question.selection, list(question.connections), question.skipped)
    recorder = Recorder(path, run)
    complete = False
    try:
        for batch in _shown(ask_all(interviews), len(question.cases) * len(interviews)):
            recorder.write(batch)
        complete = True
    finally:
        recorder.close(complete=complete)


def _shown(batches: Iterator[list[Event]], total: int) -> Iterator[list[Event]]:
    """The same batches, with a progress bar on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        yield from batches
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("asking", total=total)
        for batch in batches:
            progress.advance(task, len(batch))
            yield batch
