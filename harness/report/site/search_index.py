"""The index of the search page, as scripts that a page can load from disk."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...compare.canonical import compact
from ...errors import one_line
from .contents import OperationText, Site
from .layout import MAX_PAGE, Page, page
from .names import SEARCH, operation_path, requirement_path, ruling_path

_TEXT = 240
_REQUEST = 160
_ROOM = MAX_PAGE - 20_000

_Entry = tuple[str, str, str, str]
"""Kind, title, path, text."""


def search_pages(site: Site) -> Iterator[Page]:
    """The parts of the index, and the page that loads them."""
    parts = list(_parts(site))
    paths = [f"search-{number}.js" for number in range(1, len(parts) + 1)]
    for path, text in zip(paths, parts, strict=True):
        yield Page(path, text)
    yield page(SEARCH, "search", title="Search", parts=paths)


def _parts(site: Site) -> Iterator[str]:
    """Scripts below the limit of a page; each adds its entries to the index."""
    lines: list[str] = []
    size = 0
    for entry in _entries(site):
        line = json.dumps(entry, ensure_ascii=True, separators=(",", ":"))
        if lines and size + len(line) > _ROOM:
            yield _script(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line) + 2
    yield _script(lines)


def _script(lines: list[str]) -> str:
    return "parityIndex.push(\n" + ",\n".join(lines) + "\n);\n"


def _entries(site: Site) -> Iterator[_Entry]:
    for column in site.columns:
        text = one_line(column.entry.description, _TEXT)
        yield "implementation", one_line(f"{column.family} {column.version}", _TEXT), f"{column.folder}.html", text
    for name in sorted({*site.by_operation, *site.given.operations}):
        operation = site.given.operations.get(name, OperationText())
        words = one_line(f"{operation.title} {operation.description}".strip(), _TEXT)
        yield "operation", one_line(name, _TEXT), operation_path(name), words
    for ruling in site.rulings.values():
        words = one_line(f"{ruling.title} {ruling.question}", 2 * _TEXT)
        yield "ruling", one_line(ruling.id, _TEXT), ruling_path(ruling.id), words
    for requirement in site.requirements.values():
        words = one_line(f"{requirement.statement} ({requirement.document}, {requirement.section})", 2 * _TEXT)
        yield "requirement", one_line(requirement.id, _TEXT), requirement_path(requirement.id), words
    for case in site.cases.values():
        request = one_line(compact(case.head.request), _REQUEST) if case.head else ""
        yield "case", one_line(case.name, _TEXT), case.path, f"{one_line(case.note, _TEXT)} {request}".strip()
