"""Run records and a corpus → every file of the site, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .agreement_pages import agreement_pages, site_agreement
from .case_pages import case_page, fixture_page
from .catalogue_pages import operation_pages, ruling_pages, ruling_summaries, suite_pages
from .contents import Site, SiteInput
from .front_page import front_page
from .implementation_pages import implementation_pages
from .layout import Page
from .requirement_pages import requirement_pages
from .search_index import search_pages

_FOLDER = Path(__file__).parent


def site_pages(given: SiteInput) -> Iterator[Page]:
    """Every file of the site; no two have the same path."""
    site = Site(given)
    rulings = ruling_summaries(site)
    agreement = site_agreement(site)
    style = (_FOLDER.parent / "page" / "style.css").read_text("utf-8")
    yield Page("style.css", style + (_FOLDER / "site.css").read_text("utf-8"))
    for script in ("site.js", "search.js"):
        yield Page(script, (_FOLDER / script).read_text("utf-8"))
    yield front_page(site, rulings, agreement)
    yield from agreement_pages(site, agreement)
    yield from implementation_pages(site)
    yield from operation_pages(site)
    yield from requirement_pages(site)
    yield from ruling_pages(site, rulings)
    yield from suite_pages(site)
    yield from search_pages(site)
    for fixture in site.fixtures.values():
        yield fixture_page(fixture)
    for case in site.cases.values():
        yield case_page(site, case)
