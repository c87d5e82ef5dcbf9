"""A failure group of a run → the page that `parity explain 'OPERATION PLACE'` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from ...compare.causes import cause_name, count_by_cause
from ...errors import one_line, printable
from ...model import FAILING, RecordedResult, RunRecord, in_corpus_order, where
from ..failure_groups import FailureGroup, failure_groups
from ..phrases import MAX_NAME, MAX_STATEMENT, and_more, first_and_more
from ..result_text import requirement_statement, rerun_command, ruling_title
from ..sections import INDENT, Medium, render_sections
from ..terminal.group_text import describe_groups
from .ruling_page import MAX_LISTED, record_note


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPage:
    """The failures of one group, by implementation. `record` is their run."""

    name: str
    groups: Sequence[FailureGroup]
    record: RunRecord
    is_same_corpus: bool = True

    @property
    def results(self) -> list[RecordedResult]:
        """The failures of all implementations."""
        return [one for group in self.groups for one in group.results]


def groups_of(record: RunRecord, names: Sequence[str]) -> list[FailureGroup]:
    """The failure groups of each implementation of a run, or of these implementations only."""
    ordered = in_corpus_order(record.results, record.implementations)
    failing = where(ordered, lambda outcome: outcome.verdict in FAILING)
    chosen = [name for name in record.implementations if not names or name in names]
    return [group for name in chosen for group in failure_groups(where(failing, names={name}))]


def render(page: GroupPage, medium: Medium) -> str:
    """The whole page."""
    sections = {
        "": _head(page),
        **{_title(group): _group(group, page.record, medium.width - INDENT) for group in page.groups},
        "causes": _causes(page),
        "requirements": _requirements(page),
        "rulings": _rulings(page),
        "cases": _cases(page),
        "repeat": [Text(rerun_command(page.record, group.results[0]), no_wrap=True) for group in page.groups],
    }
    return render_sections(sections, medium)


def _head(page: GroupPage) -> Iterator[Text]:
    yield Text(page.name, style="bold")
    counts = ", ".join(f"{one_line(group.results[0].implementation)} {len(group.results):,}" for group in page.groups)
    yield Text(f"failing cases: {counts}")
    yield Text(record_note(page.record, page.is_same_corpus), style="dim")


def _title(group: FailureGroup) -> str:
    return one_line(group.results[0].implementation)


def _group(group: FailureGroup, record: RunRecord, width: int) -> Iterator[RenderableType]:
    """The example in full, the nearest passing case, and the requirements without a passing case."""
    lines = describe_groups(
        group.results, record, lambda one: one_line(one.case, MAX_STATEMENT), width, is_repeatable=False
    )
    next(lines)  # the number of failures, which the head has
    yield Group(*(Text(printable(line)) for line in lines))


def _causes(page: GroupPage) -> Iterator[Text]:
    rulings = page.record.metadata.rulings
    for cause, count in count_by_cause(page.results, rulings).items():
        example = next(one.case for one in page.results if cause_name(one, rulings) == cause)
        yield Text(one_line(f"{count:>6}  {cause}, such as {example}", MAX_NAME), no_wrap=True)


def _requirements(page: GroupPage) -> Iterator[Text]:
    counts = Counter(id_ for one in page.results for id_ in one.charged)
    for id_, count in counts.most_common(MAX_LISTED):
        yield Text(printable(f"{count:>6}  {id_}  {requirement_statement(page.record, id_)}"))
    if more := and_more(len(counts) - MAX_LISTED, "requirement"):
        yield Text(f"        … {more}")


def _rulings(page: GroupPage) -> Iterator[Text]:
    counts = Counter(id_ for one in page.results for id_ in (one.ruling, *one.cited_by_rulings) if id_)
    for id_, count in counts.most_common(MAX_LISTED):
        yield Text(printable(f"{count:>6}  {id_}  {ruling_title(page.record, id_)}"))


def _cases(page: GroupPage) -> Iterator[Text]:
    names = list(dict.fromkeys(one.case for one in page.results))
    shown = [one_line(name, MAX_NAME) for name in names]
    yield from (Text(line, no_wrap=True) for line in first_and_more(shown, MAX_LISTED, "case"))
