"""RunSummary → the matrix of suites and implementations, each number under its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from posixpath import commonpath

from rich.table import Table
from rich.text import Text

from ...model import Verdict
from ..laid_out import plain_table
from ..phrases import plural
from ..run_summary import CountsByName, RunSummary, VerdictCounts
from ..suite_counts import summed, system_of
from ..verdict_looks import LOOKS

_GAP = 3
"""Columns between two cells."""

_MIN_NAME = 20
"""The fewest columns for the name of a suite."""

_MAX_OWN_ROWS = 12
"""Up to this many suites, each has its own row, even if all its cases pass."""


@dataclass(frozen=True, slots=True)
class _Column:
    """The numbers of one implementation: its verdicts in the whole run, each as wide as its widest number."""

    name: str
    widths: Sequence[tuple[Verdict, int]]

    @property
    def width(self) -> int:
        return max(len(self.name), sum(width + 1 for _, width in self.widths) - 1)

    @property
    def heading(self) -> str:
        return "\n".join((self.name, " ".join(f"{LOOKS[verdict].label:>{width}}" for verdict, width in self.widths)))

    def cell(self, counts: VerdictCounts) -> Text:
        numbers = (
            Text(f"{counts[verdict]:>{width},}", LOOKS[verdict].style)
            if counts[verdict]
            else Text("·".rjust(width), "dim")
            for verdict, width in self.widths
        )
        return Text(" ").join(numbers)


def matrix(summary: RunSummary, width: int = 100) -> Table:
    """The table. Suite names are cut at their beginning if `width` columns do not hold them.

    Of many suites, these share a row: suites in which all cases pass, suites that an implementation does not support,
    and suites of a system that an implementation does not implement.
    """
    columns = [_column(name, counts) for name, counts in summary.totals.items()]
    shared = _shared(summary)
    folder = _common_folder(list(summary.suites))
    title = f"suite ({folder}…)" if folder else "suite"
    rows = _rows(summary, folder, shared)
    numbers = max(len("cases"), len(f"{summary.cases:,}"))
    room = width - numbers - 2 * _GAP - sum(column.width + _GAP for column in columns)
    longest = min(max(map(len, (*rows, title))), max(room, _MIN_NAME))
    table = plain_table([_ending(title, longest)], ["cases"], _GAP)
    for column in columns:
        table.add_column(Text(column.heading), no_wrap=True)
    for name, row in rows.items():
        most = max((counts.total() for counts in row.values()), default=0)
        table.add_row(Text(_ending(name, longest)), f"{most:,}", *(column.cell(row[column.name]) for column in columns))
    table.rows[-1].style = "bold"
    return table


def _column(name: str, sums: VerdictCounts) -> _Column:
    widths = [(verdict, max(len(look.label), len(f"{sums[verdict]:,}"))) for verdict, look in LOOKS.items()]
    return _Column(name, [(verdict, width) for verdict, width in widths if sums[verdict]])


def _ending(name: str, width: int) -> str:
    """The name; of a longer one the last folders that fit into `width` columns, which differ from its neighbours."""
    if len(name) <= width:
        return name
    ending = name[-(width - 1) :]
    return f"…{ending[max(0, ending.find('/')) :]}"


def _rows(summary: RunSummary, folder: str, shared: dict[str, list[str]]) -> dict[str, CountsByName]:
    """The counts of each row, by its name."""
    folded = {suite for suites in shared.values() for suite in suites}
    rows = {suite.removeprefix(folder): row for suite, row in summary.suites.items() if suite not in folded}
    for name, suites in shared.items():
        rows[name] = summed(summary.suites[suite] for suite in suites)
    return {**rows, "all": summary.totals}


def _shared(summary: RunSummary) -> dict[str, list[str]]:
    """The names of the shared rows, and the suites of each."""
    missing, not_ready = summary.systems_not_implemented, summary.not_started
    if len(summary.suites) <= _MAX_OWN_ROWS:
        return {}
    systems: dict[str, list[str]] = {system: [] for system in sorted(frozenset[str]().union(*missing.values()))}
    unsupported: list[str] = []
    passing: list[str] = []
    for suite, row in summary.suites.items():
        system = system_of(suite)
        verdicts = {
            frozenset(row[name])
            for name in row
            if name not in not_ready and system not in missing.get(name, frozenset())
        }
        if verdicts <= {frozenset({Verdict.PASS})}:
            systems.get(system, passing).append(suite)
        elif verdicts <= {frozenset({Verdict.PASS}), frozenset({Verdict.UNSUPPORTED})}:
            unsupported.append(suite)
    others = len(summary.suites) - len(unsupported) - sum(map(len, systems.values()))
    few = len(unsupported) > 1 and others <= _MAX_OWN_ROWS
    shared = {f"{system}: {plural(len(suites), 'suite')}": suites for system, suites in systems.items() if suites}
    shared |= {f"{len(unsupported)} unsupported suites": unsupported} if len(unsupported) > 1 else {}
    return shared | ({f"{len(passing)} other suites": passing} if len(passing) > 1 and not few else {})


def _common_folder(suites: Sequence[str]) -> str:
    """The folder of all suites, with its slash; empty without one."""
    folder = commonpath(suites) if len(suites) > 1 else ""
    return f"{folder}/" if folder else ""
