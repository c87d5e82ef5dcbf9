"""The review's decisions: each ruling with who follows which reading, why one was adopted, and a wording."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from harness.model import RecordedResult, RunRecord
from harness.reporting.describing import plural
from harness.reporting.document import (
    Block,
    Bullets,
    Code,
    Heading,
    Paragraph,
    Quote,
    Span,
    Spans,
    Strong,
    Table,
    prose,
)
from harness.reporting.positions import SEVERITIES, Position, Ruled, rulings
from harness.reporting.review_spans import MOST_LINKS, Target, answer_spans, case_link
from harness.reporting.summary import REFERENCE, not_started

_READINGS = (
    "Where the text leaves two honest readings, contradicts itself or an engine, or says what users will hardly want. "
    "One reading is adopted so that cases can be judged: a normative sentence before a table, a table before "
    "pseudo-code, that before a worked example, prose last. A suggested wording states the adopted reading; what stands "
    "behind “Better:” would change it for the sake of users."
)
_NUMBERS = (
    "Numbers are cases. An answer counts for the adopted reading where the readings that its case tells apart do not say "
    "otherwise. Where no case of a decision tells readings apart, an answer may depart from the adopted one, and which "
    "reading it follows is not claimed. Where an answer first parts in a place in which the implementation parts in "
    "undisputed cases too, its reading is hidden."
)
_NO_VOTE = (
    " The reference is this project's own and follows what is adopted: its column counts the cases and is no vote."
)


def decision_blocks(record: RunRecord, target: Target) -> Iterator[Block]:
    """The decisions that the record's cases touch, by severity, those first on which implementations part."""
    ruled = rulings(record)
    yield Heading(2, "Decisions")
    if not ruled:
        yield Paragraph(["No case of this run touches a ruling."])
        return
    yield Paragraph([_READINGS])
    yield Paragraph([_NUMBERS + (_NO_VOTE if REFERENCE in record.implementations else "")])
    for severity in SEVERITIES:
        yield from _of_severity(severity, [one for one in ruled if one.severity == severity], record, target)


def _of_severity(severity: str, ruled: Sequence[Ruled], record: RunRecord, target: Target) -> Iterator[Block]:
    full = [one for one in ruled if one.parted or severity != SEVERITIES[-1]]
    brief = [one for one in ruled if one not in full]
    if ruled:
        yield Heading(3, f"{severity.capitalize()} severity: {plural(len(ruled), 'decision')}")
    for one in full:
        yield from _decision(one, record, target)
    if brief:
        yield Heading(4, "Everybody asked follows the adopted reading")
        yield Bullets([_briefly(one, target) for one in brief])


def _decision(ruled: Ruled, record: RunRecord, target: Target) -> Iterator[Block]:
    text = ruled.text
    yield Heading(4, f"{ruled.id} {text['title']}")
    if "question" in text:
        yield Paragraph(prose(text["question"]))
    yield _positions(ruled, [name for name in record.implementations if name not in not_started(record)])
    basis = f" ({text['basis'].replace('-', ' ')})" if "basis" in text else ""
    yield Paragraph([Strong(f"Why {text['adopted']}"), f"{basis}: ", *prose(text["why"])])
    if "wording" in text:
        yield Quote(["Suggested wording: ", *prose(text["wording"])])
    departing = [one for position in ruled.positions.values() for one in position.otherwise[:1]]
    if departing:
        yield Bullets([_departure(one, target) for one in departing])
    yield Paragraph(["Evidence: ", *_links(ruled, target)])


def _positions(ruled: Ruled, names: Sequence[str]) -> Table:
    """A row a reading, a column an implementation."""
    adopted = ruled.text["adopted"]
    rows: list[Sequence[Spans]] = [
        [
            [Strong(f"{reading}, adopted") if reading == adopted else reading, ": ", *prose(said)],
            *_counts(ruled, names, lambda position, reading=reading: position.readings.get(reading, 0)),  # type: ignore[misc]
        ]
        for reading, said in ruled.text["readings"].items()
    ]
    others: tuple[tuple[str, Callable[[Position], int]], ...] = (
        (_departing(ruled), lambda position: len(position.otherwise)),
        ("hidden behind an undisputed difference", lambda position: position.hidden),
        ("could not be asked", lambda position: position.not_asked),
    )
    for words, count in others:
        if any(count(ruled.positions[name]) for name in names):
            rows.append([[words], *_counts(ruled, names, count)])
    return Table([["reading"], *([Code(name)] for name in names)], rows, numbers=len(names))


def _departing(ruled: Ruled) -> str:
    """What an answer outside of the readings is: without a disputed case, any that is not the expected one."""
    disputed = any(result.ruling == ruled.id for result in ruled.results)
    return "another answer" if disputed else "departs from the adopted reading"


def _counts(ruled: Ruled, names: Iterable[str], count: Callable[[Position], int]) -> list[Spans]:
    return [[str(count(ruled.positions[name]) or "·")] for name in names]


def _briefly(ruled: Ruled, target: Target) -> Spans:
    text = ruled.text
    wording = [" Suggested wording: ", *prose(text["wording"])] if "wording" in text else []
    adopted = prose(text["readings"][text["adopted"]])
    return [Strong(f"{ruled.id} {text['title']}"), ": ", *adopted, *wording, " ", *_links(ruled, target)[:1]]


def _links(ruled: Ruled, target: Target) -> list[Span]:
    """The first cases of the evidence, those first that somebody answers otherwise."""
    otherwise = [one for position in ruled.positions.values() for one in position.otherwise]
    places = {one.case: one.at for one in (*otherwise, *ruled.results)}
    links: list[Span] = [case_link(case, at, target) for case, at in list(places.items())[:MOST_LINKS]]
    spans = [span for link in links for span in (link, ", ")][:-1]
    return [*spans, f" and {plural(len(places) - len(links), 'more case')}"] if len(places) > len(links) else spans


def _departure(result: RecordedResult, target: Target) -> Spans:
    """What an implementation answers where it follows none of the readings."""
    return [Code(result.implementation), " in ", case_link(result.case, result.at, target), ": ", *answer_spans(result)]
