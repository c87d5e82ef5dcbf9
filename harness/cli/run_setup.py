"""Set-up that `run` and `gate` share: options, checked corpus, connected adapters, and the execution into a record."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from ..compare.attribution import Model
from ..compare.known_divergences import KnownDivergences
from ..corpus.case_table import heads_of
from ..corpus.checker import Checker, check_corpus
from ..corpus.known_divergences_file import load_beside
from ..corpus.loader import Corpus
from ..corpus.paths import cache, shipped
from ..corpus.sharding import Part
from ..errors import AdapterUnavailable, UsageError, one_line
from ..model import Case, Cause, Choice, GateFile, NotTested, Result, RunOptions, RunRecord
from ..protocol import Connection
from ..records import Expect, Recorder, Run, Unfinished
from ..report.conformance import MIN_ANSWERED
from ..report.event_text import Notices, alternatives_text
from ..report.summary import REFERENCE
from ..report.text import plural
from ..runner.attribute import Explanations
from ..runner.breaker import MAX_BREAKS
from ..runner.events import Event
from ..runner.execute import RunPlan, batches
from ..runner.failure_limit import Counts, is_failure
from ..runner.session import Timeouts
from ..transport.adapter_spec import AdapterSpec, parse_specs, with_sdk
from ..transport.alternatives import AlternativesAdapter, shipped_alternatives
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
    breaks,
    failures,
    jobs,
    percentage,
    probe_command,
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
        help=f"seconds without a reply after which an adapter times out (default: {Timeouts().reply:g})",
    )
    parser.add_argument(
        "--jobs",
        type=jobs,
        default=1,
        metavar="N",
        help="processes of each adapter that share the cases (default: 1); a case that is sent gets the same verdict for "
        "every N",
    )
    parser.add_argument(
        "--max-breaks",
        type=breaks,
        metavar="N",
        help="crashes, timeouts or protocol errors in a row after which the other cases of an operation, then all cases, "
        f"are not sent; 0: send every case (default: {MAX_BREAKS})",
    )
    parser.add_argument(
        "--min-answered",
        type=percentage,
        metavar="PERCENT",
        help="the percentage of the cases of its own operations that an implementation must answer, "
        f"or the run fails (default: {MIN_ANSWERED:g})",
    )
    parser.add_argument(
        "--build",
        metavar="COMMAND",
        help="run this command first, split like shell words; if it fails, no case is run. For shell syntax: sh -c '…'",
    )
    parser.add_argument(
        "-x",
        "--max-failures",
        type=failures,
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
    timeouts: Timeouts
    sandbox: Sandbox
    options: RunOptions
    connections: dict[str, Connection] = field(default_factory=dict)
    skipped: list[NotTested] = field(default_factory=list)
    adapters: dict[str, str] = field(default_factory=dict)
    part: Part | None = None
    sdks: Mapping[str, WorkingCopy] = field(default_factory=dict)
    passes: int = 1
    max_breaks: int = MAX_BREAKS
    max_failures: int = 0
    counts: Counts = is_failure
    jobs: int = 1
    gate: GateFile | None = None
    models: dict[str, Model] = field(default_factory=dict)
    causes: dict[str, Sequence[Cause]] = field(default_factory=dict)
    known: dict[str, KnownDivergences] = field(default_factory=dict)
    predicted: dict[str, Mapping[str, Choice]] = field(default_factory=dict)
    probes: Mapping[str, str] = field(default_factory=dict)
    is_change: Callable[[Result], bool] = lambda _: False

    def part_cases(self) -> Sequence[Case]:
        """The cases that run: the selected ones, or the shard's part of them."""
        return self.part.deal(self.cases) if self.part else self.cases

    def plan(self, completed: Collection[tuple[str, str]] = ()) -> RunPlan:
        """The plan for the runner, without the (case, implementation) pairs that are `completed`."""
        return RunPlan(
            cases=self.part_cases(),
            operations=self.corpus.operations,
            connections=self.connections,
            answer_error=self.checker.answer_error,
            timeouts=self.timeouts,
            passes=self.passes,
            recheck=True,
            is_change=self.is_change,
            max_breaks=self.max_breaks,
            max_failures=self.max_failures,
            counts=self.counts,
            jobs=self.jobs,
            explanations=Explanations(self.alternatives, self.corpus.rulings, self.models, self.predicted),
            completed=frozenset(completed),
        )

    def alternatives(self) -> AbstractContextManager[AlternativesAdapter | None]:
        """Starts the reference, which gives answers under other readings; None where no reference is shipped."""
        manifests = shipped_manifests(shipped())
        return shipped_alternatives(REFERENCE, manifests, self.sandbox, lambda cause: notice(alternatives_text(cause)))

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
            causes=self.causes,
            flaky=self._flaky(),
        )

    def _flaky(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """The selected cases that vary from run to run by the known-divergence files, by implementation."""
        heads = heads_of(self.cases)
        selected, ruling_of = {case.name for case in heads}, {case.name: case.ruling for case in heads if case.ruling}
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
    chosen = _chosen(arguments, manifests)
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
        timeouts=Timeouts.of(arguments.timeout),
        max_breaks=MAX_BREAKS if arguments.max_breaks is None else arguments.max_breaks,
        max_failures=getattr(arguments, "max_failures", 0),
        jobs=arguments.jobs,
        sandbox=Sandbox(),
        options=_recorded_options(arguments),
        part=arguments.shard,
        sdks=copies,
        probes={
            spec.name: probe_command(arguments, option, spec.sdk)
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
    _chosen(arguments, shipped_manifests(shipped()))
    read_corpus(argparse.Namespace(**vars(arguments)))


def _chosen(arguments: argparse.Namespace, manifests: Mapping[str, Manifest]) -> Sequence[AdapterSpec]:
    """The named adapters, with the working copy if there is one. Raises `UsageError`."""
    chosen = parse_specs(arguments.adapter, manifests)
    if arguments.sdk is not None:
        chosen = with_sdk(chosen, arguments.sdk)
    _check_released(chosen, manifests)
    return chosen


def _check_released(chosen: Sequence[AdapterSpec], manifests: Mapping[str, Manifest]) -> None:
    """Raises `UsageError` for a named adapter whose SDK has no release and that got no working copy."""
    for spec in chosen:
        sdk = None if spec.command or spec.sdk or spec.version else manifests[spec.adapter].sdk
        if sdk is not None and sdk.unreleased_reason:
            raise UsageError(f"--adapter {spec.name} needs --sdk DIR; nothing was run. {sdk.unreleased_reason}")


def _recorded_options(arguments: argparse.Namespace) -> RunOptions:
    """The given options that decide verdicts, for a command that repeats the run."""
    return RunOptions(
        corpus=str(arguments.corpus or ""),
        systems=tuple(arguments.system),
        timeout=arguments.timeout if arguments.timeout != Timeouts().reply else None,
        pass_env=tuple(arguments.pass_env),
        sdk=str(arguments.sdk.resolve()) if arguments.sdk else "",
        max_breaks=arguments.max_breaks if arguments.max_breaks != MAX_BREAKS else None,
        min_answered=arguments.min_answered if arguments.min_answered != MIN_ANSWERED else None,
    )


def add_adapter(
    setup: RunSetup, spec: AdapterSpec, manifests: dict[str, Manifest], passed: Sequence[str], *, named: bool
) -> None:
    """Builds and connects one adapter; `named`: by the user. One that cannot be built is not tested."""
    sdk = setup.sdks.get(spec.name)
    try:
        setup.connections[spec.name] = connect(spec, manifests, cache(), setup.sandbox, passed, sdk)
    except AdapterUnavailable as unavailable:
        setup.skipped.append(not_tested(spec, manifests, unavailable, named=named))
        return
    setup.adapters[spec.name] = spec.option
    if not spec.command:
        known = load_beside(manifests[spec.adapter].folder)
        setup.known[spec.name] = known
        setup.models[spec.name], setup.causes[spec.name] = known.model, known.causes


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
