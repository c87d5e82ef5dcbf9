"""The index of the search page, as scripts that a page can load from disk."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...base.text_limits import MAX_STATEMENT, MAX_TEXT, MAX_VALUE, MAX_WORD
from ...errors import one_line
from ...model import Json, Ruling
from ..phrases import wording_texts
from .case_pages import reading_state
from .contents import OperationText, Site, SiteCase
from .implementation_pages import cause_path
from .layout import MAX_PAGE, Page, draft, drawn, portions
from .site_paths import SEARCH, file_name, operation_path, requirement_path, ruling_path, suite_path

_ROOM = MAX_PAGE - 20_000

_CASES = 100
"""Cases in one entry."""

_Entry = tuple[str, str, str, str | list[tuple[str, ...]]] | tuple[str, str, str, str, str]
"""Kind, title, path, text, and perhaps more words that find it. For the cases of a suite the text is a list: of each the id,
the text, and the anchor if it is another one."""


def search_pages(site: Site) -> Iterator[Page]:
    """The parts of the index, and the page that loads them."""
    lines = (json.dumps(entry, ensure_ascii=True, separators=(",", ":")) for entry in _entries(site))
    parts = portions(lines, _ROOM, lambda line: len(line) + 2)
    paths = [f"search-{number}.js" for number in range(1, len(parts) + 1)]
    for path, entries in zip(paths, parts, strict=True):
        yield Page(path, "parityIndex.push(\n" + ",\n".join(entries) + "\n);\n")
    yield drawn(draft(SEARCH, "search", title="Search"), ["search.js", *paths])


def _entries(site: Site) -> Iterator[_Entry]:
    for column in site.columns:
        text = one_line(column.entry.description, MAX_VALUE)
        yield "implementation", one_line(f"{column.family} {column.version}", MAX_VALUE), column.path, text
    for name in sorted({*site.by_operation, *site.given.operations}):
        operation = site.given.operations.get(name, OperationText())
        words = one_line(f"{operation.title} {operation.description}".strip(), MAX_VALUE)
        yield "operation", one_line(name, MAX_VALUE), operation_path(name), words
    for ruling in site.rulings.values():
        words = one_line(f"{ruling.title} {ruling.question}", MAX_STATEMENT)
        yield "ruling", one_line(ruling.id, MAX_VALUE), ruling_path(ruling.id), words, _found_by(ruling)
    yield from _causes(site)
    for requirement in site.requirements.values():
        words = one_line(f"{requirement.statement} ({requirement.document}, {requirement.section})", MAX_STATEMENT)
        yield "requirement", one_line(requirement.id, MAX_VALUE), requirement_path(requirement.id), words
    for suite, names in site.by_suite.items():
        for start in range(0, len(names), _CASES):
            found = [_case(site.cases[name]) for name in names[start : start + _CASES]]
            yield "case", one_line(suite, MAX_VALUE), suite_path(suite), found


def _found_by(ruling: Ruling) -> str:
    """The readings with their states, and the wordings."""
    readings = (f"{reading_state(ruling, name)}: {text}" for name, text in ruling.readings.items())
    return one_line(" ".join((*readings, *(text for _, text in wording_texts(ruling)))), MAX_TEXT)


def _causes(site: Site) -> Iterator[_Entry]:
    """Every cause of failures, with the cases of the newest version that has it."""
    found: dict[str, _Entry] = {}
    for column in (site.columns[number] for number in site.newest):
        for cause in described.causes if (described := site.description(column)) else ():
            refuted = "refuted reading " if cause.is_reading else ""
            text = one_line(f"{refuted}{cause.reason}", MAX_STATEMENT)
            found.setdefault(
                cause.name, ("cause", one_line(cause.name, MAX_VALUE), cause_path(site, column, cause.name), text)
            )
    yield from found.values()


def _case(case: SiteCase) -> tuple[str, ...]:
    id_, anchor = one_line(case.id, MAX_VALUE), file_name(case.id)
    request = one_line(" ".join(_words(case.head.request)), MAX_WORD) if case.head else ""
    text = f"{one_line(case.note, MAX_VALUE)} {request}".strip()
    return (id_, text) if id_ == anchor else (id_, text, anchor)


def _words(value: Json) -> Iterator[str]:
    """The texts and numbers of a value."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _words(item)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)
