"""Failure groups as text: each with an example, the nearest passing case, and the requirements without a passing case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...base.text_limits import MAX_NAME, MAX_STATEMENT
from ...compare.edits import ByPosition, Changed, Edit, Missing, Reordered, Unexpected
from ...errors import one_line
from ...model import Difference, RecordedResult, RunRecord, where
from ..difference_text import WIDTH, describe_difference, list_edit_text, quoted
from ..documented import notes_of
from ..failure_groups import FailureGroup, failure_groups
from ..phrases import and_more, plural
from ..result_text import describe, describe_group, describe_sum, requirement_statement
from .contrast import Contrast, PassingCases, passing_cases

MAX_LISTED = 20
"""Failing cases up to which all are listed; of more, each group has one example."""

MAX_GROUPS = 200
"""Groups that are shown."""

_MAX_IN_FULL = 3
_MAX_REQUIREMENTS = 2
_INDENT = " " * 9

Line = Callable[[RecordedResult], str]
"""The line about one failing case."""


def describe_groups(
    failing: Sequence[RecordedResult], record: RunRecord, line: Line, width: int = WIDTH, *, is_repeatable: bool = True
) -> Iterator[str]:
    """The failing results of one implementation by group, errors first. The first examples are shown in full, with the
    command that repeats them unless the tested working copy is gone."""
    groups = failure_groups(failing)
    if not groups:
        return
    passing = passing_cases(where(record.results, names={failing[0].implementation}), failing[0].implementation)
    yield f"  {describe_sum(groups, 'failure')}:"
    for number, group in enumerate(groups[:MAX_GROUPS]):
        listed, label = (group.results, "") if len(failing) <= MAX_LISTED else (group.results[:1], "e.g. ")
        contrast = passing.contrast(listed)
        yield from describe_group(group, record, width)
        for result in listed:
            yield f"{_INDENT}{label}{line(result)}"
            if result is contrast.failing and number < _MAX_IN_FULL:
                in_full = describe(result, record, width - len(_INDENT) - 2, is_repeatable=is_repeatable)
                yield from (f"{_INDENT}  {text}" for text in in_full)
        yield from (f"{_INDENT}{text}" for text in _beside(group, contrast, passing, record, width - len(_INDENT)))
    if len(groups) > MAX_GROUPS:
        yield f"  … and {describe_sum(groups[MAX_GROUPS:], 'more failure')}"


def _beside(
    group: FailureGroup, contrast: Contrast, passing: PassingCases, record: RunRecord, width: int
) -> Iterator[str]:
    """The nearest passing case, the requirements without a passing case, and the notes on other documents."""
    if contrast.passing is None:
        yield f"no case of {one_line(group.operation)} passes in this run"
    elif contrast.is_near:
        yield f"nearest passing case: {one_line(contrast.passing.case, MAX_STATEMENT)}"
        yield from (f"  {line}" for line in _request_lines(contrast, width - 2))
    missing = passing.without_a_pass(group.results)
    for id_, count in missing[:_MAX_REQUIREMENTS]:
        cited = "" if count == len(group.results) else f" (cited by {count:,})"
        yield one_line(f"no passing case for {id_}{cited}: {requirement_statement(record, id_)}", max(width, WIDTH))
    if more := and_more(len(missing) - _MAX_REQUIREMENTS, "requirement"):
        yield f"… {more}"
    for note, count in notes_of(group.results, record).items():
        yield one_line(f"{plural(count, 'case')}: {note}", MAX_NAME)


def _request_lines(contrast: Contrast, width: int) -> Iterator[str]:
    """How the request of the passing case differs from that of the failing one."""
    for edit in contrast.edits:
        yield from _request_edit(edit, width)
    if not contrast.edits:
        yield "with the same request"


def _request_edit(edit: Edit, width: int) -> Iterator[str]:
    match edit:
        case Changed(path, fails, passes):
            part = Difference(f"request {path}", fails, passes)
            yield from describe_difference(part, width, ("fails with", "passes with"))
        case Missing(path, _, value):
            yield one_line(f"request {path}: fails with the element {quoted(value)}, passes without it", width)
        case Unexpected(path, _, value):
            yield one_line(f"request {path}: passes with the element {quoted(value)}, fails without it", width)
        case Reordered() | ByPosition():
            yield one_line(f"request {edit.path}: {list_edit_text(edit)}", width)
