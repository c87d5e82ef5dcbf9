"""Comparison → the page that `parity compare` prints: newly failing cases first, then other changes, then added and
removed cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...base.text_limits import MAX_NAME, MAX_WORD
from ...compare.error_text import outcome_text
from ...compare.run_diff import CauseChanges, Change, ChangedResult, Comparison
from ...errors import one_line, plural
from ...model import FAILING, RecordedResult, RunRecord, Verdict
from ..cause_text import verdict_with_readings
from ..difference_text import describe_edit
from ..document import Block, Item, laid_out, literal, sections
from ..document_terminal import INDENT, Medium, render_document
from ..failure_spans import edits_of
from ..output_text import barred
from ..phrases import and_more, counts_text, first_and_more, verb
from ..result_text import describe_not_started, describe_skipped
from ..run_summary import RunSummary, urgency
from ..suite_counts import system_of
from .group_text import group_blocks

MAX_SHOWN = 20
"""Cases listed for each sort of change and implementation; newly failing ones are listed by group."""

ORDER = (
    Change.NEWLY_FAILING,
    Change.NO_LONGER_ANSWERED,
    Change.DIFFERENCE,
    Change.READING,
    Change.FLAKY,
    Change.FIXED,
    Change.NEWLY_ANSWERED,
    Change.ADDED,
    Change.REMOVED,
)
"""The sorts of changes in the order of lists."""


def render(comparison: Comparison, summary: RunSummary, medium: Medium, *, is_repeatable: bool = True) -> str:
    """The whole text; `summary` is that of the newer record. Without `is_repeatable` it has no command that repeats a
    case, because the tested working copy is gone."""
    return render_document(sections(changed_sections(comparison, summary, medium.width, is_repeatable)), medium)


def changed_sections(
    comparison: Comparison, summary: RunSummary, width: int, is_repeatable: bool = True
) -> Iterator[tuple[str, Iterable[Block]]]:
    """The sections of the text with their titles."""
    after = summary.record
    yield "", map(literal, unlike_texts(comparison, after))
    for change in ORDER:
        for name, changes in comparison.changes.items():
            listed = [edit for edit in changes if edit.change is change]
            if listed and name not in summary.not_started:
                title = f"{name}, {change.value}: {plural(len(listed), 'case')}"
                yield title, _listed(change, listed, after, width, is_repeatable=is_repeatable)
    for name, cause in summary.not_started.items():
        yield "", map(literal, describe_not_started(name, cause, after))
    yield "", map(literal, _tallies(comparison, summary))


def _tallies(comparison: Comparison, summary: RunSummary) -> Iterator[str]:
    """The numbers of changes of each implementation, and their causes."""
    for name, changes in comparison.changes.items():
        if name in summary.not_started and not changes:
            yield f"{name}: not judged, because it did not start in either run"
            continue
        if (causes := comparison.causes[name]) and name not in summary.not_started:
            yield f"{name} by cause: {causes_text(causes)}"
        yield f"{name}: {tally(changes)}"


def unlike_texts(comparison: Comparison, after: RunRecord) -> Iterator[str]:
    """How the two runs themselves differ: corpus, selection, versions and implementations."""
    if not comparison.same_corpus:
        yield "The two runs used different corpora. Changed cases are marked."
    sides = (("older", comparison.only_before), ("newer", comparison.only_after))
    only = [
        f"{plural(count, 'case')} {verb(count, 'is', 'are')} only in the {side} record"
        for side, count in sides
        if count
    ]
    if only:
        yield f"{' and '.join(only)}, because the other run did not select them. They are not compared."
    for name, (then, now) in comparison.versions.items():
        yield f"{name}: {then} → {now}"
    not_tested = {entry.name: describe_skipped(entry) for entry in after.skipped}
    for side, names in (("older", comparison.removed), ("newer", comparison.added)):
        for name in names:
            why = f" In the newer run, {not_tested[name]}" if name in not_tested else ""
            yield f"{name} is only in the {side} record and is not compared.{why}"


def _listed(
    change: Change, listed: Sequence[ChangedResult], after: RunRecord, width: int, *, is_repeatable: bool
) -> Iterator[Block]:
    listed, unsupported = split_unsupported(listed)
    if change is Change.NEWLY_FAILING or (change is Change.DIFFERENCE and len(listed) > MAX_SHOWN):
        edit_of = {edit.result.case: edit for edit in listed}
        failing = [edit.after for edit in listed if edit.after is not None]
        yield from group_blocks(
            failing,
            after,
            lambda part: [_line(edit_of[result.case]) for result in part],
            width,
            is_repeatable=is_repeatable,
        )
        return
    listed.sort(key=lambda edit: urgency(edit.result))
    for edit in listed[:MAX_SHOWN]:
        yield literal(_line(edit))
        if change is Change.DIFFERENCE and edit.after is not None:
            yield from laid_out(failure_lines(edit.after, after, width - 2 * INDENT), 1)
    if more := and_more(len(listed) - MAX_SHOWN):
        yield Item(f"… {more}")
    for counts in unsupported.values():
        by_system = ", ".join(f"{system} {count:,}" for system, count in counts.items())
        yield Item(f"{counts.total():,} unsupported: {by_system}")


def split_unsupported(changes: Sequence[ChangedResult]) -> tuple[list[ChangedResult], Mapping[str, Counter[str]]]:
    """The changes to list one by one; and the number of added or removed unsupported cases by implementation and system,
    because a gate may skip whole systems."""
    listed: list[ChangedResult] = []
    unsupported: dict[str, Counter[str]] = {}
    for edit in changes:
        if edit.change in (Change.ADDED, Change.REMOVED) and edit.result.verdict is Verdict.UNSUPPORTED:
            unsupported.setdefault(edit.result.implementation, Counter())[system_of(edit.result.case)] += 1
        else:
            listed.append(edit)
    return listed, unsupported


def failure_lines(result: RecordedResult, after: RunRecord, width: int) -> Iterator[str]:
    """The first difference of a failing case, or its error."""
    if edits := edits_of(result, after):
        yield from describe_edit(edits[0], width)
    elif cause := outcome_text(result.outcome):
        yield from barred([one_line(cause, MAX_NAME)], MAX_NAME)


def _line(edit: ChangedResult) -> str:
    return f"{edit.result.case}{' (the case changed)' if edit.case_changed else ''}: {transition(edit)}"


def transition(edit: ChangedResult) -> str:
    """`pass → fail`; the verdict alone for a case in one record only."""
    signed = edit.change is not Change.DIFFERENCE  # the report shows the new difference itself
    return " → ".join(_verdict(side, signed=signed) for side in (edit.before, edit.after) if side is not None)


def _verdict(result: RecordedResult, *, signed: bool) -> str:
    named = verdict_with_readings(result)
    return f"{named} {one_line(result.signature, MAX_WORD)}".rstrip() if signed and result.verdict in FAILING else named


def tally(changes: Sequence[ChangedResult]) -> str:
    """`2 newly failing, 1 fixed`, or `no changes`."""
    counts = Counter(edit.change for edit in changes)
    return ", ".join(f"{counts[change]:,} {change.value}" for change in Change if counts[change]) or "no changes"


def causes_text(causes: CauseChanges) -> str:
    """`fixed: deaf (6 cases); new: unexplained (3 cases)`."""
    return "; ".join(
        f"{sort}: {', '.join(cause_lines({' → '.join(sides): count for sides, count in counts.items()}))}"
        for sort, counts in causes_by_sort(causes)
    )


def causes_by_sort(causes: CauseChanges) -> Iterator[tuple[str, Mapping[tuple[str, ...], int]]]:
    """Each sort of change with the causes of its failures and their numbers of cases. Of a failure with another cause than
    before, it has both causes."""
    changed: dict[tuple[str, ...], int] = {
        (before,) if before == after else (before, after): count for (before, after), count in causes.changed.items()
    }
    for sort, counts in (("fixed", causes.fixed), ("new", causes.new)):
        if counts:
            yield sort, {(name,): count for name, count in counts.items()}
    if changed:
        yield "another difference", changed


def cause_lines(counts: Mapping[str, int]) -> list[str]:
    """`deaf (6 cases)`, `unexplained (3 cases)`: the first causes with their numbers of cases, and how many follow."""
    shown = [f"{one_line(cause)} ({plural(count, 'case')})" for cause, count in counts.items()]
    return [*first_and_more(shown, MAX_SHOWN, "cause")]


def current_verdicts(summary: RunSummary) -> Iterator[str]:
    """The verdicts of each implementation in the newer record: `ts now: 540 pass, 44 fail`."""
    for name, counts in summary.totals.items():
        yield f"{one_line(name)} now: {counts_text(counts)}"
