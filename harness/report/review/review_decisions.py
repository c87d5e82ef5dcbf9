"""The review's decisions: each ruling with the followers of each reading, the reason for the adopted one, and a wording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ...compare.causes import causes_of
from ...errors import plural
from ...model import REFERENCE, RecordedResult, Ruling, RunRecord
from ..cause_text import explained_by_text
from ..document import Block, Code, Heading, Item, Paragraph, Quote, Span, Spans, Strong, Table, prose
from ..documented import documented_text
from ..failure_spans import failure_spans
from ..phrases import and_more, wording_texts
from ..ruling_adherence import SEVERITIES, ReadingAdherence, RulingAdherence, rulings
from ..run_summary import not_started
from .review_descriptions import MAX_LINKS, Target, case_link, number_spans

_READINGS = (
    "A decision is needed where the text has two defensible readings, contradicts itself or an engine, or requires "
    "something that users hardly want. One reading is adopted, so that each case has one expected answer. A normative "
    "sentence ranks before a table, a table before pseudo-code, pseudo-code before a worked example, and prose last. A "
    "suggested wording states the adopted reading. A suggested change departs from it for the benefit of users."
)
_NUMBERS = (
    "Numbers count cases. An implementation follows a reading in a case where the readings predict different answers and "
    "its answer is the one of this reading. A disputed case lists the answers of the readings that it separates; in any "
    "other case, the reference predicts them. If the text leaves the reading open, the answer is a variant. An answer that "
    "follows a reading and fails is “failing”: the text refutes the reading, or a deviation or another reading explains the "
    "answer together with it. Any other failing answer to a disputed case follows none of the readings, or a deviation or a "
    "reading of another decision explains it, or another difference hides its reading. It does so if the answer first "
    "differs at a place that is the same in every reading, or if the implementation fails at the same place elsewhere: in a "
    "plain case that this decision does not cite, or against every reading of another decision. A deviation can be the "
    "behaviour of a reading in part: the row “explained by another cause” names the causes. The report does not claim which "
    "reading another answer to a plain case follows. A pass separates no readings where another reading predicts the same "
    "answer, or where the reference predicts none."
)
_NO_VOTE = (
    " The reference belongs to this project and follows the adopted readings: its column counts cases and is no vote."
)


def _by_cause(results: Sequence[RecordedResult], *, explained: bool) -> Sequence[RecordedResult]:
    """The failures that a deviation or a reading of another ruling explains, or those that nothing explains."""
    return [result for result in results if bool(result.explained_by) is explained]


_BY_CAUSE = "explained by another cause"

_OTHERS: tuple[tuple[str, Callable[[ReadingAdherence], Sequence[RecordedResult]]], ...] = (
    ("none of the readings", lambda position: position.none),
    (_BY_CAUSE, lambda position: _by_cause([*position.hidden, *position.plain], explained=True)),
    ("hidden by another difference", lambda position: _by_cause(position.hidden, explained=False)),
    ("another answer to a plain case", lambda position: _by_cause(position.plain, explained=False)),
    ("a pass that separates no readings", lambda position: position.followers.alike),
    ("another reading from run to run", lambda position: position.followers.varying),
    ("unsupported", lambda position: position.followers.unsupported),
)
"""Cases without a known reading, by the reason."""


def decision_blocks(record: RunRecord, target: Target) -> Iterator[Block]:
    """The decisions on the record's cases by severity; those on which implementations differ come first."""
    ruled = rulings(record)
    yield Heading(2, "Decisions")
    if not ruled:
        yield Paragraph(["No case of this run has a ruling."])
        return
    yield Paragraph([_READINGS])
    yield Paragraph([_NUMBERS + (_NO_VOTE if REFERENCE in record.implementations else "")])
    for severity in SEVERITIES:
        yield from _of_severity(
            severity, [decision for decision in ruled if decision.severity == severity], record, target
        )


def _of_severity(severity: str, ruled: Sequence[RulingAdherence], record: RunRecord, target: Target) -> Iterator[Block]:
    full = [decision for decision in ruled if not decision.agreed or severity != SEVERITIES[-1]]
    brief = [decision for decision in ruled if decision not in full]
    if ruled:
        yield Heading(3, f"{severity.capitalize()} severity: {plural(len(ruled), 'decision')}")
    for ruling in full:
        yield from _decision(ruling, record, target)
    if brief:
        yield Heading(4, "Every SDK in this run gives the expected answer in all cases")
        yield from (Item(_briefly(decision, target)) for decision in brief)


def _decision(ruled: RulingAdherence, record: RunRecord, target: Target) -> Iterator[Block]:
    text = ruled.text
    yield Heading(4, f"{ruled.id} {text.title}", ruled.id)
    if text.question:
        yield Paragraph(prose(text.question))
    names = [name for name in record.implementations if name not in not_started(record)]
    yield _positions(ruled, names, record.metadata.rulings, target)
    basis = f" ({text.basis.replace('-', ' ')})" if text.basis else ""
    yield Paragraph([Strong(f"Why {text.adopted}"), f"{basis}: ", *prose(text.why)])
    if text.documented:
        yield Paragraph([Strong("Another document"), ": ", *prose(documented_text(text.documented)), "."])
    yield from (Quote([f"{title}: ", *prose(wording)]) for title, wording in wording_texts(text))
    departing = [result for position in ruled.positions.values() for result in position.failing[:1]]
    yield from (Item(_departure(result, record, target)) for result in departing)
    yield Paragraph(["Evidence: ", *_links(ruled, target)])


def _positions(ruled: RulingAdherence, names: Sequence[str], known: Mapping[str, Ruling], target: Target) -> Table:
    """A table with a row for each reading and a column for each implementation."""
    adopted = ruled.text.adopted
    rows: list[Sequence[Spans]] = []
    for reading, statement in ruled.text.readings.items():
        rows.append(
            [
                [Strong(f"{reading}, adopted") if reading == adopted else reading, ": ", *prose(statement)],
                *(_followers(ruled.positions[name], reading, target) for name in names),
            ]
        )
    for label, of in _OTHERS:
        if any(of(ruled.positions[name]) for name in names):
            cells = [number_spans(of(ruled.positions[name]), target) for name in names]
            if label == _BY_CAUSE:
                cells = [
                    [*cell, *_causes(of(ruled.positions[name]), known)] for cell, name in zip(cells, names, strict=True)
                ]
            rows.append([label, *cells])
    return Table(["reading", *([Code(name)] for name in names)], rows, numbers=len(names))


def _followers(position: ReadingAdherence, reading: str, target: Target) -> Spans:
    """`3`, `5, 2 of them failing`, `2 failing`: the cases that follow a reading."""
    found = position.followers.readings.get(reading)
    if found is None or not found.failing:
        return number_spans(found.results if found else (), target)
    failing = number_spans(found.failing, target)
    if not found.results:
        return [*failing, " failing"]
    return [*number_spans([*found.results, *found.failing], target), ", ", *failing, " of them failing"]


def _causes(results: Sequence[RecordedResult], known: Mapping[str, Ruling]) -> Spans:
    """`: deaf, RUL-B03=b`: the causes of these failures, the most frequent first; empty without results."""
    counts = Counter(name for result in results for name in causes_of(result.explained_by, known))
    spans: list[Span] = [span for name, _ in counts.most_common(MAX_LINKS) for span in (", ", Code(name))]
    return [": ", *spans[1:], f" {and_more(len(counts) - MAX_LINKS)}".rstrip()] if spans else []


def _briefly(ruled: RulingAdherence, target: Target) -> Spans:
    text = ruled.text
    wording = [span for title, found in wording_texts(text) for span in (f" {title}: ", *prose(found))]
    adopted = prose(text.readings[text.adopted])
    return [Strong(f"{ruled.id} {text.title}", ruled.id), ": ", *adopted, *wording, " ", *_links(ruled, target)[:1]]


def _links(ruled: RulingAdherence, target: Target) -> list[Span]:
    """The first cases of the evidence, and the command that lists the others."""
    places = {result.case: result.at for result in ruled.results}
    links: list[Span] = [case_link(case, at, target) for case, at in list(places.items())[:MAX_LINKS]]
    spans = [span for link in links for span in (link, ", ")][:-1]
    if len(places) == len(links):
        return spans
    return [
        *spans,
        f" {and_more(len(places) - len(links), 'case')} of ",
        Code(f"parity cases --select ruling:{ruled.id}"),
    ]


def _departure(result: RecordedResult, record: RunRecord, target: Target) -> Spans:
    """An answer that follows no known reading."""
    explanation = explained_by_text(result, record.metadata.rulings)
    return [
        Code(result.implementation),
        " in ",
        case_link(result.case, result.at, target),
        ": ",
        *failure_spans(result, record),
        *([f" ({explanation})"] if explanation else []),
    ]
