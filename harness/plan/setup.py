"""Everything that is settled before the first request: options, checked corpus, connected adapters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import Struct, field

from ..corpus.checker import Checker
from ..corpus.loader import Corpus, check_corpus
from ..corpus.paths import cache, shipped
from ..corpus.sharding import Shard
from ..errors import AdapterUnavailable, one_line
from ..gate.known_divergences import KnownDivergences
from ..gate.places import located
from ..model import (
    Case,
    GateFile,
    NotTested,
    RecordedImplementation,
    Result,
    RunMetadata,
    RunOptions,
    replace,
)
from ..protocol import Connection
from ..records import run_metadata
from ..runner.adapter_session import Timeouts
from ..runner.attribute import Explanations
from ..runner.execute import RunPlan
from ..runner.failure_limit import Counts, is_failure
from ..transport.adapter_spec import AdapterSpec, parse_specs, released_specs
from ..transport.answer_under import AlternativesAdapter
from ..transport.connect import connect, not_tested, why_not_tested
from ..transport.manifest import Manifest, shipped_manifests
from ..transport.sandbox import Sandbox
from ..transport.user_build import build_words, run_build
from ..transport.working_copy import WorkingCopy, inspect_working_copy
from .chosen_cases import read_corpus
from .commands import probe_command
from .run_plan import declared_support, explanations_of, known_of, plan_of, reference_answers


class RunSetup(Struct):
    """Everything that is settled before the first request. A context manager: it owns the adapters' sandbox.

    `cases` are the selected ones; with a shard only that part of them runs. By implementation name: `adapters` is the
    `--adapter` option that names it, `probes` the `parity probe` command for it, `known` the known-divergence file beside
    a shipped adapter. `skipped` are the adapters without a connection. `notify` gets each line for the user.
    """

    corpus: Corpus
    cases: Sequence[Case]
    checker: Checker
    sandbox: Sandbox
    options: RunOptions
    notify: Callable[[str], None]
    connections: dict[str, Connection] = field(default_factory=dict)
    skipped: list[NotTested] = field(default_factory=list)
    adapters: dict[str, str] = field(default_factory=dict)
    sdks: Mapping[str, WorkingCopy] = field(default_factory=dict)
    counts: Counts = is_failure
    gate: GateFile | None = None
    known: dict[str, KnownDivergences] = field(default_factory=dict)
    probes: Mapping[str, str] = field(default_factory=dict)
    is_change: Callable[[Result], bool] = lambda _: False

    @property
    def timeouts(self) -> Timeouts:
        """The timeouts of each adapter."""
        return Timeouts.of(self.options.timeout)

    def shard_cases(self) -> Sequence[Case]:
        """The cases that run: the selected ones, or the shard's part of them."""
        return Shard(*self.options.shard).deal(self.cases) if self.options.shard else self.cases

    def plan(self, completed: Collection[tuple[str, str]] = ()) -> RunPlan:
        """The plan for the runner, without the (case, implementation) pairs that are `completed`."""
        cases = self.shard_cases()
        plan = plan_of(self.corpus, self.checker, cases, self.connections, self.options, self.explanations())
        return replace(
            plan,
            is_change=self.is_change,
            counts=self.counts,
            completed=frozenset(completed),
            known_hangs={name: file.known_hangs for name, file in self.known.items()} if self.gate else {},
        )

    def explanations(self) -> Explanations:
        """How failing answers are explained."""
        return explanations_of(self.corpus, self.known, self.notify)

    def alternatives(self) -> AbstractContextManager[AlternativesAdapter | None]:
        """Starts the reference, which gives answers under other readings; None where no reference is shipped."""
        return reference_answers(self.notify)

    def header(self) -> RunMetadata:
        """The header of the record, without what the implementations reply."""
        return run_metadata(
            self.corpus,
            self.cases,
            selection=self.options.selection,
            shard=self.options.shard,
            options=self.options,
            gate=self.gate,
            implementations=tuple(map(self._entry, self.connections)),
            skipped=tuple(self.skipped),
        )

    def _entry(self, name: str) -> RecordedImplementation:
        """The entry of an implementation that has not started."""
        known, sdk = self.known.get(name, KnownDivergences()), self.sdks.get(name)
        declared = declared_support(self.connections[name], self.corpus.operations)
        if sdk and self.gate and self.gate.base:
            sdk = sdk.since(self.gate.base)
        ruling_of = {case.name: case.ruling for case in self.cases}
        return RecordedImplementation(
            name=name,
            adapter=self.adapters[name],
            sdk=sdk.state(declared) if sdk else None,
            causes=located(known.causes, sdk.text_of) if sdk else known.causes,
            known_unobservable=known.unobservable_names if self.gate else (),
            through={operation: support.through for operation, support in declared.items() if support.through},
            flaky={case: signed for case, signed in known.flaky_cases(ruling_of).items() if case in ruling_of},
        )

    def __enter__(self) -> RunSetup:
        return self

    def __exit__(self, *_: object) -> None:
        self.sandbox.close()


def prepare(
    options: RunOptions, notify: Callable[[str], None], copies: Mapping[str, WorkingCopy] | None = None
) -> RunSetup:
    """Everything up to the first request; `copies` are working copies by adapter that were inspected already. Raises what
    is wrong with the options or the corpus."""
    if options.build is not None:
        build_words(options.build)
    manifests = shipped_manifests(shipped())
    chosen = chosen_specs(options)
    if copies is None:
        copies = {
            spec.name: inspect_working_copy(manifests[spec.adapter], spec.sdk, spec.sdk_option)
            for spec in chosen
            if spec.sdk is not None
        }
    corpus, cases, options = read_corpus(options, notify)
    specs = chosen or [AdapterSpec(name) for name in manifests]
    setup = RunSetup(
        corpus=corpus,
        cases=cases,
        checker=check_corpus(corpus),
        sandbox=Sandbox(),
        options=options,
        notify=notify,
        sdks=copies,
        probes=probes_of(specs, options),
    )
    try:
        if options.build is not None:
            notify(f"parity: building: {one_line(options.build, 400)}")
            run_build(options.build)
        added = [add_adapter(setup, spec, manifests, named=bool(chosen)) for spec in specs]
        errors = [error for error in added if error]
        if not setup.connections:
            raise AdapterUnavailable(" ".join(errors) or "No adapter can run here.", remedy="No case was run.")
        for error in errors:
            notify(f"parity: {error}")
    except BaseException:
        setup.sandbox.close()
        raise
    return setup


def named_specs(options: RunOptions) -> list[AdapterSpec]:
    """The adapters that the options name; none if they name none. Raises `UsageError`."""
    return parse_specs(options.adapters, shipped_manifests(shipped()), Path(options.sdk) if options.sdk else None)


def chosen_specs(options: RunOptions) -> list[AdapterSpec]:
    """The same. Raises `UsageError` too for an adapter without a release and a working copy."""
    return released_specs(options.adapters, shipped_manifests(shipped()), Path(options.sdk) if options.sdk else None)


def probes_of(specs: Sequence[AdapterSpec], options: RunOptions) -> dict[str, str]:
    """The `parity probe` command for each adapter, by implementation."""
    given = options.adapters or [spec.name for spec in specs]
    return {
        spec.name: probe_command(option, options, spec.sdk if spec.is_sdk_option else None)
        for spec, option in zip(specs, given, strict=True)
    }


def add_adapter(setup: RunSetup, spec: AdapterSpec, manifests: dict[str, Manifest], *, named: bool) -> str:
    """Builds and connects one adapter; `named`: by the user. One that cannot be built is not tested. Returns the error to
    show, empty if there is none; standard error has the output of the build already."""
    sdk = setup.sdks.get(spec.name)
    try:
        connection = connect(spec, manifests, cache(), setup.sandbox, setup.options.pass_env, sdk)
    except AdapterUnavailable as unavailable:
        skipped = not_tested(spec, manifests, unavailable, named=named)
        setup.skipped.append(skipped)
        why = why_not_tested(spec, manifests, unavailable, "")
        return f"{spec.name} cannot run: {why}" if skipped.is_error else ""
    setup.connections[spec.name] = connection
    setup.known |= known_of({spec.name: connection})
    setup.adapters[spec.name] = spec.option
    return ""
