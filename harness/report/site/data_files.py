"""The rows of a table as files beside its page, for programs: JSON, and CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from .layout import Page
from .site_paths import data_path

Row: TypeAlias = "Mapping[str, str | int]"
"""The cells of a row by the names of their columns."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet run a cell as a formula, at its beginning."""


def data_pages(path: str, rows: Sequence[Row]) -> Iterator[Page]:
    """The rows of the table of a page, in both formats."""
    lines = ",\n".join(map(json.dumps, rows))
    yield Page(data_path(path, "json"), f"[{lines}]\n")
    text = io.StringIO()
    writer = csv.writer(text)
    if rows:
        writer.writerow(map(_inert, rows[0]))
    writer.writerows(map(_inert, row.values()) for row in rows)
    yield Page(data_path(path, "csv"), text.getvalue())


def _inert(cell: str | int) -> str | int:
    """A cell that no spreadsheet runs: a quote stands before what begins a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA) else cell
