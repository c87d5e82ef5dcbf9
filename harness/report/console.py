"""RunRecord → the text that `parity run` prints. What matters most stands last, next to the prompt: the differences come
first, then what was not compared, then the matrix, then the kinds of failure, what was not judged at all, and the sums."""

from __future__ import annotations

import io
import shlex
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice, zip_longest

from rich.console import Console
from rich.text import Text

from harness.errors import one_line, printable
from harness.model import FAILING, ErrorKind, RecordedResult, RunRecord, Verdict
from harness.report.agreement import agreement
from harness.report.agreement import render as agreed
from harness.report.case_order import in_corpus_order
from harness.report.error_text import outcome_text
from harness.report.failure_groups import MAX_FIRST, kinds
from harness.report.matrix import matrix
from harness.report.summary import cases, flaky, not_started, totals, unanswered_implementations, unoffered
from harness.report.text import (
    again,
    describe,
    describe_flaky,
    describe_implementations,
    describe_incidents,
    describe_kind,
    describe_not_started,
    describe_passes,
    describe_sum,
    plural,
    quoted,
    requirement_statement,
    ruling_title,
)

FIRST = 3
"""Failing cases shown in full for each implementation; no two of one suite, as long as there is another."""

_MOST_RULINGS = 3
_MOST_REQUIREMENTS = 5
_ENGINES = {"sqlite-fts5-match": "SQLite FTS5"}
_ALARM = "bold red"
_BREAKS = (ErrorKind.PROTOCOL, ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.START)
_ANSWERED = (Verdict.PASS, Verdict.VARIANT, Verdict.FAIL)


def render(record: RunRecord, *, color: bool, width: int = 100, path: str = "RECORD") -> str:
    """The whole report; what has to be cut is cut to `width` columns. `path` is the record's, for commands."""
    record = in_corpus_order(record)
    file = io.StringIO()
    out = Console(file=file, force_terminal=color, no_color=not color, highlight=False, soft_wrap=True)
    sections = [
        [Text(line) for line in describe_implementations(record)],
        *(list(_failures(record, name, width)) for name in record.implementations),
        list(_variants(record)),
        [*_unsupported(record), *_untold(record)],
        list(_refused(record)),
        matrix(record, width),
        *(list(_kinds(record, name, width, path)) for name in record.implementations),
        [Text(line) for line in agreed(agreement(record))],
        list(_unstable(record)),
        [Text(line, _ALARM) for line in describe_incidents(record.incidents)],
        *(list(_not_started(name, reason, record)) for name, reason in not_started(record).items()),
        [Text(sentence, _ALARM) for sentence in unanswered_implementations(record)],
        [Text(_sums(record))],
    ]
    for number, section in enumerate(filter(None, sections)):
        if number:
            out.print()
        for line in section:
            out.print(line)
    return file.getvalue()


def _failures(record: RunRecord, name: str, width: int) -> Iterator[Text]:
    """The first failing cases of one implementation, from as many suites as there are."""
    failing = _failing(record, name)
    if not failing:
        return
    suites = len({result.suite for result in failing})
    asked = cases(record) - totals(record)[name][Verdict.UNSUPPORTED]
    share = f"{len(failing)} of the {asked} cases" if asked > 1 else "the one case"
    yield Text(f"{name} fails {share} it was asked, in {plural(suites, 'suite')}:", style="bold")
    for result in islice(spread(failing), FIRST):
        lines = list(describe(result, record, width))
        yield Text()
        yield Text(lines[0], style="red")
        yield Text("\n".join(lines[1:]))
    if len(failing) > FIRST:
        yield Text(f"\n{name}: {len(failing) - FIRST} more; their kinds stand below.")


def _failing(record: RunRecord, name: str) -> Sequence[RecordedResult]:
    """The failing cases of one implementation; none of one that did not start, for it failed once."""
    if name in not_started(record):
        return ()
    return [result for result in record.results if result.implementation == name and result.verdict in FAILING]


def _kinds(record: RunRecord, name: str, width: int, path: str) -> Iterator[Text]:
    """The commonest kinds of failure of one implementation, unless all its failures were shown."""
    failing = _failing(record, name)
    if len(failing) <= FIRST:
        return
    found = kinds(failing)
    yield Text(f"{name}: {describe_sum(found, 'failure')}:", style="bold")
    for kind in found[:MAX_FIRST]:
        yield from map(Text, describe_kind(kind, width))
    rest = found[MAX_FIRST:]
    if rest:
        left = sum(len(kind.results) for kind in rest)
        yield Text(f"       and {plural(len(rest), 'more kind')} ({plural(left, 'failure')})")
    yield Text(printable(f"  {_looking(record, failing, path)}"))
    yield from (Text(line) for line in _by_requirement(record, failing, width))


def _looking(record: RunRecord, failing: Sequence[RecordedResult], path: str) -> str:
    """How the failing cases of one implementation are listed and shown, in a sentence with commands for a shell."""
    options = shlex.split(again(record, failing[0]))[len(("parity", "run")) : -len(("--select", "CASE"))]
    explain = f"`{shlex.join(['parity', 'explain', 'CASE', *options])}` shows one"
    if path.split() != [path]:  # which an expression of --select cannot name
        return f"{explain}."
    verdicts = dict.fromkeys(result.verdict for result in failing)
    selected = [f"verdict:{verdict}:{failing[0].implementation}@{path}" for verdict in verdicts]
    words = ["parity", "cases", *_corpus(record), *(word for one in selected for word in ("--select", one))]
    return f"`{shlex.join(words)}` lists them, {explain}."


def _corpus(record: RunRecord) -> list[str]:
    corpus = record.metadata.options.corpus
    return ["--corpus", corpus] if corpus else []


def _by_requirement(record: RunRecord, failing: Sequence[RecordedResult], width: int) -> Iterator[str]:
    """Which requirements the failing cases show, those of most cases first; nothing if all show the same. What broke on
    the way shows none."""
    counts = Counter(id_ for result in failing if result.kind not in _BREAKS for id_ in result.requirements)
    if len(counts) < 2:
        return
    yield "  by requirement:"
    for id_, count in counts.most_common(_MOST_REQUIREMENTS):
        yield one_line(f"{count:>6} × {id_}  {requirement_statement(record, id_)}", width)


def spread(results: Sequence[RecordedResult]) -> Iterator[RecordedResult]:
    """The first of each suite, the suite with most of them first; then the second of each, and so on."""
    suites: dict[str, list[RecordedResult]] = defaultdict(list)
    for result in results:
        suites[result.suite].append(result)
    columns = sorted(suites.values(), key=lambda of_suite: (-len(of_suite), of_suite[0].suite))
    return (result for result in chain.from_iterable(zip_longest(*columns)) if result is not None)


def _variants(record: RunRecord) -> Iterator[Text]:
    """Who follows another recorded reading, and in which disputes."""
    for name in record.implementations:
        rulings = Counter(
            result.ruling
            for result in record.results
            if result.implementation == name and result.verdict is Verdict.VARIANT
        )
        if not rulings:
            continue
        count = plural(rulings.total(), "case")
        yield Text(f"variant: {name} answers {count} by another recorded reading, which never fails a run:")
        most = rulings.most_common(_MOST_RULINGS)
        for ruling, number in most:
            yield Text(f"  {number:>4}  {one_line(ruling)}  {one_line(ruling_title(record, ruling), 80)}")
        if len(rulings) > len(most):
            rest = rulings.total() - sum(number for _, number in most)
            yield Text(f"  {rest:>4}  under {plural(len(rulings) - len(most), 'other ruling')}")


def _untold(record: RunRecord) -> Iterator[Text]:
    """What implementations cannot tell within the answers that they gave, and what was therefore not compared."""
    answered = {(result.implementation, result.operation) for result in record.results if result.verdict in _ANSWERED}
    for entry in record.metadata.implementations:
        unobservable = entry.identity.unobservable if entry.identity else {}
        parts = [
            f"{operation} {', '.join(paths)}"
            for operation, paths in unobservable.items()
            if (entry.name, operation) in answered
        ]
        if parts:
            yield Text(f"not told by {one_line(entry.name)}, and not compared: {one_line('; '.join(parts), 400)}")


def _unsupported(record: RunRecord) -> Iterator[Text]:
    """What implementations could not be asked: each reason with the number of cases, the commonest first."""
    without = unoffered(record)
    for name in record.implementations:
        reasons = Counter(
            _reason(result, without.get(name, frozenset()))
            for result in record.results
            if result.implementation == name and result.verdict is Verdict.UNSUPPORTED
        )
        if reasons:
            yield Text(f"unsupported: {name} cannot be asked {plural(reasons.total(), 'case')}:")
        for reason, count in reasons.most_common():
            yield Text(f"  {count:>4}  {one_line(reason)}")


def _reason(result: RecordedResult, without: Collection[str]) -> str:
    """Why it is unsupported; all cases of a system of which nothing is offered have one reason."""
    system = result.case.partition("/")[0]
    return f"{system}: none of its operations is offered" if system in without else outcome_text(result.outcome)


def _unstable(record: RunRecord) -> Iterator[Text]:
    """The cases that implementations answer otherwise when asked again."""
    for name, found in flaky(record).items():
        yield Text(f"flaky: {describe_flaky(name, len(found))}:", style=_ALARM)
        for result in found[:FIRST]:
            yield Text(f"  {one_line(result.case, 400)}")
            yield from (Text(f"    {line}") for line in describe_passes(result))
        if len(found) > FIRST:
            yield Text(f"  {len(found) - FIRST} more; the record has them all.")


def _refused(record: RunRecord) -> Iterator[Text]:
    """What a real engine refuses of the expressions that were wanted or came; one line an engine."""
    found: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for result in record.results:
        for refusal in result.engine:
            found[refusal.engine].setdefault(refusal.match, (refusal.message, result.case))
    for engine, refused in found.items():
        match, (message, case) = min(refused.items(), key=lambda item: len(item[0]))
        yield Text(
            f"The live engine ({_ENGINES.get(engine, one_line(engine))}) refuses {plural(len(refused), 'expression')}, "
            f"e.g. {quoted(match, 60)}: {one_line(message, 80)} ({one_line(case, 400)})"
        )


def _not_started(name: str, reason: str, record: RunRecord) -> Iterator[Text]:
    """Why an adapter could not be built or started, once, with the end of what it printed."""
    for number, line in enumerate(describe_not_started(name, reason, record)):
        yield Text(line, style="" if number else _ALARM)


def _sums(record: RunRecord) -> str:
    """`40 cases, 2 implementations, 80 verdicts in 1.2 s: 79 pass, 1 fail`."""
    sums: Counter[Verdict] = Counter()
    for counts in totals(record).values():
        sums.update(counts)
    told = ", ".join(f"{sums[verdict]} {verdict}" for verdict in Verdict if sums[verdict]) or "nothing judged"
    time = "" if record.seconds is None else f" in {_duration(record.seconds)}"
    return (
        f"{plural(cases(record), 'case')}, {plural(len(record.implementations), 'implementation')}, "
        f"{plural(sums.total(), 'verdict')}{time}: {told}"
    )


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"
