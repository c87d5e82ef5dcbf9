"""RunSummary → the HTML table of failure groups, each number a link to its cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from urllib.parse import urlencode

from harness.compare.known_divergences import Status
from harness.errors import one_line
from harness.report.failure_groups import MAX_FIRST, FailureGroup, kinds
from harness.report.gate_summary import status_of
from harness.report.summary import RunSummary
from harness.report.text import around_the_first_difference, describe_sum, parting, quoted

MAX_SHOWN = 100
"""Groups in the table and in the filter of the page."""

_MAX_LENGTH = 100
_MAX_COMPARED = 10_000


def page_groups(summary: RunSummary) -> Sequence[FailureGroup]:
    """The failure groups of all implementations that started, the most frequent first; in a gate, groups with new
    failures come before the others."""
    groups = kinds(summary.failures)
    return sorted(groups, key=lambda group: -_new(group).total()) if summary.gate else groups


def _new(group: FailureGroup) -> Counter[str]:
    """The number of new failures in a group, by implementation."""
    return Counter(one.implementation for one in group.results if status_of(one) is Status.NEW)


def group_table(summary: RunSummary, groups: Sequence[FailureGroup]) -> Iterator[str]:
    """The section: the first groups visible, the others folded; nothing without failures."""
    if not groups:
        return
    failing = {result.implementation for group in groups for result in group.results}
    names = [name for name in summary.record.implementations if name in failing]
    yield '<section aria-labelledby="kinds-heading"><h2 id="kinds-heading">Kinds of failure</h2>'
    in_gate = summary.gate is not None
    new_first = in_gate and bool(_new(groups[0]))
    order = "; kinds with new failures first" if new_first else ""
    yield f'<p class="quiet">{describe_sum(groups, "failure")}, by operation and first difference{order}.</p>'
    yield from _table(names, groups[:MAX_FIRST], "The first kinds" if new_first else "The most frequent kinds", in_gate)
    if len(groups) > MAX_FIRST:
        yield f"<details><summary>{describe_sum(groups[MAX_FIRST:], 'more failure')}</summary>"
        yield from _table(names, groups[MAX_FIRST:MAX_SHOWN], "The other kinds", in_gate)
        if len(groups) > MAX_SHOWN:
            yield f'<p class="quiet">… and {describe_sum(groups[MAX_SHOWN:], "more failure")}.</p>'
        yield "</details>"
    yield "</section>"


def _table(names: Sequence[str], groups: Sequence[FailureGroup], caption: str, in_gate: bool) -> Iterator[str]:
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table class="kinds">'
    yield f'<caption class="hidden">{caption}</caption><thead><tr>'
    yield from (f'<th scope="col" class="number">{_text(name)}</th>' for name in names)
    yield '<th scope="col">where</th><th scope="col">example</th></tr></thead><tbody>'
    yield from (_row(names, group, in_gate) for group in groups)
    yield "</tbody></table></div>"


def _row(names: Sequence[str], group: FailureGroup, in_gate: bool) -> str:
    counts, new = group.counts(), _new(group) if in_gate else Counter()
    numbers = "".join(_count(group, name, counts.get(name, 0), new[name]) for name in names)
    where = f"{_text(group.operation)} <code>{_text(group.place)}</code>"
    return f'<tr>{numbers}<th scope="row">{where}</th><td class="mono">{_example(group)}</td></tr>'


def _count(group: FailureGroup, name: str, count: int, new: int) -> str:
    query = urlencode({"implementation": name, "kind": group.name})
    links = f'<a href="#?{escape(query)}">{count}</a>' if count else "·"
    links += f', <a href="#?{escape(query)}&amp;mark={Status.NEW}">{new} new</a>' if new else ""
    return f'<td class="number" data-name="{_text(name)}">{links}</td>'


def _example(group: FailureGroup) -> str:
    if group.difference is None:
        return escape(one_line(group.fault, 400))
    wanted, got = quoted(group.difference.wanted, _MAX_COMPARED), quoted(group.difference.got, _MAX_COMPARED)
    wanted, got = around_the_first_difference(wanted, got, _MAX_LENGTH)
    example = "" if group.uniform() else '<span class="quiet">e.g.</span> '
    sides = f'{example}wanted <mark class="wanted">{escape(wanted)}</mark> got <mark class="got">{escape(got)}</mark>'
    return f"{sides} {parting(group.difference.wanted, group.difference.got)}".rstrip()


def _text(text: str) -> str:
    return escape(one_line(text))
