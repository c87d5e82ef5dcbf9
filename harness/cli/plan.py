"""What all verbs that ask have in common: their options, the corpus checked, the adapters connected, the asking itself."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from harness import model
from harness.cli.interrupts import defer_interrupts
from harness.cli.options import (
    EVERYBODY,
    add_adapters,
    add_corpus_folder,
    add_passed_variables,
    add_sdk,
    probe_command,
    seconds,
    shard,
)
from harness.cli.reachable import short
from harness.cli.stall_notice import StallNotice
from harness.cli.streams import say
from harness.corpus.checker import Checker, check_files, check_schemas
from harness.corpus.loader import Corpus, load_corpus
from harness.corpus.paths import cache, shipped
from harness.corpus.selection import of_systems, select
from harness.corpus.sharding import Part
from harness.corpus.suggestions import misspelt
from harness.errors import AdapterUnavailable, CorpusError, EmptySelection, UsageError, one_line, printable
from harness.model import Case, GateFile, Implementation, Result, RunOptions
from harness.protocol import Connection
from harness.records import Expect, Recorder, Run, Unfinished, read_record
from harness.report.text import plural
from harness.runner.adapter_run import AdapterRun, Event, Timeouts
from harness.runner.event_loop import Asked, run_all
from harness.runner.repeat import RepeatedRun
from harness.transport.adapter_spec import AdapterSpec, choose, with_sdk
from harness.transport.connect import Unavailable, connect
from harness.transport.manifest import Manifest, missing_requirements, shipped_manifests
from harness.transport.sandbox import Sandbox
from harness.transport.working_copy import WorkingCopy, inspect_working_copy


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of every verb that reads a corpus."""
    add_corpus_folder(parser)
    parser.add_argument(
        "--system", action="append", default=[], metavar="NAME", help="the cases of one system; may be repeated"
    )
    parser.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="EXPR",
        help="which cases: a name, a glob over names, requirement: operation: origin: tag: ruling: revision: with a GLOB, "
        "or verdict:V[:NAME]@RECORD; `!` negates, terms in one EXPR must all hold, several --select add up",
    )


def add_run_arguments(parser: argparse.ArgumentParser, who: str = EVERYBODY) -> None:
    """The options of every verb that asks implementations; `who` tells what `--adapter` names."""
    add_corpus_arguments(parser)
    add_adapters(parser, who)
    add_sdk(parser)
    parser.add_argument(
        "--shard", type=shard, metavar="I/N", help="ask only the I-th of N parts; `parity merge` joins their records"
    )
    parser.add_argument(
        "--timeout",
        type=seconds,
        metavar="S",
        help=f"seconds of silence after which an adapter is given up (default: {Timeouts().asking:g})",
    )
    add_passed_variables(parser)


@dataclass(slots=True)
class RunPlan:
    """All that is settled before anything is asked. A context manager: it owns the folder that adapters live in.

    `cases` are those selected, of which `part` is asked, if it is given.
    `adapters` gives for a connection's name the `--adapter` that names it again, `unavailable` why it cannot be asked,
    `probes` the command that tells why it is silent.
    """

    corpus: Corpus
    cases: Sequence[Case]
    selection: Sequence[str]
    checker: Checker
    connections: dict[str, Connection]
    skipped: list[tuple[str, str]]
    timeouts: Timeouts
    sandbox: Sandbox
    options: RunOptions
    adapters: dict[str, str] = field(default_factory=dict)
    unavailable: dict[str, model.Unavailable] = field(default_factory=dict)
    part: Part | None = None
    sdks: Mapping[str, WorkingCopy] = field(default_factory=dict)
    times: int = 1
    gate: GateFile | None = None
    probes: Mapping[str, str] = field(default_factory=dict)

    def asked(self) -> Sequence[Case]:
        """The cases that are put to the implementations."""
        return self.part.deal(self.cases) if self.part else self.cases

    def __enter__(self) -> RunPlan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.sandbox.__exit__(kind, error, trace)


def read_corpus(arguments: argparse.Namespace) -> tuple[Corpus, tuple[Case, ...]]:
    """The corpus that the options name, and the cases that they select; schemas are not checked yet."""
    corpus = load_corpus((arguments.corpus or shipped()).resolve())
    of_those = of_systems(corpus.cases, arguments.system)
    known = {"requirement": corpus.requirements, "ruling": corpus.rulings, "operation": corpus.operations}
    selected = {case.name for case in select(corpus.cases, arguments.select, verdicts_of, known)}
    cases = tuple(case for case in of_those if case.name in selected)
    if not cases:
        raise EmptySelection(
            f"What --select selects is not of --system {', '.join(arguments.system)}; nothing was asked."
        )
    return corpus, cases


def verdicts_of(record: str) -> Iterator[tuple[str, str, str]]:
    """What a record says, for `--select verdict:…@RECORD`."""
    read = read_record(Path(record))
    if not read.complete:
        print(
            printable(f"parity: {record} has no footer: its run did not end, and only what it judged is known."),
            file=sys.stderr,
        )
    for result in read.results:
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


def prepare(arguments: argparse.Namespace) -> RunPlan:
    """Everything up to the first request. Raises what is wrong with the command line or the corpus."""
    manifests = shipped_manifests(shipped())
    chosen = choose(arguments.adapter, manifests)
    if arguments.sdk is not None:
        chosen = with_sdk(chosen, arguments.sdk)
    sdks = {one.name: inspect_working_copy(manifests[one.name], one.sdk) for one in chosen if one.sdk is not None}
    corpus, cases = read_corpus(arguments)
    checker = check(corpus)
    question = RunPlan(
        corpus=corpus,
        cases=cases,
        selection=arguments.select,
        checker=checker,
        connections={},
        skipped=[],
        timeouts=Timeouts(asking=arguments.timeout or Timeouts().asking),
        sandbox=Sandbox(),
        options=_options(arguments),
        part=arguments.shard,
        sdks=sdks,
        probes={
            one.name: probe_command(arguments, option)
            for one, option in zip(chosen or map(AdapterSpec, manifests), arguments.adapter or manifests, strict=True)
        },
    )
    try:
        for one in chosen or [AdapterSpec(name) for name in manifests]:
            _connect(question, one, manifests, arguments.pass_env, named=bool(chosen))
        if not question.connections:
            raise UsageError("No adapter can be asked. `parity doctor` tells what to install.")
    except BaseException:
        question.sandbox.__exit__(None, None, None)
        raise
    return question


def _options(arguments: argparse.Namespace) -> RunOptions:
    """The options that decide which requests are sent, for whoever repeats the run."""
    return RunOptions(
        corpus=str(arguments.corpus or ""),
        systems=tuple(arguments.system),
        timeout=arguments.timeout if arguments.timeout != Timeouts().asking else None,
        pass_env=tuple(arguments.pass_env),
        sdk=str(arguments.sdk.resolve()) if arguments.sdk else "",
    )


def _connect(
    question: RunPlan, one: AdapterSpec, manifests: dict[str, Manifest], passed: Sequence[str], *, named: bool
) -> None:
    missing = "" if one.command or named else missing_requirements(manifests[one.name])
    if missing:
        question.skipped.append((one.name, missing))
        return
    question.adapters[one.name] = f"{one.name}={shlex.join(one.command)}" if one.command else one.name
    try:
        sdk = question.sdks.get(one.name)
        question.connections[one.name] = connect(one, manifests, cache(), question.sandbox, passed, sdk)
    except AdapterUnavailable as unavailable:
        why = short(unavailable.text, unavailable.log)
        print(printable(f"parity: {one.name} cannot be asked: {why}"), file=sys.stderr)
        question.connections[one.name] = Unavailable(unavailable.text)
        question.unavailable[one.name] = unavailable.cause


def ask(question: RunPlan, path: Path, unfinished: Unfinished | None = None, expect: Expect | None = None) -> None:
    """Carries the run out and writes its record, or what is left of an unfinished one; shows how far it is if somebody
    is watching. `expect` is what a gate says to each result. An interruption leaves a record that can be resumed."""
    judged = unfinished.judged() if unfinished else frozenset()
    asked = question.asked()
    left = {name: [case for case in asked if (case.name, name) not in judged] for name in question.connections}
    total = sum(map(len, left.values()))
    interviews = [interview(question, name, cases) for name, cases in left.items()]
    with defer_interrupts():
        recorder = Recorder(path, _run(question), unfinished, expect)
        complete = False
        try:
            if unfinished:
                say(f"parity: kept {plural(len(judged), 'result')} of {path}{_remaining(total)}.")
            with closing(_shown(run_all(interviews), total)) as batches:
                for batch in batches:
                    recorder.write(batch)
                    for event in batch:
                        if isinstance(event, Implementation):
                            _report_misspelt(event, question.corpus.operations)
            complete = True
        finally:
            recorder.close(complete=complete)


def _remaining(count: int) -> str:
    return f", asking the remaining {count}" if count else "; nothing remains to be asked"


def _report_misspelt(said: Implementation, known: Collection[str]) -> None:
    """Tells of operations that an adapter offers under a name that is probably misspelt, for nobody will ask them."""
    for name, near in misspelt(said.operations, known):
        say(f"parity: {said.name} offers {one_line(name, 60)}, which the corpus does not know; {near} may be meant.")


def interview(question: RunPlan, name: str, cases: Sequence[Case]) -> Asked:
    """The conversation with one implementation; several in a row if every case is asked several times."""

    def begin(cases: Sequence[Case]) -> AdapterRun:
        return AdapterRun(
            name,
            question.connections[name],
            cases,
            question.corpus.operations,
            question.checker.answer_error,
            question.timeouts,
        )

    asked = RepeatedRun(cases, question.times, begin) if question.times > 1 else begin(cases)
    return StallNotice(name, asked, question.timeouts.starting, question.probes[name])


def _run(question: RunPlan) -> Run:
    return Run(
        corpus=question.corpus,
        cases=question.cases,
        selection=question.selection,
        names=list(question.connections),
        skipped=question.skipped,
        adapters=question.adapters,
        options=question.options,
        unavailable=question.unavailable,
        part=question.part,
        sdks={name: sdk.state() for name, sdk in question.sdks.items()},
        gate=question.gate,
    )


def _shown(batches: Iterator[list[Event]], total: int) -> Generator[list[Event], None, None]:
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
            progress.advance(task, sum(isinstance(event, Result) for event in batch))
            yield batch
