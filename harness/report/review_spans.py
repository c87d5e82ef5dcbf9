"""Spans that the parts of the review share: links to cases, and differing answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ..compare.edits import Changed
from ..compare.error_text import outcome_text
from ..model import RecordedResult, RunRecord, Verdict
from .difference_text import list_edit_text, quoted
from .document import Code, Link, Span, Spans
from .phrases import and_more, verdict_text
from .text import edits_of

Target: TypeAlias = "Callable[[str], str]"
"""Target of a link to `file:line`; empty if there is none."""

MAX_LINKS = 3
"""Cases that a list of links names."""


def case_link(case: str, at: str, target: Target) -> Link:
    """A case by its name, linked to its place."""
    return Link(case, target(at))


def number_spans(results: Sequence[RecordedResult], target: Target) -> Spans:
    """The number of results, linked to the first one."""
    return [Link(str(len(results)), target(results[0].at))] if results else ["·"]


def ruling_spans(ids: Sequence[str]) -> list[Span]:
    """Rulings by their ids, each linked to its place in the report."""
    spans: list[Span] = [span for id_ in ids for span in (", ", Link(id_, f"#{id_}"))]
    return spans[1:]


def answer_spans(result: RecordedResult, record: RunRecord) -> Spans:
    """The first difference in the first stage that differs, or the error."""
    if result.verdict is Verdict.ERROR:
        return [f"{verdict_text(result)} ", Code(outcome_text(result.outcome))]
    if not result.differences:
        return ["another answer"]
    edits = edits_of(result, record)
    more = and_more(len(edits) - 1, "difference")
    rest = [f" {more}"] if more else []
    match edits[0]:
        case Changed(path, wanted, got):
            return [Code(path), " wanted ", Code(quoted(wanted)), " got ", Code(quoted(got)), *rest]
        case edit:
            return [Code(edit.path), " ", Code(list_edit_text(edit)), *rest]
