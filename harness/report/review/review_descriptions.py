"""The review's SDKs side by side: what each SDK is, and the causes of failures that the SDKs share; and the links to cases
that all parts of the review have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from ...compare.causes import UNDECIDED, UNEXPLAINED
from ...model import RecordedResult, RunRecord
from ..cause_text import description_sentence
from ..description import COMBINED, Description, FailureCause, SharedCause, descriptions, shared_causes
from ..document import Block, Code, Heading, Item, Link, Paragraph, Span, Spans, Strong, Table, prose

Target: TypeAlias = "Callable[[str], str]"
"""Target of a link to `file:line`; empty if there is none."""

MAX_LINKS = 3
"""Cases that a list of links names."""


def case_link(case: str, at: str, target: Target) -> Link:
    """A case by its name, linked to its place."""
    return Link(case, target(at))


def number_spans(results: Sequence[RecordedResult], target: Target) -> Spans:
    """The number of results, linked to the first one."""
    return [Link(f"{len(results):,}", target(results[0].at))] if results else ["·"]


def ruling_spans(ids: Sequence[str]) -> list[Span]:
    """Rulings by their ids, each linked to its place in the report."""
    spans: list[Span] = [span for id_ in ids for span in (", ", Link(id_, f"#{id_}"))]
    return spans[1:]


_MEANING = (
    "A row of the table is a cause of failures: a deviation with a name, or a reading that the text refutes. A cell has the "
    "place in the source of the SDK, if it is known, and the number of failing cases. Causes that several SDKs share come "
    "first, then the causes of one SDK. A failure with several causes counts for each of them. No cause excuses a failure."
)


_REST = {
    COMBINED: "Only open readings together explain these failures. Another answer of the SDK contradicts one of them.",
    UNEXPLAINED: "No deviation and no reading explains these failures.",
    UNDECIDED: "The search for an explanation ended at its bound.",
}
"""What is known of failures without a cause."""


def description_blocks(record: RunRecord, target: Target) -> Iterator[Block]:
    """Each SDK in one sentence, then a row for each cause and a column for each SDK; failures without a cause last."""
    found = descriptions(record)
    if all(description.is_specification for description in found):
        return
    yield Heading(2, "The SDKs side by side")
    yield from (Item(f"{description_sentence(description)}.") for description in found)
    rows = [_cause(cause, found, target) for cause in shared_causes(found)]
    rows += _rest(found, target)
    if rows:
        yield Paragraph([_MEANING])
        yield Table(["cause", "reason", *([Code(description.implementation)] for description in found)], rows)


def _cause(cause: SharedCause, found: Sequence[Description], target: Target) -> Sequence[Spans]:
    cells = [_cell(cause.by.get(description.implementation), target) for description in found]
    return [_name(cause.name), prose(cause.reason or "·"), *cells]


def _name(name: str) -> Spans:
    """The name of a deviation, or a reading of a ruling with a link to the decision."""
    ruling, _, reading = name.partition("=")
    return [*ruling_spans([ruling]), f"={reading}, refuted by the text"] if reading else [Code(name)]


def _cell(cause: FailureCause | None, target: Target) -> Spans:
    """The number of failing cases, and the place."""
    if cause is None:
        return ["·"]
    place: list[Span] = [" at ", Code(cause.place)] if cause.place else []
    return [*number_spans(cause.results, target), *place]


def _rest(found: Sequence[Description], target: Target) -> Iterator[Sequence[Spans]]:
    """The failures without a cause, if there are any."""
    for part, reason in _REST.items():
        if any(description.rest[part] for description in found):
            yield [[Strong(part)], reason, *(number_spans(description.rest[part], target) for description in found)]
