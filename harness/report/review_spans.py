"""Spans that the parts of the review share: links to cases, and what an implementation answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from harness.model import RecordedResult, Verdict
from harness.report.document import Code, Link, Span, Spans
from harness.report.error_text import outcome_text
from harness.report.failure_groups import first_difference
from harness.report.text import plural, quoted

Target: TypeAlias = "Callable[[str], str]"
"""Gives for `file:line` where a link to it leads; nothing if there is no such place."""

MAX_LINKS = 3
"""How many cases stand for all."""


def case_link(case: str, at: str, target: Target) -> Link:
    """A case by its name, linked to its place."""
    return Link(case, target(at))


def number_spans(results: Sequence[RecordedResult], target: Target) -> Spans:
    """How many, linked to the first of them."""
    return [Link(str(len(results)), target(results[0].at))] if results else ["·"]


def ruling_spans(ids: Sequence[str]) -> list[Span]:
    """Rulings by their ids, each linked to its place in the report."""
    spans: list[Span] = [span for id_ in ids for span in (", ", Link(id_, f"#{id_}"))]
    return spans[1:]


def answer_spans(result: RecordedResult) -> Spans:
    """What came instead of what was wanted: the first difference of the first stage that parted, or the error."""
    if result.verdict is Verdict.ERROR:
        kind = result.kind.value if result.kind else "error"
        return [f"error ({kind}) ", Code(outcome_text(result.outcome))]
    part, more = first_difference(result), len(result.differences) - 1
    if part is None:
        return ["another answer"]
    rest = [f" and {plural(more, 'more difference')}"] if more else []
    return [Code(part.path), " wanted ", Code(quoted(part.wanted)), " got ", Code(quoted(part.got)), *rest]
