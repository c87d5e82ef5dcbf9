"""RunSummary → the screen that `parity run` prints: a row for each implementation, the causes of most failures, some failing
cases, what was not tested, and the commands that show more. `console.py` prints the details."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..errors import one_line, printable
from ..model import RecordedImplementation, RecordedResult, RunRecord, Verdict, where
from .console import ALARM, no_operation, not_started_lines, sums_text, unsupported_reasons
from .description import descriptions
from .failure_groups import BREAKS, failure_groups
from .matrix import STYLES
from .phrases import MAX_STATEMENT, MAX_WORD, and_more, cause_name, n_of_m, percentage, plural
from .requirement_shares import requirement_shares
from .summary import RunSummary
from .summary_text import missing_texts
from .terminal import plain_table, printed
from .text import (
    describe_briefly,
    describe_flaky,
    describe_incidents,
    describe_not_tested,
    describe_unsent,
    listing_command,
    repeat_words,
    requirement_statement,
    rerun_command,
    wrapped,
)

LINES = 50
"""The most lines of the screen, unless sentences that must not be left out need more."""

_ROOM = 2
"""Lines that the command prints below the screen: the path of the record, and what is not complete."""

_SIZES = ((3, 6), (3, 5), (3, 4), (3, 3), (2, 3), (1, 3), (1, 2), (1, 1))
"""How many failing cases and how many causes are shown: the first sizes that fit."""

_ALARMS = 3


def render(summary: RunSummary, *, color: bool, width: int = 100, path: str = "RECORD") -> str:
    """The screen in `width` columns. `path` is the path of the record, for commands."""
    causes = _causes(summary)
    for cases, rows in _SIZES:
        text = printed(_sections(summary, causes, cases, rows, width, path), color=color, width=width)
        if text.count("\n") <= LINES - _ROOM:
            break
    return text


@dataclass(slots=True)
class _Cause:
    """What failures have in common: a known cause, or the operation and the place of failures without one."""

    name: str
    reason: str
    by: dict[str, Sequence[RecordedResult]] = field(default_factory=dict)

    @property
    def example(self) -> RecordedResult:
        """The first failing case that nothing else explains, of the implementation with most of them."""
        results = max(self.by.values(), key=len)
        return min(results, key=lambda one: len(one.explained_by.readings) + len(one.explained_by.deviations))

    @property
    def rank(self) -> tuple[bool, int, str]:
        """Breaks of an adapter before other failures, then the cause of most of them."""
        return self.example.kind not in BREAKS, -sum(map(len, self.by.values())), self.name


def _causes(summary: RunSummary) -> list[_Cause]:
    described = {one.implementation: one for one in descriptions(summary.record)}
    found: dict[str, _Cause] = {}
    for name in summary.record.implementations:
        explained: set[str] = set()
        for cause in described[name].causes if name in described else ():
            explained.update(result.case for result in cause.results)
            row = found.setdefault(cause.name, _Cause(cause_name(cause.name), cause.reason))
            row.by[name] = cause.results
        for group in failure_groups(one for one in summary.failures_of(name) if one.case not in explained):
            row = found.setdefault(group.name, _Cause(group.name, group.fault or "no known cause"))
            row.by[name] = group.results
    return sorted(found.values(), key=lambda cause: cause.rank)


def _sections(
    summary: RunSummary, causes: Sequence[_Cause], cases: int, rows: int, width: int, path: str
) -> Iterator[Sequence[RenderableType]]:
    record = summary.record
    shown = causes[:cases]
    yield [_implementations(summary, width)]
    yield list(_cause_table(summary, causes, cases, rows, width))
    for cause in shown:
        yield list(_failure(cause.example, record, width))
    yield list(_alarms(summary))
    for name, reason in summary.not_started.items():
        yield list(not_started_lines(name, reason, record))
    yield list(_not_tested(summary, width))
    yield list(_commands(summary, shown[0].example if shown else None, path))
    yield [Text(sums_text(summary), no_wrap=True, overflow="ignore")]


def _implementations(summary: RunSummary, width: int) -> Table:
    """A row for each implementation: the cases that it answered, its verdicts, and the share of the answers that it
    reports if that is not all."""
    observed = {
        name: "" if one.share.observed.is_whole else percentage(one.share.observed.observed, one.share.observed.leaves)
        for name, one in summary.conformance.items()
    }
    is_partly = any(observed.values())
    table = plain_table()
    titles = ["", "answered", "pass", "other reading", "fail", "error", *(["observed"] if is_partly else []), "version"]
    for number, title in enumerate(titles):
        is_text = number in (0, len(titles) - 1)
        table.add_column(
            title,
            justify="left" if is_text else "right",
            no_wrap=True,
            overflow="ellipsis",
            max_width=max(8, width - 70) if is_text else None,
        )
    for entry in summary.record.metadata.implementations:
        counts = summary.totals[entry.name]
        numbers = [_count(counts[verdict], verdict) for verdict in _VERDICTS]
        shares = [observed.get(entry.name) or "100%"] if is_partly else []
        name = Text(one_line(entry.name), style="bold")
        if entry.name in summary.not_started:
            table.add_row(name, Text("not started", ALARM), *numbers, *([""] if is_partly else []), "")
        else:
            table.add_row(name, _answered(summary, entry.name), *numbers, *shares, one_line(_version(entry), MAX_WORD))
    return table


_VERDICTS = (Verdict.PASS, Verdict.VARIANT, Verdict.FAIL, Verdict.ERROR)


def _count(number: int, verdict: Verdict) -> Text:
    return Text(f"{number:,}", STYLES[verdict]) if number else Text("·", "dim")


def _answered(summary: RunSummary, name: str) -> str:
    found = summary.conformance.get(name)
    if found and found.systems:
        return n_of_m(found.share.answered, found.share.cases)
    counts = summary.totals[name]
    return n_of_m(counts.total() - counts[Verdict.UNSUPPORTED], counts.total())


def _version(entry: RecordedImplementation) -> str:
    if entry.sdk is not None:
        return "working copy"
    return entry.identity.version if entry.identity else ""


def _cause_table(
    summary: RunSummary, causes: Sequence[_Cause], cases: int, rows: int, width: int
) -> Iterator[RenderableType]:
    """The causes of most failures: the number of failures of each implementation, and the first case of those that are not
    shown below."""
    names = [name for name in summary.record.implementations if any(name in cause.by for cause in causes)]
    if not names:
        return
    table = plain_table(numbers=[one_line(name, MAX_WORD) for name in names])
    table.width = width
    table.add_column("cause of failures", no_wrap=True, overflow="ellipsis", ratio=1)
    for number, cause in enumerate(causes[:rows]):
        text = Text(one_line(": ".join(filter(None, (cause.name, cause.reason))), width))
        if number >= cases:
            text.append(f"\n  e.g. {one_line(cause.example.at)}", "dim")
        table.add_row(*(_count(len(cause.by.get(name, ())), Verdict.FAIL) for name in names), text)
    if rest := causes[rows:]:
        table.add_row(*(str(_failures(rest, name) or "·") for name in names), plural(len(rest), "other cause"))
    yield table
    sums = [sum(len(cause.by.get(name, ())) for cause in causes) for name in names]
    if any(count > len(summary.failures_of(name)) for name, count in zip(names, sums, strict=True)):
        yield Text("A failure with several causes counts for each of them.", "dim")


def _failures(causes: Sequence[_Cause], name: str) -> int:
    """How many failures of an implementation these causes explain."""
    return len({result.case for cause in causes for result in cause.by.get(name, ())})


def _failure(result: RecordedResult, record: RunRecord, width: int) -> Iterator[Text]:
    """One failing case with the sentence that it breaks: of several, the one of which most cases fail."""
    shares = requirement_shares(where(record.results, lambda one: bool(one.verdict), {result.implementation}))
    order = {share.requirement: place for place, share in enumerate(shares)}
    charged = min(result.charged, key=lambda id_: order.get(id_, len(order)), default="")
    first, *rest = describe_briefly(result, record, width)
    yield Text(first, "red", no_wrap=True, overflow="ellipsis")
    yield from (Text(line, no_wrap=True, overflow="ellipsis") for line in rest)
    if charged:
        sentence = one_line(f"{charged}  {requirement_statement(record, charged)}", MAX_STATEMENT)
        yield from map(Text, wrapped(sentence, width))


def _alarms(summary: RunSummary) -> Iterator[Text]:
    """What makes the numbers doubtful."""
    record = summary.record
    incidents = list(describe_incidents(record.incidents))
    flaky = [
        f"flaky: {describe_flaky(name, len(results))}, e.g. {one_line(results[0].at)}"
        for name, results in summary.flaky.items()
    ]
    for line in (*describe_unsent(record), *flaky, *incidents[:_ALARMS]):
        yield Text(line, ALARM)
    if more := and_more(len(incidents) - _ALARMS, "incident"):
        yield Text(f"… {more}", ALARM)
    yield from (Text(sentence, ALARM) for sentence in missing_texts(summary))


def _not_tested(summary: RunSummary, width: int) -> Iterator[Text]:
    """The implementations that could not be set up, and the cases that an implementation cannot take, with the most
    frequent reason."""
    yield from (Text(line, ALARM) for line in describe_not_tested(summary.record))
    for name in summary.record.implementations:
        reasons = unsupported_reasons(summary, name)
        absent = {no_operation(system): system for system in summary.systems_not_implemented.get(name, ())}
        absent = {text: system for text, system in absent.items() if reasons[text]}
        parts = []
        if absent:
            cases = plural(sum(reasons.pop(text) for text in absent), "case")
            parts.append(f"{cases} of {', '.join(sorted(absent.values()))}, where it has no operation")
        if reasons:
            (reason, count), *others = reasons.most_common()
            first = f"{count:,} × {one_line(reason)}, {and_more(len(others), 'reason')}" if others else one_line(reason)
            parts.append(f"{plural(reasons.total(), 'case')} out of reach: {first}")
        if parts:
            yield Text(one_line(f"{one_line(name)} is not tested with {'; '.join(parts)}", 2 * width))


def _commands(summary: RunSummary, example: RecordedResult | None, path: str) -> Iterator[Text]:
    """The commands that show more: of one failing case, of all of them, and of the whole run."""
    record, commands = summary.record, {}
    if example is not None:
        commands["explain"] = shlex.join(["parity", "explain", example.at, *repeat_words(record, example)])
        commands["repeat"] = rerun_command(record, example)
        listing = listing_command(record, summary.failures_of(example.implementation), path)
        commands |= {"list": listing} if listing else {}
    commands["details"] = shlex.join(["parity", "report", path, "--text", "-"])
    for what, command in commands.items():
        yield Text(f"{f'{what}:':<9}", no_wrap=True, overflow="ignore").append(printable(command), "bold")
