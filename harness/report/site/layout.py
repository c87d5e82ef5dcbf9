"""Values and templates → pages with links to each other; long lists on several pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import one_line
from ...model import OutcomeFacts, Verdict
from ..heat_map import heat_of
from ..phrases import share
from ..summary import VerdictCounts
from ..templates import render_template
from .contents import Site, SiteCase
from .names import numbered

MAX_PAGE = 300_000
"""Bytes of a page."""

_CELLS = 1_500
"""Cells of a list on one page. Measured in November 2026: a cell takes about 90 bytes, a row without cells 500."""

_NOTE = 140


@dataclass(frozen=True, slots=True)
class Page:
    """One file of the site: its path with slashes, and its text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Crumb:
    """A link to a page above this one."""

    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The verdict of one column on a case; all texts are empty without a result."""

    label: str
    verdict: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A case in a list."""

    path: str
    suite: str
    id: str
    note: str
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class ShareCell:
    """The verdicts of one column on several cases: the class of the colour, the share that does not fail, other verdicts."""

    label: str
    heat: str
    share: str
    notes: str


def page(path: str, template: str, *, title: str, crumbs: Sequence[Crumb] = (), **values: Any) -> Page:
    """A page from a template of this package."""
    root = "../" * path.count("/")
    text = render_template(
        f"site/{template}.html.jinja", root=root, path=path, title=one_line(title, 300), crumbs=crumbs, **values
    )
    return Page(path, text)


def verdict_text(outcome: OutcomeFacts) -> str:
    """`fail`, `error/crash`."""
    return f"{outcome.verdict}/{outcome.kind}" if outcome.kind else outcome.verdict.value


def row(site: Site, case: SiteCase) -> Row:
    """A case as a row of a list."""
    cells = []
    for number, column in enumerate(site.columns):
        found = case.results.get(number)
        outcome = found[1] if found else None
        cells.append(
            Cell(column.label, outcome.verdict.value, verdict_text(outcome)) if outcome else Cell(column.label)
        )
    return Row(case.path, case.suite, case.name.rpartition("/")[2], one_line(case.note, _NOTE), cells)


def share_cells(site: Site, counts: Sequence[VerdictCounts]) -> list[ShareCell]:
    """The verdicts of every column on the same cases."""
    return [
        ShareCell(column.label, heat_of(one), share(one) if one else "not run", _notes(one))
        for column, one in zip(site.columns, counts, strict=True)
    ]


def _notes(counts: VerdictCounts) -> str:
    """`3 fail, 1 variant`; nothing if all cases are unsupported."""
    shown = [verdict for verdict in Verdict if verdict is not Verdict.PASS and counts[verdict]]
    if shown == [Verdict.UNSUPPORTED] and counts.total() == counts[Verdict.UNSUPPORTED]:
        return ""
    return ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in shown)


def row_count(site: Site) -> int:
    """The number of rows of a list on one page."""
    return max(30, _CELLS // (len(site.columns) + 3))


def case_pages(
    site: Site, path: str, template: str, cases: Sequence[str], *, in_order: bool = False, **values: Any
) -> Iterator[Page]:
    """A page with the list of these cases, and further pages if the list is long. Cases that fail come first, unless
    `in_order`."""
    found = [site.cases[name] for name in dict.fromkeys(cases)]
    if not in_order:
        found.sort(key=lambda case: case.urgency)
    size = row_count(site)
    parts = [found[start : start + size] for start in range(0, len(found), size)] or [[]]
    links = [numbered(path, number + 1) for number in range(len(parts))]
    for number, part in enumerate(parts, 1):
        rows = [row(site, case) for case in part]
        yield page(
            links[number - 1],
            template,
            rows=rows,
            labels=[column.label for column in site.columns],
            count=len(found),
            number=number,
            links=links,
            **values,
        )
