"""The review's decisions: each ruling with who follows which reading, why one was adopted, and a wording."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from harness.model import RecordedResult, RunRecord
from harness.report.document import (
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
from harness.report.review_spans import MAX_LINKS, Target, answer_spans, case_link, number_spans
from harness.report.ruling_adherence import SEVERITIES, ReadingAdherence, Ruled, rulings
from harness.report.summary import REFERENCE, not_started
from harness.report.text import plural

_READINGS = (
    "Where the text leaves two honest readings, contradicts itself or an engine, or says what users will hardly want. "
    "One reading is adopted so that cases can be judged: a normative sentence before a table, a table before "
    "pseudo-code, that before a worked example, prose last. A suggested wording states the adopted reading; what stands "
    "behind “Better:” would change it for the sake of users."
)
_NUMBERS = (
    "Numbers are cases. A disputed case has an answer for each reading that it tells apart: an answer is one of them, or "
    "follows none of the readings. Its reading is hidden by another difference if the answer parts first in a place that "
    "is the same in every reading, or in which the implementation fails elsewhere too: in a plain case that this decision "
    "does not cite, or against every reading of another decision. A plain case has one answer, because the text decides; "
    "which reading another answer follows is not claimed. So plain cases are never counted for a reading that is not "
    "adopted, and beside disputed cases those answered rightly are not counted at all."
)
_NO_VOTE = (
    " The reference is this project's own and follows what is adopted: its column counts the cases and is no vote."
)


_OTHERS: tuple[tuple[str, Callable[[ReadingAdherence], Sequence[RecordedResult]]], ...] = (
    ("none of the readings", lambda position: position.none),
    ("hidden by another difference", lambda position: position.hidden),
    ("another answer to a plain case", lambda position: position.plain),
    ("unsupported", lambda position: position.unsupported),
)
"""What an implementation made of cases by whose answers it follows no known reading."""


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
    full = [one for one in ruled if not one.agreed or severity != SEVERITIES[-1]]
    brief = [one for one in ruled if one not in full]
    if ruled:
        yield Heading(3, f"{severity.capitalize()} severity: {plural(len(ruled), 'decision')}")
    for one in full:
        yield from _decision(one, record, target)
    if brief:
        yield Heading(4, "Every SDK asked follows the adopted reading in all cases")
        yield Bullets([_briefly(one, target) for one in brief])


def _decision(ruled: Ruled, record: RunRecord, target: Target) -> Iterator[Block]:
    text = ruled.text
    yield Heading(4, f"{ruled.id} {text.title}", ruled.id)
    if text.question:
        yield Paragraph(prose(text.question))
    yield _positions(ruled, [name for name in record.implementations if name not in not_started(record)], target)
    basis = f" ({text.basis.replace('-', ' ')})" if text.basis else ""
    yield Paragraph([Strong(f"Why {text.adopted}"), f"{basis}: ", *prose(text.why)])
    if text.wording:
        yield Quote(["Suggested wording: ", *prose(text.wording)])
    departing = [one for position in ruled.positions.values() for one in position.failing[:1]]
    if departing:
        yield Bullets([_departure(one, target) for one in departing])
    yield Paragraph(["Evidence: ", *_links(ruled, target)])


def _positions(ruled: Ruled, names: Sequence[str], target: Target) -> Table:
    """A row a reading, a column an implementation."""
    adopted = ruled.text.adopted
    rows: list[Sequence[Spans]] = []
    for reading, said in ruled.text.readings.items():
        followers = [ruled.positions[name].readings.get(reading, ()) for name in names]
        counted = ruled.disputed or reading == adopted
        rows.append(
            [
                [Strong(f"{reading}, adopted") if reading == adopted else reading, ": ", *prose(said)],
                *(number_spans(one, target) if counted else ["not counted"] for one in followers),
            ]
        )
    for words, of in _OTHERS:
        if any(of(ruled.positions[name]) for name in names):
            rows.append([[words], *(number_spans(of(ruled.positions[name]), target) for name in names)])
    return Table([["reading"], *([Code(name)] for name in names)], rows, numbers=len(names))


def _briefly(ruled: Ruled, target: Target) -> Spans:
    text = ruled.text
    wording = [" Suggested wording: ", *prose(text.wording)] if text.wording else []
    adopted = prose(text.readings[text.adopted])
    return [Strong(f"{ruled.id} {text.title}", ruled.id), ": ", *adopted, *wording, " ", *_links(ruled, target)[:1]]


def _links(ruled: Ruled, target: Target) -> list[Span]:
    """The first cases of the evidence."""
    places = {one.case: one.at for one in ruled.results}
    links: list[Span] = [case_link(case, at, target) for case, at in list(places.items())[:MAX_LINKS]]
    spans = [span for link in links for span in (link, ", ")][:-1]
    if len(places) == len(links):
        return spans
    return [
        *spans,
        f" and {plural(len(places) - len(links), 'more case')} of ",
        Code(f"parity cases --select ruling:{ruled.id}"),
    ]


def _departure(result: RecordedResult, target: Target) -> Spans:
    """What an implementation answers where it follows no known reading."""
    return [Code(result.implementation), " in ", case_link(result.case, result.at, target), ": ", *answer_spans(result)]
