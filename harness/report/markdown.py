"""RunSummary → Markdown for a step summary or a pull request comment, which take 65,536 characters.

All text from a record is inside a code span: nothing in it can be markup, a mention or a link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ..compare.edits import Changed, Edit
from ..compare.error_text import incident_text, outcome_text
from ..compare.run_diff import Change, ChangedResult, Comparison
from ..gate.listing import Status
from ..gate.summary import RED_STATUSES, GateSummary, has_unwritten_reason, new_reason, status_of
from ..model import FAILING, Absent, Json, Listing, RecordedResult, RunRecord, Verdict, where
from .choice_text import explained_by_text
from .difference_text import around_the_first_difference, character_difference, list_edit_text, quoted
from .document import Block, Bullets, Code, Spans, Strong, Table, as_markdown, code
from .documented import notes, notes_of
from .failure_groups import FailureGroup, count_first, failure_groups
from .listing_text import listing_text
from .phrases import (
    MAX_NAME,
    MAX_STATEMENT,
    MAX_TEXT,
    MAX_VALUE,
    and_more,
    n_of_m,
    plural,
    share,
    state_text,
    verdict_text,
)
from .run_diff_text import causes_text, only_in_one_record, split_unsupported, tally, transition, unselected_text
from .suite_counts import by_section, failing, supported
from .summary import CountsByName, MissingCode, RunSummary, summarise, urgency
from .summary_text import answered_texts, gate_sentence, headline, missing_text, profile_texts, rate_texts
from .text import describe_flaky, describe_passes, describe_sum, edits_of, group_edit, ruling_title

LIMIT = 65_000
"""Bytes in UTF-8, which are never fewer than the characters that GitHub counts."""

_MAX_SECTIONS = 60
MAX_FINDINGS = 20
"""New cases of a gate up to which all are listed; more are grouped."""

_MARKER = "<!-- parity report -->"
"""The last line, by which a workflow finds its earlier comment."""

_MAX_CASES = 3
"""Cases named for each group of failures."""
_MAX_COMPARED = 10_000
_RESERVED = 4_000
"""Bytes kept free for closing elements and counts."""

_RECORD_HAS_ALL = "The run record and the HTML report have them all."
_URGENT = (Change.NEWLY_FAILING, Change.NO_LONGER_ANSWERED, Change.DIFFERENCE)
_OTHER = (Change.FIXED, Change.READING, Change.NEWLY_ANSWERED, Change.ADDED, Change.REMOVED)


def render(summary: RunSummary, changes: Comparison | None = None) -> str:
    """The whole text, with the changes since an older record."""
    record, gate = summary.record, summary.gate
    lines = [*_head(summary), *_alarms(summary), *_implementations(summary)]
    lines += _fitted(list(_flaky(summary)), (LIMIT - _size(lines)) // 4)
    if changes is not None:
        lines += _fitted(list(_changes(changes, summary)), (LIMIT - _size(lines)) // 2)
    lines += _fitted(list(_sections(summary)), (LIMIT - _size(lines)) // 3)
    if gate is None:
        lines += _by_implementation(summary, LIMIT - _RESERVED - _size(lines))
    else:
        lines += _fitted(list(_findings(record, gate)), (LIMIT - _size(lines)) // 2)
        known = failure_groups(result for result in summary.failures if status_of(result) is Status.KNOWN)
        room = LIMIT - _RESERVED - _size(lines)
        lines += (
            _folded(describe_sum(known, "known divergence"), _fitted([_group(one, record) for one in known], room))
            if known
            else []
        )
    lines.append(_MARKER)
    return "".join(f"{line}\n" for line in lines)


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)


def _fitted(lines: Sequence[str], room: int) -> list[str]:
    """The lines that fit into `room` bytes, and a sentence with the number of omitted lines."""
    used = 0
    for number, line in enumerate(lines):
        used += _size([line])
        if used > room:
            omitted = sum(1 for one in lines[number:] if one.startswith(("- ", "| ")))
            return [*lines[:number], "", f"{plural(omitted, 'more line')} omitted. {_RECORD_HAS_ALL}", ""]
    return list(lines)


def _folded(summary: str, lines: Sequence[str]) -> list[str]:
    return ["<details>", f"<summary>{summary}</summary>", "", *lines, "", "</details>", ""]


def _head(summary: RunSummary) -> Iterator[str]:
    gate = summary.gate
    yield f"## {gate_sentence(summary, gate)}" if gate else f"## parity: {code(headline(summary), MAX_STATEMENT)}"
    yield ""
    yield f"{plural(summary.cases, 'case')}, {plural(len(summary.record.implementations), 'implementation')}."
    yield ""
    for text in chain(answered_texts(summary), profile_texts(summary), rate_texts(summary)):
        yield f"- {code(text, MAX_TEXT)}"
    yield ""


def _alarms(summary: RunSummary) -> Iterator[str]:
    """The reasons to distrust the numbers below, and the skipped implementations."""
    record = summary.record
    incidents = Counter((one.implementation, one.kind.value, incident_text(one.cause)) for one in record.incidents)
    items: list[Spans] = []
    for name, cause in summary.not_started.items():
        items.append([Strong("Not started:"), " ", Code(name), ": ", Code(cause.partition("\n")[0], MAX_STATEMENT)])
    for missing in summary.missing:
        label = "Incomplete:" if missing.code is MissingCode.INCOMPLETE_RECORD else "Missing verdicts:"
        items.append([Strong(label), " ", Code(missing_text(missing), MAX_STATEMENT)])
    for (name, kind, seen), count in incidents.items():
        times = f" ({count} times)" if count > 1 else ""
        items.append([Strong("Incident:"), " ", Code(name), f", {kind}: ", Code(seen, MAX_STATEMENT), times])
    for one in record.skipped:
        items.append([Strong("Not tested:"), " ", Code(one.name), ": ", Code(one.reason, MAX_STATEMENT)])
    yield from _lines(Bullets(items)) if items else [""]


def _lines(*blocks: Block) -> list[str]:
    """The lines of these blocks, with an empty line at the end."""
    return [*as_markdown(blocks).splitlines(), ""]


def _implementations(summary: RunSummary) -> Iterator[str]:
    head: list[Spans] = [["implementation"], ["do not fail"], *([verdict.value] for verdict in Verdict)]
    rows: list[list[Spans]] = [
        [[Code(name)], [share(counts)], *([str(counts[verdict] or "·")] for verdict in Verdict)]
        for name, counts in summary.totals.items()
    ]
    yield from _lines(Table(head, rows, numbers=len(head) - 1))


def _sections(summary: RunSummary) -> Iterator[str]:
    """The sections with failures, and their number."""
    started = [name for name in summary.record.implementations if name not in summary.not_started]
    sections = {section: row for found in by_section(summary).values() for section, row in found.items()}
    found = [(section, row) for section, row in sections.items() if any(failing(row[name]) for name in started)]
    if not found:
        return
    rows: list[list[Spans]] = [
        [[Code(section)], *([_cell(row, name)] for name in started)] for section, row in found[:_MAX_SECTIONS]
    ]
    yield from _lines(Table([["failures by section"], *([Code(name)] for name in started)], rows, len(started)))
    if more := and_more(len(found) - _MAX_SECTIONS, "section"):
        yield from (f"… {more}. {_RECORD_HAS_ALL}", "")


def _cell(row: CountsByName, name: str) -> str:
    cases = supported(row[name])
    return n_of_m(failing(row[name]), cases) if cases else share(row[name])


def _flaky(summary: RunSummary) -> Iterator[str]:
    """The cases with different answers in a repeated run."""
    for name, results in summary.flaky.items():
        yield f"**Flaky:** {code(describe_flaky(name, len(results)))}"
        yield ""
        for result in results:
            yield f"- {code(result.case, MAX_STATEMENT)}: {', '.join(map(code, describe_passes(result)))}"
        yield ""


def _by_implementation(summary: RunSummary, room: int) -> list[str]:
    """The groups of failures of each implementation: the most frequent visible, the others folded."""
    by_name = {name: failure_groups(summary.failures_of(name)) for name in summary.record.implementations}
    lists = [(name, groups) for name, groups in by_name.items() if groups]
    lines: list[str] = []
    for number, (name, groups) in enumerate(lists):
        each = (room - _size(lines)) // (len(lists) - number)
        listed = [_group(group, summary.record) for group in groups]
        visible = count_first(groups)
        first, rest = listed[:visible], listed[visible:]
        shown = [f"**{code(name)}: {describe_sum(groups, 'failure')}**", "", *_fitted(first, each), ""]
        if rest:
            shown += _folded(describe_sum(groups[visible:], "more failure"), _fitted(rest, each - _size(shown)))
        lines += shown
    return lines


def _group(group: FailureGroup, record: RunRecord) -> str:
    """The number of failures, the first difference, the first cases, and what other documents describe."""
    first = ", ".join(code(result.case, MAX_STATEMENT) for result in group.results[:_MAX_CASES])
    cases = f"{first} {and_more(len(group.results) - _MAX_CASES)}".rstrip()
    text = f": {code(group.fault)}" if group.fault else ""
    if edit := group_edit(group, record):
        text = f" {'e.g. ' if len(group.results) > 1 else ''}{code(edit, MAX_STATEMENT)}"
    elif group.difference is not None:
        text = f" {'' if group.uniform() else 'e.g. '}{_sides(group.difference.wanted, group.difference.got)}"
    noted = "".join(
        f"; {plural(count, 'case')}: {code(note, MAX_STATEMENT)}"
        for note, count in notes_of(group.results, record).items()
    )
    head = f"- **{len(group.results)} ×** {code(group.operation)} {code(group.place)}{text}: {cases}{noted}"
    return "\n".join([head, *_background(group.results, record)])


def _background(results: Sequence[RecordedResult], record: RunRecord) -> Iterator[str]:
    """The titles of the rulings about the failing cases, and the notes of the first cases, each once."""
    rulings = Counter(id_ for one in results for id_ in (one.ruling, *one.cited_by_rulings) if id_)
    for id_, count in rulings.most_common(_MAX_CASES):
        cases = f" ({count} of the cases)" if len(results) > 1 else ""
        yield f"  - {code(id_)} {code(ruling_title(record, id_), MAX_STATEMENT)}{cases}"
    for note in dict.fromkeys(one.note for one in results[:_MAX_CASES] if one.note):
        yield f"  - note: {code(' '.join(note.split()), MAX_STATEMENT)}"


def _findings(record: RunRecord, gate: GateSummary) -> Iterator[str]:
    """Everything that fails a gate, by status."""
    found = {status.value: _with_status(record, status) for status in RED_STATUSES}
    found["without a reason"] = list(where(record.results, has_unwritten_reason))
    for label, results in found.items():
        if results:
            yield f"**{label.capitalize()}: {plural(len(results), 'case')}**"
            yield ""
            if label == Status.NEW and len(results) > MAX_FINDINGS:
                yield from _new(results, record)
                results = []
            yield from (_finding(result, record) for result in sorted(results, key=_urgency))
            yield ""
    if gate.unmatched:
        yield f"**Unmatched: {plural(len(gate.unmatched), 'line')}**"
        yield ""
        places = record.metadata.gate.places if record.metadata.gate else {}
        yield from (f"- {_placed(places.get(name, ''))}{code(name, MAX_STATEMENT)}" for name in gate.unmatched)
        yield ""
    for status, paths in ((Status.NEW, gate.new_paths), (Status.STALE, gate.stale_paths)):
        if paths:
            yield f"**{status.capitalize()}: {plural(len(paths), 'unobservable path')}**"
            yield ""
            yield from (f"- {code(path, MAX_STATEMENT)}" for path in paths)
            yield ""


def _with_status(record: RunRecord, status: Status) -> list[RecordedResult]:
    return list(where(record.results, lambda outcome: status_of(outcome) is status))


def _new(results: Sequence[RecordedResult], record: RunRecord) -> Iterator[str]:
    """New failures by failure group, errors first, and new unsupported cases by operation and reason."""
    yield from (_group(group, record) for group in failure_groups(one for one in results if one.verdict in FAILING))
    unsupported = Counter(
        (one.operation, outcome_text(one.outcome)) for one in results if one.verdict not in FAILING
    ).most_common()
    yield from (
        f"- **{count} ×** {code(operation)} **{Verdict.UNSUPPORTED}**: {code(text, MAX_STATEMENT)}"
        for (operation, text), count in unsupported
    )


def _urgency(result: RecordedResult) -> tuple[bool, int]:
    """Failures before other results, errors before differences."""
    return result.verdict not in FAILING, urgency(result)


def _finding(result: RecordedResult, record: RunRecord) -> str:
    """A result that fails a gate: the line of the file, the failure, the gate's reason, the signature, the reason that the
    file has for another failure, and the explanation."""
    failure = failure_text(result, record) if result.verdict in FAILING else f"**{result.verdict}**"
    text = listing_text(result)
    shown = text if new_reason(result) is not None else code(text)
    expectation = f" ({shown})" if text else ""
    signed = f", signature {code(result.signature)}" if result.signature else ""
    listing = result.expectation or Listing(Status.NEW)
    notes_ = [explained_by_text(result, record.metadata.rulings), *notes(result, record)]
    noted = f"; the file lists: {code(listing.listed, MAX_STATEMENT)}" if listing.listed else ""
    noted += "".join(f"; {code(note, MAX_STATEMENT)}" for note in notes_ if note)
    head = f"- {_placed(listing.place)}{code(result.case, MAX_STATEMENT)} {failure}{expectation}{signed}{noted}"
    return "\n".join([head, *(_background([result], record) if result.verdict in FAILING else [])])


def _placed(place: str) -> str:
    return f"{code(place, MAX_NAME)} " if place else ""


def failure_text(result: RecordedResult, record: RunRecord) -> str:
    """Why a result fails, in a few words: its error, or its first difference and the number of the others."""
    if result.verdict is Verdict.ERROR:
        cause = outcome_text(result.outcome)
        return f"**{verdict_text(result)}**{f': {code(cause)}' if cause else ''}"
    edits = edits_of(result, record)
    if not edits:
        return ""
    return f"{_edit(edits[0])} {and_more(len(edits) - 1, 'difference')}".rstrip()


def _edit(edit: Edit) -> str:
    match edit:
        case Changed(path, wanted, got, got_path):
            return f"{code(path)}{f' ({code(got_path)} in the answer)' if got_path else ''} {_sides(wanted, got)}"
        case _:
            return f"{code(edit.path)} {code(list_edit_text(edit))}"


def _sides(wanted: Json | Absent, got: Json | Absent) -> str:
    shown = quoted(wanted, _MAX_COMPARED), quoted(got, _MAX_COMPARED)
    one, other = around_the_first_difference(*shown, MAX_VALUE // 2)
    return f"wanted {code(one)} got {code(other)} {character_difference(wanted, got)}".rstrip()


def _changes(changes: Comparison, summary: RunSummary) -> Iterator[str]:
    after = summary.record
    yield "### Changes since the older record"
    yield ""
    yield from _profiles(summarise(changes.before), summary)
    if not changes.same_corpus:
        yield "The two runs used different corpora. Changed cases are marked."
        yield ""
    if text := unselected_text(changes):
        yield text
        yield ""
    for name, (then, now) in changes.versions.items():
        yield f"- {code(name)}: {code(then)} → {code(now)}"
    for name, side, cause in only_in_one_record(changes, after):
        skipped = f"; the newer run did not test it: {code(cause, MAX_STATEMENT)}" if cause else ""
        yield f"- {code(name)} is only in the {side} record and is not compared{skipped}"
    for name, changed in changes.changes.items():
        yield f"- {code(name)}: {tally(changed)}"
        if causes := changes.causes[name]:
            yield f"  - by cause: {code(causes_text(causes), MAX_NAME)}"
    yield ""
    yield from _lists(changes, _URGENT, after)
    yield from _lists(changes, _OTHER, after)


def _profiles(before: RunSummary, after: RunSummary) -> Iterator[str]:
    """A row for each profile of an implementation of both records."""
    rows: list[list[Spans]] = []
    for name, one in after.conformance.items():
        then = before.conformance.get(name)
        parts = {(profile.system, profile.name): part for profile, part in then.profiles} if then else {}
        rows += [
            [[Code(name)], [Code(f"{profile.system}/{profile.name}")], [state_text(old)], [state_text(part)]]
            for profile, part in one.profiles
            if (old := parts.get((profile.system, profile.name)))
        ]
    if rows:
        yield from _lines(Table([["implementation"], ["profile"], ["before"], ["after"]], rows))


def _lists(changes: Comparison, sorts: Sequence[Change], after: RunRecord) -> Iterator[str]:
    for change in sorts:
        found = changes.of(change)
        if found:
            yield f"**{change.value.capitalize()}**"
            yield ""
            listed, unsupported = split_unsupported(found)
            yield from (_changed(one, after) for one in listed)
            for name, counts in unsupported.items():
                by_system = ", ".join(f"{code(system)} {count}" for system, count in counts.items())
                yield f"- {code(name)}: {counts.total()} unsupported: {by_system}"
            yield ""


def _changed(one: ChangedResult, after: RunRecord) -> str:
    result = one.result
    mark = " (the case changed)" if one.case_changed else ""
    failure = f": {failure_text(result, after)}" if one.change in (Change.NEWLY_FAILING, Change.DIFFERENCE) else ""
    return f"- {code(result.case, MAX_STATEMENT)} {code(result.implementation)}{mark} {code(transition(one))}{failure}"
