"""RunSummary → the screen that `parity run` prints: a row for each implementation, the causes of most failures, some failing
cases, what was not tested, and the commands that show more. `console.py` prints the details."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, groupby

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...base.text_limits import MAX_STATEMENT, MAX_WORD
from ...compare.causes import names_of
from ...compare.error_text import outcome_text
from ...errors import one_line, plural, printable
from ...model import (
    ErrorKind,
    NothingObservable,
    NotOffered,
    OutOfReach,
    RecordedImplementation,
    RecordedResult,
    RunRecord,
    Unsupported,
    UnsupportedReason,
    Verdict,
    supported,
    where,
)
from ..description import FailureCause, SharedCause, descriptions, shared
from ..failure_groups import BREAKS, FailureGroup, failure_chains
from ..laid_out import plain_table, printed
from ..phrases import and_more, charge_text, counts_text, first_and_more, following_text, n_of_m, percentage
from ..requirement_failures import main_requirement
from ..result_text import (
    describe_briefly,
    describe_flaky,
    describe_incidents,
    describe_not_started,
    describe_not_tested,
    describe_unsent,
    describe_working_copies,
    folded,
    listing_command,
    repeat_words,
    request_text,
    requirement_statement,
    rerun_commands,
    wrapped,
)
from ..run_summary import RunSummary, urgency
from ..suite_counts import system_of
from ..summary_text import missing_texts
from ..verdict_looks import LOOKS

LINES = 50
"""The most lines of the screen, unless sentences that must not be left out need more."""

_ROOM = 2
"""Lines that the command prints below the screen: the path of the record, and what is not complete."""

_SIZES = ((3, 6), (3, 5), (3, 4), (3, 3), (2, 3), (1, 3), (1, 2), (1, 1))
"""How many failing cases and how many causes are shown: the first sizes that fit."""

_ALARMS = 3

_UNSUPPORTED: Mapping[type[UnsupportedReason], str] = {
    NotOffered: "not implemented",
    OutOfReach: "out of reach",
    NothingObservable: "unobservable",
}
"""What a case is whose operation is not offered, whose request cannot be taken, or of whose answer nothing is reported."""

ALARM = "bold red"


def render(summary: RunSummary, *, color: bool, width: int = 100, path: str = "RECORD") -> str:
    """The screen in `width` columns. `path` is the path of the record, for commands."""
    for size in _SIZES:
        text = printed(screen_sections(summary, width, path, size), color=color, width=width)
        if text.count("\n") <= LINES - _ROOM:
            break
    return text


def failure_causes(summary: RunSummary, names: Collection[str]) -> list[SharedCause]:
    """What the failures of these implementations have in common: a known cause; or the failure group of those without, with
    what can follow from it behind it."""
    described = {description.implementation: description for description in descriptions(summary.record)}
    found: list[tuple[str, FailureCause]] = []
    first_of: dict[str, str] = {}
    for name in names:
        known = described[name].causes if name in described else ()
        explained = {result.case for cause in known for result in cause.results}
        unexplained = (result for result in summary.failures_of(name) if result.case not in explained)
        found += [(name, cause) for cause in known]
        for groups in failure_chains(unexplained, summary.record.metadata):
            parts = [
                _group_cause(list(part)) for _, part in groupby(groups, key=lambda group: group.follows or group.name)
            ]
            found += [(name, cause) for cause in parts]
            first_of = {cause.name: parts[0].name for cause in parts} | first_of
    chains: dict[str, list[SharedCause]] = {}
    for cause in shared(found):
        chains.setdefault(first_of.get(cause.name, cause.name), []).append(cause)
    causes = [cause for group in sorted(chains.values(), key=_rank) for cause in group]
    turns = Counter[int]()
    ordered = []
    for cause in causes:  # one of each sort of break before a second one
        urgent = _rank([cause])[0]
        turns[urgent] += 1
        ordered.append((turns[urgent] if urgent < len(ErrorKind) else len(causes) + 1, cause))
    return [cause for _, cause in sorted(ordered, key=lambda item: item[0])]


def _group_cause(groups: Sequence[FailureGroup]) -> FailureCause:
    """A group that follows no other; or all that can follow from the same failures."""
    first, results = groups[0], tuple(result for group in groups for result in group.results)
    if not first.follows:
        return FailureCause(first.name, first.fault or "no known cause", None, results, is_group=True)
    operations = ", ".join(dict.fromkeys(group.operation for group in groups))
    return FailureCause(following_text(first.follows), operations, None, results, is_group=True, is_effect=True)


def _example(cause: SharedCause) -> RecordedResult:
    """Of the implementation with most of them, the most urgent failure, then the first that nothing else explains."""
    results = max((part.results for part in cause.by.values()), key=len)
    return min(results, key=lambda one: (urgency(one), len(names_of(one.explained_by))))


def _rank(chain: Sequence[SharedCause]) -> tuple[int, int, str]:
    """Breaks of an adapter before other failures, by their urgency; then the cause of most failures, with those that can
    follow from it."""
    cause, failures = chain[0], sum(cause.failures for cause in chain)
    example = _example(cause)
    return urgency(example) if example.kind in BREAKS else len(ErrorKind), -failures, cause.first.title


def first_failures(causes: Sequence[SharedCause], most: int) -> list[RecordedResult]:
    """The failing cases to show: the example of each cause, effects of others last, then further cases."""
    others = (result for cause in causes for part in cause.by.values() for result in part.results)
    found: dict[tuple[str, str], RecordedResult] = {}
    for result in chain(map(_example, sorted(causes, key=lambda cause: cause.first.is_effect)), others):
        if len(found) == most:
            break
        found.setdefault((result.case, result.implementation), result)
    return [*found.values()]


def screen_sections(
    summary: RunSummary, width: int, path: str, size: tuple[int, int] = _SIZES[0]
) -> Iterator[Sequence[RenderableType]]:
    """The parts of the screen. `size`: how many failing cases and how many causes are shown."""
    record, (cases, listed) = summary.record, size
    causes = failure_causes(summary, record.implementations)
    shown = first_failures(causes, cases)
    yield [Text(line, ALARM) for line in describe_unsent(record)]
    copies = (Text(line, no_wrap=True, overflow="ignore") for line in describe_working_copies(record))
    yield [_implementations(summary, width), *copies]
    yield list(_cause_table(summary, causes, shown, listed, width))
    for result in shown:
        yield list(_failure(result, record, width))
    yield from alarm_sections(summary, width)
    yield list(_not_tested(summary, width))
    yield list(_commands(summary, shown[0] if shown else None, path))
    yield [Text(sums_text(summary))]


def _implementations(summary: RunSummary, width: int) -> Table:
    """A row for each implementation: the cases that it answered, its verdicts, and the share of the answers that it
    reports if that is not all."""
    observed = {
        name: ""
        if conformance.share.observed.is_whole
        else percentage(conformance.share.observed.observed, conformance.share.observed.leaves)
        for name, conformance in summary.conformance.items()
    }
    is_partly = any(observed.values())
    numbers = ["answered", *_TITLES.values(), *(["observed"] if is_partly else [])]
    table = plain_table([""], numbers)
    table.add_column("version", no_wrap=True, overflow="ellipsis", max_width=max(8, width - 70))
    table.columns[0].max_width = table.columns[-1].max_width
    for entry in summary.record.metadata.implementations:
        counts = summary.totals[entry.name]
        cells = [_count(counts[verdict], verdict) for verdict in _TITLES]
        shares = [observed.get(entry.name) or "100%"] if is_partly else []
        name = Text(one_line(entry.name), style="bold")
        if entry.name in summary.not_started:
            table.add_row(name, Text("not started", ALARM), *cells, *([""] if is_partly else []), "")
        else:
            table.add_row(name, _answered(summary, entry.name), *cells, *shares, one_line(_version(entry), MAX_WORD))
    return table


_TITLES = {verdict: LOOKS[verdict].title for verdict in Verdict if LOOKS[verdict].title}


def _count(number: int, verdict: Verdict) -> Text:
    return Text(f"{number:,}", LOOKS[verdict].style) if number else Text("·", "dim")


def _answered(summary: RunSummary, name: str) -> str:
    found = summary.conformance.get(name)
    if found and found.systems:
        return n_of_m(found.share.answered, found.share.cases)
    counts = summary.totals[name]
    return n_of_m(supported(counts), counts.total())


def _version(entry: RecordedImplementation) -> str:
    if entry.sdk is not None:
        return "working copy"
    return entry.identity.version if entry.identity else ""


def _cause_table(
    summary: RunSummary, causes: Sequence[SharedCause], shown: Sequence[RecordedResult], listed: int, width: int
) -> Iterator[RenderableType]:
    """The causes of most failures: the number of failures of each implementation, and the first case of those that are not
    shown below."""
    names = [name for name in summary.record.implementations if any(name in cause.by for cause in causes)]
    if not names:
        return
    table = plain_table(numbers=[one_line(name, MAX_WORD) for name in names])
    table.width = width
    table.add_column(f"{_cause_or_place(causes[:listed])} of failures", no_wrap=True, overflow="ellipsis", ratio=1)
    for cause in causes[:listed]:
        text = Text(one_line(": ".join(filter(None, (cause.first.title, cause.reason))), width))
        if (example := _example(cause)) not in shown:
            text.append(f"\n  e.g. {one_line(example.at)}", "dim")
        table.add_row(*(_count(_failures(cause, name), Verdict.FAIL) for name in names), text)
    if rest := causes[listed:]:
        others = f"{len(rest)} other {_cause_or_place(rest, 's' if len(rest) > 1 else '')}"
        cases = [
            {result.case for cause in rest if name in cause.by for result in cause.by[name].results} for name in names
        ]
        table.add_row(*(f"{len(explained):,}" if explained else "·" for explained in cases), others)
    yield table
    sums = [sum(_failures(cause, name) for cause in causes) for name in names]
    if any(count > len(summary.failures_of(name)) for name, count in zip(names, sums, strict=True)):
        yield Text("A failure with several causes counts for each of them.", "dim")


def _failures(cause: SharedCause, name: str) -> int:
    return len(cause.by[name].results) if name in cause.by else 0


def _cause_or_place(causes: Sequence[SharedCause], ending: str = "") -> str:
    """`cause`, `place`, or `cause or place`."""
    kinds = sorted({cause.first.is_group for cause in causes})
    return " or ".join(f"{'place' if is_group else 'cause'}{ending}" for is_group in kinds)


def _failure(result: RecordedResult, record: RunRecord, width: int) -> Iterator[Text]:
    """One failing case with the sentence that it breaks."""
    charged = main_requirement(record, result.implementation)(result)
    first, *rest = describe_briefly(result, record, width)
    yield Text(first, "red", no_wrap=True, overflow="ellipsis")
    yield Text(f"  {request_text(result)}", no_wrap=True, overflow="ignore")
    yield from (Text(line, no_wrap=True, overflow="ellipsis") for line in rest)
    if charged:
        sentence = one_line(charge_text(result, charged, requirement_statement(record, charged)), MAX_STATEMENT)
        yield from map(Text, wrapped(sentence, width))


def alarm_sections(summary: RunSummary, width: int) -> Iterator[Sequence[Text]]:
    """What makes the numbers doubtful."""
    record = summary.record
    incidents = list(describe_incidents(record.incidents))
    flaky = [
        f"flaky: {describe_flaky(name, len(results))}, e.g. {one_line(results[0].at)}"
        for name, results in summary.flaky.items()
    ]
    lines = [*flaky, *first_and_more(incidents, _ALARMS, "incident"), *missing_texts(summary)]
    yield [Text(part, ALARM) for line in lines for part in folded(line, width)]
    for name, reason in summary.not_started.items():
        first, *rest = describe_not_started(name, reason, record)
        others = (Text(line, no_wrap=True, overflow="ignore") for line in rest)  # no line begins with foreign text
        yield [Text(first, ALARM, no_wrap=True, overflow="ignore"), *others]


def _not_tested(summary: RunSummary, width: int) -> Iterator[Text]:
    """The implementations that could not be set up, and the cases that an implementation cannot take, with the most
    frequent reason."""
    yield from (Text(part, ALARM) for line in describe_not_tested(summary.record) for part in folded(line, width))
    for name in summary.record.implementations:
        found = unsupported_reasons(summary, name)
        absent = {no_operation(system): system for system in summary.systems_not_implemented.get(name, ())}
        absent = {text: system for text, system in absent.items() if found[NotOffered][text]}
        parts = []
        if absent:
            cases = plural(sum(found[NotOffered].pop(text) for text in absent), "case")
            parts.append(f"{cases} of {', '.join(sorted(absent.values()))}, where it has no operation")
        for kind, words in _UNSUPPORTED.items():
            if reasons := found[kind]:
                (reason, count), *others = reasons.most_common()
                reason = one_line(reason, max(MAX_WORD, width // 2))  # so that the sentence has its end
                first = f"{count:,} × {reason}, {and_more(len(others), 'reason')}" if others else reason
                parts.append(f"{plural(reasons.total(), 'case')} {words}: {first}")
        if parts:
            yield from map(Text, folded(f"{one_line(name)} is not tested with {'; '.join(parts)}", width))
        if kinds := Counter(result.kind for result in summary.failures_of(name) if result.kind in BREAKS):
            breaks = ", ".join(f"{count:,} × {kind}" for kind, count in kinds.most_common())
            cases = plural(kinds.total(), "case")
            yield from map(Text, folded(f"{one_line(name)} gave no answer to {cases}: {breaks}", width))


def _commands(summary: RunSummary, example: RecordedResult | None, path: str) -> Iterator[Text]:
    """The commands that show more: of one failing case, of all of them, and of the whole run."""
    record, commands = summary.record, {}
    if example is not None:
        commands["explain"] = shlex.join(["parity", "explain", example.at, *repeat_words(record, example)])
        commands |= rerun_commands(record, example)
        name = example.implementation
        listing = listing_command(record, name, (result.verdict for result in summary.failures_of(name)), path)
        commands |= {"list": listing} if listing else {}
    commands["details"] = shlex.join(["parity", "report", path, "--details", "-"])
    for what, command in commands.items():
        yield Text(f"{f'{what}:':<9}", no_wrap=True, overflow="ignore").append(printable(command), "bold")


def unsupported_reasons(summary: RunSummary, name: str) -> Mapping[type[UnsupportedReason], Counter[str]]:
    """The number of unsupported cases of an implementation by reason, for each kind of reason. All cases of a system without
    an implemented operation have one reason. An offered operation, as a skeleton sketches one, is not implemented
    either if it takes none of its cases, or refuses one for a reason that other operations are not offered for."""
    systems = summary.systems_not_implemented.get(name, frozenset())
    counted: dict[type[UnsupportedReason], Counter[str]] = {kind: Counter() for kind in _UNSUPPORTED}
    unsupported = where(summary.record.results, lambda one: one.verdict is Verdict.UNSUPPORTED, {name})
    refused = Counter(result.operation for result in unsupported)
    own = summary.record.metadata.implementation(name)
    lacking = {*own.identity.unsupported.values()} if own and own.identity else set()
    for result in unsupported:
        outcome, system = result.brief, system_of(result.case)
        if isinstance(outcome, Unsupported):
            is_absent = (
                system in systems
                or refused[result.operation] == summary.corpus_cases.get(result.operation)
                or (isinstance(outcome.reason, OutOfReach) and outcome.reason.reason in lacking)
            )
            text = no_operation(system) if system in systems else outcome_text(outcome)
            counted[NotOffered if is_absent else type(outcome.reason)][text] += 1
    return counted


def no_operation(system: str) -> str:
    """The reason for all cases of a system without an implemented operation."""
    return f"{system}: no operation is implemented"


def sums_text(summary: RunSummary) -> str:
    """`40 cases, 2 implementations, 80 verdicts in 1.2 s: 79 pass, 1 fail`."""
    record, sums = summary.record, Counter[Verdict]()
    for counts in summary.totals.values():
        sums.update(counts)
    time = "" if record.seconds is None else f" in {_duration(record.seconds)}"
    return (
        f"{plural(summary.cases, 'case')}, {plural(len(record.implementations), 'implementation')}, "
        f"{plural(sums.total(), 'verdict')}{time}: {counts_text(sums)}"
    )


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"
