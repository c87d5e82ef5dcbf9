"""Values and templates → pages with links to each other; long lists on several pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...errors import one_line
from ...model import OutcomeFacts, Verdict
from ..phrases import share
from ..run_summary import VerdictCounts
from ..suite_counts import failing, supported
from ..templates import render_template, trusted
from .contents import Site, SiteCase
from .site_paths import INDEX, SEARCH, Linked, numbered, suite_path

if TYPE_CHECKING:
    from markupsafe import Markup

MAX_PAGE = 300_000
"""Bytes of a page."""

_CELLS = 1_500
"""Cells of a list on one page. Measured in November 2026: a cell takes about 90 bytes, a row without cells 500."""

_NOTE = 100
_MAX_NAMED = 10
"""Cases without a page of their own that a list names; of more it has the number of each suite."""

_HEAT = (("clean", 0.0), ("mild", 0.02), ("warm", 0.1), ("hot", 0.4))
"""Classes of the style sheet, each with its largest share of failures."""

SILENT = "silent"
"""The class without a supported case."""

_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'self' file:; "
    "require-trusted-types-for 'script'"
)
"""`file:` is for browsers in which 'self' matches no file of a page on disk; on a web host it allows nothing."""


@dataclass(frozen=True, slots=True)
class Page:
    """One file of the site: its path with slashes, and its text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A page before it is drawn: its path, its title, the links above it, the template of its content, and the values of
    the template."""

    path: str
    template: str
    title: str
    crumbs: Sequence[Linked]
    values: Mapping[str, Any]


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
class Others:
    """The cases of a suite that have no page of their own: their number, and their links if they are few."""

    suite: Linked
    count: int
    cases: Sequence[Linked]


@dataclass(frozen=True, slots=True)
class ShareCell:
    """The verdicts of one column on several cases: the class of the colour, the share that does not fail, other verdicts."""

    label: str
    heat: str
    share: str
    notes: str


def draft(path: str, template: str, *, title: str, crumbs: Sequence[Linked] = (), **values: Any) -> Draft:
    """A page that a template of this package draws."""
    return Draft(path, template, one_line(title, 300), crumbs, values)


def content(page: Draft, to: Callable[[str], str], level: int) -> Markup:
    """The content of a page below its title, which is a heading of this level. `to` gives the address of a path; it is empty
    if there is nothing."""
    return trusted(
        render_template(f"site/{page.template}.html.jinja", to=to, level=level, path=page.path, **page.values)
    )


def drawn(page: Draft, scripts: Sequence[str] = ()) -> Page:
    """A page as a file of the site, which loads these scripts beside those of every page."""
    root = "../" * page.path.count("/")

    def to(path: str) -> str:
        return path and root + path

    text = render_template(
        "site/base.html.jinja",
        to=to,
        path=page.path,
        index=INDEX,
        search=SEARCH,
        policy=trusted(_POLICY),
        title=page.title,
        crumbs=page.crumbs,
        style="",
        script="",
        scripts=["site.js", *scripts],
        content=[content(page, to, 1)],
    )
    return Page(page.path, text)


def fitting(drafts: Iterable[Draft]) -> Page:
    """The first page below the limit; the last one if all are larger."""
    for one in drafts:
        made = drawn(one)
        if len(made.text.encode("utf-8", "replace")) <= MAX_PAGE:
            break
    return made


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
    return Row(case.path, case.suite, case.id, one_line(case.note, _NOTE), cells)


def share_cells(site: Site, counts: Sequence[VerdictCounts]) -> list[ShareCell]:
    """The verdicts of every column on the same cases."""
    return [
        ShareCell(column.label, heat_of(one), share(one) if one else "not run", _notes(one))
        for column, one in zip(site.columns, counts, strict=True)
    ]


def heat_of(counts: VerdictCounts) -> str:
    """The class of the colour for these verdicts; `silent` if no case is supported."""
    if not supported(counts):
        return SILENT
    part = failing(counts) / supported(counts)
    return next((name for name, most in _HEAT if part <= most), "burning")


def _notes(counts: VerdictCounts) -> str:
    """`3 fail, 1 variant`; nothing if all cases are unsupported."""
    shown = [verdict for verdict in Verdict if verdict is not Verdict.PASS and counts[verdict]]
    if shown == [Verdict.UNSUPPORTED] and counts.total() == counts[Verdict.UNSUPPORTED]:
        return ""
    return ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in shown)


def row_count(site: Site) -> int:
    """The number of rows of a list on one page."""
    return max(30, _CELLS // (len(site.columns) + 3))


def case_pages(site: Site, path: str, template: str, cases: Iterable[str], **values: Any) -> Iterator[Draft]:
    """A page with the list of these cases, and further pages if the list is long. It begins with the cases that fail; cases
    without a page of their own stand behind the list, by suite."""
    found = [site.cases[name] for name in dict.fromkeys(cases)]
    rows = sorted((case for case in found if case.has_page), key=lambda case: case.urgency)
    size = row_count(site)
    parts = [rows[start : start + size] for start in range(0, len(rows), size)] or [[]]
    links = [numbered(path, number + 1) for number in range(len(parts))]
    for number, part in enumerate(parts, 1):
        yield draft(
            links[number - 1],
            template,
            rows=[row(site, case) for case in part],
            others=_others(case for case in found if not case.has_page) if number == len(parts) else [],
            labels=[column.label for column in site.columns],
            count=len(found),
            number=number,
            links=links,
            **values,
        )


def _others(cases: Iterable[SiteCase]) -> list[Others]:
    by_suite: dict[str, list[SiteCase]] = {}
    for case in cases:
        by_suite.setdefault(case.suite, []).append(case)
    named = sum(map(len, by_suite.values())) <= _MAX_NAMED
    return [
        Others(
            Linked(suite, suite_path(suite)),
            len(found),
            [Linked(case.id, case.path) for case in found] if named else [],
        )
        for suite, found in by_suite.items()
    ]
