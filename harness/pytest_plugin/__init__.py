"""`pytest cases/`: one item a case and implementation, asked one at a time. docs/porting-an-sdk.md shows it at work.

pytest loads this module in every session where parity is installed, so it imports nothing heavy; whatever loads,
asks and judges is imported when the first case file is met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.cli.options import seconds
from harness.errors import printable
from harness.model import Verdict
from harness.report.summary import REFERENCE

if TYPE_CHECKING:
    from harness.pytest_plugin.items import CaseFile
    from harness.pytest_plugin.session import Asking

ASKING: pytest.StashKey[Asking] = pytest.StashKey()
"""Where the session's configuration keeps what its items share, once a case file was met."""

VERDICT_ATTRIBUTE = "parity"
"""The attribute of a report that tells the verdict: a mapping of texts, which travels between xdist's processes."""

_CATALOGUES = ("requirements.yaml", "rulings.yaml")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("parity", "parity (implementations that are asked the cases of a corpus)")
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
        help="a variable of yours that adapters may see",
    )
    group.addoption(
        "--parity-timeout",
        type=seconds,
        dest="parity_timeout",
        metavar="S",
        help="seconds of silence after which an adapter is given up (default: 10)",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.option.parity_adapters:
        from harness.pytest_plugin.session import chosen

        chosen(config)  # a name that cannot be used is told before anything is collected
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Tally(), "parity-tally")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    root = _corpus_of(file_path)
    if root is None:
        return None
    from harness.pytest_plugin.items import CaseFile

    return CaseFile.from_parent(parent, path=file_path, root=root)


def _corpus_of(path: Path) -> Path | None:
    """The folder of the corpus that the case file at `path` belongs to; nothing for any other file."""
    if path.suffix != ".yaml":
        return None
    for folder in path.parents:
        if folder.name == "cases" and path.parent != folder:
            system = folder / path.relative_to(folder).parts[0]
            if _is_system(system):
                aside = path in [system / name for name in _CATALOGUES] or path.parent == system / "fixtures"
                return None if aside else folder.parent
    return None


def _is_system(system: Path) -> bool:
    """Whether the folder is a system's in a corpus: with requirements, and with schemas of operations (area.verb)."""
    schemas = system.parent.parent / "schemas" / system.name
    return (system / _CATALOGUES[0]).is_file() and any(schemas.glob("*.*.json"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    tell = getattr(item, "attach_verdict", None)
    if tell is not None and call.when == "call":
        tell(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """An adapter that misbehaved while nothing was asked of it is an error here, as a broken fixture is; after the last
    item its end is waited for."""
    yield
    asking = item.config.stash.get(ASKING, None)
    incidents = asking.leave(for_good=nextitem is None) if asking is not None else []
    if incidents:
        pytest.fail("\n".join(printable(incident) for incident in incidents), pytrace=False)


class _Tally:
    """What the implementations answered, as the reports of a session tell it; under xdist those of all its workers."""

    def __init__(self) -> None:
        self._verdicts: dict[str, Counter[str]] = {}
        self._variants: dict[str, Counter[str]] = {}
        self._slips: dict[str, None] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        told = getattr(report, VERDICT_ATTRIBUTE, None)
        if told is None:
            return
        self._verdicts.setdefault(told["implementation"], Counter())[told["verdict"]] += 1
        self._slips |= dict.fromkeys(told["slips"].splitlines())
        if told["reading"]:
            self._variants.setdefault(told["implementation"], Counter())[told["reading"]] += 1

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.OK and self._silences():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        variants = [
            f"{name}: {counts.total()} passed by another recorded reading than the adopted one: "
            + ", ".join(f"{count} {reading}" for reading, count in sorted(counts.items()))
            for name, counts in self._variants.items()
        ]
        unanswered_implementations = self._silences()
        if variants or unanswered_implementations or self._slips:
            terminalreporter.section("parity")
        for line in variants:
            terminalreporter.line(line)
        for line in [*self._slips, *unanswered_implementations]:
            terminalreporter.line(line, red=True)

    def _silences(self) -> list[str]:
        """A sentence for every implementation that could pass for a good one although it answered nothing."""
        found = []
        for name, counts in self._verdicts.items():
            if counts.total() == counts[Verdict.UNSUPPORTED]:
                found.append(f"{name} answered none of the {counts.total()} cases, so nothing is known of it.")
            elif name == REFERENCE and counts[Verdict.UNSUPPORTED]:
                found.append(f"{name} does not answer {counts[Verdict.UNSUPPORTED]} cases; it has to answer each.")
        return found
