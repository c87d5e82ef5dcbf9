"""The review's findings beside the decisions: refused expressions, broken requirements, unobservable requirements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...errors import plural
from ...model import REFERENCE, RecordedResult, Requirement, Ruling, RunRecord
from ..document import Block, Code, Heading, Item, Paragraph, Span, Spans, Strong, Table, prose
from ..documented import documented_places, documented_text, notes_of
from ..failure_spans import failure_spans
from ..phrases import n_of_m
from ..requirement_failures import RequirementFailure, requirement_failures
from ..run_summary import not_started
from .review_descriptions import MAX_LINKS, Target, case_link, number_spans, ruling_spans

_REJECTED = (
    "MATCH strings that a real SQLite rejects. Every SDK that follows the text compiles the strings that the text "
    "requires."
)
_OTHER_DOCUMENT = (
    "The cases follow the documentation pages. For each of these places, another document of the project describes a "
    "different behaviour. Numbers count failing cases."
)

_UNDECIDED = "No decision rests on these cases, or all its readings expect the same where the answers differ."
_TOGETHER = (
    "Cases that first differ at one place are one row, under the requirement that fits them best, with the decisions "
    "about that requirement or that place. A fact is a statement of the text that demands nothing. “·” is an SDK that "
    "passes, “–” one that was not tested on the cases of the row."
)
_NOT_TESTED = "–"


def finding_blocks(record: RunRecord, target: Target) -> Iterator[Block]:
    """The findings beside the decisions."""
    sdks = [name for name in record.implementations if name != REFERENCE and name not in not_started(record)]
    yield from _refused(record, target)
    yield from _undisputed(record, sdks, target)
    yield from _documented(record, sdks, target)
    yield from _unobservable(record)


def _refused(record: RunRecord, target: Target) -> Iterator[Block]:
    """Expressions that the engine rejects, by its message, with their sources."""
    found: dict[str, dict[str, RecordedResult]] = {}
    sources: dict[str, set[str]] = {}
    ruled: dict[str, set[str]] = {}
    for result in record.results:
        for refusal in result.engine:
            message = refusal.message
            found.setdefault(message, {}).setdefault(refusal.match, result)
            source = "the text" if refusal.side == "wanted" else result.implementation
            sources.setdefault(message, set()).add(source)
            ruled.setdefault(message, set()).update({result.ruling, *result.cited_by_rulings} - {""})
    if not found:
        return
    yield Heading(2, "Expressions that the engine rejects")
    yield Paragraph(_REJECTED)
    rows: list[Sequence[Spans]] = [
        [
            [Code(message)],
            ", ".join(sorted(sources[message])),
            _examples(matches, target),
            ruling_spans(sorted(ruled[message])) or ["·"],
            number_spans(list(matches.values()), target),
        ]
        for message, matches in found.items()
    ]
    yield Table(["engine message", "source", "example", "decision", "expressions"], rows, numbers=1)


def _examples(matches: Mapping[str, RecordedResult], target: Target) -> Spans:
    """The shortest expressions, each with a case."""
    shortest = sorted(matches, key=lambda match: (len(match), match))[:MAX_LINKS]
    spans: list[Span] = []
    for match in shortest:
        spans += ["; " if spans else "", Code(match), " in ", case_link(matches[match].case, matches[match].at, target)]
    return spans


def _undisputed(record: RunRecord, sdks: Sequence[str], target: Target) -> Iterator[Block]:
    """Failures without a ruling: requirements that some SDKs break, those that all SDKs break, and those that only one SDK
    was tested on."""
    found = requirement_failures(record, sdks)
    alone = len(sdks) == 1
    tables = (
        (
            "on which implementations split",
            "Some SDKs pass them.",
            [failure for failure in found if not failure.by_all],
        ),
        (
            f"that {sdks[0] if alone else 'every tested SDK'} breaks",
            "Only one SDK ran, so its failures are no evidence against the text."
            if alone
            else "The text may be wrong.",
            [failure for failure in found if failure.by_all and (alone or len(failure.tested) > 1)],
        ),
        (
            "that the only tested SDK breaks",
            "Only one SDK was tested on these cases, so its failures are no evidence against the text.",
            [failure for failure in found if failure.by_all and not alone and len(failure.tested) == 1],
        ),
    )
    for title, meaning, failures in tables:
        if failures:
            yield Heading(2, f"Requirements {title}")
            yield Paragraph([f"{_UNDECIDED} {meaning} {_TOGETHER}"])
            yield _breaches(record, failures, sdks, target)


def _breaches(record: RunRecord, found: Sequence[RequirementFailure], sdks: Sequence[str], target: Target) -> Table:
    rows: list[Sequence[Spans]] = []
    for breach in found:
        rows.append(
            [
                [*_cited(breach, record.metadata.requirements), *_about(breach, record.metadata.rulings)],
                [Code(breach.operation)],
                [
                    case_link(breach.example.case, breach.example.at, target),
                    ": ",
                    *failure_spans(breach.example, record),
                    *(span for note in notes_of(breach.results, record) for span in ("; ", *prose(note))),
                ],
                *(number_spans(breach.of(name), target) if name in breach.tested else [_NOT_TESTED] for name in sdks),
            ]
        )
    head: list[Spans] = ["requirement", "operation", "example", *([Code(name)] for name in sdks)]
    return Table(head, rows, numbers=len(sdks))


def _cited(breach: RequirementFailure, texts: Mapping[str, Requirement]) -> Spans:
    """The requirement that fits best, and the one that most of the cases without it cite."""
    cases = {result.case: result.charged for result in breach.results}
    others = [cited for cited in cases.values() if breach.requirement not in cited]
    spans = _statement(breach.requirement, texts)
    if others:
        spans += [f" In {n_of_m(len(cases) - len(others), len(cases), 'case')}"]
    for id_, count in Counter(id_ for cited in others for id_ in cited).most_common(1):
        spans += ["; ", *_statement(id_, texts), f" In {plural(count, 'other')}"]
    return [*spans, "."] if others else spans


def _about(breach: RequirementFailure, rulings: Mapping[str, Ruling]) -> list[Span]:
    """The decisions about its requirement, and those that cite its place."""
    ids = [
        id_
        for id_, text in rulings.items()
        if breach.requirement in text.requirements or id_ in breach.cited_by_rulings
    ]
    return [" See ", *ruling_spans(ids), "."] if ids else []


def _statement(id_: str, texts: Mapping[str, Requirement]) -> list[Span]:
    found = texts.get(id_)
    return [Strong(id_), f" ({found.level}) ", *prose(found.statement)] if found else [Strong(id_), " "]


def _documented(record: RunRecord, sdks: Sequence[str], target: Target) -> Iterator[Block]:
    """Behaviour that another document of the same project describes, with the failures of the SDKs there."""
    found = documented_places(record)
    if not found:
        return
    yield Heading(2, "The documentation pages and the repository's specification folder differ here")
    yield Paragraph(_OTHER_DOCUMENT)
    rows: list[Sequence[Spans]] = []
    for place in found:
        of_sdks = [result for result in place.results if result.implementation in sdks]
        example = [case_link(of_sdks[0].case, of_sdks[0].at, target)] if of_sdks else ["·"]
        about = [*ruling_spans(place.rulings), *(span for text in place.reasons for span in ("; ", *prose(text)))]
        counts = [
            number_spans([result for result in of_sdks if result.implementation == name], target) for name in sdks
        ]
        described = [*prose(documented_text(place.documented)), "."]
        rows.append([described, about[not place.rulings :], example, *counts])
    head: list[Spans] = ["other document", "decision or known divergence", "example", *([Code(name)] for name in sdks)]
    yield Table(head, rows, numbers=len(sdks))


def _unobservable(record: RunRecord) -> Iterator[Block]:
    """Requirements that no case can show."""
    found = {id_: text for id_, text in record.metadata.requirements.items() if text.unobservable}
    if found:
        yield Heading(2, "Requirements that cannot be observed")
        yield from (Item([Strong(id_), f" {text.statement} {text.unobservable}"]) for id_, text in found.items())
