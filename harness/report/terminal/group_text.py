"""Failure groups as blocks: each with an example, the nearest passing case, and the requirements without a passing case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from ...compare.edits import Edit
from ...errors import one_line, plural, printable
from ...model import RecordedResult, RunRecord, replace, where
from ..difference_text import WIDTH, describe_difference, parts_of
from ..document import Block, Item, laid_out, literal
from ..document_terminal import INDENT
from ..documented import notes_of
from ..failure_groups import FailureGroup, failure_groups
from ..failure_spans import other_examples
from ..phrases import and_more, following_text
from ..result_text import (
    GROUP_DEPTH,
    describe,
    describe_group,
    describe_sum,
    request_text,
    requirement_statement,
    rerun_commands,
)
from .contrast import PassingCases, passing_cases

MAX_LISTED = 20
"""Failing cases up to which all are listed; of more, each group has one example."""

MAX_GROUPS = 200
"""Groups that are shown."""

_MAX_IN_FULL = 3
_MAX_REQUIREMENTS = 2

Lines = Callable[[Sequence[RecordedResult]], Iterable[str]]
"""A line about each of some failing cases of a group."""


def group_blocks(
    failing: Sequence[RecordedResult],
    record: RunRecord,
    lines: Lines,
    width: int = WIDTH,
    *,
    is_repeatable: bool = True,
) -> Iterator[Block]:
    """The failing results of one implementation by group, causes before effects. The first examples of causes are shown in
    full, with the command that repeats them unless the tested working copy is gone."""
    groups = failure_groups(failing, record.metadata)
    if not groups:
        return
    passing = passing_cases(where(record.results, names={failing[0].implementation}), failing[0].implementation)
    room, is_all = width - INDENT * (GROUP_DEPTH + 2), len(failing) <= MAX_LISTED
    yield Item(f"{describe_sum(groups, 'failure')}:")
    in_full = [group for group in groups if not group.follows][:_MAX_IN_FULL]
    for follows, part in groupby(groups[:MAX_GROUPS], key=lambda group: group.follows):
        of_part = list(part)
        if follows:
            yield Item(f"{describe_sum(of_part, 'failure')} {following_text(follows)}:", 1)
        for group in of_part:
            others = {result.case: text for text, result in other_examples(group, record).items()}
            examples = [result for result in group.examples if result.case in others or result is group.results[0]]
            listed, label = (group.results, "") if is_all else (examples, "e.g. ")
            yield from laid_out(map(printable, describe_group(group, record, width - INDENT)))
            for result, line in zip(listed, lines(listed), strict=True):
                yield literal(f"{label}{line}", GROUP_DEPTH)
                if result is group.results[0] and group in in_full:
                    yield from laid_out(describe(result, record, room, is_repeatable=False), GROUP_DEPTH + 1)
                    yield literal(request_text(result), GROUP_DEPTH + 2)
                    if is_repeatable:
                        for name, command in rerun_commands(record, result).items():
                            yield literal(f"{name + ':':<8}{command}", GROUP_DEPTH + 2)
                elif result.case in others:
                    yield from laid_out([one_line(others[result.case], room)], GROUP_DEPTH + 1)
            if not follows:
                yield from _beside(group, passing, record, room)
    if len(groups) > MAX_GROUPS:
        yield Item(f"… and {describe_sum(groups[MAX_GROUPS:], 'more failure')}")


def _beside(group: FailureGroup, passing: PassingCases, record: RunRecord, width: int) -> Iterator[Block]:
    """The passing case nearest to the example, the requirements without a passing case, and the notes on other documents."""
    contrast = passing.contrast(group.results[0])
    if contrast.passing is None:
        yield Item(f"no case of {group.operation} passes in this run", GROUP_DEPTH)
    elif contrast.is_near:
        yield literal(f"nearest passing case: {contrast.passing.case}", GROUP_DEPTH)
        edits = [text for edit in contrast.edits for text in _request_edit(edit, width)]
        yield from laid_out(edits or ["with the same request"], GROUP_DEPTH + 1)
    missing = passing.without_a_pass(group.results)
    for id_, count in missing[:_MAX_REQUIREMENTS]:
        cited = "" if count == len(group.results) else f" (cited by {count:,})"
        yield Item(f"no passing case for {id_}{cited}: {requirement_statement(record, id_)}", GROUP_DEPTH)
    if more := and_more(len(missing) - _MAX_REQUIREMENTS, "requirement"):
        yield Item(f"… {more}", GROUP_DEPTH)
    for note, count in notes_of(group.results, record).items():
        yield Item(f"{plural(count, 'case')}: {note}", GROUP_DEPTH)


def _request_edit(edit: Edit, width: int) -> Iterator[str]:
    """How the request of the passing case differs from that of the failing one."""
    parts = parts_of(edit)
    return describe_difference(replace(parts, place=f"request {parts.place}"), width, ("fails with", "passes with"))
