"""Coverage → text for a terminal, or JSON: the cases of each requirement, then the gaps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import fill

from ...corpus.provenance import Provenance
from ...corpus.requirement_coverage import MUST, Coverage, CoverageGap, CoveredRequirement, Floor
from ...errors import one_line
from ...model import JsonObject, Requirement
from ..laid_out import lines_of, plain_table
from ..phrases import floor_text, percentage, plural
from ..requirement_failures import RequirementShare

_HEADINGS = {
    CoverageGap.NO_CASE: "Observable requirements without a case:",
    CoverageGap.POSITIVE_ONLY: "Requirements with positive cases only, and no reason for it:",
    CoverageGap.UNREACHED: "Requirements without a case that {judges} supports:",
    CoverageGap.CONTRADICTED: "Unobservable requirements that cases cite:",
}
_HIGH_FLOOR = 0.35
_FEW_CASES = 2
"""An operation with more cases and a higher floor is named."""

_MIN_STATEMENT = 24
"""The fewest columns for a statement."""


def render(covering: Coverage, width: int = 100) -> str:
    """The whole text; statements are cut to `width` columns."""
    lines = [*_table(covering, width)]
    for gap, heading in _HEADINGS.items():
        found = covering.of(gap)
        if found:
            lines += [
                "",
                heading.format(judges=" or ".join(covering.judges)),
                *(_named(row.requirement, width) for row in found),
            ]
    if unproven := covering.unproven_musts():
        lines += ["", "Observable MUSTs with cases that no mutant proves:"]
        lines += [_named(row.requirement, width) for row in unproven]
    for name in covering.implementations:
        lines += _failing(covering, name, width)
    if covering.citing_nothing:
        lines += ["", "Cases without a requirement:", *(f"  {case.name}" for case in covering.citing_nothing)]
    lines += [*_unobservable(covering, width), "", *provenance_lines(covering.provenance), *_floors(covering, width)]
    lines += ["", *_sums(covering)]
    return "".join(f"{one_line(line, 10_000)}\n" if line else "\n" for line in lines)


def _table(covering: Coverage, width: int) -> Iterator[str]:
    """A row for each requirement, under its system, and under its document and section."""
    ids = max((len(row.requirement.id) for row in covering.rows), default=0)
    columns = {name: max(len(name), len("9999/9999")) for name in covering.implementations}
    head = f"{'':<{ids}}          cases   neg" + "".join(f"  {name:>{of}}" for name, of in columns.items())
    room = max(_MIN_STATEMENT, width - len(head) - 4)
    for system, rows in groupby(covering.rows, key=lambda row: row.requirement.system):
        yield f"{system}{head[len(system) :]}"
        by_section: dict[str, list[CoveredRequirement]] = {}
        for row in rows:
            by_section.setdefault(_section(row.requirement), []).append(row)
        for section, of_section in by_section.items():
            yield f"  {one_line(section, width - 2)}"
            for row in of_section:
                cells = "".join(f"  {_agreement(row, name):>{of}}" for name, of in columns.items())
                statement = one_line(row.requirement.statement, room)
                yield f"    {row.requirement.id:<{ids}} {row.requirement.level:<5}{_numbers(row)}{cells}  {statement}"
        yield ""


def _section(requirement: Requirement) -> str:
    return f"{requirement.document}: {requirement.section}"


def _numbers(row: CoveredRequirement) -> str:
    """The number of cases and of negative cases; `-` where none is possible."""
    one = row.requirement
    if one.unobservable and not row.cases:
        return f"{'-':>5} {'-':>5}"
    negative = str(len(row.negative)) if row.negative or not one.positive_only else "-"
    return f"{len(row.cases):>5} {negative:>5}"


def _agreement(row: CoveredRequirement, name: str) -> str:
    reached = row.reached_by(name)
    return f"{row.agreeing(name)}/{reached}" if reached else "·"


def _named(requirement: Requirement, width: int) -> str:
    return f"  {one_line(f'{requirement.id}  {requirement.statement}', width - 2)}"


def _failing(covering: Coverage, name: str, width: int) -> Iterator[str]:
    """The requirements with failing cases of an implementation: those without a passing case, then by the share."""
    shares = [
        (RequirementShare(row.requirement.id, row.charged[name], row.reached_by(name)), row.requirement)
        for row in covering.rows
        if row.charged.get(name)
    ]
    if shares:
        yield from ("", f"{name}, requirements with failing cases (failing/cases), without a passing case first:")
    for share, requirement in sorted(shares, key=lambda one: one[0].rank):
        yield f"  {one_line(share.line(requirement.statement), width - 2)}"


def _unobservable(covering: Coverage, width: int) -> Iterator[str]:
    found = [row.requirement for row in covering.rows if row.requirement.unobservable]
    if found:
        yield from ("", "Unobservable requirements, with the reason:")
    for one in found:
        yield _named(one, width)
        yield from fill(one.unobservable, width, initial_indent="    ", subsequent_indent="    ").splitlines()


def _floors(covering: Coverage, width: int) -> Iterator[str]:
    """The floor of each system, with its operations of a high floor."""
    if not covering.floors:
        return
    yield from ("", "Floor, the share of cases that one constant answer of each operation passes:")
    first = max(len(one.system) for one in covering.floors)
    for system, floors in groupby(sorted(covering.floors, key=lambda one: one.system), key=lambda one: one.system):
        of_system = list(floors)
        passes, cases = sum(one.share * one.cases for one in of_system), sum(one.cases for one in of_system)
        high = ", ".join(f"{one.operation} {floor_text(one.share)}" for one in of_system if _is_high(one))
        line = f"{system:<{first}}  {floor_text(passes, cases):>5}{f'; high: {high}' if high else ''}"
        yield from fill(line, width, initial_indent="  ", subsequent_indent="    ").splitlines()


def _is_high(floor: Floor) -> bool:
    """Whether an operation of several cases has too many with one answer."""
    return floor.share > _HIGH_FLOOR and floor.cases > _FEW_CASES


def _sums(covering: Coverage) -> Iterator[str]:
    """The totals."""
    observable = [row for row in covering.rows if not row.requirement.unobservable]
    shown = sum(bool(row.cases) for row in observable)
    yield f"{plural(len(covering.rows), 'requirement')}: {len(observable):,} observable, {shown:,} with cases."
    for gap in CoverageGap:
        if found := covering.of(gap):
            yield f"{plural(len(found), 'requirement')}: {gap.value}."
    musts = len(covering.uncovered_musts())
    yield f"{plural(musts, 'observable MUST')} without a case." if musts else "Every observable MUST has a case."
    if covering.proof:
        all_musts = [row for row in observable if row.requirement.level == MUST]
        unproven = len(covering.unproven_musts())
        proven = len(all_musts) - unproven - musts
        if not covering.proof.is_current:
            yield "The mutation score is of another corpus, so the next line is in doubt; to renew it: make mutants"
        yield f"Observable MUSTs: {proven} proven by mutants, {unproven} covered, {musts} uncovered."
        yield "Proven: a case notices a mistake in the reference; covered: no case does; uncovered: no case."


def as_json(covering: Coverage) -> str:
    """The same as JSON."""
    value: JsonObject = {
        "schemaVersion": 1,
        "requirements": [_as_json(covering, row) for row in covering.rows],
        "citingNothing": [case.name for case in covering.citing_nothing],
        "uncoveredMusts": [row.requirement.id for row in covering.uncovered_musts()],
        "gaps": {gap.value: [row.requirement.id for row in covering.of(gap)] for gap in CoverageGap},
        "provenance": provenance_json(covering.provenance),
        "floors": {one.operation: one.share for one in covering.floors},
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
        "charged": {name: count for name, count in row.charged.items() if count},
    }
    for key, reason in (("unobservable", one.unobservable), ("positiveOnly", one.positive_only)):
        if reason:
            value[key] = reason
    if covering.proof:
        value["proven"] = one.id in covering.proof.requirements
    return {**value, "gap": gap.value} if gap else value


_INDEPENDENT = "independent"


def provenance_lines(systems: Sequence[Provenance]) -> Iterator[str]:
    """A table: a row for each system, the share of its cases by origin, and the share with independent confirmation, if that
    is known."""
    if not systems:
        return
    origins = sorted({origin for one in systems for origin in one.origins})
    yield "Origins of the expected answers; repository: facts that no text has;"
    yield "independent: confirmed without the reference and without such facts, for the adopted readings only:"
    table = plain_table(["system"], ["cases", *origins, _INDEPENDENT])
    for one in systems:
        shares = [_share(one.origins.get(origin, 0), one.cases) for origin in origins]
        table.add_row(one.system, str(one.cases), *shares, _share(one.independent, one.cases))
    yield from (f"  {line}" for line in lines_of(table))


def _share(count: int | None, of: int) -> str:
    if count is None:
        return "unknown"
    return percentage(count, of) if count else "·"


def provenance_json(systems: Sequence[Provenance]) -> JsonObject:
    """The counts by system; null for what is not known."""
    return {
        one.system: {
            "cases": one.cases,
            "origins": dict(one.origins),
            "derived": one.derived,
            "independent": one.independent,
        }
        for one in systems
    }
