"""Values and templates → pages with links to each other; long lists on several pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from ...base.text_limits import MAX_STATEMENT
from ...compare.causes import verdict_text
from ...errors import one_line
from ...model import EXPECTED, Verdict, failing, supported
from ..document import shown
from ..phrases import counts_text, floor_text, limits, percent, percentage, share
from ..run_summary import VerdictCounts
from ..templates import render_template, trusted
from .contents import Column, Site
from .site_paths import (
    INDEX,
    SEARCH,
    Linked,
    data_path,
    family_path,
    numbered,
    operation_path,
    part_path,
    requirement_path,
    ruling_path,
    suite_path,
)

if TYPE_CHECKING:
    from markupsafe import Markup

T = TypeVar("T")

MAX_PAGE = 300_000
"""Bytes of a page."""

_CELLS = 1_500
"""Cells of a list on one page. Measured in November 2026: a cell takes about 90 bytes, a row without cells 500."""

_MAX_NAMED = 10
"""Cases without a page of their own that a list names; of more it has the number of each suite."""

_HEAT = (("clean", 0.0), ("mild", 0.02), ("warm", 0.1), ("hot", 0.4))
"""Classes of the style sheet, each with its largest share of failures."""

_SILENT = "silent"
"""The class without a supported case."""

_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'self' file:; "
    "require-trusted-types-for 'script'"
)
"""`file:` is for browsers in which 'self' matches no file of a page on disk; on a web host it allows nothing."""


class Page(Struct, frozen=True):
    """One file of the site: its path with slashes, and its text."""

    path: str
    text: str


class Draft(Struct, frozen=True):
    """A page before it is drawn: its path, its title, the links above it, the template of its content, and the values of
    the template."""

    path: str
    template: str
    title: str
    crumbs: Sequence[Linked]
    values: Mapping[str, Any]


def draft(path: str, template: str, *, title: str, crumbs: Sequence[Linked] = (), **values: Any) -> Draft:
    """A page that a template of this package draws."""
    return Draft(path, template, one_line(title, MAX_STATEMENT), crumbs, values)


def content(page: Draft, to: Callable[[str], str], level: int) -> Markup:
    """The content of a page below its title, which is a heading of this level. `to` gives the address of a path; it is empty
    if there is nothing."""
    return draw(page.template, to=to, level=level, path=page.path, **page.values)


def draw(template: str, **values: Any) -> Markup:
    """A template of this package with these values, and with the words and the paths that templates ask for."""
    return trusted(render_template(f"site/{template}.html.jinja", **_HELPERS, **values))


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
    for page in drafts:
        made = drawn(page)
        if len(made.text.encode("utf-8", "replace")) <= MAX_PAGE:
            break
    return made


def heat_of(counts: VerdictCounts) -> str:
    """The class of the colour for these verdicts; `silent` if no case is supported."""
    if not supported(counts):
        return _SILENT
    part = failing(counts) / supported(counts)
    return next((name for name, most in _HEAT if part <= most), "burning")


def other_verdicts(counts: VerdictCounts) -> str:
    """`3 fail, 1 variant`; nothing if all cases are unsupported."""
    others = {verdict: count for verdict, count in counts.items() if verdict not in EXPECTED and count}
    return counts_text(others) if others and supported(counts) else ""


def bar(column: Column) -> list[dict[str, Any]]:
    """The parts of a bar, 300 units wide, by verdict: the cases of the systems that the version implements."""
    counts, total, start, parts = column.counts, column.cases, 0.0, []
    for verdict in Verdict:
        if counts[verdict]:
            width = 300 * counts[verdict] / total
            parts.append({"verdict": verdict, "count": counts[verdict], "x": round(start, 2), "w": round(width, 2)})
            start += width
    return parts


_HELPERS: Mapping[str, Any] = {
    "bar": bar,
    "data_path": data_path,
    "failing": failing,
    "family_path": family_path,
    "floor_text": floor_text,
    "heat_of": heat_of,
    "limits": limits,
    "operation_path": operation_path,
    "other_verdicts": other_verdicts,
    "part_path": part_path,
    "percent": percent,
    "percentage": percentage,
    "requirement_path": requirement_path,
    "ruling_path": ruling_path,
    "share": share,
    "shown": shown,
    "suite_path": suite_path,
    "supported": supported,
    "verdict_text": verdict_text,
}
"""What every template of a site can ask for."""


def row_count(site: Site) -> int:
    """The number of rows of a list on one page."""
    return max(30, _CELLS // (len(site.columns) + 3))


def case_pages(site: Site, path: str, template: str, cases: Iterable[str], **values: Any) -> Iterator[Draft]:
    """A page with the list of these cases, and further pages if the list is long. It begins with the cases that fail; cases
    without a page of their own stand behind the list, by suite."""
    found = [site.cases[name] for name in dict.fromkeys(cases)]
    rows = sorted((case for case in found if case.has_page), key=lambda case: case.urgency)
    parts = portions(rows, row_count(site))
    for part, page in paged(path, parts):
        yield draft(
            template=template,
            rows=part,
            others=[case for case in found if not case.has_page] if part is parts[-1] else [],
            max_named=_MAX_NAMED,
            labels=[column.label for column in site.columns],
            count=len(found),
            **page,
            **values,
        )


def portions(rows: Iterable[T], room: int, size_of: Callable[[T], int] = lambda _: 1) -> list[list[T]]:
    """The rows in parts that fit into the room, a larger row alone; one empty part without any."""
    parts: list[list[T]] = [[]]
    taken = 0
    for row in rows:
        size = size_of(row)
        if parts[-1] and taken + size > room:
            parts.append([])
            taken = 0
        parts[-1].append(row)
        taken += size
    return parts


def paged(path: str, parts: Sequence[T]) -> Iterator[tuple[T, dict[str, Any]]]:
    """Each part of a list with the values of its page: its path, its number, and the paths of all pages."""
    links = [numbered(path, number) for number in range(1, len(parts) + 1)]
    for number, part in enumerate(parts, 1):
        yield part, {"path": links[number - 1], "number": number, "links": links}
