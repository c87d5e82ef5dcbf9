"""The pages of operations and rulings, and the lists of requirements and rulings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...base.text_limits import MAX_SIDE, MAX_STATEMENT
from ...compare.alternatives import DECIDES
from ...compare.causes import cause_name
from ...corpus.catalogue import SEVERITIES
from ...errors import one_line
from ...model import Ruling, where
from ..documented import documented_text
from ..pages.ruling_page import NO_EXACT_FOLLOWER, TEXT, apart_texts
from ..phrases import floor_text, wording_texts
from ..ruling_adherence import Followers, by_ruling, followers
from ..suite_counts import system_of
from .case_pages import is_refuted_by, reading_text
from .contents import OperationText, Site
from .layout import Draft, case_pages, draft, paged, portions
from .site_paths import OPERATIONS, RULINGS, Linked, operation_path, requirement_path, ruling_path
from .suite_pages import ShareRow, share_pages, share_row

_MAX_CASES = 8
"""Cases that a ruling's page names for each reading and implementation."""

_ORDER = (
    "Each list begins with the rulings on which SDKs differ from each other. Then come those in which they depart from the "
    "adopted reading together, then the others; each part by severity. The newest version of each SDK counts."
)

_OPEN = "Open: the specification allows several readings"
_DECIDED = "Decided: the specification allows one reading"

_ON_A_PAGE = 300
"""Requirements or rulings in a list on one page."""


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


class RulingSummary(Struct, frozen=True):
    """A ruling with the columns that follow each reading. `followed` has the SDKs by the reading that their newest version
    follows, each with its number of cases: `ts 12`. `deviating` has the same for failures that a deviation explains."""

    ruling: Ruling
    positions: Mapping[int, Followers]
    followed: Mapping[str, Sequence[str]]
    deviating: Sequence[str] = ()

    @property
    def is_open(self) -> bool:
        """Whether the text allows several readings, or nobody has classified it."""
        return self.ruling.text != DECIDES

    @property
    def is_split(self) -> bool:
        """Whether the newest versions follow different readings."""
        return len(self.followed) > 1

    @property
    def others(self) -> Mapping[str, Sequence[str]]:
        """The readings that are not adopted."""
        return {name: who for name, who in self.followed.items() if name != self.ruling.adopted}

    @property
    def text(self) -> str:
        """`b (refuted by the text): ts 12, go 3; c: python 5`."""
        states = {name: " (refuted by the text)" if is_refuted_by(self.ruling, name) else "" for name in self.others}
        return "; ".join(f"{name}{states[name]}: {', '.join(who)}" for name, who in self.others.items())


def ruling_summaries(site: Site) -> list[RulingSummary]:
    """The open rulings, then the decided ones; each part with those on which SDKs differ first, then by severity."""
    found = []
    indexed = [by_ruling(where(column.record.results, names={column.name})) for column in site.columns]
    for id_, ruling in site.rulings.items():
        positions = {
            number: followers(id_, ruling, indexed[number].get(id_, ()), column.record)
            for number, column in enumerate(site.columns)
        }
        readings: dict[str, list[str]] = {}
        for number in site.newest:
            for reading, followed in positions[number].readings.items():
                readings.setdefault(reading, []).append(f"{site.columns[number].family} {followed.cases:,}")
        deviating = [
            f"{site.columns[number].family} {len(positions[number].deviating):,}"
            for number in site.newest
            if positions[number].deviating
        ]
        found.append(RulingSummary(ruling, positions, dict(sorted(readings.items())), deviating))
    severities = {name: number for number, name in enumerate(SEVERITIES)}
    return sorted(
        found,
        key=lambda one: (
            not one.is_open,
            not one.is_split,
            not (one.others or one.deviating),
            severities.get(one.ruling.severity, 9),
        ),
    )


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
                "facts": [ruling.severity, ruling.adopted, summary.text, ", ".join(summary.deviating)],
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
            link=site.link,
            max_cases=_MAX_CASES,
            no_exact_follower=NO_EXACT_FOLLOWER,
            apart_texts=apart_texts,
            wording_texts=wording_texts,
            cause_of=lambda result: cause_name(result, site.rulings),
            requirements=[_statement(site, id_) for id_ in ruling.requirements],
        )
    facts = ["severity", "adopted", "other readings, with the cases of each SDK", "failures explained by another cause"]
    yield from catalogue(RULINGS, "Rulings", facts, lists, _ORDER)


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
) -> Iterator[Draft]:
    """Lists of requirements or rulings by their headings, on several pages if they are long. `orders` are the pages with
    the same entries in another order."""
    rows = [(heading, row) for heading, rows in lists.items() for row in rows]
    for part, page in paged(path, portions(rows, _ON_A_PAGE)):
        yield draft(
            template="catalogue",
            title=f"{title} ({len(rows):,})",
            note=note,
            facts=facts,
            tables=[
                (heading, len(listed), [row for at, row in part if at == heading])
                for heading, listed in lists.items()
                if any(at == heading for at, _ in part) or not rows
            ],
            orders=orders,
            **page,
        )
