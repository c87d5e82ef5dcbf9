"""RunRecord → the table of the kinds of failure, each number a link to its cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from urllib.parse import urlencode

from harness.errors import one_line
from harness.model import FAILING, ErrorKind, RunRecord
from harness.reporting.describing import around_the_first_difference, describe_sum, parting, quoted
from harness.reporting.kinds import MOST_FIRST, Kind, kinds

MOST = 100
"""Kinds that the page tells apart."""

_LONGEST = 100
_LONGEST_COMPARED = 10_000


def page_kinds(record: RunRecord) -> Sequence[Kind]:
    """All kinds of failure of all implementations that started."""
    return kinds(one for one in record.results if one.verdict in FAILING and one.kind is not ErrorKind.START)


def kind_table(record: RunRecord, found: Sequence[Kind]) -> Iterator[str]:
    """The section: the commonest kinds at once, the others folded. Nothing if there are none."""
    if not found:
        return
    failing = {result.implementation for kind in found for result in kind.results}
    names = [name for name in record.implementations if name in failing]
    yield '<section aria-labelledby="kinds-heading"><h2 id="kinds-heading">Kinds of failure</h2>'
    yield f'<p class="quiet">{describe_sum(found, "failure")}, by operation and by the place that parts first.</p>'
    yield from _table(names, found[:MOST_FIRST], "The commonest kinds")
    if len(found) > MOST_FIRST:
        yield f"<details><summary>{describe_sum(found[MOST_FIRST:], 'more failure')}</summary>"
        yield from _table(names, found[MOST_FIRST:MOST], "The other kinds")
        if len(found) > MOST:
            yield f'<p class="quiet">… and {describe_sum(found[MOST:], "more failure")}.</p>'
        yield "</details>"
    yield "</section>"


def _table(names: Sequence[str], found: Sequence[Kind], caption: str) -> Iterator[str]:
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table class="kinds">'
    yield f'<caption class="hidden">{caption}</caption><thead><tr>'
    yield from (f'<th scope="col" class="number">{_text(name)}</th>' for name in names)
    yield '<th scope="col">where</th><th scope="col">example</th></tr></thead><tbody>'
    yield from (_row(names, kind) for kind in found)
    yield "</tbody></table></div>"


def _row(names: Sequence[str], kind: Kind) -> str:
    counts = kind.counts()
    numbers = "".join(_count(kind, name, counts.get(name, 0)) for name in names)
    where = f"{_text(kind.operation)} <code>{_text(kind.place)}</code>"
    return f'<tr>{numbers}<th scope="row">{where}</th><td class="mono">{_example(kind)}</td></tr>'


def _count(kind: Kind, name: str, count: int) -> str:
    query = urlencode({"implementation": name, "kind": kind.name})
    told = f'<a href="#?{escape(query)}">{count}</a>' if count else "·"
    return f'<td class="number" data-name="{_text(name)}">{told}</td>'


def _example(kind: Kind) -> str:
    if kind.difference is None:
        return escape(one_line(kind.fault, 400))
    wanted, got = quoted(kind.difference.wanted, _LONGEST_COMPARED), quoted(kind.difference.got, _LONGEST_COMPARED)
    wanted, got = around_the_first_difference(wanted, got, _LONGEST)
    example = "" if kind.uniform() else '<span class="quiet">e.g.</span> '
    told = f'{example}wanted <mark class="wanted">{escape(wanted)}</mark> got <mark class="got">{escape(got)}</mark>'
    return f"{told} {parting(kind.difference.wanted, kind.difference.got)}".rstrip()


def _text(text: str) -> str:
    return escape(one_line(text))
