"""RunRecord → the table of sections and implementations, each cell as warm as what fails there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from urllib.parse import urlencode

from harness.errors import printable
from harness.model import RunRecord, Verdict
from harness.report.suite_counts import Row, by_section, failing, judged, share, summed
from harness.report.summary import not_started

_STEPS = (("clean", 0.0), ("mild", 0.02), ("warm", 0.1), ("hot", 0.4))
"""Classes of the style sheet, with the share of failing up to which each holds."""

_SHORT = {Verdict.FAIL: "fail", Verdict.ERROR: "error", Verdict.VARIANT: "variant", Verdict.UNSUPPORTED: "not asked"}


def heat_map(record: RunRecord) -> Iterator[str]:
    """The lines of the table. Each cell leads to its cases."""
    table = by_section(record)
    yield '<table class="heat"><caption class="quiet">Share of the cases asked that did not fail</caption><thead><tr>'
    yield '<th scope="col">section</th><th scope="col" class="number">cases</th>'
    for name in record.implementations:
        yield f'<th scope="col">{_text(name)}</th>'
    yield "</tr></thead>"
    for system, sections in table.items():
        yield "<tbody>"
        if len(sections) > 1 or system not in sections:
            yield from _row(record, system, summed(sections, record), "system")
        for section, row in sections.items():
            yield from _row(record, section, row, "section")
        yield "</tbody>"
    if len(table) > 1:
        everything = {system: summed(sections, record) for system, sections in table.items()}
        yield "<tbody>"
        yield from _row(record, "", summed(everything, record), "system")
        yield "</tbody>"
    yield "</table>"


def _row(record: RunRecord, name: str, row: Row, kind: str) -> Iterator[str]:
    most = max((counts.total() for counts in row.values()), default=0)
    shown = name.partition("/")[2] if kind == "section" and "/" in name else name
    yield f'<tr class="{kind}"><th scope="row">{_text(shown or "all")}</th><td class="number">{most}</td>'
    silent = not_started(record)
    for implementation in record.implementations:
        yield _cell(name, implementation, row[implementation], implementation in silent)
    yield "</tr>"


def _cell(section: str, implementation: str, counts: Counter[Verdict], silent: bool) -> str:
    query = {"implementation": implementation, "verdict": "fail,error" if failing(counts) else ""}
    link = urlencode({key: value for key, value in {"section": section, **query}.items() if value})
    heat = "silent" if silent or not judged(counts) else _heat(counts)
    notes = ", ".join(f"{counts[verdict]} {word}" for verdict, word in _SHORT.items() if counts[verdict])
    told = "not started" if silent else share(counts)
    small = f"<small>{notes}</small>" if notes and not silent else ""
    return f'<td class="{heat}"><a href="#?{escape(link)}">{told}{small}</a></td>'


def _heat(counts: Counter[Verdict]) -> str:
    part = failing(counts) / judged(counts)
    return next((name for name, most in _STEPS if part <= most), "burning")


def _text(text: str) -> str:
    return escape(printable(text))
