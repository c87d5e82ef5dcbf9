"""What a process of a pytest session shares among its items: the corpora checked, the implementations that are asked."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from harness.cli.reachable import reach
from harness.corpus.checker import Checker, check_files, check_schemas
from harness.corpus.loader import OpenCorpus, open_corpus
from harness.corpus.paths import shipped
from harness.corpus.suggestions import misspelt
from harness.errors import CorpusError, ParityError, one_line, printable
from harness.model import Case, Result
from harness.protocol import Connection
from harness.pytest_plugin.persistent_run import PersistentRun
from harness.report.summary import REFERENCE
from harness.runner.adapter_run import MAX_FAILED_STARTS, AdapterRun, Timeouts
from harness.runner.stall import Stall
from harness.transport.adapter_spec import AdapterSpec, choose
from harness.transport.connect import Unavailable
from harness.transport.manifest import shipped_manifests
from harness.transport.sandbox import Sandbox


def chosen(config: pytest.Config) -> list[AdapterSpec]:
    """The implementations of the session. Raises `pytest.UsageError`."""
    try:
        return choose(config.option.parity_adapters or [REFERENCE], shipped_manifests(shipped()))
    except ParityError as error:
        raise pytest.UsageError(str(error)) from None


@dataclass(frozen=True, slots=True)
class CheckedCorpus:
    """A corpus whose schemas have been checked; its files are when they are read."""

    corpus: OpenCorpus
    checker: Checker

    def cases(self, path: Path) -> tuple[Case, ...]:
        """The cases of the file at `path`. Raises `CorpusError` with every problem of the file."""
        shown = path.relative_to(self.corpus.root).as_posix()
        cases, value = self.corpus.read(path)
        problems = self.checker.check_cases(cases, self.corpus.operations)
        problems += check_files({shown: value}, shipped() / "schemas" / "case-file.schema.json")
        if problems:
            raise CorpusError(problems, shown)
        return cases


class Asking:
    """Loads a corpus once, starts an implementation at its first case, and keeps it running between cases."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._manifests = shipped_manifests(shipped())
        self._chosen = {one.name: one for one in chosen(config)}
        self._corpora: dict[Path, CheckedCorpus | None] = {}
        self._connections: dict[str, Connection] = {}
        self._interviews: dict[tuple[Path, str], PersistentRun] = {}
        self._looked_at: set[PersistentRun] = set()
        self._kept = ExitStack()
        self._surroundings = self._kept.enter_context(Sandbox())
        config.add_cleanup(self._kept.close)

    @property
    def names(self) -> list[str]:
        """The implementations that every case is put to."""
        return list(self._chosen)

    def corpus(self, root: Path) -> CheckedCorpus | None:
        """The corpus below `root`. Where more than a case file has mistakes, `ParityError` is raised the first time, and
        it is nothing afterwards."""
        if root not in self._corpora:
            self._corpora[root] = None
            self._corpora[root] = _checked(root)
        return self._corpora[root]

    def ask(self, checked: CheckedCorpus, case: Case, name: str) -> Result:
        """The verdict of one implementation on one case."""
        return self._interview(checked, name).ask(case)

    def is_gone(self, checked: CheckedCorpus, name: str) -> bool:
        """Whether an implementation cannot be started, and a verdict has told why."""
        return self._interview(checked, name).is_gone

    def unobservable(self, checked: CheckedCorpus, case: Case, name: str) -> Sequence[str]:
        """The JSON Pointers that an implementation cannot report for a case's operation."""
        implementation = self._interview(checked, name).said
        return implementation.unobservable.get(case.operation, ()) if implementation else ()

    def leave(self, *, for_good: bool) -> list[str]:
        """Ends a turn of asking, or all of it: what adapters did while nothing was asked of them, since the last call."""
        taken: list[str] = []
        for one in self._interviews.values():
            if for_good:
                one.end()
            else:
                one.look()
            taken += one.incidents
            one.incidents.clear()
        return taken

    def again(self, root: Path, case: Case, node: str, name: str) -> tuple[str, str]:
        """The commands that put the case to the implementation again: by pytest, and by `parity explain`."""
        option = self._config.option
        asked = ["--adapter", self._given(name), *self._passed()]
        seconds = [f"{option.parity_timeout:g}"] if option.parity_timeout else []
        corpus = _corpus_option(root)
        by_pytest = ["pytest", node, *asked, *(f"--parity-timeout={value}" for value in seconds)]
        by_parity = ["parity", "explain", case.name, *corpus, *asked, *(f"--timeout={value}" for value in seconds)]
        return shlex.join(by_pytest), shlex.join(by_parity)

    def probe(self, root: Path, name: str) -> str:
        """The command that tells what is wrong with an implementation that does not start or stays silent."""
        return shlex.join(["parity", "probe", *_corpus_option(root), self._given(name), *self._passed()])

    def slips(self, checked: CheckedCorpus, name: str) -> Iterator[str]:
        """Sentences on operations that an implementation offers under a name that is probably misspelt, the first time."""
        interview = self._interview(checked, name)
        if interview.said is None or interview in self._looked_at:
            return
        self._looked_at.add(interview)
        for written, near in misspelt(interview.said.operations, checked.corpus.operations):
            yield f"{name} offers {one_line(written, 60)}, which the corpus does not know; {near} may be meant."

    def _given(self, name: str) -> str:
        """What `--adapter` was given for an implementation."""
        adapters: list[str] = self._config.option.parity_adapters
        return adapters[self.names.index(name)] if adapters else name

    def _passed(self) -> list[str]:
        return [word for variable in self._config.option.parity_pass_env for word in ("--pass-env", variable)]

    def _interview(self, checked: CheckedCorpus, name: str) -> PersistentRun:
        key = checked.corpus.root, name
        if key not in self._interviews:
            if name not in self._connections:
                self._connections[name] = self._connection(self._chosen[name])
            interview = PersistentRun(self._begin(checked, name), partial(self._tell_to_wait, checked, name))
            self._kept.callback(interview.abandon)
            self._interviews[key] = interview
        return self._interviews[key]

    def _begin(self, checked: CheckedCorpus, name: str) -> Callable[[], AdapterRun]:
        """Begins an interview to which one case after the other can be put."""

        def begin() -> AdapterRun:
            return AdapterRun(
                name,
                self._connections[name],
                (),
                checked.corpus.operations,
                checked.checker.answer_error,
                Timeouts(asking=self._config.option.parity_timeout or Timeouts().asking),
                most_in_flight=1,
                lasting=True,
            )

        return begin

    def _tell_to_wait(self, checked: CheckedCorpus, name: str, silence: Stall | None) -> None:
        """Says on the terminal, past pytest's capturing, what nothing is seen of for so long: `initialize`, or what the
        adapter is silent about. A worker of xdist has none."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        capturing = self._config.pluginmanager.get_plugin("capturemanager")
        if terminal is None:
            return
        what, longest = "initialize", f"up to {MAX_FAILED_STARTS} times {Timeouts().starting:g} s"
        if silence:
            what, longest = silence.about, f"{silence.seconds:.0f} s of {silence.longest:g} s"
        with capturing.global_and_fixture_disabled() if capturing else nullcontext():
            terminal.ensure_newline()
            if self._config.get_terminal_writer().width_of_current_line:  # the dots of -q, which that overlooks
                terminal.line("")
            terminal.write_line(
                printable(
                    f"parity: still waiting for {name} to answer {what} ({longest}). "
                    f"`{self.probe(checked.corpus.root, name)}` tells why it is silent."
                )
            )
            terminal.flush()

    def _connection(self, one: AdapterSpec) -> Connection:
        """The connection to an implementation, or one that says why there is none."""
        reached = reach(one, self._manifests, self._surroundings, self._config.option.parity_pass_env)
        return reached.connection or Unavailable(reached.why)


def _corpus_option(root: Path) -> list[str]:
    return [] if root.resolve() == shipped() else ["--corpus", str(root)]


def _checked(root: Path) -> CheckedCorpus:
    corpus = open_corpus(root)
    if problems := check_schemas(corpus.schemas):
        raise CorpusError(problems)
    return CheckedCorpus(corpus, Checker(corpus.schemas))
