"""RunRecord → the matrix of suites and implementations, each number under its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from posixpath import commonpath

from rich.text import Text

from harness.model import RunRecord, Verdict
from harness.report.suite_counts import Row, summed, system_of
from harness.report.summary import by_suite, not_started, totals, unoffered
from harness.report.text import plural

STYLES = {
    Verdict.PASS: "green",
    Verdict.VARIANT: "cyan",
    Verdict.FAIL: "red",
    Verdict.ERROR: "bold red",
    Verdict.UNSUPPORTED: "dim",
}
_LABELS = {
    Verdict.PASS: "pass",
    Verdict.FAIL: "fail",
    Verdict.ERROR: "err",
    Verdict.VARIANT: "var",
    Verdict.UNSUPPORTED: "uns",
}
_NARROWEST = 20
"""Columns that a suite's name has at least."""

_FEW = 12
"""Up to so many suites each has a row of its own, even if all of it passed."""


@dataclass(frozen=True, slots=True)
class _Group:
    """The columns of one implementation: the verdicts that it has anywhere, each as wide as its widest number."""

    name: str
    columns: Sequence[tuple[Verdict, int]]

    def width(self) -> int:
        return max(len(self.name), sum(width + 1 for _, width in self.columns) - 1)

    def names(self) -> Text:
        return self._padded(Text(self.name))

    def labels(self) -> Text:
        return self._padded(Text(" ".join(f"{_LABELS[verdict]:>{width}}" for verdict, width in self.columns)))

    def cell(self, counts: Counter[Verdict]) -> Text:
        numbers = [
            Text(f"{counts[verdict] or '·':>{width}}", style=STYLES[verdict] if counts[verdict] else "dim")
            for verdict, width in self.columns
        ]
        return self._padded(Text(" ").join(numbers))

    def _padded(self, text: Text) -> Text:
        text.pad_right(max(0, self.width() - len(text)))
        return text


def _group(name: str, sums: Counter[Verdict]) -> _Group:
    columns = [(verdict, max(len(label), len(str(sums[verdict])))) for verdict, label in _LABELS.items()]
    return _Group(name, [(verdict, width) for verdict, width in columns if sums[verdict]])


def matrix(record: RunRecord, width: int = 100) -> list[Text]:
    """Its lines; names of suites give way where `width` columns do not hold them.

    Where there are many suites, those in which nothing but passes came share a row; so do those in which all of an
    implementation is unsupported, and those of a system of which some implementation offers nothing.
    """
    sums = totals(record)
    groups = [_group(name, counts) for name, counts in sums.items()]
    rows, shared = by_suite(record), _shared(record)
    folder = _common_folder(list(rows))
    folded = {suite for suites in shared.values() for suite in suites}
    named = {suite.removeprefix(folder): row for suite, row in rows.items() if suite not in folded}
    for name, suites in shared.items():
        named[name] = summed({suite: rows[suite] for suite in suites}, record)
    named["all"] = sums
    lines = _names(f"suite in {folder}" if folder else "suite", named, width - sum(one.width() + 3 for one in groups))
    for group in groups:
        cells = [group.names(), group.labels(), *(group.cell(row[group.name]) for row in named.values())]
        for line, cell in zip(lines, cells, strict=True):
            line.append("   ").append_text(cell)
    for line in lines:
        line.rstrip()
    return lines


def _names(title: str, rows: Mapping[str, Row], width: int) -> list[Text]:
    """The first two columns of all lines, in `width` columns if that can be."""
    longest = min(max(map(len, (*rows, title))), max(width - len("  cases"), _NARROWEST))
    names = [f"{_ending(name, longest)}  {_most(row):>5}" for name, row in rows.items()]
    heads = [f"{_ending(title, longest)}  cases", " " * (longest + len("  cases"))]
    return (
        [Text(line, style="bold") for line in heads] + [Text(line) for line in names[:-1]] + [Text(names[-1], "bold")]
    )


def _ending(name: str, width: int) -> str:
    """The name in `width` columns; of a longer one the end, which tells it from its neighbours."""
    return f"{name:<{width}}" if len(name) <= width else f"…{name[-(width - 1) :]}"


def _most(row: Row) -> int:
    return max((counts.total() for counts in row.values()), default=0)


def _shared(record: RunRecord) -> dict[str, list[str]]:
    """The names of the shared rows, and the suites of each."""
    table, without, silent = by_suite(record), unoffered(record), not_started(record)
    if len(table) <= _FEW:
        return {}
    systems: dict[str, list[str]] = {system: [] for system in sorted(frozenset[str]().union(*without.values()))}
    unsupported: list[str] = []
    passing: list[str] = []
    for suite, row in table.items():
        system = system_of(suite)
        came = {
            frozenset(row[name]) for name in row if name not in silent and system not in without.get(name, frozenset())
        }
        if came <= {frozenset({Verdict.PASS})}:
            systems.get(system, passing).append(suite)
        elif came <= {frozenset({Verdict.PASS}), frozenset({Verdict.UNSUPPORTED})}:
            unsupported.append(suite)
    others = len(table) - len(unsupported) - sum(map(len, systems.values()))
    few = len(unsupported) > 1 and others <= _FEW
    shared = {f"{system}: {plural(len(suites), 'suite')}": suites for system, suites in systems.items() if suites}
    shared |= {f"{len(unsupported)} suites unsupported": unsupported} if len(unsupported) > 1 else {}
    return shared | ({f"{len(passing)} other suites": passing} if len(passing) > 1 and not few else {})


def _common_folder(suites: Sequence[str]) -> str:
    """The folder that all suites lie in, with its slash; empty if there is none."""
    folder = commonpath(suites) if len(suites) > 1 else ""
    return f"{folder}/" if folder else ""
