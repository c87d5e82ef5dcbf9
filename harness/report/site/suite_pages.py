"""The page of each suite with an entry for every case, the lists of suites by system, and the list of sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ..run_summary import VerdictCounts
from ..suite_counts import section_of, system_of
from .answers import Size
from .case_pages import Entry, entry
from .contents import Site
from .layout import Draft, draft, paged, portions, row_count
from .site_paths import CASES, Linked, path_of, suite_path

_ROOM = 220_000
"""Characters of the entries on one page."""

_SIZE = Size(120, 600, 0, 0, one_line=320)

_ENTRY = 500
"""Characters of an entry beside its values and its note. Measured in November 2026."""

_LINE = 30
"""Characters beside the id and the anchor in the line of a case that no record has."""


class ShareRow(Struct, frozen=True):
    """A system, a section, a suite or an operation (`kind`: `system` or `section`), with the verdicts of each column on its
    cases."""

    name: str
    path: str
    kind: str
    count: int
    counts: Sequence[VerdictCounts]
    note: str = ""


def suite_pages(site: Site) -> Iterator[Draft]:
    """A page for each suite, a list of suites for each system, and the list of sections."""
    systems: dict[str, dict[str, list[str]]] = {}
    for suite in site.by_suite:
        systems.setdefault(system_of(suite), {}).setdefault(section_of(suite), []).append(suite)
        yield from _suite(site, suite)
    for system, sections in systems.items():
        suites_of = [
            [share_row(site, suite, suite_path(suite), site.by_suite[suite]) for suite in suites]
            for suites in sections.values()
        ]
        yield from share_pages(site, path_of("systems", system), system, "suite", suites_of, [Linked("Cases", CASES)])
    yield from share_pages(site, CASES, "Cases", "section", section_rows(site))


def section_rows(site: Site) -> list[list[ShareRow]]:
    """For each system a row, and a row for each of its sections."""
    systems: dict[str, dict[str, list[str]]] = {}
    for suite, names in site.by_suite.items():
        systems.setdefault(system_of(suite), {}).setdefault(section_of(suite), []).extend(names)
    tables = []
    for system, sections in systems.items():
        target = path_of("systems", system)
        every = [name for names in sections.values() for name in names]
        rows = [share_row(site, section, target, names) for section, names in sections.items()]
        tables.append([share_row(site, system, target, every, "system"), *rows])
    return tables


def _suite(site: Site, suite: str) -> Iterator[Draft]:
    """The page of a suite, with a line for each case that no record has, behind the others. If it is long, its cases have
    their entries on further pages, and lines with links here, so that their addresses stay."""
    cases = sorted((site.cases[name] for name in site.by_suite[suite]), key=lambda case: not case.results)
    parts = portions((entry(site, case, _SIZE) for case in cases), _ROOM, _size)
    pages = list(paged(suite_path(suite), parts))
    elsewhere = [
        (made.anchor, Linked(made.id, f"{page['path']}#{made.anchor}")) for part, page in pages[1:] for made in part
    ]
    for part, page in pages:
        full = [shown for shown in part if shown.results and not shown.path]
        evidence = dict.fromkeys(shown.evidence for shown in full if shown.evidence)
        yield draft(
            template="suite",
            title=suite,
            crumbs=[Linked("Cases", CASES), Linked(system_of(suite), path_of("systems", system_of(suite)))],
            labels=[column.label for column in site.columns],
            shares=site.counts(site.by_suite[suite]),
            suite=suite,
            entries=[made for made in part if made.results],
            not_run=[made for made in part if not made.results],
            cited=sorted({link.text: link for made in full for link in made.cited}.values(), key=lambda one: one.text),
            facts=[fact for fact in full[0].facts if all(fact in shown.facts for shown in full)] if full else [],
            evidence={command: at for at, command in enumerate(evidence, 1)},
            count=len(site.by_suite[suite]),
            elsewhere=elsewhere if part is parts[0] else [],
            **page,
        )


def _size(made: Entry) -> int:
    """Characters of an entry on a page."""
    if not made.results:
        return _LINE + len(made.anchor) + len(made.id)
    return _ENTRY + len(made.note) + sum(len(text) for text, _ in (*made.request, *made.expected))


def share_pages(
    site: Site, path: str, title: str, first: str, tables: Sequence[Sequence[ShareRow]], crumbs: Sequence[Linked] = ()
) -> Iterator[Draft]:
    """Tables of shares, on several pages if they are long. `first` is the heading of the first column."""
    size = row_count(site)
    parts = portions((rows for table in tables for rows in portions(table, size)), size, len)
    for part, page in paged(path, parts):
        labels = [column.label for column in site.columns]
        yield draft(template="shares", title=title, crumbs=crumbs, labels=labels, first=first, tables=part, **page)


def share_row(
    site: Site, name: str, path: str, names: Sequence[str], kind: str = "section", note: str = ""
) -> ShareRow:
    """A row with the verdicts on these cases."""
    return ShareRow(name, path, kind, len(names), site.counts(names), note)
