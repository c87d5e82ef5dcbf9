"""The rows of the table: figure, floor and goal; the table itself; kept rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

CHANGED = 1.15
"""Factor between two runs from which a figure counts as changed."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: the median, and the least of several executions if there are several.

    `unit` is `×` for a ratio to `floor`, else `s` (of CPU), `MiB`, `cores` or `cases/s`. A smaller figure is better, unless
    `more_is_better`. `missing` is the reason why nothing was measured. `profiled` are arguments of `parity`, to profile if
    the goal is missed.
    """

    name: str
    value: float = 0.0
    unit: str = "×"
    floor: str = ""
    goal: float | None = None
    least: float | None = None
    more_is_better: bool = False
    missing: str = ""
    profiled: tuple[str, ...] = ()

    @property
    def is_met(self) -> bool | None:
        """Whether the median reaches the goal; None without a goal or a figure."""
        if self.goal is None or self.missing:
            return None
        return self.value >= self.goal if self.more_is_better else self.value <= self.goal


def keep(rows: Sequence[Row], path: Path) -> None:
    """Writes the rows as JSON."""
    path.write_text(json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def kept(path: Path) -> dict[str, float]:
    """The figures of a kept run, by name."""
    return {row["name"]: row["value"] for row in json.loads(path.read_text(encoding="utf-8")) if not row["missing"]}


def show(rows: Sequence[Row], before: Mapping[str, float], console: Console) -> None:
    """Prints the table, with a column for kept figures if there are some."""
    table = Table(
        "what", "figure", "least", "goal", "", *(["kept"] if before else []), "floor, measured in the same run"
    )
    for row in rows:
        old = [] if not before else [_kept(row, before.get(row.name))]
        table.add_row(row.name, *_cells(row), *old, row.missing or row.floor)
    console.print(table)


def _cells(row: Row) -> tuple[str, str, str, str]:
    if row.missing:
        return "not measured", "", "", ""
    goal = "" if row.goal is None else f"{'≥' if row.more_is_better else '≤'} {number(row.goal, row.unit)}"
    mark = {None: "", True: "met", False: "MISSED"}[row.is_met]
    least = "" if row.least is None else number(row.least, row.unit)
    return number(row.value, row.unit), least, goal, mark


def _kept(row: Row, old: float | None) -> str:
    if old is None:
        return ""
    changed = not row.missing and old > 0 and row.value > 0 and not 1 / CHANGED < row.value / old < CHANGED
    return number(old, row.unit) + (f" ({row.value / old - 1:+.0%})" if changed else "")


def number(value: float, unit: str) -> str:
    """A figure with its unit."""
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.2f} {unit}"
