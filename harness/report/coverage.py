"""Coverage → text for a terminal, or JSON: what each requirement is shown by, and after all of them what is missing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from textwrap import fill

from harness.corpus.coverage import Coverage, CoverageGap, CoveredRequirement
from harness.errors import one_line
from harness.model import JsonObject, Requirement
from harness.report.text import plural

_MISSING = {
    CoverageGap.NO_CASE: "No case shows these, although they can be observed:",
    CoverageGap.POSITIVE_ONLY: "Only positive cases: none shows what is refused or not done, and no reason is given:",
    CoverageGap.UNREACHED: "{judges} could be asked no case of these:",
    CoverageGap.CONTRADICTED: "Said not to be observable, and yet cited by cases:",
}
_NARROWEST = 24
"""Columns that a statement has at least."""


def render(covering: Coverage, width: int = 100) -> str:
    """The whole text; statements are cut to `width` columns."""
    lines = [*_table(covering, width)]
    for gap, said in _MISSING.items():
        found = covering.of(gap)
        if found:
            lines += [
                "",
                said.format(judges=" and ".join(covering.judges)),
                *(_named(row.requirement, width) for row in found),
            ]
    if covering.citing_nothing:
        lines += ["", "These cases cite no requirement:", *(f"  {case.name}" for case in covering.citing_nothing)]
    lines += [*_unobservable(covering, width), "", *fill(_sums(covering), width).splitlines()]
    return "".join(f"{one_line(line, 10_000)}\n" if line else "\n" for line in lines)


def _table(covering: Coverage, width: int) -> Iterator[str]:
    """A row for each requirement, under its system, and under its document and section."""
    ids = max((len(row.requirement.id) for row in covering.rows), default=0)
    columns = {name: max(len(name), len("9999/9999")) for name in covering.implementations}
    head = f"{'':<{ids}}          cases   neg" + "".join(f"  {name:>{of}}" for name, of in columns.items())
    room = max(_NARROWEST, width - len(head) - 4)
    for system, rows in groupby(covering.rows, key=lambda row: row.requirement.system):
        yield f"{system}{head[len(system) :]}"
        for place, of_place in groupby(rows, key=lambda row: _place(row.requirement)):
            yield f"  {one_line(place, width - 2)}"
            for row in of_place:
                cells = "".join(f"  {_answered(row, name):>{of}}" for name, of in columns.items())
                statement = one_line(row.requirement.statement, room)
                yield f"    {row.requirement.id:<{ids}} {row.requirement.level:<5}{_numbers(row)}{cells}  {statement}"
        yield ""


def _place(requirement: Requirement) -> str:
    return f"{requirement.document}: {requirement.section}"


def _numbers(row: CoveredRequirement) -> str:
    """How many cases, and how many of them negative; `-` where there can be none."""
    one = row.requirement
    if one.unobservable and not row.cases:
        return f"{'-':>5} {'-':>5}"
    negative = str(len(row.negative)) if row.negative or not one.positive_only else "-"
    return f"{len(row.cases):>5} {negative:>5}"


def _answered(row: CoveredRequirement, name: str) -> str:
    reached = row.reached_by(name)
    return f"{row.agreeing(name)}/{reached}" if reached else "·"


def _named(requirement: Requirement, width: int) -> str:
    return f"  {one_line(f'{requirement.id}  {requirement.statement}', width - 2)}"


def _unobservable(covering: Coverage, width: int) -> Iterator[str]:
    found = [row.requirement for row in covering.rows if row.requirement.unobservable]
    if found:
        yield from ("", "What cannot be observed from outside, and why:")
    for one in found:
        yield _named(one, width)
        yield from fill(one.unobservable, width, initial_indent="    ", subsequent_indent="    ").splitlines()


def _sums(covering: Coverage) -> str:
    """What all of it comes to."""
    observable = [row for row in covering.rows if not row.requirement.unobservable]
    shown = sum(bool(row.cases) for row in observable)
    said = [
        f"{plural(len(covering.rows), 'requirement')}, of which {len(observable)} can be observed "
        f"and {shown} have cases."
    ]
    said += [f"{plural(len(found), 'requirement')}: {gap.value}." for gap in CoverageGap if (found := covering.of(gap))]
    musts = len(covering.uncovered_musts())
    said.append(f"{plural(musts, 'observable MUST')} without a case." if musts else "Every observable MUST has a case.")
    return " ".join(said)


def as_json(covering: Coverage) -> str:
    """The same for programs."""
    value: JsonObject = {
        "schemaVersion": 1,
        "requirements": [_as_json(covering, row) for row in covering.rows],
        "citingNothing": [case.name for case in covering.citing_nothing],
        "uncoveredMusts": [row.requirement.id for row in covering.uncovered_musts()],
        "gaps": {gap.value: [row.requirement.id for row in covering.of(gap)] for gap in CoverageGap},
    }
    return json.dumps(value, indent=1) + "\n"


def _as_json(covering: Coverage, row: CoveredRequirement) -> JsonObject:
    one, gap = row.requirement, covering.gap(row)
    value: JsonObject = {
        "id": one.id,
        "system": one.system,
        "level": one.level,
        "document": one.document,
        "section": one.section,
        "statement": one.statement,
        "revision": one.revision,
        "cases": [case.name for case in row.cases],
        "negativeCases": [case.name for case in row.negative],
        "implementations": {
            name: {verdict.value: count for verdict, count in sorted(counts.items())}
            for name, counts in row.verdicts.items()
        },
    }
    for key, said in (("unobservable", one.unobservable), ("positiveOnly", one.positive_only)):
        if said:
            value[key] = said
    return {**value, "gap": gap.value} if gap else value
