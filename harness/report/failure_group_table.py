"""RunRecord → the table of the kinds of failure, each number a link to its cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from urllib.parse import urlencode

from harness.compare.known_divergences import Status
from harness.errors import one_line
from harness.model import FAILING, ErrorKind, RunRecord
from harness.report.failure_groups import MAX_FIRST, FailureGroup, kinds
from harness.report.gate_summary import gated, status_of
from harness.report.text import around_the_first_difference, describe_sum, parting, quoted

MAX_SHOWN = 100
"""Kinds that the page tells apart."""

_LONGEST = 100
_LONGEST_COMPARED = 10_000


def page_kinds(record: RunRecord) -> Sequence[FailureGroup]:
    """All kinds of failure of all implementations that started, the commonest first; of a gate, those with something new
    before the others."""
    found = kinds(one for one in record.results if one.verdict in FAILING and one.kind is not ErrorKind.START)
    return sorted(found, key=lambda kind: -_new(kind).total()) if gated(record) else found


def _new(kind: FailureGroup) -> Counter[str]:
    """How many of a gate's failures of a kind are new, by implementation."""
    return Counter(one.implementation for one in kind.results if status_of(one) is Status.NEW)


def kind_table(record: RunRecord, found: Sequence[FailureGroup]) -> Iterator[str]:
    """The section: the first kinds at once, the others folded. Nothing if there are none."""
    if not found:
        return
    failing = {result.implementation for kind in found for result in kind.results}
    names = [name for name in record.implementations if name in failing]
    yield '<section aria-labelledby="kinds-heading"><h2 id="kinds-heading">Kinds of failure</h2>'
    in_gate = gated(record) is not None
    order = "; those with something new first" if in_gate and _new(found[0]) else ""
    told = f"{describe_sum(found, 'failure')}, by operation and by the place that parts first{order}."
    yield f'<p class="quiet">{told}</p>'
    yield from _table(names, found[:MAX_FIRST], "The first kinds" if order else "The commonest kinds", in_gate)
    if len(found) > MAX_FIRST:
        yield f"<details><summary>{describe_sum(found[MAX_FIRST:], 'more failure')}</summary>"
        yield from _table(names, found[MAX_FIRST:MAX_SHOWN], "The other kinds", in_gate)
        if len(found) > MAX_SHOWN:
            yield f'<p class="quiet">… and {describe_sum(found[MAX_SHOWN:], "more failure")}.</p>'
        yield "</details>"
    yield "</section>"


def _table(names: Sequence[str], found: Sequence[FailureGroup], caption: str, in_gate: bool) -> Iterator[str]:
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table class="kinds">'
    yield f'<caption class="hidden">{caption}</caption><thead><tr>'
    yield from (f'<th scope="col" class="number">{_text(name)}</th>' for name in names)
    yield '<th scope="col">where</th><th scope="col">example</th></tr></thead><tbody>'
    yield from (_row(names, kind, in_gate) for kind in found)
    yield "</tbody></table></div>"


def _row(names: Sequence[str], kind: FailureGroup, in_gate: bool) -> str:
    counts, new = kind.counts(), _new(kind) if in_gate else Counter()
    numbers = "".join(_count(kind, name, counts.get(name, 0), new[name]) for name in names)
    where = f"{_text(kind.operation)} <code>{_text(kind.place)}</code>"
    return f'<tr>{numbers}<th scope="row">{where}</th><td class="mono">{_example(kind)}</td></tr>'


def _count(kind: FailureGroup, name: str, count: int, new: int) -> str:
    query = urlencode({"implementation": name, "kind": kind.name})
    told = f'<a href="#?{escape(query)}">{count}</a>' if count else "·"
    told += f', <a href="#?{escape(query)}&amp;mark={Status.NEW}">{new} new</a>' if new else ""
    return f'<td class="number" data-name="{_text(name)}">{told}</td>'


def _example(kind: FailureGroup) -> str:
    if kind.difference is None:
        return escape(one_line(kind.fault, 400))
    wanted, got = quoted(kind.difference.wanted, _LONGEST_COMPARED), quoted(kind.difference.got, _LONGEST_COMPARED)
    wanted, got = around_the_first_difference(wanted, got, _LONGEST)
    example = "" if kind.uniform() else '<span class="quiet">e.g.</span> '
    told = f'{example}wanted <mark class="wanted">{escape(wanted)}</mark> got <mark class="got">{escape(got)}</mark>'
    return f"{told} {parting(kind.difference.wanted, kind.difference.got)}".rstrip()


def _text(text: str) -> str:
    return escape(one_line(text))
