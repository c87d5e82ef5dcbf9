"""Why a result fails as spans of a document: its error, or its first difference."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.text_limits import MAX_COMPARED, MAX_SIDE, MAX_STATEMENT
from ..compare.edits import Changed, Edit
from ..compare.error_text import outcome_text
from ..model import Absent, Json, RecordedResult, RunRecord, Verdict
from .difference_text import around_the_first_difference, character_difference, list_edit_text, quoted
from .document import Code, Span, Strong
from .failure_groups import FailureGroup
from .phrases import and_more, verdict_text
from .result_text import edits_of, group_edit


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
    return [*_edit(edits[0]), *([f" {more}"] if more else [])]


def group_spans(group: FailureGroup, record: RunRecord) -> Sequence[Span]:
    """The error of a group, or the difference of its example."""
    if edit := group_edit(group, record):
        return [" e.g. " if len(group.results) > 1 else " ", Code(edit, MAX_STATEMENT)]
    if group.difference is not None:
        lead = " " if group.uniform() else " e.g. "
        return [lead, *_sides(group.difference.wanted, group.difference.got)]
    return [": ", Code(group.fault)] if group.fault else []


def _edit(edit: Edit) -> Sequence[Span]:
    match edit:
        case Changed(path, wanted, got, got_path):
            beside: list[Span] = [" (", Code(got_path), " in the answer)"] if got_path else []
            return [Code(path), *beside, " ", *_sides(wanted, got)]
        case _:
            return [Code(edit.path), " ", Code(list_edit_text(edit))]


def _sides(wanted: Json | Absent, got: Json | Absent) -> Sequence[Span]:
    texts = quoted(wanted, MAX_COMPARED), quoted(got, MAX_COMPARED)
    one, other = around_the_first_difference(*texts, MAX_SIDE)
    characters = character_difference(wanted, got)
    return ["wanted ", Code(one), " got ", Code(other), *([f" {characters}"] if characters else [])]
