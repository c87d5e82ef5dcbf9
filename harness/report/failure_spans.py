"""Why a result or a failure group fails: its error or its first difference, as spans of a document or on one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..compare.alignment import recorded_edits
from ..compare.causes import verdict_text
from ..compare.edits import ByPosition, Changed, Edit
from ..compare.error_text import outcome_text
from ..model import RecordedResult, RunRecord, Verdict
from .conformance import hidden_places
from .difference_text import DifferenceParts, difference_line, difference_spans, parts_of
from .document import Code, Span, Strong
from .failure_groups import FailureGroup
from .phrases import and_more


def edits_of(result: RecordedResult, record: RunRecord) -> tuple[Edit, ...]:
    """How the answer of a recorded result differs from the expected one; nothing of an error."""
    return () if result.verdict is Verdict.ERROR else recorded_edits(result, hidden_places(record, result))


def _first(edits: Sequence[Edit]) -> Edit:
    """The first edit that says what differs, not how a list was compared."""
    return next((edit for edit in edits if not isinstance(edit, ByPosition)), edits[0])


def short_text(result: RecordedResult, record: RunRecord) -> str:
    """Why a result fails, on one line: its first difference, else its error."""
    edits = edits_of(result, record)
    return difference_line(parts_of(_first(edits))) if edits else outcome_text(result.outcome) or verdict_text(result)


def failure_spans(result: RecordedResult, record: RunRecord) -> Sequence[Span]:
    """The error, or the first difference in the first stage that differs, and the number of the others."""
    if result.verdict is Verdict.ERROR:
        cause = outcome_text(result.outcome)
        error: list[Span] = [": ", Code(cause)] if cause else []
        return [Strong(verdict_text(result)), *error]
    edits = edits_of(result, record)
    if not edits:
        return ["another answer"]
    more = and_more(len(edits) - 1, "difference")
    return [*difference_spans(parts_of(_first(edits))), *([f" {more}"] if more else [])]


def group_parts(group: FailureGroup, record: RunRecord) -> DifferenceParts | None:
    """The parts of the first edit of the group's example, if it is one of a list; else both sides at the place of the
    group. None for an error, and for two booleans, which the place has."""
    edits = edits_of(group.results[0], record)
    if edits and not isinstance(edit := _first(edits), Changed):
        return parts_of(edit)
    part = group.difference
    if part is None or (isinstance(part.wanted, bool) and isinstance(part.got, bool)):
        return None
    return parts_of(Changed("", part.wanted, part.got))


def other_examples(group: FailureGroup, record: RunRecord) -> Mapping[str, RecordedResult]:
    """The further examples of a group that follows no other, by why they fail, if that is not the same as of the first."""
    texts = {short_text(result, record): result for result in reversed(group.examples)} if not group.follows else {}
    return {text: result for text, result in reversed(texts.items()) if result is not group.results[0]}


def is_one_of_several(group: FailureGroup, parts: DifferenceParts | None) -> bool:
    """Whether the example of a group stands for others that differ."""
    return not group.uniform() if parts and not parts.what else len(group.results) > 1


def group_spans(group: FailureGroup, record: RunRecord) -> Sequence[Span]:
    """The error of a group, or the difference of its example."""
    parts = group_parts(group, record)
    if parts is None:
        return [": ", Code(group.fault)] if group.fault else []
    place: list[Span] = [Code(parts.place), ": "] if parts.what else []
    return [" e.g. " if is_one_of_several(group, parts) else " ", *place, *parts.spans]
