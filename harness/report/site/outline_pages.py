"""The outline of the specification: documents, sections and requirements in the order of the text, with their rulings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from ...corpus.specification_text import Quotation
from ...model import Requirement, Topic
from ..phrases import wording_texts
from ..quotation_text import gone_text
from .contents import Site
from .layout import Draft, draft, paged, portions
from .requirement_pages import charged_by_requirement
from .ruling_summaries import RulingSummary
from .site_paths import OUTLINE, Linked, path_of, ruling_path

_ROOM = 150_000
"""Characters of the entries on one page."""

_ENTRY = 400
"""Characters of an entry or of a ruling beside its texts. Measured in November 2026."""


_NO_NAME = "no name"
"""The heading of a document or a section without a name."""


class OutlineEntry(Struct, frozen=True):
    """A requirement with its words in the text, if there is one, the failures of each SDK that are charged to it, and the
    rulings about it. A ruling about several requirements stands at the first one, all rulings of a topic at the first one of
    the topic, and they are `elsewhere` for the others."""

    requirement: Requirement
    quotation: Quotation | None
    charged: Sequence[int]
    rulings: Sequence[RulingSummary]
    elsewhere: Sequence[Linked]

    @property
    def by_topic(self) -> Iterator[tuple[Topic | None, Sequence[RulingSummary]]]:
        """The rulings that stand here, those of one topic together."""
        yield from ((group[0].ruling.topic, group) for group in _by_topic(self.rulings).values())

    @property
    def size(self) -> int:
        """Characters on a page."""
        words = [passage.words for passage in self.quotation.passages] if self.quotation else []
        wordings = [text for ruling in self.rulings for _, text in wording_texts(ruling.ruling)]
        topics = [topic.wording for topic, _ in self.by_topic if topic]
        texts = [self.requirement.statement, *words, *wordings, *topics]
        return _ENTRY * (1 + len(self.rulings)) + sum(map(len, texts))


class OutlineSection(Struct, frozen=True):
    """A section with its entries, or with those that one page has."""

    title: str
    entries: Sequence[OutlineEntry]

    def charged(self, sdks: int) -> Sequence[int]:
        """The charges of each SDK."""
        return [sum(entry.charged[sdk] for entry in self.entries) for sdk in range(sdks)]

    @property
    def departing(self) -> int:
        """The answers that depart from the adopted readings of the rulings that stand here."""
        return sum(ruling.departing for entry in self.entries for ruling in entry.rulings)


def outline_pages(site: Site, summaries: Sequence[RulingSummary]) -> Iterator[Draft]:
    """The list of all sections, and pages with the requirements of each document."""
    entries = _entries(site, summaries)
    tables = []
    crumbs = [Linked("Outline", OUTLINE)]
    for (system, document), listed in entries.items():
        path = path_of("outline", f"{system}/{document}" if system else document)
        title = f"{system}: {document}" if system else document or _NO_NAME
        rows = []
        for part, page in paged(path, portions(listed, _ROOM, lambda entry: entry.size)):
            sections = _sections(part)
            rows += [(section, f"{page['path']}#_s{number}") for number, section in enumerate(sections, 1)]
            yield draft(
                template="outline",
                title=title,
                crumbs=crumbs,
                sections=sections,
                sdks=site.newest_names,
                wording_texts=wording_texts,
                gone_text=gone_text,
                **page,
            )
        tables.append((title, rows))
    yield draft(OUTLINE, "outlines", title="Outline of the specification", tables=tables, sdks=site.newest_names)


def _entries(site: Site, summaries: Sequence[RulingSummary]) -> Mapping[tuple[str, str], list[OutlineEntry]]:
    """The entries of each system and document, in the order of the corpus, which is that of the text."""
    charged = charged_by_requirement(site)
    homes: dict[str, list[RulingSummary]] = {}
    others: dict[str, list[Linked]] = {}
    for group in _by_topic(summaries).values():
        cited = {id_ for summary in group for id_ in summary.ruling.requirements}
        own = [id_ for id_ in group[0].ruling.requirements if id_ in site.requirements]
        home = next((id_ for id_ in site.requirements if id_ in cited) if len(group) > 1 else iter(own), "")
        homes.setdefault(home, []).extend(group)
        for summary in group:
            for id_ in {*summary.ruling.requirements} - {home}:
                others.setdefault(id_, []).append(Linked(summary.ruling.id, ruling_path(summary.ruling.id)))
    found: dict[tuple[str, str], list[OutlineEntry]] = {}
    for id_, requirement in site.requirements.items():
        counts = charged.get(id_, Counter())
        entry = OutlineEntry(
            requirement,
            site.quotation(requirement),
            [counts[number] for number in site.newest],
            homes.get(id_, ()),
            others.get(id_, ()),
        )
        system = requirement.system if requirement.at else ""
        found.setdefault((system, requirement.document), []).append(entry)
    return found


def _by_topic(summaries: Iterable[RulingSummary]) -> Mapping[tuple[str, str], list[RulingSummary]]:
    """The rulings by system and topic; a ruling without a topic alone."""
    found: dict[tuple[str, str], list[RulingSummary]] = {}
    for summary in summaries:
        ruling = summary.ruling
        found.setdefault((ruling.system, ruling.topic.id if ruling.topic else ruling.id), []).append(summary)
    return found


def _sections(entries: Sequence[OutlineEntry]) -> list[OutlineSection]:
    return [
        OutlineSection(title or _NO_NAME, [*part])
        for title, part in groupby(entries, lambda entry: entry.requirement.section)
    ]
