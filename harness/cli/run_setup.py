"""Set-up that `run` and `gate` share: options, checked corpus, connected adapters, and the execution into a record."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

from ..compare.known_divergences import KnownDivergences
from ..corpus.checker import Checker
from ..corpus.loader import Corpus, check_corpus
from ..corpus.paths import cache, shipped
from ..corpus.sharding import Part
from ..errors import AdapterUnavailable, one_line
from ..model import (
    DEFAULT_OPTIONS,
    Break,
    Case,
    Choice,
    GateFile,
    NotTested,
    Result,
    RunOptions,
    RunRecord,
    Unavailable,
)
from ..plan import explanations_of, known_of, plan_of, reference_answers
from ..protocol import Connection
from ..records import Expect, Recorder, Run, Unfinished
from ..report.event_text import Notices, alternatives_text
from ..report.text import plural, probe_command
from ..runner.attribute import Explanations
from ..runner.events import Event
from ..runner.execute import RunPlan, batches
from ..runner.failure_limit import Counts, is_failure
from ..runner.session import Timeouts
from ..transport.adapter_spec import AdapterSpec, released_specs
from ..transport.alternatives import AlternativesAdapter
from ..transport.connect import connect, not_tested
from ..transport.manifest import Manifest, shipped_manifests
from ..transport.sandbox import Sandbox
from ..transport.user_build import build_words, run_build
from ..transport.working_copy import WorkingCopy, inspect_working_copy
from .case_selection import add_corpus_arguments, read_corpus
from .interrupts import defer_interrupts, raise_pending_interrupt
from .options import (
    EVERYBODY,
    add_adapters,
    add_passed_variables,
    add_sdk,
    integer,
    number_of,
    run_options,
    seconds,
    shard,
)
from .streams import notice


def add_run_arguments(parser: argparse.ArgumentParser, adapter_help: str = EVERYBODY) -> None:
    """The options of every verb that executes cases."""
    add_corpus_arguments(parser)
    add_adapters(parser, adapter_help)
    add_sdk(parser)
    parser.add_argument(
        "--shard", type=shard, metavar="I/N", help="run only the I-th of N parts; `parity merge` joins their records"
    )
    parser.add_argument(
        "--timeout",
        type=seconds,
        metavar="S",
        help=f"seconds without a reply after which an adapter times out (default: {DEFAULT_OPTIONS.timeout:g})",
    )
    parser.add_argument(
        "--jobs",
        type=integer(1, 256),
        default=1,
        metavar="N",
        help="processes of each adapter that share the cases (default: 1); a case that is sent gets the same verdict for "
        "every N",
    )
    parser.add_argument(
        "--max-breaks",
        type=number_of("max_breaks"),
        metavar="N",
        help="crashes, timeouts or protocol errors in a row after which the other cases of an operation, then all cases, "
        f"are not sent; 0: send every case (default: {DEFAULT_OPTIONS.max_breaks})",
    )
    parser.add_argument(
        "--min-answered",
        type=number_of("min_answered"),
        metavar="PERCENT",
        help="the percentage of the cases of its own operations that an implementation must answer, "
        f"or the run fails (default: {DEFAULT_OPTIONS.min_answered:g})",
    )
    parser.add_argument(
        "--build",
        metavar="COMMAND",
        help="run this command first, split like shell words; if it fails, no case is run. For shell syntax: sh -c '…'",
    )
    parser.add_argument(
        "-x",
        "--max-failures",
        type=integer(1, 1_000_000),
        nargs="?",
        const=1,
        default=0,
        metavar="N",
        help="stop after N failures, 1 if N is not given; the record then lacks the other cases (default: no limit)",
    )
    add_passed_variables(parser)


@dataclass(slots=True)
class RunSetup:
    """Everything that is settled before the first request. A context manager: it owns the adapters' sandbox.

    `cases` are the selected ones; with a `part` only that shard of them runs. By implementation name: `adapters` is the
    `--adapter` option that names it, `probes` the `parity probe` command for it, `known` the known-divergence file beside
    a shipped adapter. `skipped` are the adapters without a connection.
    """

    corpus: Corpus
    cases: Sequence[Case]
    selection: Sequence[str]
    checker: Checker
    sandbox: Sandbox
    options: RunOptions
    connections: dict[str, Connection] = field(default_factory=dict)
    skipped: list[NotTested] = field(default_factory=list)
    adapters: dict[str, str] = field(default_factory=dict)
    part: Part | None = None
    sdks: Mapping[str, WorkingCopy] = field(default_factory=dict)
    max_failures: int = 0
    counts: Counts = is_failure
    jobs: int = 1
    gate: GateFile | None = None
    known: dict[str, KnownDivergences] = field(default_factory=dict)
    predicted: dict[str, Mapping[str, Choice]] = field(default_factory=dict)
    probes: Mapping[str, str] = field(default_factory=dict)
    is_change: Callable[[Result], bool] = lambda _: False

    @property
    def timeouts(self) -> Timeouts:
        """The timeouts of each adapter."""
        return Timeouts.of(self.options.timeout)

    def part_cases(self) -> Sequence[Case]:
        """The cases that run: the selected ones, or the shard's part of them."""
        return self.part.deal(self.cases) if self.part else self.cases

    def plan(self, completed: Collection[tuple[str, str]] = ()) -> RunPlan:
        """The plan for the runner, without the (case, implementation) pairs that are `completed`."""
        cases = self.part_cases()
        plan = plan_of(self.corpus, self.checker, cases, self.connections, self.options, self.explanations())
        return replace(
            plan,
            is_change=self.is_change,
            max_failures=self.max_failures,
            counts=self.counts,
            jobs=self.jobs,
            completed=frozenset(completed),
        )

    def explanations(self) -> Explanations:
        """How failing answers are explained."""
        return explanations_of(self.corpus.rulings, self.known, self._lost, self.predicted)

    def alternatives(self) -> AbstractContextManager[AlternativesAdapter | None]:
        """Starts the reference, which gives answers under other readings; None where no reference is shipped."""
        return reference_answers(self._lost)

    def _lost(self, cause: Break | Unavailable) -> None:
        notice(alternatives_text(cause))

    def header(self) -> Run:
        """What the record's header holds about the run before it starts."""
        return Run(
            corpus=self.corpus,
            cases=self.cases,
            selection=self.selection,
            names=list(self.connections),
            skipped=self.skipped,
            adapters=self.adapters,
            options=self.options,
            part=self.part,
            sdks={name: sdk.state() for name, sdk in self.sdks.items()},
            gate=self.gate,
            causes={name: known.causes for name, known in self.known.items()},
            known_unobservable={name: known.unobservable_names for name, known in self.known.items() if self.gate},
            flaky=self._flaky(),
        )

    def _flaky(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """The selected cases that vary from run to run by the known-divergence files, by implementation."""
        selected = {case.name for case in self.cases}
        ruling_of = {case.name: case.ruling for case in self.cases if case.ruling}
        return {
            name: {case: signed for case, signed in known.flaky_cases(ruling_of).items() if case in selected}
            for name, known in self.known.items()
        }

    def notices(self) -> Notices:
        """The listener that prints stalls and misspelt operations on standard error."""
        return Notices(self.corpus.operations, self.probes, notice)

    def __enter__(self) -> RunSetup:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.sandbox.__exit__(kind, error, trace)


def prepare(arguments: argparse.Namespace, copies: Mapping[str, WorkingCopy] | None = None) -> RunSetup:
    """Everything up to the first request; `copies` are working copies by adapter that were inspected already. Raises what
    is wrong with the command line or the corpus."""
    command: str | None = getattr(arguments, "build", None)
    if command is not None:
        build_words(command)
    manifests = shipped_manifests(shipped())
    chosen = released_specs(arguments.adapter, manifests, arguments.sdk)
    if copies is None:
        copies = {
            one.name: inspect_working_copy(manifests[one.adapter], one.sdk) for one in chosen if one.sdk is not None
        }
    corpus, cases = read_corpus(arguments)
    specs = chosen or [AdapterSpec(name) for name in manifests]
    setup = RunSetup(
        corpus=corpus,
        cases=cases,
        selection=arguments.select,
        checker=check_corpus(corpus),
        max_failures=getattr(arguments, "max_failures", 0),
        jobs=arguments.jobs,
        sandbox=Sandbox(),
        options=run_options(arguments),
        part=arguments.shard,
        sdks=copies,
        probes={
            spec.name: probe_command(option, run_options(arguments), spec.sdk)
            for spec, option in zip(specs, arguments.adapter or manifests, strict=True)
        },
    )
    try:
        if command is not None:
            notice(f"parity: building: {one_line(command, 400)}")
            run_build(command)
        for spec in specs:
            add_adapter(setup, spec, manifests, arguments.pass_env, named=bool(chosen))
        errors = [f"{one.name} cannot run: {one.reason}" for one in setup.skipped if one.is_error]
        if not setup.connections:
            raise AdapterUnavailable(" ".join(errors) or "No adapter can run here.", remedy="No case was run.")
        for error in errors:
            notice(f"parity: {error}")
    except BaseException:
        setup.sandbox.__exit__(None, None, None)
        raise
    return setup


def check_usage(arguments: argparse.Namespace) -> None:
    """Raises what is wrong with the adapters, the corpus and the selection; builds, starts and changes nothing."""
    released_specs(arguments.adapter, shipped_manifests(shipped()), arguments.sdk)
    read_corpus(argparse.Namespace(**vars(arguments)))


def add_adapter(
    setup: RunSetup, spec: AdapterSpec, manifests: dict[str, Manifest], passed: Sequence[str], *, named: bool
) -> None:
    """Builds and connects one adapter; `named`: by the user. One that cannot be built is not tested."""
    sdk = setup.sdks.get(spec.name)
    try:
        connection = connect(spec, manifests, cache(), setup.sandbox, passed, sdk)
    except AdapterUnavailable as unavailable:
        setup.skipped.append(not_tested(spec, manifests, unavailable, named=named))
        return
    setup.connections[spec.name] = connection
    setup.known |= known_of({spec.name: connection})
    setup.adapters[spec.name] = spec.option


def execute_into_record(
    setup: RunSetup, path: Path, unfinished: Unfinished | None = None, expect: Expect | None = None
) -> RunRecord:
    """Executes the run and writes its record, or the rest of an unfinished one, with progress on a terminal.

    `expect` is the gate's expectation of a result. After an interruption, or if `max_failures` stops the run, the record has
    no footer and can be resumed.
    """
    plan = setup.plan(unfinished.completed() if unfinished else ())
    total = sum(len(plan.remaining(name)) for name in plan.connections)
    with defer_interrupts():
        recorder = Recorder(path, setup.header(), unfinished, expect)
        notices = setup.notices()
        unconfirmed: list[Result] = []
        complete = False
        try:
            if unfinished:
                notice(f"parity: kept {plural(len(plan.completed), 'result')} of {path}; {_remaining(total)}.")
            with closing(_with_progress(batches(plan, unconfirmed), total)) as shown:
                for batch in shown:
                    if batch:
                        recorder.write(batch)
                        for event in batch:
                            notices(event)
                            total -= isinstance(event, Result)
                    raise_pending_interrupt()
            complete = not (setup.max_failures and total)
        finally:
            if not complete:
                recorder.write(unconfirmed)
            recorder.close(complete=complete)
    return recorder.record()


def _remaining(count: int) -> str:
    return f"{plural(count, 'case')} remaining" if count else "no case remains"


def _with_progress(stream: Iterator[list[Event]], total: int) -> Generator[list[Event], None, None]:
    """The same batches, with a progress bar where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield from stream
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("running", total=total)
        for batch in stream:
            progress.advance(task, sum(isinstance(event, Result) for event in batch))
            yield batch
