"""A site of made records, in memory or in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from made_records import everything, with_metadata

from harness.model import Answered, Case, CaseBody, RunRecord, replace
from harness.report.site.contents import OperationText, SiteInput
from harness.report.site.pages import site_pages


def site(*records: RunRecord, **more: Any) -> dict[str, str]:
    """The files of a site by path. Two files never have one path."""
    pages = list(site_pages(SiteInput(records=records, **more)))
    found = {page.path: page.text for page in pages}
    assert len(found) == len(pages)
    return found


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """The files in the folder; the path of the front page."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder / "index.html"


def older(record: RunRecord, name: str, version: str, started_at: str = "2026-01-01T00:00:00Z") -> RunRecord:
    """The same record of an earlier day, with another version of one implementation."""
    entries = [
        replace(one, identity=replace(one.identity, version=version)) if one.name == name and one.identity else one
        for one in record.metadata.implementations
    ]
    return with_metadata(record, implementations=tuple(entries), started_at=started_at)


def case(name: str, **more: Any) -> Case:
    """A case of a corpus."""
    suite = name.rpartition("/")[0]
    values: dict[str, Any] = {
        "at": f"cases/{suite}.yaml:7",
        "operation": "song.sing",
        "requirements": ("SONG-01",),
        "origin": "oracle:organ",
        "revision": "1.0",
    }
    body = CaseBody(
        recorded_request={"song": "do re mi"},
        expected=Answered({"tune": "fa"}),
        note="The first of all.",
        evidence="organ --play",
    )
    return Case(name=name, body=body, **{**values, **more})


@cache
def full() -> dict[str, str]:
    """A site with a corpus, a record of everything, and an older version of `bass`."""
    made = everything()
    cases = [case("choir/verse/first"), case("choir/verse/unheard", tags=("trap:rust",))]
    operations = {"song.sing": OperationText("Sing a song", "The text, `Singing`.", "request\n  song: text")}
    return site(older(made, "bass", "0.9"), made, cases=cases, operations=operations, corpus_digest="d")


class Links(HTMLParser):
    """The targets and the ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:  # noqa: ARG002
        for name, value in attrs:
            if name in ("href", "src", "data-search") and value:
                self.targets.append(value)
            if name == "id" and value:
                self.ids.append(value)


def target(page: str, link: str) -> str:
    """The path that a link of a page leads to."""
    return normpath(join(dirname(page), link.partition("#")[0].partition("?")[0])) if link[0] != "#" else page
