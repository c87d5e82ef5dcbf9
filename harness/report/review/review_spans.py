"""Spans that the parts of the review share: links to cases, and differing answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ...model import RecordedResult
from ..document import Link, Span, Spans

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
