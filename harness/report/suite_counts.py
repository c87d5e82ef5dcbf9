"""Counting a record by system, section and suite. A case is called `<system>/<section>/…/<id>`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from harness.model import FAILING, RunRecord, Verdict
from harness.report.summary import by_suite, flaky, not_started, totals, unanswered_implementations
from harness.report.text import plural

Row: TypeAlias = "Mapping[str, Counter[Verdict]]"
"""How many of each verdict, by implementation."""


def system_of(name: str) -> str:
    """The system that a case or a suite belongs to."""
    return name.partition("/")[0]


def section_of(suite: str) -> str:
    """The section that a suite belongs to: system and section of the specification, as `system/section`."""
    return "/".join(suite.split("/")[:2])


def by_section(record: RunRecord) -> Mapping[str, Mapping[str, Row]]:
    """The sections of each system, in the order of their names."""
    table: dict[str, dict[str, dict[str, Counter[Verdict]]]] = {}
    for suite, row in by_suite(record).items():
        sections = table.setdefault(system_of(suite), {})
        into = sections.setdefault(section_of(suite), {name: Counter() for name in record.implementations})
        for name, counts in row.items():
            into[name].update(counts)
    return table


def summed(rows: Mapping[str, Row], record: RunRecord) -> Row:
    """The sums of several rows."""
    sums: dict[str, Counter[Verdict]] = {name: Counter() for name in record.implementations}
    for row in rows.values():
        for name, counts in row.items():
            sums[name].update(counts)
    return sums


def judged(counts: Counter[Verdict]) -> int:
    """How many cases could be asked."""
    return counts.total() - counts[Verdict.UNSUPPORTED]


def failing(counts: Counter[Verdict]) -> int:
    """How many failed."""
    return sum(counts[verdict] for verdict in FAILING)


def share(counts: Counter[Verdict]) -> str:
    """The share of those asked that did not fail, as `98.4%`: 100% only if none failed, 0% only if all did."""
    asked, bad = judged(counts), failing(counts)
    if not asked:
        return "not asked"
    tenths = 1000 * (asked - bad) // asked
    if 0 < bad < asked:
        tenths = max(tenths, 1)
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths / 10:.1f}%"


def headline(record: RunRecord) -> str:
    """The outcome of the run in one sentence without its full stop."""
    if not record.complete:
        return "the run did not come to its end"
    silent = not_started(record)
    sums: Counter[Verdict] = Counter()
    for name, counts in totals(record).items():
        sums.update(counts if name not in silent else {})
    bad = failing(sums)
    said = [f"{bad} of {plural(sums.total(), 'verdict')} {'fails' if bad == 1 else 'fail'}"] if bad else []
    said += [f"{plural(len(silent), 'adapter')} could not be started ({', '.join(silent)})"] if silent else []
    shaky = sum(map(len, flaky(record).values()))
    said += [f"{plural(shaky, 'verdict')} {'is' if shaky == 1 else 'are'} flaky"] if shaky else []
    said += [f"{plural(len(record.incidents), 'incident')} happened"] if record.incidents else []
    said += ["something was not judged"] if unanswered_implementations(record) else []
    return ", ".join(said) or "nothing fails"
