"""RunSummary → the text that `parity run --verbose` prints: the details, and the screen of `first_screen.py` last, next to
the prompt."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from rich.console import RenderableType
from rich.text import Text

from ...base.text_limits import MAX_NAME, MAX_WORD
from ...errors import one_line, plural, printable
from ...model import COMPARED, RunRecord, option_words, tally, where
from ..agreement import agreement
from ..agreement import render as render_agreement
from ..cause_text import description_lines
from ..description import descriptions
from ..difference_text import quoted
from ..document_terminal import table_of
from ..documented import notes_of
from ..failure_groups import BREAKS, count_first, failure_groups
from ..failure_spans import other_examples
from ..laid_out import printed
from ..phrases import and_more, following_text, verb
from ..requirement_failures import requirement_shares
from ..result_text import (
    describe,
    describe_flaky,
    describe_group,
    describe_implementations,
    describe_passes,
    describe_sum,
    describe_unsent,
    requirement_statement,
)
from ..run_summary import RunSummary
from ..summary_text import answered_texts, profile_texts, rate_texts, section_tables
from .first_screen import ALARM, alarm_sections, failure_causes, first_failures, screen_sections, unsupported_reasons

FIRST = 3
"""Failing and flaky cases that are shown for each implementation."""

_MAX_REQUIREMENTS = 5
_ENGINES = {"sqlite-fts5-match": "SQLite FTS5"}


def render(summary: RunSummary, *, color: bool, width: int = 100, path: str = "RECORD") -> str:
    """The whole report in `width` columns. `path` is the path of the record, for commands."""
    return printed(_sections(summary, width, path), color=color, width=width)


def render_repeated(summary: RunSummary, *, color: bool, width: int = 100) -> str:
    """The report of a run over the cases that failed before: the failures, and no totals, because they are not those of the
    whole selection."""
    return printed(_repeated_sections(summary, width), color=color, width=width)


def _sections(summary: RunSummary, width: int, path: str) -> Iterator[Sequence[RenderableType]]:
    record = summary.record
    yield [Text(line) for line in describe_implementations(record)]
    yield [*_unsupported(summary), *_unobservable(record)]
    yield list(_refusals(record))
    yield [*map(table_of, section_tables(summary))]
    for name in record.implementations:
        yield list(_groups(summary, name, width, path))
    yield [Text(line) for line in render_agreement(agreement(record))]
    yield list(_descriptions(record, width))
    yield list(_flaky(summary))
    yield list(_conformance(summary))
    yield from screen_sections(summary, width, path)


def _repeated_sections(summary: RunSummary, width: int) -> Iterator[Sequence[RenderableType]]:
    record = summary.record
    yield [Text(line, ALARM) for line in describe_unsent(record)]
    for name in record.implementations:
        for result in first_failures(failure_causes(summary, [name]), FIRST):
            first, *rest = describe(result, record, width)
            whole = (Text(line, no_wrap=True, overflow="ignore") for line in rest)  # a command is pasted whole
            yield [Text(first, "red"), *whole]
        if more := and_more(len(summary.failures_of(name)) - FIRST, "case"):
            yield [Text(f"… {more}")]
    yield from alarm_sections(summary, width)
    started = [name for name in record.implementations if name not in summary.not_started]
    yield [Text(_still_failing(summary, name), style="bold") for name in started]


def _still_failing(summary: RunSummary, name: str) -> str:
    count, cases = len(summary.failures_of(name)), plural(summary.totals[name].total(), "case")
    return f"{one_line(name)}: {count:,} of {cases} {verb(count, 'fails', 'fail')} again"


def _groups(summary: RunSummary, name: str, width: int, path: str) -> Iterator[Text]:
    """The groups of failures of one implementation, causes before effects."""
    failures = summary.failures_of(name)
    if not failures:
        return
    groups = failure_groups(failures, summary.record.metadata)
    yield Text(f"{one_line(name)}: {describe_sum(groups, 'failure')}:", style="bold")
    shown = count_first(groups)
    for group in groups[:shown]:
        yield from map(Text, describe_group(group, summary.record, width))
        if group.follows:
            yield Text(f"        {following_text(group.follows)}")
        for text in other_examples(group, summary.record):
            yield Text(one_line(f"        also {text}", width))
        for note, count in notes_of(group.results, summary.record).items():
            yield Text(one_line(f"        {plural(count, 'case')}: {note}", MAX_NAME))
    rest = groups[shown:]
    if rest:
        count = sum(len(group.results) for group in rest)
        yield Text(f"      {and_more(len(rest), 'group')} ({plural(count, 'failure')})")
    corpus = option_words(summary.record.metadata.options, ("corpus",))
    command = shlex.join(["parity", "explain", "OPERATION PLACE", *corpus, "--record", path])
    yield Text(printable(f"  `{command}` shows a group."), no_wrap=True, overflow="ignore")
    yield from (Text(line) for line in _by_requirement(summary.record, name, width))


def _by_requirement(record: RunRecord, name: str, width: int) -> Iterator[str]:
    """The requirements that fail, those without a passing case first; nothing if only one fails. Cases without an answer
    do not count."""
    shares = requirement_shares(where(record.results, lambda one: one.kind not in BREAKS, {name}))
    if len(shares) < 2:
        return
    never = sum(share.is_never_met for share in shares)
    yield f"  {plural(len(shares), 'requirement')} with failing cases, {never} without a passing case (failing/cases):"
    for share in shares[:_MAX_REQUIREMENTS]:
        statement = requirement_statement(record, share.requirement)
        yield one_line(f"{share.text:>9}  {share.requirement}  {statement}", width)


def _descriptions(record: RunRecord, width: int) -> Iterator[Text]:
    """The description of each SDK with failures or variants."""
    for description in descriptions(record):
        for number, line in enumerate(description_lines(description, width)):
            yield Text(line, style="" if number else "bold")


def _conformance(summary: RunSummary) -> Iterator[Text]:
    """The share of cases that each implementation answered, its profiles, and its operations with most failures."""
    for line in chain(answered_texts(summary), profile_texts(summary), rate_texts(summary)):
        yield Text(line)


def _unobservable(record: RunRecord) -> Iterator[Text]:
    """The members that an implementation does not report in the answers of this run."""
    answered = {(key.implementation, key.operation) for key in tally(record.results) if key.verdict in COMPARED}
    for entry in record.metadata.implementations:
        by_operation = entry.identity.unobservable if entry.identity else {}
        parts = [
            f"{operation} {', '.join(paths)}"
            for operation, paths in by_operation.items()
            if (entry.name, operation) in answered
        ]
        if parts:
            listed = one_line("; ".join(parts), MAX_NAME)
            yield Text(f"unobservable: {one_line(entry.name)} does not report {listed} (not compared)")


def _unsupported(summary: RunSummary) -> Iterator[Text]:
    """The reasons for unsupported cases, the most frequent first."""
    for name in summary.record.implementations:
        if reasons := sum(unsupported_reasons(summary, name).values(), Counter[str]()):
            yield Text(f"unsupported: {one_line(name)}, {plural(reasons.total(), 'case')}:")
        for text, count in reasons.most_common():
            yield Text(f"  {count:>5,}  {one_line(text)}")


def _flaky(summary: RunSummary) -> Iterator[Text]:
    """The cases with different answers in a repeated run."""
    for name, results in summary.flaky.items():
        yield Text(f"flaky: {describe_flaky(name, len(results))}:", style=ALARM)
        for result in results[:FIRST]:
            yield Text(f"  {one_line(result.case, MAX_NAME)}")
            yield from (Text(f"    {line}") for line in describe_passes(result))
        if len(results) > FIRST:
            yield Text(f"  … {and_more(len(results) - FIRST)}; the record has them all.")


def _refusals(record: RunRecord) -> Iterator[Text]:
    """The expressions, expected or received, that a live engine rejects; one line an engine."""
    found: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for result in record.results:
        for refusal in result.engine:
            found[refusal.engine].setdefault(refusal.match, (refusal.message, result.case))
    for engine, expressions in found.items():
        match, (message, case) = min(expressions.items(), key=lambda item: len(item[0]))
        yield Text(
            f"{_ENGINES.get(engine, one_line(engine))} rejects {plural(len(expressions), 'expression')}, "
            f"e.g. {quoted(match, MAX_WORD)}: {one_line(message, MAX_WORD)} ({one_line(case, MAX_NAME)})"
        )
