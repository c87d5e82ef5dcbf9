"""Run records and a corpus → every file of the site, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from .agreement_pages import agreement_pages, parity_data, site_agreement
from .case_pages import case_drafts, fixture_drafts
from .catalogue_pages import operation_pages, ruling_pages, ruling_rows
from .contents import Site, SiteInput
from .data_files import data_pages
from .front_page import front_page
from .implementation_pages import implementation_pages
from .layout import Page, drawn, fitting
from .outline_pages import outline_pages
from .requirement_pages import requirement_pages, requirement_rows
from .ruling_summaries import ruling_summaries
from .search_index import search_pages
from .site_paths import AGREEMENT, REQUIREMENTS, RULINGS
from .suite_pages import suite_pages

_FOLDER = Path(__file__).parent


def site_pages(given: SiteInput) -> Iterator[Page]:
    """Every file of the site; no two have the same path."""
    site = Site(given)
    rulings = ruling_summaries(site)
    agreement = site_agreement(site)
    for name in ("style.css", "site.js", "search.js"):
        yield Page(name, (_FOLDER / name).read_text("utf-8"))
    yield from map(
        drawn,
        chain(
            [front_page(site, rulings, agreement)],
            agreement_pages(site, agreement),
            implementation_pages(site),
            operation_pages(site),
            outline_pages(site, rulings),
            requirement_pages(site),
            ruling_pages(site, rulings),
            suite_pages(site),
        ),
    )
    yield from data_pages(RULINGS, ruling_rows(site, rulings))
    yield from data_pages(REQUIREMENTS, requirement_rows(site))
    yield from data_pages(AGREEMENT, parity_data(site, agreement))
    yield from search_pages(site)
    for fixture in site.fixtures.values():
        yield fitting(fixture_drafts(fixture))
    for case in site.cases.values():
        if case.has_page:
            yield fitting(case_drafts(site, case))
