"""`pytest cases/`: one item for each case and implementation, run one at a time. See docs/porting-an-sdk.md.

pytest loads this module in every session where parity is installed, so it imports nothing heavy; the runner is imported
at the first case file.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Generator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ..model import Verdict
    from .items import CaseFile
    from .session import ParitySession

SESSION: pytest.StashKey[ParitySession] = pytest.StashKey()
"""The key of the session's shared state in the configuration, set at the first case file."""

NEXT_ITEMS: pytest.StashKey[NextItems] = pytest.StashKey()
"""The key of the items that follow the running one."""

MAX_NEXT_ITEMS = 32

VERDICT_ATTRIBUTE = "parity"
"""The attribute of a report that holds the verdict: a mapping of texts, so that xdist can send it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("parity", "parity (conformance cases)")
    group.addoption(
        "--adapter",
        action="append",
        default=[],
        dest="parity_adapters",
        metavar="A",
        help="a shipped adapter by name, or [LABEL=]COMMAND; may be repeated (default: the reference)",
    )
    group.addoption(
        "--pass-env",
        action="append",
        default=[],
        dest="parity_pass_env",
        metavar="NAME",
        help="an environment variable to pass to adapters",
    )
    group.addoption(
        "--parity-profile",
        *(["--profile"] if find_spec("pytest_profiling") is None else []),  # that plugin has an option --profile
        action="append",
        default=[],
        dest="parity_profiles",
        metavar="NAME",
        help="only the operations of this conformance profile; may be repeated",
    )
    group.addoption(
        "--parity-timeout",
        type=_seconds,
        dest="parity_timeout",
        metavar="S",
        help="seconds without a reply after which an adapter times out (default: 10)",
    )


def _seconds(text: str) -> float:
    from ..model import parse_number

    try:
        return parse_number("timeout", text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def pytest_configure(config: pytest.Config) -> None:
    if config.option.parity_adapters:
        from .session import chosen

        chosen(config)  # an unusable name is an error before collection
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Tally(), "parity-tally")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    root = _corpus_of(file_path)
    if root is None:
        return None
    from .items import CaseFile

    return CaseFile.from_parent(parent, path=file_path, root=root)


def _corpus_of(path: Path) -> Path | None:
    """The folder of the corpus that the case file at `path` belongs to; nothing for any other file."""
    if path.suffix != ".yaml":
        return None
    for folder in path.parents:
        if folder.name == "cases" and path.parent != folder:
            system = folder / path.relative_to(folder).parts[0]
            if _is_system(system):
                from ..corpus.corpus_files import CATALOGUES, PROFILES

                aside = (
                    path in [system / name for name in (*CATALOGUES, PROFILES)] or path.parent == system / "fixtures"
                )
                return None if aside else folder.parent
    return None


def _is_system(system: Path) -> bool:
    """Whether the folder is a system's in a corpus: with requirements, and with schemas of operations (area.verb)."""
    schemas = system.parent.parent / "schemas" / system.name
    return (system / "requirements.yaml").is_file() and any(schemas.glob("*.*.json"))


class NextItems:
    """The items that follow the running one, as far as the process knows them."""

    def __init__(self, items: Sequence[pytest.Item]) -> None:
        self._items = items
        self._places = {id(item): place for place, item in enumerate(items)}
        self.next: pytest.Item | None = None

    def after(self, item: pytest.Item) -> Sequence[pytest.Item]:
        """The items after this one: some of the session's, or in an xdist worker the next one."""
        if self._items:
            place = self._places[id(item)] + 1
            return self._items[place : place + MAX_NEXT_ITEMS]
        return [self.next] if self.next is not None else []


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Moves the cases with environment variables to the end, those with the same variables together: each other set of
    variables needs a new process of the adapter."""
    items.sort(key=lambda item: getattr(item, "parity_environment", ()))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    state = session.config.stash.get(SESSION, None)
    if state is not None:
        state.store_corpora()
    session.config.stash[NEXT_ITEMS] = NextItems([] if hasattr(session.config, "workerinput") else session.items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    item.config.stash[NEXT_ITEMS].next = nextitem


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    attach = getattr(item, "attach_verdict", None)
    if attach is not None and call.when == "call":
        attach(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """An adapter that misbehaves between requests is an error of the teardown, as a broken fixture is. After the last
    item the adapters end."""
    yield
    session = item.config.stash.get(SESSION, None)
    incidents = [] if session is None else session.poll() if nextitem else session.end()
    if incidents:
        from ..errors import printable

        pytest.fail("\n".join(printable(incident) for incident in incidents), pytrace=False)


class _Tally:
    """Verdicts by implementation, read from the reports of the session (of all workers under xdist)."""

    def __init__(self) -> None:
        self._verdicts: dict[str, Counter[Verdict]] = {}
        self._variants: dict[str, Counter[str]] = {}
        self._unsupported: dict[str, Counter[str]] = {}
        self._misspelt: dict[str, None] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        found = getattr(report, VERDICT_ATTRIBUTE, None)
        if found is None:
            return
        self._verdicts.setdefault(found["implementation"], Counter())[found["verdict"]] += 1
        self._misspelt |= dict.fromkeys(found["misspelt"].splitlines())
        if found["unsupported"]:
            self._unsupported.setdefault(found["implementation"], Counter())[found["unsupported"]] += 1
        if found["reading"]:
            self._variants.setdefault(found["implementation"], Counter())[found["reading"]] += 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self._put_errors_first(session.config)
        if exitstatus == pytest.ExitCode.OK and self._unanswered():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _put_errors_first(self, config: pytest.Config) -> None:
        """Sorts the failed items for the terminal: crashes, timeouts and protocol errors come before differences."""
        terminal = config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None and self._verdicts:
            from ..model import ErrorKind
            from ..report.run_summary import urgency_of

            def order(report: pytest.TestReport) -> int:
                kind = getattr(report, VERDICT_ATTRIBUTE, {}).get("kind", "")
                return urgency_of(ErrorKind(kind) if kind else None)

            terminal.stats.get("failed", []).sort(key=order)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        variants = [
            f"{name}: {counts.total()} passed with another recorded reading than the adopted one: "
            + ", ".join(f"{count} {reading}" for reading, count in sorted(counts.items()))
            for name, counts in self._variants.items()
        ]
        unanswered = self._unanswered()
        if self._verdicts or self._misspelt:
            terminalreporter.section("parity")
        for line in self._answered():
            terminalreporter.line(line)
        for line in variants:
            terminalreporter.line(line)
        for line in [*self._misspelt, *unanswered]:
            terminalreporter.line(line, red=True)

    def _answered(self) -> list[str]:
        """One line for each implementation: how many cases of the session it answered."""
        from ..model import supported
        from ..report.phrases import percentage

        found = []
        for name, counts in self._verdicts.items():
            total, answered = counts.total(), supported(counts)
            found.append(f"{name} answered {answered:,} of {total:,} cases ({percentage(answered, total)})")
        return found

    def _unanswered(self) -> list[str]:
        """One line for each implementation that answered nothing, so that its green session proves nothing."""
        if not self._verdicts:
            return []
        from ..errors import one_line
        from ..model import REFERENCE, supported

        found = []
        for name, counts in self._verdicts.items():
            lacking = counts.total() - supported(counts)
            if counts.total() == lacking:
                reason, count = self._unsupported[name].most_common(1)[0]
                found.append(
                    f"{name} answered none of the {counts.total()} cases, so the session proves nothing. "
                    f"The most frequent reason ({count:,} of {counts.total():,}): {one_line(reason)}"
                )
            elif name == REFERENCE and lacking:
                found.append(f"{name} does not answer {lacking:,} cases; it must answer every case.")
        return found
