"""The pages of operations and rulings, and the lists of requirements and rulings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ...base.text_limits import MAX_SIDE, MAX_STATEMENT
from ...compare.causes import cause_name
from ...errors import one_line
from ...model import Ruling
from ..documented import documented_text
from ..pages.ruling_page import NO_EXACT_FOLLOWER, TEXT, apart_texts
from ..phrases import floor_text, wording_texts
from ..suite_counts import system_of
from .case_pages import reading_text
from .contents import OperationText, Site
from .data_files import Row
from .layout import Draft, case_pages, draft, paged, portions
from .ruling_summaries import RulingSummary
from .site_paths import OPERATIONS, REQUIREMENTS, RULINGS, Linked, operation_path, requirement_path, ruling_path
from .suite_pages import ShareRow, share_pages, share_row

_MAX_CASES = 8
"""Cases that a ruling's page names for each reading and implementation."""

_ORDER = (
    "Each list begins with the rulings from whose adopted reading most answers depart; failures by none of the readings "
    "count too. The newest version of each SDK counts."
)

_OPEN = "Open: the specification allows several readings"
_DECIDED = "Decided: the specification allows one reading"

_ROOM = 250_000
"""Characters of a list on one page."""

_CELL = 60
"""Characters of a cell beside its text. Measured in November 2026."""


def operation_pages(site: Site) -> Iterator[Draft]:
    """A page for each operation, and the list of operations."""
    floors = {op: floor for column in site.columns for op, floor in column.record.metadata.floors.items()}
    disputed = {name for column in site.columns for name in column.summary.disputed}
    tables: dict[str, list[ShareRow]] = {}
    for name in sorted({*site.by_operation, *site.given.operations}):
        cases = site.by_operation.get(name, [])
        text = site.given.operations.get(name, OperationText())
        floor = "" if name not in floors else floor_text(floors[name])
        cited = dict.fromkeys(id_ for case in cases for id_ in site.cases[case].facts.requirements)
        row = share_row(site, name, operation_path(name), cases, note=one_line(text.title, MAX_SIDE))
        tables.setdefault(system_of(cases[0]) if cases else "", []).append(row)
        yield from case_pages(
            site,
            operation_path(name),
            "operation",
            cases,
            title=name,
            crumbs=[Linked("Operations", OPERATIONS)],
            text=text,
            floor=floor,
            disputed=name in disputed,
            shares=row.counts,
            requirements=[Linked(id_, requirement_path(id_)) for id_ in sorted(cited) if id_ in site.requirements],
        )
    yield from share_pages(site, OPERATIONS, "Operations", "operation", [*tables.values()])


def ruling_pages(site: Site, summaries: Sequence[RulingSummary]) -> Iterator[Draft]:
    """A page for each ruling, and the list of rulings."""
    lists: dict[str, list[dict[str, Any]]] = {_OPEN: [], _DECIDED: []}
    for summary in summaries:
        ruling = summary.ruling
        lists[_OPEN if summary.is_open else _DECIDED].append(
            {
                "id": ruling.id,
                "path": ruling_path(ruling.id),
                "title": one_line(ruling.title, MAX_STATEMENT),
                "facts": [ruling.severity, ruling.adopted, summary.departing or "", *summary.cells],
            }
        )
        yield from case_pages(
            site,
            ruling_path(ruling.id),
            "ruling",
            site.by_ruling.get(ruling.id, []),
            title=f"{ruling.id}: {ruling.title}",
            crumbs=[Linked("Rulings", RULINGS)],
            ruling=ruling,
            text=TEXT.get(ruling.text, ""),
            documented=documented_text(ruling.documented) if ruling.documented else "",
            readings=[reading_text(ruling, name) for name in ruling.readings],
            adopted=ruling.adopted,
            positions=[(site.columns[number], followed) for number, followed in summary.positions.items()],
            following=partial(_following, site, summary),
            related=_related(site, ruling),
            link=site.link,
            max_cases=_MAX_CASES,
            no_exact_follower=NO_EXACT_FOLLOWER,
            apart_texts=apart_texts,
            wording_texts=wording_texts,
            cause_of=lambda result: cause_name(result, site.rulings),
            requirements=[_statement(site, id_) for id_ in ruling.requirements],
        )
    facts = ["severity", "adopted", "depart from it", *site.newest_names]
    yield from catalogue(RULINGS, "Rulings", facts, lists, _ORDER, numbers=["depart from it"])


def ruling_rows(site: Site, summaries: Sequence[RulingSummary]) -> list[Row]:
    """The rulings as data, in the order of the matrix."""
    return [
        {
            "ruling": summary.ruling.id,
            "title": summary.ruling.title.strip(),
            "severity": summary.ruling.severity,
            "text": "open" if summary.is_open else "decides",
            "adopted": summary.ruling.adopted,
            "depart from it": summary.departing,
            **{
                name: ", ".join(part.text for part in cell)
                for name, cell in zip(site.newest_names, summary.cells, strict=True)
            },
        }
        for summary in summaries
    ]


def _following(site: Site, summary: RulingSummary, reading: str) -> list[tuple[str, Sequence[int]]]:
    """The columns that follow a reading, the older versions apart."""
    return [*site.by_age(number for number, position in summary.positions.items() if reading in position.readings)]


def _related(site: Site, ruling: Ruling) -> list[Linked]:
    """The other rulings of its topic."""
    others = (other for other in site.rulings.values() if ruling.topic and other.topic == ruling.topic)
    return [Linked(other.id, ruling_path(other.id)) for other in others if other.id != ruling.id]


def _statement(site: Site, id_: str) -> Linked:
    found = site.requirements.get(id_)
    if found is None:
        return Linked(id_)
    said = f"{found.level}: {found.statement.strip()}{site.quoted(id_)} ({found.document}, {found.section})"
    return Linked(id_, requirement_path(id_), said)


def catalogue(
    path: str,
    title: str,
    facts: Sequence[str],
    lists: Mapping[str, Sequence[Mapping[str, Any]]],
    note: str = "",
    orders: Sequence[Linked] = (),
    numbers: Sequence[str] = (),
) -> Iterator[Draft]:
    """Lists of requirements or rulings by their headings, on several pages if they are long. `orders` are the pages with
    the same entries in another order; `numbers` the facts that are numbers."""
    rows = [(heading, row) for heading, rows in lists.items() for row in rows]
    for part, page in paged(path, portions(rows, _ROOM, _size)):
        yield draft(
            template="catalogue",
            title=f"{title} ({len(rows):,})",
            note=note,
            facts=facts,
            numbers=numbers,
            data=path in (RULINGS, REQUIREMENTS),
            tables=[
                (heading, len(listed), [row for at, row in part if at == heading])
                for heading, listed in lists.items()
                if any(at == heading for at, _ in part) or not rows
            ],
            orders=orders,
            **page,
        )


def _size(row: tuple[str, Mapping[str, Any]]) -> int:
    """Characters of a row of a list: a text, or a cell with several answers."""
    links = [link for cause, who in row[1].get("causes", ()) for link in (cause, *who)]
    cells = [cell for cell in (row[1]["title"], *row[1]["facts"], *map(str, links)) if not isinstance(cell, int)]
    return sum(len(cell) if isinstance(cell, str) else _CELL * len(cell) for cell in cells) + _CELL * len(cells)
