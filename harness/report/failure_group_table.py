"""RunSummary → values of the page's tables of failure groups, each number with a link to its cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from ..errors import one_line
from ..gate.listing import Status
from ..gate.summary import status_of
from ..model import RunRecord
from .difference_text import around_the_first_difference, character_difference, quoted
from .failure_groups import FailureGroup, count_first, failure_groups
from .summary import RunSummary
from .text import describe_sum, group_edit

MAX_SHOWN = 100
"""Groups in the tables and in the filter of the page."""

_MAX_LENGTH = 100
_MAX_COMPARED = 10_000


@dataclass(frozen=True, slots=True)
class GroupCount:
    """The failures of one implementation in a group: their number, how many are new, the filters of their cases."""

    name: str
    count: int
    new: int
    query: str


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One failure group. Its example is an error, an edit of a list, or both sides of a difference and a note on them."""

    operation: str
    place: str
    counts: tuple[GroupCount, ...]
    error: str = ""
    wanted: str = ""
    got: str = ""
    note: str = ""
    edit: str = ""
    uniform: bool = True


@dataclass(frozen=True, slots=True)
class GroupTables:
    """The first groups, the others, and the sentences on both; `unlisted` counts the groups that are in neither."""

    names: tuple[str, ...]
    sentence: str
    caption: str
    first: tuple[GroupRow, ...]
    others: tuple[GroupRow, ...]
    others_sentence: str
    unlisted: str


def page_groups(summary: RunSummary) -> Sequence[FailureGroup]:
    """The failure groups of all implementations that started, errors first; in a gate, groups with new failures come
    before the others, and the example of such a group is a new failure."""
    if not summary.gate:
        return failure_groups(summary.failures)
    groups = failure_groups(sorted(summary.failures, key=lambda one: status_of(one) is not Status.NEW))
    return sorted(groups, key=lambda group: not _new(group))


def _new(group: FailureGroup) -> Counter[str]:
    """The number of new failures in a group, by implementation."""
    return Counter(one.implementation for one in group.results if status_of(one) is Status.NEW)


def group_tables(summary: RunSummary, groups: Sequence[FailureGroup]) -> GroupTables | None:
    """The tables of these groups; None without failures."""
    if not groups:
        return None
    failing = {result.implementation for group in groups for result in group.results}
    names = tuple(name for name in summary.record.implementations if name in failing)
    in_gate = summary.gate is not None
    new_first = in_gate and bool(_new(groups[0]))
    order = "; groups with new failures first" if new_first else ""
    visible = count_first(groups)
    rows = tuple(_row(names, group, summary.record, in_gate) for group in groups[:MAX_SHOWN])
    return GroupTables(
        names,
        f"{describe_sum(groups, 'failure')}, by operation and first difference{order}.",
        "The first groups",
        rows[:visible],
        rows[visible:],
        describe_sum(groups[visible:], "more failure"),
        describe_sum(groups[MAX_SHOWN:], "more failure") if len(groups) > MAX_SHOWN else "",
    )


def _row(names: Sequence[str], group: FailureGroup, record: RunRecord, in_gate: bool) -> GroupRow:
    counts, new = group.counts(), _new(group) if in_gate else Counter()
    numbers = tuple(
        GroupCount(name, counts.get(name, 0), new[name], urlencode({"implementation": name, "group": group.name}))
        for name in names
    )
    part = group.difference
    if part is None:
        return GroupRow(group.operation, group.place, numbers, one_line(group.fault, 400))
    if edit := group_edit(group, record):
        return GroupRow(
            group.operation, group.place, numbers, edit=one_line(edit, 400), uniform=len(group.results) == 1
        )
    wanted, got = quoted(part.wanted, _MAX_COMPARED), quoted(part.got, _MAX_COMPARED)
    wanted, got = around_the_first_difference(wanted, got, _MAX_LENGTH)
    note = character_difference(part.wanted, part.got)
    return GroupRow(group.operation, group.place, numbers, "", wanted, got, note, uniform=group.uniform())
