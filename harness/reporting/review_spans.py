"""Spans that the parts of the review share: links to cases, and what an implementation answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from harness.model import RecordedResult, Verdict
from harness.reporting.describing import plural, quoted
from harness.reporting.document import Code, Link, Spans

Target: TypeAlias = "Callable[[str], str]"
"""Gives for `file:line` where a link to it leads; nothing if there is no such place."""

MOST_LINKS = 3
"""How many cases stand for all."""


def case_link(case: str, at: str, target: Target) -> Link:
    """A case by its name, linked to its place."""
    return Link(case, target(at))


def answer_spans(result: RecordedResult) -> Spans:
    """What came instead of what was wanted: the first difference, or the error."""
    if result.verdict is Verdict.ERROR:
        kind = result.kind.value if result.kind else "error"
        return [f"error ({kind}) ", Code(result.reason)]
    if not result.difference:
        return ["another answer"]
    part, more = result.difference[0], len(result.difference) - 1
    rest = [f" and {plural(more, 'more difference')}"] if more else []
    return [Code(part.path), " wanted ", Code(quoted(part.wanted)), " got ", Code(quoted(part.got)), *rest]
