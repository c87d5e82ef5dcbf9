"""The text that a campaign prints: the progress line, the table, the findings with the commands that repeat them. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from ..base.text_limits import MAX_NAME, MAX_STATEMENT
from ..compare.canonical import compact
from ..compare.edits import Changed
from ..compare.error_text import outcome_text
from ..errors import one_line, plural
from ..model import FAILING, ErrorKind, Failed
from ..report.difference_text import difference_line, parts_of
from ..report.laid_out import lines_of, plain_table
from ..report.phrases import and_more, in_brackets, n_of_m, percentage
from .campaign_report import Finding, Report, Tally
from .classify import MODEL, Class
from .reached import Reached, ReachedRulings

_MAX_DIFFERENCES = 3
_MAX_CAUSES = 8
_EXPLAINABLE = frozenset({"difference", ErrorKind.IMPLEMENTATION.value})
"""Kinds of groups for which readings and deviations are searched."""


def progress_text(tally: Tally, findings: int, seconds: float) -> str:
    """One line: requests so far, their rate, and the findings."""
    return f"{plural(tally.sent, 'request')}  {_rate(tally.sent, seconds)}/s  {plural(findings, 'new finding')}"


def _rate(requests: int, seconds: float) -> str:
    """Requests a second."""
    return f"{requests / seconds:.0f}" if seconds > 0 else "0"


def render(report: Report, record: str, options: Sequence[str]) -> str:
    """The whole text. `options` are those of the command line that name the implementations again."""
    lines = [*_table(report), *_causes(report.tally), *_apart(report.tally), *_stopped(report.tally)]
    for number, finding in enumerate(report.findings, 1):
        lines += ["", *_finding(number, finding, report.tally, record, options)]
    lines += ["", *_verdict(report, record), f"record: {record}"]
    return "".join(f"{line}\n" for line in lines)


def reached_text(found: Reached) -> str:
    """The lines on the parts of the reference that a campaign reached and left untouched."""
    lines = [
        f"of the reference, {plural(found.requests, 'request')} reach {_share(found.executed_branches, found.branches)} "
        f"branches and {_share(found.executed_lines, found.lines)} lines of functions in {plural(found.modules, 'module')}"
    ]
    for run in found.untouched:
        parts = [f"lines {_ranges(run.lines)}"] if run.lines else []
        parts += [f"branch {start} to {'the end' if end < 0 else end}" for start, end in run.branches]
        shown = "the whole function" if run.is_whole else ", ".join(parts)
        lines.append(f"   untouched: {run.file} {run.function}: {shown}")
    return "".join(f"{line}\n" for line in lines)


def rulings_text(found: ReachedRulings) -> str:
    """The lines on the rulings whose points of decision a campaign reached and left untouched."""
    reached = found.rulings - len(found.untouched)
    lines = [
        f"of the rulings of these operations, {plural(found.requests, 'request')} reach {_share(reached, found.rulings)} "
        "points of decision"
    ]
    lines += [f"   untouched: {name} ({', '.join(requirements)})" for name, requirements in found.untouched]
    return "".join(f"{line}\n" for line in lines)


def _share(part: int, whole: int) -> str:
    return f"{n_of_m(part, whole)}{in_brackets([percentage(part, whole)])}"


def _ranges(lines: Sequence[int]) -> str:
    """`3-5, 9` of 3, 4, 5 and 9."""
    found: list[list[int]] = []
    for line in lines:
        if found and line == found[-1][-1] + 1:
            found[-1].append(line)
        else:
            found.append([line])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found)


def _table(report: Report) -> Iterator[str]:
    tally = report.tally
    names = sorted({name for counts in tally.operations.values() for name, _ in counts.classes})
    columns = ["sent", "/s", "trivial", "invalid", "repeated", *(f"{name} explained/known/new" for name in names)]
    table = plain_table(["operation"], columns)
    for operation, counts in tally.operations.items():
        if counts.sent:
            trivial = percentage(counts.trivial, max(1, counts.sent - counts.unsupported))
            cells = [_rate(counts.sent, counts.seconds), trivial, f"{counts.invalid:,}", f"{counts.repeated:,}"]
            classes = ("/".join(f"{counts.classes[name, class_]:,}" for class_ in Class) for name in names)
            table.add_row(operation, f"{counts.sent:,}", *cells, *classes)
    yield from lines_of(table)
    shrinking = f"; {tally.shrinking:.1f} s spent shrinking" if tally.shrinking else ""
    speed = f"{tally.seconds:.1f} s, {_rate(tally.sent, tally.seconds)} a second"
    yield f"{plural(tally.sent, 'request')} in {speed}{shrinking}; seed {report.seed}"
    yield "/s: requests a second of wall-clock time, during the rounds of the operation"


def _causes(tally: Tally) -> Iterator[str]:
    """The most frequent causes of explained answers, by implementation."""
    for name in sorted({name for name, _ in tally.causes}):
        counts = sorted(
            ((count, causes) for (implementation, causes), count in tally.causes.items() if implementation == name),
            key=lambda item: (-item[0], item[1]),
        )
        shown = ", ".join(f"{_cause_names(causes)} {count:,}" for count, causes in counts[:_MAX_CAUSES])
        more = and_more(len(counts) - _MAX_CAUSES)
        yield f"{name} explained by: {shown}{f', {more}' if more else ''}"


def _cause_names(causes: Sequence[str]) -> str:
    return "the known-divergence file" if tuple(causes) == (MODEL,) else " and ".join(causes)


def _apart(tally: Tally) -> Iterator[str]:
    for (name, other), count in sorted(tally.apart.items()):
        yield f"{name} and {other} differ from each other on {plural(count, 'request')}"


def _stopped(tally: Tally) -> Iterator[str]:
    for operation, name in tally.stopped:
        yield f"{operation}: not fuzzed to the end, because {name} broke too often"


def _finding(number: int, finding: Finding, tally: Tally, record: str, options: Sequence[str]) -> Iterator[str]:
    group = finding.group
    shrunk = ", flaky" if finding.is_flaky else "" if finding.is_shrunk else ", not shrunk to the end"
    yield f"{number}. {group}  ({plural(tally.groups[group.unshrunk], 'request')}{shrunk})"
    yield f"   request:  {one_line(compact(finding.case.request), MAX_NAME)}"
    for result in finding.results:
        if result.implementation == group.implementation:
            outcome = result.outcome
            if isinstance(outcome, Failed):
                for part in outcome.differences[:_MAX_DIFFERENCES]:
                    yield f"   {difference_line(parts_of(Changed(part.path, part.wanted, part.got)))}"
            else:
                yield f"   {one_line(outcome_text(outcome), MAX_STATEMENT)}"
    failing = [result.implementation for result in finding.results if result.verdict in FAILING]
    if others := [name for name in failing if name != group.implementation]:
        yield f"   also failing: {', '.join(others)}"
    if group.causes:
        yield f"   explained by: {' and '.join(group.causes)}, which is not known of {group.implementation}"
    elif group.kind in _EXPLAINABLE:
        yield "   explained by: no reading or deviation of the reference"
    if group.edit.place:
        yield f"   passes with this edit:  {one_line(str(group.edit), MAX_NAME)}"
    if group.edit.place and finding.passing is not None:
        yield f"   passes:   {one_line(compact(finding.passing), MAX_NAME)}"
    yield f"   to repeat:  {shlex.join(['parity', 'explain', finding.case.name, '--record', record, *options])}"


def _verdict(report: Report, record: str) -> Iterator[str]:
    count = len(report.findings)
    kinds = {kind.value for kind in ErrorKind}
    breaks = sum(finding.group.kind in kinds for finding in report.findings)
    if not count:
        yield "nothing new"
    else:
        yield f"{plural(count, 'new finding')}" + (f", {breaks} of them errors" if breaks else "")
        yield f"to keep one as a case:  {shlex.join(['parity', 'promote', 'NAME', '--record', record])}"
