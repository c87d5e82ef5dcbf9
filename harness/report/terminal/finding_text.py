"""What fails a gate, as text: new failures by group and cause, new unsupported cases, and lines of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...base.text_limits import MAX_STATEMENT, MAX_TEXT
from ...compare.causes import UNDECIDED, UNEXPLAINED
from ...errors import one_line
from ...gate.findings import GateFinding
from ...gate.listing import NewReason
from ...model import FAILING, replace
from ..phrases import NEW_REASON_TEXT, and_more, first_and_more, plural
from ..run_summary import RunSummary
from .group_text import describe_groups
from .run_diff_text import cause_lines

MAX_SHOWN = 20
"""Findings listed for each status, and changed readings; new failures are listed by group."""

_MAX_OFF_MODEL = 5
"""Cases listed for a model that predicts too many failures."""


def describe_new(group: Sequence[GateFinding], summary: RunSummary) -> Iterator[str]:
    """New failures by failure group, errors first; new unsupported cases by operation and reason, the most frequent
    first."""
    record = summary.record
    failing = {one.name: one for one in group if one.verdict in FAILING}
    result_of = {one.case: replace(one.line, expectation=None) for one in record.results if one.case in failing}
    yield from describe_groups([result_of[name] for name in failing], record, lambda one: _line(failing[one.case]))
    yield from _by_cause(list(failing.values()))
    operation_of = {result.case: result.operation for result in record.results}
    unsupported = Counter(
        (operation_of[one.name], f"{_finding_text(one)}{_listed_text(one)}") for one in group if one.name not in failing
    ).most_common()
    for (operation, text), count in unsupported[:MAX_SHOWN]:
        yield f"  {one_line(operation)}: {plural(count, 'case')} {one_line(text, MAX_TEXT)}"
    rest = sum(count for _, count in unsupported[MAX_SHOWN:])
    if rest:
        yield f"  … and {plural(rest, 'more case')} of other operations or reasons"


def _by_cause(failing: Sequence[GateFinding]) -> Iterator[str]:
    """`by cause:`, and a line for each cause; nothing if no failure has one."""
    counts = Counter(
        f"another failure than {' and '.join(one.predicted)} predicts"
        if one.predicted and not one.unlisted
        else " and ".join(one.causes) or (UNDECIDED if one.is_undecided else UNEXPLAINED)
        for one in failing
    )
    if {*counts} - {UNEXPLAINED}:
        yield "  by cause:"
        yield from (f"    {line}" for line in cause_lines(dict(counts.most_common())))


def describe_listed(group: Sequence[GateFinding]) -> Iterator[str]:
    """A line for each finding."""
    entry = ""
    for finding in group[:MAX_SHOWN]:
        if finding.entry not in ("", entry):
            yield f"  {finding.entry}  the whole entry, because none of its lines applies:"
        entry = finding.entry
        yield f"  {_line(finding)}"
        cases = [one_line(case, MAX_STATEMENT) for case in finding.off_model]
        yield from (f"      {line}" for line in first_and_more(cases, _MAX_OFF_MODEL, "case"))
    if more := and_more(len(group) - MAX_SHOWN):
        yield f"  … {more}"


def describe_expired(group: Sequence[GateFinding]) -> Iterator[str]:
    """A line for each entry: its date, the number of its cases and the first of them."""
    entries: dict[tuple[str, str], list[GateFinding]] = {}
    for finding in group:
        entries.setdefault((finding.entry, finding.seen), []).append(finding)
    for (entry, text), found in entries.items():
        name = one_line(found[0].name, MAX_STATEMENT)
        yield f"  {entry or found[0].place}  {one_line(text, MAX_STATEMENT)}: {plural(len(found), 'case')}, e.g. {name}"


def _line(finding: GateFinding) -> str:
    place = f"{finding.place}  " if finding.place else ""
    name, text = one_line(finding.name, MAX_STATEMENT), one_line(_finding_text(finding), MAX_STATEMENT)
    return f"{place}{name}: {text}{_listed_text(finding)}"


def _listed_text(finding: GateFinding) -> str:
    """The reason of the known failure of the case; empty without one."""
    if not finding.listed_reason:
        return ""
    label = "the listed reason" if finding.verdict in FAILING else "the file lists a failure"
    return f"; {label}: {one_line(finding.listed_reason, MAX_STATEMENT)}"


def _finding_text(finding: GateFinding) -> str:
    """`fail, not a known divergence (signature 0123456789ab)`, or the text of a line of the file."""
    if finding.reason is None:
        return finding.seen
    is_failure = finding.verdict in FAILING
    detail = f"signature {finding.seen}" if is_failure and finding.seen else finding.seen
    return f"{finding.verdict}, {_reason_text(finding, finding.reason)}{f' ({detail})' if detail else ''}"


def _reason_text(finding: GateFinding, reason: NewReason) -> str:
    """Why a result is new: the causes that the file lacks, the prediction that does not hold, or the reason."""
    if finding.unlisted and reason is not NewReason.OTHER_SIGNATURE:
        causes = finding.causes or finding.unlisted
        missing = [
            f"`model: {one}`" if one in causes else f"`{one.replace('=', ': ')}` below `follows:`"
            for one in finding.unlisted
        ]
        return f"the file lacks {' and '.join(missing)}; --write-known adds what explains it if all predictions occur"
    if finding.predicted:
        return f"another failure than {' and '.join(finding.predicted)} predicts"
    return NEW_REASON_TEXT[reason]


def rows_to_delete(group: Sequence[GateFinding]) -> str:
    """The rows to delete: `3 lines`, `1 whole entry`, or both."""
    lines, entries = sum(not finding.entry for finding in group), len({finding.entry for finding in group} - {""})
    whole = "1 whole entry" if entries == 1 else f"{entries} whole entries"
    return " and ".join([*([plural(lines, "line")] if lines else []), *([whole] if entries else [])])
