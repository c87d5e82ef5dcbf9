"""The shared state of one pytest process: checked corpora and one persistent run for each implementation."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from functools import cache, partial
from pathlib import Path

import pytest
from msgspec import Struct

from ..compare.alternatives import AlternativeAnswers
from ..compare.attribution import Attribution
from ..compare.combination_search import searchable_response
from ..corpus.checker import Checker
from ..corpus.loader import OpenCorpus, open_corpus
from ..corpus.paths import shipped
from ..corpus.profiles import profile_operations
from ..errors import ParityError, UsageError, one_line, printable
from ..gate.known_divergences import KnownDivergences
from ..model import (
    DEFAULT_OPTIONS,
    FAILING,
    REFERENCE,
    Case,
    Implementation,
    Incident,
    Result,
    RunOptions,
    option_words,
)
from ..plan.commands import probe_command
from ..plan.run_plan import explanations_of, known_of, reference_answers
from ..report.output_text import standard_error
from ..report.result_text import describe_incident
from ..report.terminal.event_text import misspelt_text, stall_text
from ..runner.adapter_run import AdapterRun
from ..runner.adapter_session import Timeouts
from ..runner.events import Event
from ..runner.persistent_run import PersistentRun
from ..runner.stall import Stalled, StallMonitor
from ..transport.adapter_spec import AdapterSpec, parse_specs
from ..transport.connect import ConnectionAttempt, try_connect
from ..transport.manifest import shipped_manifests
from ..transport.sandbox import Sandbox

AHEAD = 32
"""Items whose requests are sent ahead."""


def chosen(config: pytest.Config) -> list[AdapterSpec]:
    """The implementations of the session. Raises `pytest.UsageError`."""
    try:
        return parse_specs(config.option.parity_adapters or [REFERENCE], shipped_manifests(shipped()))
    except ParityError as error:
        raise pytest.UsageError(str(error)) from None


class CorpusFiles(Struct, frozen=True):
    """A corpus whose case files are checked when they are read. `operations` are those of the chosen profiles, None without
    one."""

    corpus: OpenCorpus
    checker: Checker
    operations: frozenset[str] | None = None


class RunningAdapter:
    """One implementation on one corpus: its persistent run, and the events that no case accounts for.

    `incidents` holds texts until they are taken; `misspelt` the operations with names close to the corpus's;
    `implementation` is the reply to `initialize`, None before it.
    """

    def __init__(
        self, begin: Callable[[], AdapterRun], operations: Collection[str], stalled: Callable[[Stalled], None]
    ) -> None:
        self.run = PersistentRun(begin, self._listen)
        self.incidents: list[str] = []
        self.misspelt: list[str] = []
        self.implementation: Implementation | None = None
        self._operations = operations
        self._stalled = stalled

    def _listen(self, event: Event) -> None:
        match event:
            case Implementation():
                self.implementation = event
                self.misspelt = misspelt_text(event, self._operations)
            case Incident():
                self.incidents.append("\n".join([describe_incident(event), *standard_error(event.stderr)]))
            case Stalled():
                self._stalled(event)
            case _:
                pass

    def take_incidents(self) -> list[str]:
        """The incidents since the last call."""
        taken, self.incidents = self.incidents, []
        return taken

    def take_misspelt(self) -> list[str]:
        """The misspelt operations, once."""
        taken, self.misspelt = self.misspelt, []
        return taken


class ParitySession:
    """Loads each corpus once, starts an implementation at its first case, and keeps it running between cases."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._manifests = shipped_manifests(shipped())
        self._chosen = {spec.name: spec for spec in chosen(config)}
        self._corpora: dict[Path, CorpusFiles | None] = {}
        self._reached: dict[str, ConnectionAttempt] = {}
        self._told: set[str] = set()
        self._sessions: dict[tuple[Path, str], RunningAdapter] = {}
        self._attributions: dict[tuple[str, Path], Attribution] = {}
        self._followed: dict[tuple[str, Path], list[Result]] = {}
        self._known: dict[str, Mapping[str, KnownDivergences]] = {}
        self._cleanup = ExitStack()
        self._sandbox = self._cleanup.enter_context(Sandbox())
        config.add_cleanup(self._cleanup.close)

    @property
    def names(self) -> list[str]:
        """The implementations that run every case."""
        return list(self._chosen)

    def corpus(self, root: Path) -> CorpusFiles | None:
        """The corpus below `root`. If its schemas or catalogues are broken, the first call raises `ParityError` and later
        calls return None."""
        if root not in self._corpora:
            self._corpora[root] = None
            self._corpora[root] = _checked(root, self._config.option.parity_profiles)
        return self._corpora[root]

    def store_corpora(self) -> None:
        """Writes the compiled form of each corpus, so that the next session reads only the files that change."""
        for checked in self._corpora.values():
            if checked is not None:
                checked.corpus.store()

    def execute(self, checked: CorpusFiles, case: Case, name: str, upcoming: Callable[[], Iterable[Case]]) -> Result:
        """The verdict of one implementation on one case; `upcoming` gives cases whose requests can be sent ahead."""
        run = self._session(checked, name).run
        result = run.execute(case, upcoming() if run.ahead < AHEAD // 2 else ())
        return self._explained(checked, result)

    def _explained(self, checked: CorpusFiles, result: Result) -> Result:
        """The result; if it fails, explained by readings and deviations where that is possible."""
        name, corpus = result.implementation, checked.corpus
        key = name, corpus.root
        if result.readings:
            self._followed.setdefault(key, []).append(result)
        if result.verdict not in FAILING:
            return result
        explanations = explanations_of(corpus, self._known_of(name), warnings.warn)
        source = self._alternatives() if searchable_response(result) else None
        if source is None:
            return explanations.settled(result)
        if key not in self._attributions:
            self._attributions[key] = explanations.attribution(source, corpus.operations, name)
        attribution = self._attributions[key]
        for followed in self._followed.pop(key, ()):
            attribution.observe(followed)
        implementation = self._session(checked, name).implementation
        attribution.unobservable = implementation.unobservable if implementation else {}
        return explanations.settled(attribution.explain(result))

    def _known_of(self, name: str) -> Mapping[str, KnownDivergences]:
        """The known-divergence file of a shipped adapter, by the name of the implementation."""
        if name not in self._known:
            connection = self._connect(name).connection
            self._known[name] = known_of({name: connection} if connection else {})
        return self._known[name]

    @cache  # noqa: B019 - one session lives as long as the process
    def _alternatives(self) -> AlternativeAnswers | None:
        """The reference, which gives answers under other readings, started at the first failing answer."""
        return self._cleanup.enter_context(reference_answers(warnings.warn))

    def why_not_tested(self, name: str) -> str:
        """Why an implementation could not be built; empty if it was."""
        return self._connect(name).reason

    def is_told(self, name: str) -> bool:
        """Whether this was asked of the implementation before."""
        is_told = name in self._told
        self._told.add(name)
        return is_told

    def failed_to_start(self, checked: CorpusFiles, name: str) -> bool:
        """Whether an implementation could not be started; the first failing item has the reason."""
        return self._session(checked, name).run.failed_to_start

    def unobservable(self, checked: CorpusFiles, case: Case, name: str) -> Sequence[str]:
        """The JSON Pointers that an implementation cannot report for a case's operation."""
        implementation = self._session(checked, name).implementation
        return implementation.unobservable.get(case.operation, ()) if implementation else ()

    def poll(self) -> list[str]:
        """The incidents since the last call, of adapters that keep running."""
        for session in self._sessions.values():
            session.run.poll()
        return self._take_incidents()

    def end(self) -> list[str]:
        """Ends every adapter; the incidents since the last call."""
        for session in self._sessions.values():
            session.run.end()
        return self._take_incidents()

    def _take_incidents(self) -> list[str]:
        return [incident for session in self._sessions.values() for incident in session.take_incidents()]

    def misspelt(self, checked: CorpusFiles, name: str) -> list[str]:
        """One line for each offered operation with a misspelt name, the first time."""
        return self._session(checked, name).take_misspelt()

    def rerun_commands(self, root: Path, case: Case, node: str, name: str) -> tuple[str, str]:
        """The commands that run the case again: by pytest, and by `parity explain`."""
        options, adapter = self._options(root), ["--adapter", self._option(name)]
        passed, seconds = (option_words(options, (name,)) for name in ("pass_env", "timeout"))
        by_pytest = ["pytest", node, *adapter, *passed, *(f"--parity-timeout={text}" for text in seconds[1:])]
        by_parity = ["parity", "explain", case.name, *adapter, *option_words(options)]
        return shlex.join(by_pytest), shlex.join(by_parity)

    def probe_command(self, root: Path, name: str) -> str:
        """The command that diagnoses an implementation that does not start or reply."""
        return probe_command(self._option(name), self._options(root))

    def _options(self, root: Path) -> RunOptions:
        """The options of the session, as a run over this corpus takes them."""
        given = self._config.option
        return RunOptions(
            corpus="" if root.resolve() == shipped() else str(root),
            timeout=given.parity_timeout or DEFAULT_OPTIONS.timeout,
            pass_env=tuple(given.parity_pass_env),
        )

    def _option(self, name: str) -> str:
        """The `--adapter` value of an implementation."""
        adapters: list[str] = self._config.option.parity_adapters
        return adapters[self.names.index(name)] if adapters else name

    def _session(self, checked: CorpusFiles, name: str) -> RunningAdapter:
        key = checked.corpus.root, name
        if key not in self._sessions:
            session = RunningAdapter(
                self._beginner(checked, name), checked.corpus.operations, partial(self._show_stall, checked.corpus.root)
            )
            self._cleanup.callback(session.run.abandon)
            self._sessions[key] = session
        return self._sessions[key]

    def _beginner(self, checked: CorpusFiles, name: str) -> Callable[[], AdapterRun]:
        """Creates lasting adapter runs that share one stall monitor, so that a stall is reported once."""
        timeouts = Timeouts.of(self._options(checked.corpus.root).timeout)
        stalls = StallMonitor(name, timeouts)
        connection = self._connect(name).connection
        assert connection is not None

        def begin() -> AdapterRun:
            return AdapterRun(
                name,
                connection,
                (),
                checked.corpus.operations,
                checked.checker.answer_error,
                timeouts,
                max_in_flight=1,
                lasting=True,
                stalls=stalls,
                spare=True,
            )

        return begin

    def _show_stall(self, root: Path, event: Stalled) -> None:
        """Prints a stall on the terminal, past pytest's output capture. An xdist worker has no terminal."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        capturing = self._config.pluginmanager.get_plugin("capturemanager")
        if terminal is None:
            return
        with capturing.global_and_fixture_disabled() if capturing else nullcontext():
            terminal.ensure_newline()
            if self._config.get_terminal_writer().width_of_current_line:  # the dots of -q, which ensure_newline misses
                terminal.line("")
            terminal.write_line(printable(stall_text(event, self.probe_command(root, event.implementation))))
            terminal.flush()

    def _connect(self, name: str) -> ConnectionAttempt:
        """The connection to an implementation, built once."""
        if name not in self._reached:
            passed = self._config.option.parity_pass_env
            self._reached[name] = try_connect(self._chosen[name], self._manifests, self._sandbox, passed)
        return self._reached[name]


def _checked(root: Path, profiles: Sequence[str]) -> CorpusFiles:
    corpus = open_corpus(root)
    return CorpusFiles(corpus, Checker(corpus.schemas), _operations(corpus, profiles) if profiles else None)


def _operations(corpus: OpenCorpus, profiles: Sequence[str]) -> frozenset[str]:
    """The operations of these profiles. Raises `UsageError` for a profile that the corpus does not have."""
    existing = profile_operations(corpus)
    if unknown := [name for name in profiles if name not in existing]:
        nothing = f"--profile {one_line(unknown[0])}: the corpus has no such profile."
        raise UsageError(f"{nothing} Use one of: {', '.join(existing)}.")
    return frozenset().union(*(existing[name] for name in profiles))
