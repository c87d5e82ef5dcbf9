"""RunSummary → the text that `parity run` prints. The most important part comes last, next to the prompt: differences
first, then skipped comparisons, the matrix, failure groups, the description of each SDK, missing verdicts, and sums."""

from __future__ import annotations

import io
import shlex
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, zip_longest

from rich.console import Console, RenderableType
from rich.text import Text

from ..compare.error_text import outcome_text
from ..errors import one_line, printable
from ..model import (
    CaseFacts,
    ErrorKind,
    OutcomeFacts,
    RecordedResult,
    RunRecord,
    Verdict,
    option_words,
    rows,
    tally,
    where,
)
from .agreement import agreement
from .agreement import render as render_agreement
from .description import descriptions
from .description_text import description_lines
from .difference_text import quoted
from .documented import notes_of
from .failure_groups import count_first, failure_groups
from .matrix import matrix
from .requirement_shares import requirement_shares
from .suite_counts import supported, system_of
from .summary import RunSummary, urgency
from .summary_text import answered_texts, missing_texts, profile_texts, rate_texts
from .text import (
    describe,
    describe_flaky,
    describe_group,
    describe_implementations,
    describe_incidents,
    describe_not_started,
    describe_not_tested,
    describe_passes,
    describe_sum,
    describe_unsent,
    plural,
    requirement_statement,
    rerun_command,
)

FIRST = 3
"""Failing cases shown in full for each implementation: errors first, then one of each suite."""

_MAX_REQUIREMENTS = 5
_ENGINES = {"sqlite-fts5-match": "SQLite FTS5"}
_ALARM = "bold red"
_UNLIMITED = 10_000
"""Columns of the console, wider than any line: nothing is wrapped or cut but by this module."""

_NO_ANSWER = (ErrorKind.PROTOCOL, ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.START)
_ANSWERED = (Verdict.PASS, Verdict.VARIANT, Verdict.FAIL)


def render(summary: RunSummary, *, color: bool, width: int = 100, path: str = "RECORD") -> str:
    """The whole report in `width` columns. `path` is the path of the record, for commands."""
    return _printed(_sections(summary, width, path), color=color)


def render_repeated(summary: RunSummary, *, color: bool, width: int = 100) -> str:
    """The report of a run over the cases that failed before: the failures, and no totals, because they are not those of the
    whole selection."""
    return _printed(_repeated_sections(summary, width), color=color)


def _printed(sections: Iterator[Sequence[RenderableType]], *, color: bool) -> str:
    file = io.StringIO()
    out = Console(
        file=file, force_terminal=color, no_color=not color, highlight=False, soft_wrap=True, width=_UNLIMITED
    )
    for number, section in enumerate(filter(None, sections)):
        if number:
            out.print()
        for line in section:
            out.print(line)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def _sections(summary: RunSummary, width: int, path: str) -> Iterator[Sequence[RenderableType]]:
    record = summary.record
    yield [Text(line, _ALARM) for line in describe_unsent(record)]
    yield [Text(line) for line in describe_implementations(record)]
    for name in record.implementations:
        yield list(_failures(summary, name, width))
    yield [*_unsupported(summary), *_unobservable(record)]
    yield list(_refusals(record))
    yield [matrix(summary, width)]
    for name in record.implementations:
        yield list(_groups(summary, name, width, path))
    yield [Text(line) for line in render_agreement(agreement(record))]
    yield list(_descriptions(record, width))
    yield list(_flaky(summary))
    yield [Text(line, _ALARM) for line in describe_incidents(record.incidents)]
    for name, cause in summary.not_started.items():
        yield list(_not_started(name, cause, record))
    yield list(_conformance(summary))
    yield [Text(sentence, _ALARM) for sentence in missing_texts(summary)]
    yield [Text(line, _ALARM) for line in describe_not_tested(record)]
    yield [Text(_sums(summary))]


def _repeated_sections(summary: RunSummary, width: int) -> Iterator[Sequence[RenderableType]]:
    record = summary.record
    yield [Text(line, _ALARM) for line in describe_unsent(record)]
    for name in record.implementations:
        failures = summary.failures_of(name)
        shown = [line for result in _first_failures(failures) for line in _described(result, summary, width)]
        more = [Text(f"\n… and {plural(len(failures) - FIRST, 'more case')}")] if len(failures) > FIRST else []
        yield [*shown[1:], *more]
    yield [Text(line, _ALARM) for line in describe_incidents(record.incidents)]
    for name, cause in summary.not_started.items():
        yield list(_not_started(name, cause, record))
    yield [Text(_still_failing(summary, name), style="bold") for name in record.implementations]


def _still_failing(summary: RunSummary, name: str) -> str:
    count, cases = len(summary.failures_of(name)), plural(summary.totals[name].total(), "case")
    return f"{one_line(name)}: {count} of {cases} {'fails' if count == 1 else 'fail'} again"


def _described(result: RecordedResult, summary: RunSummary, width: int) -> Iterator[Text]:
    """A failing case, after an empty line."""
    lines = list(describe(result, summary.record, width))
    yield Text()
    yield Text(lines[0], style="red")
    yield Text("\n".join(lines[1:]))


def _failures(summary: RunSummary, name: str, width: int) -> Iterator[Text]:
    """The first failing cases of one implementation, from as many suites as possible."""
    failures = summary.failures_of(name)
    if not failures:
        return
    suites = len({result.suite for result in failures})
    counts = summary.totals[name]
    cases = plural(supported(counts), "supported case" if counts[Verdict.UNSUPPORTED] else "case")
    verb = "fails" if len(failures) == 1 else "fail"
    yield Text(f"{one_line(name)}: {len(failures)} of {cases} {verb}, in {plural(suites, 'suite')}:", style="bold")
    for result in _first_failures(failures):
        yield from _described(result, summary, width)
    if len(failures) > FIRST:
        yield Text(f"\n{one_line(name)}: {plural(len(failures) - FIRST, 'more failure')}, grouped below.")


def _groups(summary: RunSummary, name: str, width: int, path: str) -> Iterator[Text]:
    """The groups of failures of one implementation, unless all its failures are shown above: errors first, then the
    most frequent."""
    failures = summary.failures_of(name)
    if len(failures) <= FIRST:
        return
    groups = failure_groups(failures)
    yield Text(f"{one_line(name)}: {describe_sum(groups, 'failure')}:", style="bold")
    shown = count_first(groups)
    for group in groups[:shown]:
        yield from map(Text, describe_group(group, summary.record, width))
        for note, count in notes_of(group.results, summary.record).items():
            yield Text(one_line(f"         {plural(count, 'case')}: {note}", 400))
    rest = groups[shown:]
    if rest:
        count = sum(len(group.results) for group in rest)
        yield Text(f"       and {plural(len(rest), 'more group')} ({plural(count, 'failure')})")
    yield Text(printable(f"  {_commands(summary.record, failures, path)}"))
    yield from (Text(line) for line in _by_requirement(summary.record, name, width))


def _commands(record: RunRecord, failures: Sequence[RecordedResult], path: str) -> str:
    """The shell commands that list the failing cases of one implementation, and show one of them and a group."""
    options = shlex.split(rerun_command(record, failures[0]))[len(("parity", "run")) : -len(("--select", "CASE"))]
    explain = f"`{shlex.join(['parity', 'explain', 'CASE', *options])}` shows one"
    if path.split() != [path]:  # an expression of --select cannot hold white space
        return f"{explain}."
    verdicts = dict.fromkeys(result.verdict for result in failures)
    selected = [f"verdict:{verdict}:{failures[0].implementation}@{path}" for verdict in verdicts]
    corpus = option_words(record.metadata.options, ("corpus",))
    words = ["parity", "cases", *corpus, *(word for one in selected for word in ("--select", one))]
    group = shlex.join(["parity", "explain", "OPERATION PLACE", *corpus, "--record", path])
    return f"`{shlex.join(words)}` lists them, {explain}, `{group}` shows a group."


def _by_requirement(record: RunRecord, name: str, width: int) -> Iterator[str]:
    """The requirements that fail, those without a passing case first; nothing if only one fails. Cases without an answer
    do not count."""
    shares = requirement_shares(where(record.results, lambda one: one.kind not in _NO_ANSWER, {name}))
    if len(shares) < 2:
        return
    never = sum(share.is_never_met for share in shares)
    yield f"  {plural(len(shares), 'requirement')} with failing cases, {never} without a passing case (failing/cases):"
    for share in shares[:_MAX_REQUIREMENTS]:
        statement = requirement_statement(record, share.requirement)
        yield one_line(f"{f'{share.failing}/{share.ran}':>9}  {share.requirement}  {statement}", width)


def _first_failures(failures: Sequence[RecordedResult]) -> list[RecordedResult]:
    """The failures to show in full: errors first, one of each kind before a second one, and one of each suite."""
    listed = sorted(round_robin_by_suite(failures), key=urgency)
    seen = Counter[int]()
    turns = {}
    for result in listed:
        turns[id(result)] = seen[urgency(result)]
        seen[urgency(result)] += 1
    errors = [result for result in listed if result.kind and not result.unsent_after]
    errors.sort(key=lambda result: turns[id(result)])
    return [*errors, *(result for result in listed if not result.kind or result.unsent_after)][:FIRST]


def round_robin_by_suite(results: Sequence[RecordedResult]) -> Iterator[RecordedResult]:
    """The first result of each suite, the largest suite first; then the second of each, and so on."""
    suites: dict[str, list[RecordedResult]] = defaultdict(list)
    for result in results:
        suites[result.suite].append(result)
    columns = sorted(suites.values(), key=lambda of_suite: (-len(of_suite), of_suite[0].suite))
    return (result for result in chain.from_iterable(zip_longest(*columns)) if result is not None)


def _descriptions(record: RunRecord, width: int) -> Iterator[Text]:
    """The description of each SDK with failures or variants."""
    for one in descriptions(record):
        for number, line in enumerate(description_lines(one, width)):
            yield Text(line, style="" if number else "bold")


def _conformance(summary: RunSummary) -> Iterator[Text]:
    """The share of cases that each implementation answered, its profiles, and its operations with most failures."""
    for line in chain(answered_texts(summary), profile_texts(summary), rate_texts(summary)):
        yield Text(line)


def _unobservable(record: RunRecord) -> Iterator[Text]:
    """The members that an implementation does not report in the answers of this run."""
    answered = {(key.implementation, key.operation) for key in tally(record.results) if key.verdict in _ANSWERED}
    for entry in record.metadata.implementations:
        by_operation = entry.identity.unobservable if entry.identity else {}
        parts = [
            f"{operation} {', '.join(paths)}"
            for operation, paths in by_operation.items()
            if (entry.name, operation) in answered
        ]
        if parts:
            listed = one_line("; ".join(parts), 400)
            yield Text(f"unobservable: {one_line(entry.name)} does not report {listed} (not compared)")


def _unsupported(summary: RunSummary) -> Iterator[Text]:
    """The reasons for unsupported cases, the most frequent first."""
    for name in summary.record.implementations:
        systems = summary.systems_not_implemented.get(name, frozenset())
        unsupported = where(summary.record.results, lambda one: one.verdict is Verdict.UNSUPPORTED, {name})
        reasons = Counter(_reason(systems, case, outcome) for case, _, outcome in rows(unsupported))
        if reasons:
            yield Text(f"unsupported: {one_line(name)}, {plural(reasons.total(), 'case')}:")
        for text, count in reasons.most_common():
            yield Text(f"  {count:>4}  {one_line(text)}")


def _reason(systems: Collection[str], case: CaseFacts, outcome: OutcomeFacts) -> str:
    """The adapter's reason; one reason for all cases of a system without an implemented operation."""
    system = system_of(case.case)
    if system in systems:
        return f"{system}: no operation is implemented"
    return outcome_text(outcome.brief)


def _flaky(summary: RunSummary) -> Iterator[Text]:
    """The cases with different answers in a repeated run."""
    for name, results in summary.flaky.items():
        yield Text(f"flaky: {describe_flaky(name, len(results))}:", style=_ALARM)
        for result in results[:FIRST]:
            yield Text(f"  {one_line(result.case, 400)}")
            yield from (Text(f"    {line}") for line in describe_passes(result))
        if len(results) > FIRST:
            yield Text(f"  {len(results) - FIRST} more; the record has them all.")


def _refusals(record: RunRecord) -> Iterator[Text]:
    """The expressions, expected or received, that a live engine rejects; one line an engine."""
    found: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for result in where(record.results, lambda outcome: outcome.has_refusals):
        for refusal in result.engine:
            found[refusal.engine].setdefault(refusal.match, (refusal.message, result.case))
    for engine, expressions in found.items():
        match, (message, case) = min(expressions.items(), key=lambda item: len(item[0]))
        yield Text(
            f"{_ENGINES.get(engine, one_line(engine))} rejects {plural(len(expressions), 'expression')}, "
            f"e.g. {quoted(match, 60)}: {one_line(message, 80)} ({one_line(case, 400)})"
        )


def _not_started(name: str, cause: str, record: RunRecord) -> Iterator[Text]:
    """Why an adapter did not start, with the end of its output."""
    for number, line in enumerate(describe_not_started(name, cause, record)):
        yield Text(line, style="" if number else _ALARM)


def _sums(summary: RunSummary) -> str:
    """`40 cases, 2 implementations, 80 verdicts in 1.2 s: 79 pass, 1 fail`."""
    record, sums = summary.record, Counter[Verdict]()
    for counts in summary.totals.values():
        sums.update(counts)
    by_verdict = ", ".join(f"{sums[verdict]} {verdict}" for verdict in Verdict if sums[verdict]) or "no verdicts"
    time = "" if record.seconds is None else f" in {_duration(record.seconds)}"
    return (
        f"{plural(summary.cases, 'case')}, {plural(len(record.implementations), 'implementation')}, "
        f"{plural(sums.total(), 'verdict')}{time}: {by_verdict}"
    )


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"
