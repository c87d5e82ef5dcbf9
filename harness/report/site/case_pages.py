"""A case and its results → its full page, or its entry on the page of its suite; a fixture → its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...compare.canonical import equality_text
from ...compare.causes import is_refuted, refuted_parts, verdict_text
from ...model import EXPECTED, Case, Fixture, Json, RecordedResult, Ruling
from ..cause_text import explained_by_text
from ..documented import notes
from ..phrases import listing_text
from ..result_text import response_json
from ..ruling_adherence import followed_readings
from .answers import Runs, Size, answers_of, joined, shown
from .contents import Site, SiteCase
from .layout import Draft, draft
from .site_paths import (
    CASES,
    Linked,
    case_address,
    file_name,
    fixture_path,
    operation_path,
    requirement_path,
    ruling_path,
    suite_path,
)

SIZES = (Size(400, 4_000, 60, 800), Size(120, 600, 20, 300), Size(40, 160, 6, 120), Size(8, 60, 2, 60))
"""From the largest page of a case to the smallest."""


class Entry(Struct, frozen=True):
    """A case on the page of its suite. `results` has the columns by verdict, none if no record has the case; `path` is its
    full page, and only a case with results and without such a page has its request, its expected answer and the members
    after them here."""

    anchor: str
    id: str
    path: str
    results: Mapping[tuple[str, str], Sequence[str]]
    note: str
    in_corpus: bool
    request: Runs = ()
    expected: Runs = ()
    fixtures: Sequence[Linked] = ()
    facts: Sequence[tuple[str, str]] = ()
    evidence: str = ""
    cited: Sequence[Linked] = ()


def case_drafts(site: Site, case: SiteCase, sizes: Sequence[Size] = SIZES) -> Iterator[Draft]:
    """The full page of a case with less and less of its values."""
    results = {number: site.result(case, number) for number in sorted(case.results)}
    yield from (_draft(site, case, results, size) for size in sizes)


def _draft(site: Site, case: SiteCase, results: Mapping[int, RecordedResult], size: Size) -> Draft:
    head, newest = case.head, _newest(site, results)
    request, expected = _definition(case, newest)
    answers = answers_of(site, case, results, newest, size)
    others = [answer for answer in answers if not answer.is_expected]
    return draft(
        case.path,
        "case",
        title=case.id,
        crumbs=[Linked("Cases", CASES), Linked(case.suite, suite_path(case.suite))],
        name=case.name,
        address=case_address(case.name),
        operation=Linked(case.facts.operation, operation_path(case.facts.operation)),
        at=case.facts.at,
        facts=_facts(head) if head else [("tags", ", ".join(newest.tags))] if newest and newest.tags else (),
        note=case.note or (newest.note.strip() if newest else ""),
        evidence=head.evidence.strip() if head else "",
        in_corpus=_in_corpus(site, case),
        longest=size.text,
        explained_by_text=explained_by_text,
        refuted_parts=refuted_parts,
        listing_text=listing_text,
        notes=notes,
        changed=bool(
            case.has_forms and head and newest and equality_text(head.recorded_request) != equality_text(newest.request)
        ),
        request=shown(request, size),
        fixtures=[Linked(fixture.name, fixture_path(fixture.digest)) for fixture in _fixtures(site, request)],
        expected=shown(expected, size, joined(other.wanted for other in others)),
        same=[answer for answer in answers if answer.is_expected],
        answers=others,
        requirements=[statement(site, id_) for id_ in case.facts.requirements],
        rulings=_rulings(site, case, results),
        commands=[
            f"{command}{case.name}"
            for number, result in results.items()
            if result.verdict not in EXPECTED
            for command in site.columns[number].commands
        ],
    )


def entry(site: Site, case: SiteCase, size: Size) -> Entry:
    """The case on the page of its suite."""
    results: dict[tuple[str, str], list[str]] = {}
    for number, outcome in sorted(case.results.items()):
        results.setdefault((outcome.verdict.value, verdict_text(outcome)), []).append(site.columns[number].label)
    made = (file_name(case.id), case.id, case.path if case.has_page else "", results, case.note, _in_corpus(site, case))
    if case.has_page or not results:
        return Entry(*made)
    first = None if case.head else site.result(case, next(iter(case.results)))
    request, expected = _definition(case, first)
    rulings = dict.fromkeys(id_ for id_ in (case.facts.ruling, *case.facts.cited_by_rulings) if id_ in site.rulings)
    return Entry(
        *made,
        request=shown(request, size),
        expected=shown(expected, size),
        fixtures=[Linked(fixture.name, fixture_path(fixture.digest)) for fixture in _fixtures(site, request)],
        facts=_facts(case.head),
        evidence=case.head.evidence.strip() if case.head else "",
        cited=[
            *(statement(site, id_) for id_ in case.facts.requirements),
            *(Linked(id_, ruling_path(id_), site.rulings[id_].title) for id_ in rulings),
        ],
    )


def _in_corpus(site: Site, case: SiteCase) -> bool:
    return case.head is not None or not site.given.corpus_digest


def _definition(case: SiteCase, newest: RecordedResult | None) -> tuple[Json, Json]:
    """The request and the expected answer, of the newest result or else of the corpus."""
    if newest:
        return newest.request, response_json(newest.expected)
    return (case.head.recorded_request, response_json(case.head.expected)) if case.head else ({}, {})


def _newest(site: Site, results: Mapping[int, RecordedResult]) -> RecordedResult | None:
    return max(results.items(), key=lambda one: site.columns[one[0]].record.metadata.started_at, default=(0, None))[1]


def _facts(head: Case | None) -> Sequence[tuple[str, str]]:
    """What the corpus has of a case beside its values."""
    if head is None:
        return ()
    found = {
        "origin": head.origin,
        "revision": head.revision,
        "tags": ", ".join(head.tags),
        "environment": ", ".join(f"{key}={value}" for key, value in head.environment),
        "kind": "a negative case" if head.negative else "",
    }
    return [(key, value) for key, value in found.items() if value]


def _fixtures(site: Site, value: Json) -> list[Fixture]:
    """The fixtures that a request refers to, each once."""
    found: dict[str, Fixture] = {}
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            digest = one.get("digest")
            if "$fixture" in one and isinstance(digest, str) and digest in site.fixtures:
                found[digest] = site.fixtures[digest]
            pending.extend(one.values())
        elif isinstance(one, list):
            pending.extend(one)
    return list(found.values())


def statement(site: Site, id_: str) -> Linked:
    """A requirement with its level, its statement and the words of the text, as far as they are known."""
    if found := site.requirements.get(id_):
        return Linked(id_, requirement_path(id_), f"{found.level}: {found.statement.strip()}{site.quoted(id_)}")
    return Linked(id_)


def _rulings(site: Site, case: SiteCase, results: Mapping[int, RecordedResult]) -> list[dict[str, Any]]:
    """The ruling that the case is disputed under, then the rulings that cite it, then those of other readings that answers
    follow, each with who follows which reading."""
    found = []
    of_case = (case.facts.ruling, *case.facts.cited_by_rulings)
    followed = {number: dict(followed_readings(result)) for number, result in results.items()}
    for id_ in dict.fromkeys((*of_case, *(id_ for following in followed.values() for id_ in following))):
        ruling = site.rulings.get(id_)
        if not ruling:
            continue
        disputed = id_ == case.facts.ruling
        names = {number: following.get(id_) for number, following in followed.items()}
        readings = [
            reading_text(
                ruling, name, [site.columns[number].label for number, reading in names.items() if reading == name]
            )
            for name in ruling.readings
            if disputed or name == ruling.adopted or name in names.values()
        ]
        kind = "disputed" if disputed else "cited" if id_ in of_case else "followed"
        found.append({"link": Linked(id_, ruling_path(id_), ruling.title), "kind": kind, "readings": readings})
    return found


def reading_text(ruling: Ruling, name: str, who: Sequence[str] = ()) -> dict[str, Any]:
    """A reading with its words, its state, and who follows it."""
    return {
        "name": name,
        "text": ruling.readings[name].strip(),
        "state": reading_state(ruling, name),
        "refuted": is_refuted_by(ruling, name),
        "who": ", ".join(who),
    }


def is_refuted_by(ruling: Ruling, reading: str) -> bool:
    """Whether the text refutes a reading of the ruling."""
    return reading != ruling.adopted and is_refuted((ruling.id, reading), {ruling.id: ruling})


def reading_state(ruling: Ruling, reading: str) -> str:
    """`adopted`, `refuted by the text`, or `open`."""
    if reading == ruling.adopted:
        return "adopted"
    return "refuted by the text" if is_refuted_by(ruling, reading) else "open"


def fixture_drafts(fixture: Fixture) -> Iterator[Draft]:
    """The page of a value that requests refer to, with less and less of it."""
    for size in SIZES:
        yield draft(
            fixture_path(fixture.digest),
            "fixture",
            title=f"Fixture {fixture.name}",
            crumbs=[Linked("Cases", CASES)],
            digest=fixture.digest,
            value=shown(fixture.value, Size(10 * size.lines, size.text, 0, 0)),
        )
