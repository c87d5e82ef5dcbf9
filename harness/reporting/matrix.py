"""RunRecord → the matrix of suites and implementations, each number under its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import commonpath

from rich.text import Text

from harness.model import RunRecord, Verdict
from harness.reporting.describing import plural
from harness.reporting.summary import by_suite, not_started, totals, unoffered

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

Counts = Mapping[str, Counter[Verdict]]


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

    Where there are many suites, those in which nothing but passes came share a row; so do those of a system of which
    some implementation offers nothing.
    """
    sums = totals(record)
    groups = [_group(name, counts) for name, counts in sums.items()]
    rows, clean = _rows(record)
    folder = _common_folder([*rows, *clean])
    named = {suite.removeprefix(folder): row for suite, row in rows.items()}
    for name, suites in _shared(clean, record).items():
        named[name] = _added([clean[suite] for suite in suites], record)
    named["all"] = sums
    lines = _names(f"suite in {folder}" if folder else "suite", named, width - sum(one.width() + 3 for one in groups))
    for group in groups:
        cells = [group.names(), group.labels(), *(group.cell(row[group.name]) for row in named.values())]
        for line, cell in zip(lines, cells, strict=True):
            line.append("   ").append_text(cell)
    for line in lines:
        line.rstrip()
    return lines


def _names(title: str, rows: Mapping[str, Counts], width: int) -> list[Text]:
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


def _most(row: Counts) -> int:
    return max((counts.total() for counts in row.values()), default=0)


def _rows(record: RunRecord) -> tuple[dict[str, Counts], dict[str, Counts]]:
    """The suites with a row of their own, and those that share one."""
    table = dict(by_suite(record))
    if len(table) <= _FEW:
        return table, {}
    started = set(record.implementations) - set(not_started(record))
    without = unoffered(record)
    clean = {
        suite
        for suite, row in table.items()
        if not any(
            set(row[name]) - {Verdict.PASS} and suite.partition("/")[0] not in without.get(name, ()) for name in started
        )
    }
    if len(clean) < 2:
        return table, {}
    return (
        {suite: row for suite, row in table.items() if suite not in clean},
        {suite: row for suite, row in table.items() if suite in clean},
    )


def _shared(clean: Iterable[str], record: RunRecord) -> dict[str, list[str]]:
    """The names of the shared rows, and the suites of each."""
    lacking = frozenset[str]().union(*unoffered(record).values())
    by_row: dict[str, list[str]] = {system: [] for system in [*sorted(lacking), ""]}
    for suite in clean:
        system = suite.partition("/")[0]
        by_row[system if system in lacking else ""].append(suite)
    return {
        f"{system}: {plural(len(suites), 'suite')}" if system else f"{len(suites)} other suites": suites
        for system, suites in by_row.items()
        if suites
    }


def _added(rows: Iterable[Counts], record: RunRecord) -> Counts:
    """The sums of several rows."""
    sums: dict[str, Counter[Verdict]] = {name: Counter() for name in record.implementations}
    for row in rows:
        for name, counts in row.items():
            sums[name].update(counts)
    return sums


def _common_folder(suites: Sequence[str]) -> str:
    """The folder that all suites lie in, with its slash; empty if there is none."""
    folder = commonpath(suites) if len(suites) > 1 else ""
    return f"{folder}/" if folder else ""
