"""RunRecord → Markdown for a step summary or a comment on a pull request, which take 65,536 characters.

Whatever comes from a record stands in a code span: nothing in it can be markup, mention someone, or link anywhere.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from harness.compare.known_divergences import WHY_NEW, Status
from harness.compare.run_diff import Change, Changed, Comparison
from harness.errors import one_line
from harness.model import FAILING, Difference, ErrorKind, RecordedResult, RunRecord, Verdict
from harness.report.case_order import in_corpus_order
from harness.report.error_text import incident_text, outcome_text
from harness.report.failure_groups import MAX_FIRST, FailureGroup, first_difference, kinds
from harness.report.gate_summary import RED, GateSummary, gated, is_waiting, status_of
from harness.report.run_diff_text import alone, tally, transition, without_unasked
from harness.report.suite_counts import Row, by_section, failing, headline, judged, share
from harness.report.summary import cases, flaky, not_started, totals, unanswered_implementations
from harness.report.text import (
    around_the_first_difference,
    describe_flaky,
    describe_passes,
    describe_sum,
    parting,
    plural,
    quoted,
)

LIMIT = 65_000
"""Bytes in UTF-8, which are never fewer than the characters that GitHub counts."""

_MOST_SECTIONS = 60
_MOST_NAMED = 3
"""Cases of one kind of failure that are named."""
_LONGEST = 160
_LONGEST_COMPARED = 10_000
_RESERVED = 4_000
"""Bytes kept free for what closes and counts."""

_TICKS = re.compile("`+")
_RECORD_HAS_ALL = "The run record and the HTML report have them all."
_LOUD = (Change.NEWLY_FAILING, Change.NO_LONGER_ANSWERED, Change.DIFFERENCE)
_QUIET = (Change.FIXED, Change.READING, Change.NEWLY_ANSWERED, Change.ADDED, Change.REMOVED)


def render(record: RunRecord, changes: Comparison | None = None) -> str:
    """The whole text; with what changed if there is an older record to compare with."""
    record = in_corpus_order(record)
    gate = gated(record)
    lines = [*_head(record, gate), *_alarms(record), *_implementations(record)]
    lines += _fitted(list(_unstable(record)), (LIMIT - _size(lines)) // 4)
    if changes is not None:
        lines += _fitted(list(_changes(changes, record)), (LIMIT - _size(lines)) // 2)
    lines += _fitted(list(_sections(record)), (LIMIT - _size(lines)) // 3)
    bad = [result for result in record.results if result.verdict in FAILING and result.kind is not ErrorKind.START]
    if gate is None:
        lines += _by_implementation(record.implementations, bad, LIMIT - _RESERVED - _size(lines))
    else:
        lines += _fitted(list(_amiss(record, gate)), (LIMIT - _size(lines)) // 2)
        known = kinds(result for result in bad if status_of(result) is Status.KNOWN)
        room = LIMIT - _RESERVED - _size(lines)
        lines += (
            _folded(describe_sum(known, "known divergence"), _fitted(list(map(_kind, known)), room)) if known else []
        )
    return "".join(f"{line}\n" for line in lines)


def code(text: str, limit: int = _LONGEST, *, in_table: bool = False) -> str:
    """`text` as one code span, whatever it holds."""
    shown = one_line(text, limit)
    if not shown:
        return "(empty)"
    ticks = "`" * (max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    pad = " " if "`" in (shown[0], shown[-1]) or (shown[0] == shown[-1] == " " and shown.strip()) else ""
    span = f"{ticks}{pad}{shown}{pad}{ticks}"
    return span.replace("|", "\\|") if in_table else span


def _html_code(text: str) -> str:
    return f"<code>{html.escape(one_line(text))}</code>"


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)


def _fitted(lines: Sequence[str], room: int) -> list[str]:
    """As many of the lines as there is room for, and a sentence that says how many were left out."""
    used = 0
    for number, line in enumerate(lines):
        used += _size([line])
        if used > room:
            left = sum(1 for one in lines[number:] if one.startswith(("- ", "| ")))
            return [*lines[:number], "", f"{plural(left, 'more line')} did not fit here. {_RECORD_HAS_ALL}", ""]
    return list(lines)


def _folded(summary: str, lines: Sequence[str]) -> list[str]:
    return ["<details>", f"<summary>{summary}</summary>", "", *lines, "", "</details>", ""]


def _head(record: RunRecord, gate: GateSummary | None) -> Iterator[str]:
    yield f"## {gate.sentence()}" if gate else f"## parity: {code(headline(record), 300)}"
    yield ""
    yield f"{plural(cases(record), 'case')}, {plural(len(record.implementations), 'implementation')}."
    yield ""


def _alarms(record: RunRecord) -> Iterator[str]:
    """What has to be known before any number is believed."""
    for name, reason in not_started(record).items():
        yield f"- **Not started:** {code(name)}: {code(reason.partition(chr(10))[0], 300)}"
    for number, sentence in enumerate(unanswered_implementations(record)):
        cut_short = number == 0 and not record.complete
        yield f"- **{'Not finished' if cut_short else 'Nothing judged'}:** {code(sentence, 300)}"
    incidents = Counter((one.implementation, one.kind.value, incident_text(one.cause)) for one in record.incidents)
    for (name, kind, seen), count in incidents.items():
        yield f"- **Incident:** {code(name)}, {kind}: {code(seen, 300)}{f' ({count} times)' if count > 1 else ''}"
    for name, reason in record.skipped:
        yield f"- Left out: {code(name)}: {code(reason, 300)}"
    yield ""


def _implementations(record: RunRecord) -> Iterator[str]:
    yield f"| implementation | not failing | {' | '.join(verdict.value for verdict in Verdict)} |"
    yield f"|:---|---:|{'---:|' * len(Verdict)}"
    for name, counts in totals(record).items():
        numbers = " | ".join(str(counts[verdict]) if counts[verdict] else "·" for verdict in Verdict)
        yield f"| {code(name, in_table=True)} | {share(counts)} | {numbers} |"
    yield ""


def _sections(record: RunRecord) -> Iterator[str]:
    """Sections in which something fails, and how much."""
    started = [name for name in record.implementations if name not in not_started(record)]
    rows = {section: row for sections in by_section(record).values() for section, row in sections.items()}
    found = {section: row for section, row in rows.items() if any(failing(row[name]) for name in started)}
    if not found:
        return
    yield f"| failing of asked, by section | {' | '.join(code(name, in_table=True) for name in started)} |"
    yield f"|:---|{'---:|' * len(started)}"
    for section, row in list(found.items())[:_MOST_SECTIONS]:
        yield f"| {code(section, in_table=True)} | {' | '.join(_cell(row, name) for name in started)} |"
    if len(found) > _MOST_SECTIONS:
        yield f"\n{plural(len(found) - _MOST_SECTIONS, 'more section')}. {_RECORD_HAS_ALL}"
    yield ""


def _cell(row: Row, name: str) -> str:
    asked = judged(row[name])
    return f"{failing(row[name])} of {asked}" if asked else "not asked"


def _unstable(record: RunRecord) -> Iterator[str]:
    """What came of the cases that are answered otherwise when asked again."""
    for name, found in flaky(record).items():
        yield f"**Unstable:** {code(describe_flaky(name, len(found)))}"
        yield ""
        for result in found:
            yield f"- {code(result.case, 300)}: {', '.join(map(code, describe_passes(result)))}"
        yield ""


def _by_implementation(names: Sequence[str], failing: Sequence[RecordedResult], room: int) -> list[str]:
    """For each implementation its kinds of failure: the commonest at once, the others folded."""
    by_name = {name: [result for result in failing if result.implementation == name] for name in names}
    lists = [(name, kinds(results)) for name, results in by_name.items() if results]
    lines: list[str] = []
    for number, (name, found) in enumerate(lists):
        each = (room - _size(lines)) // (len(lists) - number)
        first, rest = list(map(_kind, found[:MAX_FIRST])), list(map(_kind, found[MAX_FIRST:]))
        shown = [f"**{code(name)}: {describe_sum(found, 'failure')}**", "", *_fitted(first, each), ""]
        if rest:
            shown += _folded(describe_sum(found[MAX_FIRST:], "more failure"), _fitted(rest, each - _size(shown)))
        lines += shown
    return lines


def _kind(kind: FailureGroup) -> str:
    """How many, where they part and in what, and the first cases."""
    first = ", ".join(code(result.case, 300) for result in kind.results[:_MOST_NAMED])
    more = f" and {len(kind.results) - _MOST_NAMED} more" if len(kind.results) > _MOST_NAMED else ""
    told = f": {code(kind.fault)}" if kind.fault else ""
    if kind.difference is not None:
        told = f" {'' if kind.uniform() else 'e.g. '}{_sides(kind.difference)}"
    return f"- **{len(kind.results)} ×** {code(kind.operation)} {code(kind.place)}{told}: {first}{more}"


def _amiss(record: RunRecord, gate: GateSummary) -> Iterator[str]:
    """All that fails a gate, by what is wrong with it."""
    found = {status.value: [one for one in record.results if status_of(one) is status] for status in RED}
    found["without a reason"] = [one for one in record.results if is_waiting(one)]
    for what, results in found.items():
        if results:
            yield f"**{what.capitalize()}: {plural(len(results), 'case')}**"
            yield ""
            yield from map(_unexplained, results)
            yield ""
    if gate.unmatched:
        yield f"**Unmatched: {plural(len(gate.unmatched), 'line')}**"
        yield ""
        yield from (f"- {code(name, 300)}" for name in gate.unmatched)
        yield ""


def _unexplained(result: RecordedResult) -> str:
    """A result that fails a gate: what it is, what the gate says, and what names the difference."""
    why = said(result) if result.verdict in FAILING else f"**{result.verdict}**"
    reason = result.expectation[1] if result.expectation else ""
    stands = f" ({reason if reason in WHY_NEW else code(reason)})" if reason else ""
    signature = f", signature {code(result.signature)}" if result.signature else ""
    return f"- {code(result.case, 300)} {why}{stands}{signature}"


def said(result: RecordedResult) -> str:
    """In a few words why a result fails."""
    if result.verdict is Verdict.ERROR:
        text = outcome_text(result.outcome)
        reason = f": {code(text)}" if text else ""
        return f"**error**/{result.kind.value if result.kind else ''}{reason}"
    part, more = first_difference(result), len(result.differences) - 1
    if part is None:
        return ""
    rest = f" and {plural(more, 'more difference')}" if more else ""
    return f"{code(part.path)} {_sides(part)}{rest}"


def _sides(part: Difference) -> str:
    wanted, got = quoted(part.wanted, _LONGEST_COMPARED), quoted(part.got, _LONGEST_COMPARED)
    wanted, got = around_the_first_difference(wanted, got, _LONGEST // 2)
    return f"wanted {code(wanted)} got {code(got)} {parting(part.wanted, part.got).rstrip('.')}".rstrip()


def _changes(changes: Comparison, after: RunRecord) -> Iterator[str]:
    yield "### What changed since the other record"
    yield ""
    if not changes.same_corpus:
        yield "The two runs asked from different corpora; a case that itself changed is marked."
        yield ""
    for name, (then, now) in changes.versions.items():
        yield f"- {code(name)} was {code(then)} and is now {code(now)}"
    for name, where, why in alone(changes, after):
        left_out = f"; it was left out of the newer run: {code(why, 300)}" if why else ""
        yield f"- {code(name)} is in the {where} record alone and is not compared{left_out}"
    for name, changed in changes.changes.items():
        yield f"- {code(name)}: {tally(changed)}"
    yield ""
    yield from _lists(changes, _LOUD)
    yield from _lists(changes, _QUIET)


def _lists(changes: Comparison, sorts: Sequence[Change]) -> Iterator[str]:
    for change in sorts:
        found = changes.of(change)
        if found:
            yield f"**{change.value.capitalize()}**"
            yield ""
            telling, unasked = without_unasked(found)
            yield from map(_changed, telling)
            for name, counts in unasked.items():
                by_system = ", ".join(f"{code(system)} {count}" for system, count in counts.items())
                yield f"- {code(name)}: {counts.total()} unsupported: {by_system}"
            yield ""


def _changed(one: Changed) -> str:
    result = one.result
    mark = " (the case changed)" if one.question_changed else ""
    why = f": {said(result)}" if one.change in (Change.NEWLY_FAILING, Change.DIFFERENCE) else ""
    return f"- {code(result.case, 300)} {code(result.implementation)}{mark} {code(transition(one))}{why}"
