"""RunSummary → Markdown for a step summary or a pull request comment, which take 65,536 characters.

`markdown.md.jinja` has the words; this module has the values and fits the parts into the limit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from ...base.text_limits import MAX_VALUE
from ...compare.error_text import incident_text
from ...compare.run_diff import Change, Comparison
from ...errors import plural
from ...gate.summary import RED_STATUSES, GateSummary, has_unwritten_reason, new_reason, status_of
from ...model import FAILING, RecordedResult, Status, Verdict, where
from ..cause_text import explained_by_text
from ..document import Block, Code, Spans, Table, as_markdown, code, escaped, inline
from ..documented import notes, notes_of
from ..failure_groups import count_first, failure_groups
from ..failure_spans import failure_spans, group_spans, other_examples
from ..phrases import following_text, listing_text, made_by_text, share, state_text
from ..result_text import (
    alike_incidents,
    alike_unsupported,
    describe_flaky,
    describe_passes,
    describe_skipped,
    describe_sum,
    ruling_title,
)
from ..run_summary import RunSummary, summarise, urgency
from ..summary_text import (
    answered_texts,
    gate_defects,
    gate_sentence,
    headline,
    missing_text,
    profile_texts,
    rate_texts,
    section_tables,
)
from ..templates import template_parts, trusted
from ..terminal.run_diff_text import (
    ORDER,
    causes_text,
    split_unsupported,
    tally,
    transition,
    unlike_texts,
)

LIMIT = 65_000
"""Bytes in UTF-8, which are never fewer than the characters that GitHub counts."""

_RESERVED = 4_000
"""Bytes kept free for closing elements and counts."""

_MAX_CASES = 3
"""Cases named for each group of failures."""

_MAX_FINDINGS = 20
"""New cases of a gate up to which all are listed; more are grouped."""

_MARKER = "<!-- parity report -->\n"
"""The last line, by which a workflow finds its earlier comment."""

_RECORD_HAS_ALL = "The run record and the HTML report have them all."


def render(summary: RunSummary, changes: Comparison | None = None) -> str:
    """The whole text, with the changes since an older record. What fails a gate stands above the verdicts."""
    part = template_parts("ci/markdown.md.jinja", escaped, _FILTERS, **_values(summary), **_changes(changes, summary))
    text = part("head")
    if summary.gate is not None:
        text += _fitted(part("findings"), (LIMIT - _size(text)) // 2)
    text += part("verdicts")
    text += _fitted(part("flaky"), (LIMIT - _size(text)) // 4)
    if changes is not None:
        text += _fitted(part("changed"), (LIMIT - _size(text)) // 2)
    text += _fitted(part("failing_sections"), (LIMIT - _size(text)) // 3)
    if summary.gate is None:
        text += _by_implementation(part, summary, LIMIT - _RESERVED - _size(text))
    else:
        known = failure_groups(
            where(summary.failures, lambda one: status_of(one) is Status.KNOWN), summary.record.metadata
        )
        listed = _fitted(part("groups", known), LIMIT - _RESERVED - _size(text))
        text += part("folded", describe_sum(known, "known divergence"), trusted(listed)) if known else ""
    return text + _MARKER


def _size(text: str) -> int:
    return len(text.encode())


def _fitted(text: str, room: int) -> str:
    """The lines that fit into `room` bytes, and a sentence with the number of omitted lines."""
    lines = text.splitlines(keepends=True)
    used = 0
    for number, line in enumerate(lines):
        used += _size(line)
        if used > room:
            omitted = sum(line.startswith(("- ", "| ")) for line in lines[number:])
            return f"{''.join(lines[:number])}\n{plural(omitted, 'more line')} omitted. {_RECORD_HAS_ALL}\n\n"
    return text


def _by_implementation(part: Callable[..., str], summary: RunSummary, room: int) -> str:
    """The groups of failures of each implementation: the most frequent visible, the others folded."""
    by_name = {
        name: failure_groups(summary.failures_of(name), summary.record.metadata)
        for name in summary.record.implementations
    }
    lists = [(name, groups) for name, groups in by_name.items() if groups]
    text = ""
    for number, (name, groups) in enumerate(lists):
        each = (room - _size(text)) // (len(lists) - number)
        visible = count_first(groups)
        shown = f"**{code(name)}: {describe_sum(groups, 'failure')}**\n\n"
        shown += f"{_fitted(part('groups', groups[:visible]), each)}\n"
        if rest := groups[visible:]:
            listed = _fitted(part("groups", rest), each - _size(shown))
            shown += part("folded", describe_sum(rest, "more failure"), trusted(listed))
        text += shown
    return text


def _values(summary: RunSummary) -> Mapping[str, Any]:
    """What the template reads."""
    record, gate = summary.record, summary.gate
    return {
        **_NAMES,
        "summary": summary,
        "record": record,
        "gate": gate_sentence(summary, gate) if gate else "",
        "headline": headline(summary),
        "facts": [*chain(answered_texts(summary), profile_texts(summary), rate_texts(summary))],
        "incidents": alike_incidents(record.incidents),
        "totals": [_totals(summary)],
        "sections": [*section_tables(summary)],
        "statuses": list(_statuses(gate)) if gate else [],
        "unlisted": list(_unlisted(gate)) if gate else [],
        "places": record.metadata.gate.places if record.metadata.gate else {},
    }


def _totals(summary: RunSummary) -> Table:
    """A row for each implementation. In a gate, known failures have a column of their own and are in no other."""
    columns: list[str] = [*Verdict]
    if summary.gate:
        columns.insert(columns.index(Verdict.FAIL), "known failure")
    rows: list[list[Spans]] = []
    for name, totals in summary.totals.items():
        known = Counter(result.verdict for result in summary.failures_of(name) if status_of(result) is Status.KNOWN)
        counts: Counter[str] = Counter(totals) - Counter(known) + Counter({"known failure": known.total()})
        rows.append(
            [[Code(name)], share(totals), *(f"{counts[column]:,}" if counts[column] else "·" for column in columns)]
        )
    return Table(["implementation", "pass or variant", *columns], rows, numbers=1 + len(columns))


def _rulings_of(results: Sequence[RecordedResult]) -> list[tuple[str, int]]:
    """The rulings about failing cases with their numbers of cases, the most frequent first."""
    rulings = Counter(id_ for result in results for id_ in (result.ruling, *result.cited_by_rulings) if id_)
    return rulings.most_common(_MAX_CASES)


def _statuses(gate: GateSummary) -> Iterator[tuple[str, list[RecordedResult]]]:
    """The results that fail a gate, by status: failures before other results, errors before differences. Last what is new
    in the corpus, which fails none."""
    waiting = where(gate.listed[Status.KNOWN], has_unwritten_reason)
    of_corpus = ("new in the corpus", gate.listed[Status.NEW_IN_CORPUS])
    for name, results in (
        *((status, gate.listed[status]) for status in RED_STATUSES),
        ("without a reason", waiting),
        of_corpus,
    ):
        if results:
            yield name, sorted(results, key=lambda one: (one.verdict not in FAILING, urgency(one)))


def _unlisted(gate: GateSummary) -> Iterator[tuple[str, Sequence[str]]]:
    """The lines of the file and the paths that fail a gate."""
    for status, _, names in gate_defects(gate):
        if names:
            what = "line" if status is Status.UNMATCHED else "unobservable path"
            yield f"{status.capitalize()}: {plural(len(names), what)}", names


def _changes(changes: Comparison | None, summary: RunSummary) -> Mapping[str, Any]:
    """What the template reads about the changes since an older record."""
    if changes is None:
        return {}
    return {
        "changes": changes,
        "profiles": _profiles(summarise(changes.before), summary),
        "unlike": list(unlike_texts(changes, summary.record)),
        "changed_cases": [
            (change.value, *split_unsupported(found)) for change in ORDER if (found := changes.of(change))
        ],
    }


def _profiles(before: RunSummary, after: RunSummary) -> list[Block]:
    """A row for each profile of an implementation of both records."""
    rows: list[list[Spans]] = []
    for name, conformance in after.conformance.items():
        then = before.conformance.get(name)
        parts = {(profile.system, profile.name): part for profile, part in then.profiles} if then else {}
        rows += [
            [[Code(name)], [Code(f"{profile.system}/{profile.name}")], state_text(old), state_text(part)]
            for profile, part in conformance.profiles
            if (old := parts.get((profile.system, profile.name)))
        ]
    return [Table(["implementation", "profile", "before", "after"], rows)] if rows else []


def _codes(texts: Iterable[str], limit: int = MAX_VALUE) -> str:
    return ", ".join(code(text, limit) for text in texts)


_FILTERS: Mapping[str, Callable[..., str]] = {"code": code, "codes": _codes, "inline": inline, "blocks": as_markdown}
"""Each returns Markdown."""

_NAMES: Mapping[str, Any] = {
    "MAX_CASES": _MAX_CASES,
    "MAX_FINDINGS": _MAX_FINDINGS,
    "NOW_FAILING": (Change.NEWLY_FAILING, Change.DIFFERENCE),
    "causes_text": causes_text,
    "explained_by_text": explained_by_text,
    "describe_flaky": describe_flaky,
    "incident_text": incident_text,
    "describe_passes": describe_passes,
    "describe_skipped": describe_skipped,
    "failure_groups": failure_groups,
    "following_text": following_text,
    "failure_spans": failure_spans,
    "failures": lambda results: [result for result in results if result.verdict in FAILING],
    "group_spans": group_spans,
    "is_failing": lambda result: result.verdict in FAILING,
    "listing_text": listing_text,
    "made_by_text": made_by_text,
    "missing_text": missing_text,
    "new_reason": new_reason,
    "notes": notes,
    "notes_of": notes_of,
    "other_examples": other_examples,
    "plural": plural,
    "ruling_title": ruling_title,
    "rulings_of": _rulings_of,
    "tally": tally,
    "transition": transition,
    "unsupported": alike_unsupported,
}
"""Facts and words that the template asks for."""
