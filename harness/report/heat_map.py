"""RunSummary → the HTML table of sections and implementations; the colour of a cell shows the share of failures."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from urllib.parse import urlencode

from harness.errors import printable
from harness.model import Verdict
from harness.report.suite_counts import by_section, failing, share, summed, supported
from harness.report.summary import CountsByName, RunSummary, VerdictCounts

_STEPS = (("clean", 0.0), ("mild", 0.02), ("warm", 0.1), ("hot", 0.4))
"""Classes of the style sheet, each with its largest share of failures."""

_SHORT = {Verdict.FAIL: "fail", Verdict.ERROR: "error", Verdict.VARIANT: "variant", Verdict.UNSUPPORTED: "unsupported"}


def heat_map(summary: RunSummary) -> Iterator[str]:
    """The lines of the table. Each cell links to its cases."""
    table = by_section(summary)
    yield '<table class="heat"><caption class="quiet">Share of supported cases that do not fail</caption><thead><tr>'
    yield '<th scope="col">section</th><th scope="col" class="number">cases</th>'
    for name in summary.record.implementations:
        yield f'<th scope="col">{_text(name)}</th>'
    yield "</tr></thead>"
    for system, sections in table.items():
        yield "<tbody>"
        if len(sections) > 1 or system not in sections:
            yield from _row(summary, system, summed(sections.values()), "system")
        for section, row in sections.items():
            yield from _row(summary, section, row, "section")
        yield "</tbody>"
    if len(table) > 1:
        yield "<tbody>"
        yield from _row(summary, "", summary.totals, "system")
        yield "</tbody>"
    yield "</table>"


def _row(summary: RunSummary, name: str, row: CountsByName, kind: str) -> Iterator[str]:
    most = max((counts.total() for counts in row.values()), default=0)
    shown = name.partition("/")[2] if kind == "section" and "/" in name else name
    yield f'<tr class="{kind}"><th scope="row">{_text(shown or "all")}</th><td class="number">{most}</td>'
    for implementation in summary.record.implementations:
        yield _cell(name, implementation, row[implementation], started=implementation not in summary.not_started)
    yield "</tr>"


def _cell(section: str, implementation: str, counts: VerdictCounts, *, started: bool) -> str:
    query = {"implementation": implementation, "verdict": "fail,error" if failing(counts) else ""}
    link = urlencode({key: value for key, value in {"section": section, **query}.items() if value})
    heat = _heat(counts) if started and supported(counts) else "silent"
    notes = ", ".join(f"{counts[verdict]} {word}" for verdict, word in _SHORT.items() if counts[verdict])
    text = share(counts) if started else "not started"
    small = f"<small>{notes}</small>" if notes and started else ""
    return f'<td class="{heat}"><a href="#?{escape(link)}">{text}{small}</a></td>'


def _heat(counts: VerdictCounts) -> str:
    part = failing(counts) / supported(counts)
    return next((name for name, most in _STEPS if part <= most), "burning")


def _text(text: str) -> str:
    return escape(printable(text))
