"""What fails a gate, as blocks: new failures by group and cause, new unsupported cases, and lines of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...base.text_limits import MAX_STATEMENT
from ...compare.causes import UNDECIDED, UNEXPLAINED
from ...errors import one_line, plural
from ...gate.findings import GateFinding
from ...gate.listing import NewReason
from ...model import FAILING, RecordedResult, Status, replace
from ..document import Block, Item, first_items, literal
from ..phrases import NEW_REASON_TEXT, and_more, verb
from ..run_summary import RunSummary
from .group_text import group_blocks
from .run_diff_text import cause_lines

MAX_SHOWN = 20
"""Findings listed for each status, and changed readings; new failures are listed by group."""

_MAX_OFF_MODEL = 5
"""Cases listed for a model that predicts too many failures."""


def new_blocks(group: Sequence[GateFinding], summary: RunSummary, width: int) -> Iterator[Block]:
    """New failures by failure group, errors first; new unsupported cases by operation and reason, the most frequent
    first."""
    failing = {finding.name: finding for finding in group if _is_failure(finding)}
    results = [replace(finding.result.line, expectation=None) for finding in failing.values() if finding.result]
    yield from group_blocks(
        results, summary.record, lambda part: _lines([failing[result.case] for result in part]), width
    )
    yield from _by_cause(list(failing.values()))
    unsupported = Counter(
        (finding.result.operation, _unsupported_text(finding))
        for finding in group
        if finding.result and finding.name not in failing
    ).most_common()
    for (operation, text), count in unsupported[:MAX_SHOWN]:
        yield literal(f"{operation}: {plural(count, 'case')} {text}")
    if rest := sum(count for _, count in unsupported[MAX_SHOWN:]):
        yield Item(f"… and {plural(rest, 'more case')} of other operations or reasons")


def _is_failure(finding: GateFinding) -> bool:
    """Whether it is a new failure."""
    return finding.result is not None and finding.result.verdict in FAILING


def _by_cause(failing: Sequence[GateFinding]) -> Iterator[Block]:
    """`by cause:`, and a line for each cause; nothing if no failure has one."""
    counts = Counter(
        _other_way(finding)
        if finding.predicted and not finding.unlisted
        else " and ".join(finding.causes) or (UNDECIDED if finding.result and finding.result.undecided else UNEXPLAINED)
        for finding in failing
    )
    if {*counts} - {UNEXPLAINED}:
        yield Item("by cause:")
        yield from (Item(line, 1) for line in cause_lines(dict(counts.most_common())))


def listed_blocks(group: Sequence[GateFinding]) -> Iterator[Block]:
    """A line for each finding; of an expired entry its date, the number of its cases and the first of them."""
    if group[0].status is Status.EXPIRED:
        entries: dict[tuple[str, str], list[GateFinding]] = {}
        for finding in group:
            entries.setdefault((finding.entry, finding.seen), []).append(finding)
        for (entry, text), of_entry in entries.items():
            first = of_entry[0]
            yield literal(f"{entry or first.place}  {text}: {plural(len(of_entry), 'case')}, e.g. {first.name}")
        return
    entry = ""
    for finding in group[:MAX_SHOWN]:
        if finding.entry not in ("", entry):
            yield literal(f"{finding.entry}  the whole entry, because none of its lines applies:")
        entry = finding.entry
        yield literal(_line(finding))
        yield from first_items(finding.off_model, _MAX_OFF_MODEL, "case", 2)
    if more := and_more(len(group) - MAX_SHOWN):
        yield Item(f"… {more}")


def corpus_blocks(results: Sequence[RecordedResult]) -> Iterator[Block]:
    """A line for each operation and verdict, the most frequent first, with an example."""
    groups: dict[tuple[str, str], list[RecordedResult]] = {}
    for result in results:
        groups.setdefault((result.operation, result.verdict), []).append(result)
    rows = sorted(groups.items(), key=lambda row: (-len(row[1]), row[0]))
    lines = [
        f"{len(of_group)} × {operation} {verdict}, e.g. {of_group[0].case}" for (operation, verdict), of_group in rows
    ]
    yield from first_items(lines, MAX_SHOWN)


def _line(finding: GateFinding) -> str:
    return f"{_place(finding)}{finding.name}: {one_line(_finding_text(finding), MAX_STATEMENT)}{_listed_text(finding)}"


def _lines(findings: Sequence[GateFinding]) -> Iterator[str]:
    """A line for each new failure of a group; `likewise` in place of the reason of the one before."""
    before = None
    for finding in findings:
        reason = finding.unlisted, finding.predicted, finding.reason, finding.listed_reason
        if reason != before or finding.result is None:
            yield _line(finding)
        else:
            yield f"{_place(finding)}{finding.name}: {finding.result.verdict} likewise{_detail(finding)}"
        before = reason


def _place(finding: GateFinding) -> str:
    return f"{finding.place}  " if finding.place else ""


def _listed_text(finding: GateFinding) -> str:
    """The reason of the known failure of the case; empty without one."""
    if not finding.listed_reason:
        return ""
    return f"; the listed reason: {one_line(finding.listed_reason, MAX_STATEMENT)}"


def _unsupported_text(finding: GateFinding) -> str:
    """`unsupported, not listed as unsupported (no such call)`, or the known failure whose place the gap takes."""
    if not finding.listed_reason:
        return _finding_text(finding)
    listed = one_line(finding.listed_reason, MAX_STATEMENT)
    return f"unsupported now ({finding.seen}), where the file lists a failure: {listed}"


def _finding_text(finding: GateFinding) -> str:
    """`fail, not a known divergence (signature 0123456789ab)`, or the text of a line of the file."""
    if finding.reason is None or finding.result is None:
        return finding.seen
    return f"{finding.result.verdict}, {_reason_text(finding, finding.reason)}{_detail(finding)}"


def _detail(finding: GateFinding) -> str:
    detail = f"signature {finding.seen}" if _is_failure(finding) and finding.seen else finding.seen
    return f" ({detail})" if detail else ""


def _reason_text(finding: GateFinding, reason: NewReason) -> str:
    """Why a result is new: the causes that the file lacks, the prediction that does not hold, or the reason."""
    if finding.unlisted and reason is not NewReason.OTHER_SIGNATURE:
        causes = finding.causes or finding.unlisted
        missing = [
            f"`model: {name}`" if name in causes else f"`{name.replace('=', ': ')}` below `follows:`"
            for name in finding.unlisted
        ]
        return f"the file lacks {' and '.join(missing)}; --write-known adds what explains it if all predictions occur"
    if finding.predicted:
        return _other_way(finding)
    return NEW_REASON_TEXT[reason]


def _other_way(finding: GateFinding) -> str:
    """`not as the known cause deaf predicts`."""
    return (
        f"not as the known {verb(len(finding.predicted), 'cause', 'causes')} {' and '.join(finding.predicted)} predicts"
    )


def rows_to_delete(group: Sequence[GateFinding]) -> str:
    """The rows to delete: `3 lines`, `1 whole entry`, or both."""
    lines, entries = sum(not finding.entry for finding in group), len({finding.entry for finding in group} - {""})
    whole = "1 whole entry" if entries == 1 else f"{entries} whole entries"
    return " and ".join([*([plural(lines, "line")] if lines else []), *([whole] if entries else [])])
